// A daily download pipeline: two tables, two state machines, string sets.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { assertRejects, createTable, documents } from './connect.js';

const JOBS = 'data-download-jobs';
const BATCHES = 'data-download-batches';
const batch = 'batch-2026-02-28-f47ac10b';
const start = 1_772_236_800_000;

const job = (entity, updatedAt, status = 'available') => ({
  FileID: `${entity}-2026-02-28`,
  BatchID: batch,
  Status: status,
  Entity: entity,
  DownloadDate: '2026-02-28',
  PresignedURL: 'http://127.0.0.1/file',
  EncryptedAESKey: 'a2V5',
  EncodedAESIV: 'aXY=',
  CreatedAt: '2026-02-28T00:00:00Z',
  StatusUpdatedAt: updatedAt,
  TTL: 1_774_828_800,
});
const putOnce = (item) =>
  documents.send(
    new PutCommand({
      TableName: JOBS,
      Item: item,
      ConditionExpression: 'attribute_not_exists(FileID)',
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
const claim = (FileID, at, owner = 'task') =>
  documents.send(
    new UpdateCommand({
      TableName: JOBS,
      Key: { FileID },
      UpdateExpression: 'SET #status = :downloading, StatusUpdatedAt = :at, #owner = :owner',
      ConditionExpression: '#status = :available',
      ExpressionAttributeNames: { '#status': 'Status', '#owner': 'Owner' },
      ExpressionAttributeValues: {
        ':available': 'available',
        ':downloading': 'downloading',
        ':at': at,
        ':owner': owner,
      },
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
const byStatus = (status, more = {}) =>
  documents.send(
    new QueryCommand({
      TableName: JOBS,
      IndexName: 'StatusIndex',
      KeyConditionExpression: '#s = :s',
      ExpressionAttributeNames: { '#s': 'Status' },
      ExpressionAttributeValues: { ':s': status, ...more.values },
      ...more.input,
    }),
  );
const files = (page) => page.Items.map((item) => item.Entity);

before(async () => {
  await createTable(JOBS, ['FileID'], {
    StatusIndex: ['Status', 'StatusUpdatedAt:N'],
    BatchIndex: ['BatchID', 'Status'],
  });
  await createTable(BATCHES, ['BatchID'], { PollingDateIndex: ['PollingDate', 'Status'] });
  // 999 and 1000: as text the other way round.
  await putOnce(job('ledger', 1000));
  await putOnce(job('accounts', 999));
  await putOnce(job('cards', start));
});

test('putting a job costs three units, claiming it five', async () => {
  const put = await putOnce(job('units', start, 'available'));
  assert.equal(put.ConsumedCapacity.CapacityUnits, 3);
  const claimed = await claim('units-2026-02-28', start + 1);
  assert.equal(claimed.ConsumedCapacity.CapacityUnits, 5);
  await documents.send(new DeleteCommand({ TableName: JOBS, Key: { FileID: 'units-2026-02-28' } }));
});

test('a replayed put is refused and changes nothing', async () => {
  await assertRejects(
    putOnce({ ...job('cards', 1), BatchID: 'another' }),
    'ConditionalCheckFailedException',
  );
  const { Item } = await documents.send(
    new GetCommand({ TableName: JOBS, Key: { FileID: 'cards-2026-02-28' } }),
  );
  assert.equal(Item.BatchID, batch);
});

test('available files, oldest first by number', async () => {
  assert.deepEqual(files(await byStatus('available')), ['accounts', 'ledger', 'cards']);
});

test('of ten racers exactly one claims the file', async () => {
  await putOnce(job('race', start));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, racer) => claim('race-2026-02-28', start + racer, `t${racer}`)),
  );
  const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.equal(lost.length, 9);
  for (const { reason } of lost) assert.equal(reason.name, 'ConditionalCheckFailedException');
  const { Item } = await documents.send(
    new GetCommand({ TableName: JOBS, Key: { FileID: 'race-2026-02-28' }, ConsistentRead: true }),
  );
  const winner = outcomes.findIndex((outcome) => outcome.status === 'fulfilled');
  assert.equal(Item.Owner, `t${winner}`);
});

test('stuck downloads are found by a range of the index', async () => {
  await putOnce(job('stuck', 10));
  await putOnce(job('fresh', 20));
  await claim('stuck-2026-02-28', start - 1_800_001);
  await claim('fresh-2026-02-28', start - 1_800_000);
  const page = await byStatus('downloading', {
    values: { ':before': start - 1_800_000 },
    input: { KeyConditionExpression: '#s = :s AND StatusUpdatedAt < :before' },
  });
  assert.deepEqual(files(page), ['stuck']);
});

test('files of a batch, all and by status', async () => {
  const other = 'batch-2026-03-01-00000000';
  for (const entity of ['x', 'y', 'z']) {
    await putOnce({ ...job(`batch-${entity}`, start), BatchID: other });
  }
  await claim('batch-y-2026-02-28', start + 5);
  const input = {
    TableName: JOBS,
    IndexName: 'BatchIndex',
    KeyConditionExpression: 'BatchID = :b',
    ExpressionAttributeValues: { ':b': other },
  };
  const all = await documents.send(new QueryCommand(input));
  assert.deepEqual(files(all).sort(), ['batch-x', 'batch-y', 'batch-z']);
  const downloading = await documents.send(
    new QueryCommand({
      ...input,
      KeyConditionExpression: 'BatchID = :b AND #s = :s',
      ExpressionAttributeNames: { '#s': 'Status' },
      ExpressionAttributeValues: { ':b': other, ':s': 'downloading' },
    }),
  );
  assert.deepEqual(files(downloading), ['batch-y']);
  const counted = await documents.send(new QueryCommand({ ...input, Select: 'COUNT' }));
  assert.equal(counted.Count, 3);
  assert.equal(counted.Items, undefined);
});

test('a batch collects its files in string sets, and moves through its states', async () => {
  const Key = { BatchID: batch };
  await documents.send(
    new PutCommand({
      TableName: BATCHES,
      Item: {
        ...Key,
        PollingDate: '2026-02-28',
        Status: 'initiated',
        StartTime: '2026-02-28T00:00:00Z',
        ExpectedFiles: new Set(['accounts-2026-02-28', 'cards-2026-02-28']),
        CreatedAt: '2026-02-28T00:00:00Z',
        UpdatedAt: '2026-02-28T00:00:00Z',
        TTL: 1_780_012_800,
      },
      ConditionExpression: 'attribute_not_exists(BatchID)',
    }),
  );
  const add = (file) =>
    documents.send(
      new UpdateCommand({
        TableName: BATCHES,
        Key,
        UpdateExpression: 'ADD CompletedFiles :files',
        ExpressionAttributeValues: { ':files': new Set([file]) },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
  assert.deepEqual((await add('accounts-2026-02-28')).Attributes, {
    CompletedFiles: new Set(['accounts-2026-02-28']),
  });
  await add('cards-2026-02-28');
  const { Attributes } = await add('cards-2026-02-28');
  assert.deepEqual(Attributes.CompletedFiles, new Set(['accounts-2026-02-28', 'cards-2026-02-28']));

  await documents.send(
    new UpdateCommand({
      TableName: BATCHES,
      Key,
      UpdateExpression: 'SET #s = :timeout, TimeoutAt = :at',
      ConditionExpression: '#s IN (:initiated, :queued)',
      ExpressionAttributeNames: { '#s': 'Status' },
      ExpressionAttributeValues: {
        ':timeout': 'timeout',
        ':at': '2026-02-28T06:00:00Z',
        ':initiated': 'initiated',
        ':queued': 'queued',
      },
    }),
  );
  const today = (status) =>
    documents.send(
      new QueryCommand({
        TableName: BATCHES,
        IndexName: 'PollingDateIndex',
        KeyConditionExpression: 'PollingDate = :d' + (status ? ' AND #s = :s' : ''),
        ...(status && { ExpressionAttributeNames: { '#s': 'Status' } }),
        ExpressionAttributeValues: { ':d': '2026-02-28', ...(status && { ':s': status }) },
      }),
    );
  assert.equal((await today()).Count, 1);
  assert.equal((await today('timeout')).Items[0].BatchID, batch);
  assert.equal((await today('initiated')).Count, 0);
});

test('an empty set at creation is refused', async () => {
  const { PutItemCommand } = await import('@aws-sdk/client-dynamodb');
  await assertRejects(
    documents.send(
      new PutItemCommand({
        TableName: BATCHES,
        Item: { BatchID: { S: 'empty' }, CompletedFiles: { SS: [] } },
      }),
    ),
    'ValidationException',
    'An string set  may not be empty',
  );
});
