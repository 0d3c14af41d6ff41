// Streams through the SDK: a consumer that reads while writers write, views, iterators, errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeleteTableCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb-streams';
import { DeleteCommand, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { assertRejects, client, createTable, documents } from './connect.js';

const streams = new DynamoDBStreamsClient({
  endpoint: process.env.STATOR_ENDPOINT,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
});

async function enableStream(TableName, StreamViewType) {
  const { TableDescription } = await client.send(new UpdateTableCommand({
    TableName,
    StreamSpecification: { StreamEnabled: true, StreamViewType },
  }));
  return TableDescription.LatestStreamArn;
}

async function shardsOf(StreamArn) {
  const shards = [];
  let ExclusiveStartShardId;
  do {
    const { StreamDescription } = await streams.send(
      new DescribeStreamCommand({ StreamArn, Limit: 2, ExclusiveStartShardId }));
    shards.push(...StreamDescription.Shards);
    ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId;
  } while (ExclusiveStartShardId);
  return shards;
}

async function iteratorOf(StreamArn, ShardId, ShardIteratorType = 'TRIM_HORIZON', SequenceNumber) {
  const { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType, SequenceNumber }));
  return ShardIterator;
}

// Reads every shard to its end and goes on for ever, as consumers do; stops when `isDone` says so.
async function consume(StreamArn, take, isDone) {
  const readers = (await shardsOf(StreamArn)).map(async ({ ShardId }) => {
    let ShardIterator = await iteratorOf(StreamArn, ShardId);
    while (ShardIterator) {
      const done = isDone();
      const page = await streams.send(new GetRecordsCommand({ ShardIterator, Limit: 50 }));
      page.Records.forEach(take);
      if (done && page.Records.length === 0) return;
      ShardIterator = page.NextShardIterator;
    }
  });
  await Promise.all(readers);
}

test('a consumer that reads while writers write ends with the table', async () => {
  await createTable('stream-replay', ['pk', 'sk:N']);
  const arn = await enableStream('stream-replay', 'NEW_AND_OLD_IMAGES');
  const replayed = new Map();
  const ids = new Set();
  const last = new Map();
  let written = 0;
  let done = false;
  const consumer = consume(arn, ({ eventID, eventName, dynamodb }) => {
    const { pk, sk } = unmarshall(dynamodb.Keys);
    const key = `${pk}/${sk}`;
    assert.ok(!ids.has(eventID));
    ids.add(eventID);
    assert.ok(BigInt(dynamodb.SequenceNumber) > (last.get(key) ?? 0n));
    last.set(key, BigInt(dynamodb.SequenceNumber));
    assert.deepEqual(dynamodb.OldImage && unmarshall(dynamodb.OldImage), replayed.get(key));
    assert.equal(eventName, !dynamodb.OldImage ? 'INSERT' : dynamodb.NewImage ? 'MODIFY' : 'REMOVE');
    assert.ok(dynamodb.ApproximateCreationDateTime instanceof Date);
    assert.ok(dynamodb.SizeBytes > 0);
    if (dynamodb.NewImage) replayed.set(key, unmarshall(dynamodb.NewImage));
    else replayed.delete(key);
  }, () => done);

  const writer = async (number) => {
    for (let i = 0; i < 120; i += 1) {
      const Key = { pk: `writer${number}`, sk: i % 7 };
      if (i % 11 === 10) {
        const { Attributes } = await documents.send(
          new DeleteCommand({ TableName: 'stream-replay', Key, ReturnValues: 'ALL_OLD' }));
        written += Attributes ? 1 : 0;
      } else if (i % 3 === 0) {
        await documents.send(new PutCommand({ TableName: 'stream-replay', Item: { ...Key, i } }));
        written += 1;
      } else {
        await documents.send(new UpdateCommand({
          TableName: 'stream-replay', Key,
          UpdateExpression: 'ADD hits :one', ExpressionAttributeValues: { ':one': 1 },
        }));
        written += 1;
      }
    }
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(writer));
  done = true;
  await consumer;

  const { Items } = await documents.send(
    new ScanCommand({ TableName: 'stream-replay', ConsistentRead: true }));
  const table = new Map(Items.map((item) => [`${item.pk}/${item.sk}`, item]));
  assert.deepEqual(new Map([...replayed].sort()), new Map([...table].sort()));
  assert.equal(ids.size, written);
});

test('streams are listed and described', async () => {
  await createTable('stream-listed', ['pk']);
  const arn = await enableStream('stream-listed', 'KEYS_ONLY');
  const listed = await streams.send(new ListStreamsCommand({ TableName: 'stream-listed' }));
  assert.equal(listed.Streams.length, 1);
  assert.equal(listed.Streams[0].StreamArn, arn);
  assert.equal(arn, `arn:aws:dynamodb:us-east-1:000000000000:table/stream-listed/stream/${listed.Streams[0].StreamLabel}`);
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: arn }));
  assert.equal(StreamDescription.StreamStatus, 'ENABLED');
  assert.equal(StreamDescription.StreamViewType, 'KEYS_ONLY');
  assert.ok(StreamDescription.CreationRequestDateTime instanceof Date);
  assert.deepEqual(StreamDescription.KeySchema, [{ AttributeName: 'pk', KeyType: 'HASH' }]);
  for (const { ShardId, SequenceNumberRange } of StreamDescription.Shards) {
    assert.match(ShardId, /^shardId-\d{20}-[0-9a-f]{8}$/);
    assert.match(SequenceNumberRange.StartingSequenceNumber, /^\d{21,40}$/);
    assert.equal(SequenceNumberRange.EndingSequenceNumber, undefined);
  }
});

test('the stream of a deleted table can be read to its end', async () => {
  await createTable('stream-outlives', ['pk']);
  const arn = await enableStream('stream-outlives', 'NEW_IMAGE');
  await documents.send(new PutCommand({ TableName: 'stream-outlives', Item: { pk: 'a', n: 1 } }));
  await client.send(new DeleteTableCommand({ TableName: 'stream-outlives' }));
  const images = [];
  for (const { ShardId, SequenceNumberRange } of await shardsOf(arn)) {
    assert.ok(SequenceNumberRange.EndingSequenceNumber);
    let ShardIterator = await iteratorOf(arn, ShardId);
    while (ShardIterator) {
      const page = await streams.send(new GetRecordsCommand({ ShardIterator }));
      images.push(...page.Records.map(({ dynamodb }) => unmarshall(dynamodb.NewImage)));
      ShardIterator = page.NextShardIterator;
    }
  }
  assert.deepEqual(images, [{ pk: 'a', n: 1 }]);
});

test('errors have their types', async () => {
  const unknown = 'arn:aws:dynamodb:us-east-1:000000000000:table/Nobody/stream/2026-01-31T12:00:00.000';
  await assert.rejects(
    streams.send(new DescribeStreamCommand({ StreamArn: unknown })),
    (error) => error instanceof ResourceNotFoundException);
  await assertRejects(
    streams.send(new GetRecordsCommand({ ShardIterator: 'garbage' })),
    'ValidationException', 'Invalid ShardIterator');
});
