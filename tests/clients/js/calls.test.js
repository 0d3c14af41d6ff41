// Calls: per-user timelines over one table and three indexes, driven through the document client.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { assertRejects, createTable, documents } from './connect.js';

const TableName = 'Calls';
const now = 1_790_000_000_000;
const hour = 3_600_000;

const sk = (scheduledFor, callId) => `${String(scheduledFor).padStart(13, '0')}#${callId}`;
const call = (userId, callId, scheduledFor, status, providerId = 'p1') => ({
  userId,
  sk: sk(scheduledFor, callId),
  callId,
  providerId,
  status,
  scheduledFor,
  userStatus: `${userId}#${status}`,
});
const create = (item) =>
  documents.send(
    new PutCommand({
      TableName,
      Item: item,
      ConditionExpression: 'attribute_not_exists(userId) AND attribute_not_exists(sk)',
      ReturnConsumedCapacity: 'INDEXES',
    }),
  );
const query = (input) => documents.send(new QueryCommand({ TableName, ...input }));
const ids = (page) => page.Items.map((item) => item.callId);

const calls = [
  call('u1', 'c1', now - 3 * hour, 'COMPLETED'),
  call('u1', 'c2', now - 2 * hour, 'COMPLETED', 'p2'),
  call('u1', 'c3', now + hour, 'SCHEDULED'),
  call('u1', 'c4', now + 2 * hour, 'SCHEDULED'),
  call('u2', 'c5', now + 3 * hour, 'SCHEDULED'),
];

before(async () => {
  await createTable(TableName, ['userId', 'sk'], {
    byCallId: ['callId'],
    byProvider: ['providerId', 'sk'],
    byUserStatus: ['userStatus', 'sk'],
  });
  for (const item of calls) await create(item);
});

test('creating a call costs one unit for the table and one for each index', async () => {
  const { ConsumedCapacity } = await create(call('u9', 'c90', now, 'SCHEDULED', 'p9'));
  assert.deepEqual(ConsumedCapacity, {
    TableName,
    CapacityUnits: 4,
    Table: { CapacityUnits: 1 },
    GlobalSecondaryIndexes: {
      byCallId: { CapacityUnits: 1 },
      byProvider: { CapacityUnits: 1 },
      byUserStatus: { CapacityUnits: 1 },
    },
  });
});

test('creating the same call again is refused', async () => {
  const error = await assertRejects(
    create(calls[0]),
    'ConditionalCheckFailedException',
    'The conditional request failed',
  );
  assert.ok(error instanceof ConditionalCheckFailedException);
});

test('the timeline of a user is in order of time', async () => {
  const page = await query({
    KeyConditionExpression: 'userId = :u',
    ExpressionAttributeValues: { ':u': 'u1' },
  });
  assert.deepEqual(ids(page), ['c1', 'c2', 'c3', 'c4']);
  assert.equal(page.Count, 4);
  assert.deepEqual(page.Items[0], calls[0]);
});

test('a call is found by its id', async () => {
  const page = await query({
    IndexName: 'byCallId',
    KeyConditionExpression: 'callId = :c',
    ExpressionAttributeValues: { ':c': 'c5' },
  });
  assert.deepEqual(page.Items, [calls[4]]);
});

test('calls of a provider, newest first', async () => {
  const page = await query({
    IndexName: 'byProvider',
    KeyConditionExpression: 'providerId = :p',
    ExpressionAttributeValues: { ':p': 'p1' },
    ScanIndexForward: false,
  });
  assert.deepEqual(ids(page), ['c5', 'c4', 'c3', 'c1']);
});

test('the next scheduled call', async () => {
  const page = await query({
    IndexName: 'byUserStatus',
    KeyConditionExpression: 'userStatus = :us AND sk >= :now',
    ExpressionAttributeValues: { ':us': 'u1#SCHEDULED', ':now': sk(now, '') },
    Limit: 1,
  });
  assert.deepEqual(ids(page), ['c3']);
  assert.deepEqual(page.LastEvaluatedKey, {
    userId: 'u1',
    sk: calls[2].sk,
    userStatus: 'u1#SCHEDULED',
  });
});

test('the last completed call', async () => {
  const page = await query({
    IndexName: 'byUserStatus',
    KeyConditionExpression: 'userStatus = :us',
    ExpressionAttributeValues: { ':us': 'u1#COMPLETED' },
    ScanIndexForward: false,
    Limit: 1,
  });
  assert.deepEqual(ids(page), ['c2']);
});

test('the calls of one status, both ways', async () => {
  const input = {
    IndexName: 'byUserStatus',
    KeyConditionExpression: 'userStatus = :us',
    ExpressionAttributeValues: { ':us': 'u1#SCHEDULED' },
  };
  assert.deepEqual(ids(await query(input)), ['c3', 'c4']);
  assert.deepEqual(ids(await query({ ...input, ScanIndexForward: false })), ['c4', 'c3']);
});

test('a status change moves the call in byUserStatus and costs five units', async () => {
  const item = call('u3', 'c30', now + hour, 'SCHEDULED', 'p3');
  await create(item);
  const complete = () =>
    documents.send(
      new UpdateCommand({
        TableName,
        Key: { userId: item.userId, sk: item.sk },
        UpdateExpression: 'SET #status = :completed, userStatus = :us',
        ConditionExpression: '#status = :scheduled',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':completed': 'COMPLETED',
          ':scheduled': 'SCHEDULED',
          ':us': 'u3#COMPLETED',
        },
        ReturnValues: 'ALL_NEW',
        ReturnConsumedCapacity: 'INDEXES',
      }),
    );
  const { Attributes, ConsumedCapacity } = await complete();
  assert.deepEqual(Attributes, { ...item, status: 'COMPLETED', userStatus: 'u3#COMPLETED' });
  assert.deepEqual(ConsumedCapacity, {
    TableName,
    CapacityUnits: 5,
    Table: { CapacityUnits: 1 },
    GlobalSecondaryIndexes: {
      byCallId: { CapacityUnits: 1 },
      byProvider: { CapacityUnits: 1 },
      byUserStatus: { CapacityUnits: 2 },
    },
  });
  const statuses = async (status) =>
    ids(
      await query({
        IndexName: 'byUserStatus',
        KeyConditionExpression: 'userStatus = :us',
        ExpressionAttributeValues: { ':us': `u3#${status}` },
      }),
    );
  assert.deepEqual(await statuses('SCHEDULED'), []);
  assert.deepEqual(await statuses('COMPLETED'), ['c30']);
  await assertRejects(complete(), 'ConditionalCheckFailedException');
});

test('`status` is a reserved word', async () => {
  await assertRejects(
    documents.send(
      new UpdateCommand({
        TableName,
        Key: { userId: 'u1', sk: calls[0].sk },
        UpdateExpression: 'SET status = :s',
        ExpressionAttributeValues: { ':s': 'COMPLETED' },
      }),
    ),
    'ValidationException',
    'Attribute name is a reserved keyword; reserved keyword: status',
  );
});

test('a provider change moves the call in byProvider', async () => {
  const item = call('u4', 'c40', now, 'SCHEDULED', 'p4');
  await create(item);
  await documents.send(
    new UpdateCommand({
      TableName,
      Key: { userId: item.userId, sk: item.sk },
      UpdateExpression: 'SET providerId = :p',
      ExpressionAttributeValues: { ':p': 'p5' },
    }),
  );
  const of = async (provider) =>
    ids(
      await query({
        IndexName: 'byProvider',
        KeyConditionExpression: 'providerId = :p',
        ExpressionAttributeValues: { ':p': provider },
      }),
    );
  assert.deepEqual(await of('p4'), []);
  assert.deepEqual(await of('p5'), ['c40']);
});

test('the time of a call is part of its key and cannot be updated', async () => {
  await assertRejects(
    documents.send(
      new UpdateCommand({
        TableName,
        Key: { userId: 'u1', sk: calls[0].sk },
        UpdateExpression: 'SET sk = :sk',
        ExpressionAttributeValues: { ':sk': sk(now, 'c1') },
      }),
    ),
    'ValidationException',
    'Cannot update attribute sk. This attribute is part of the key',
  );
});

test('a stale version is refused', async () => {
  const key = { userId: 'u6', sk: sk(now, 'c60') };
  const save = (version) =>
    documents.send(
      new UpdateCommand({
        TableName,
        Key: key,
        UpdateExpression: 'SET #v = :next',
        ConditionExpression: 'attribute_not_exists(#v) OR #v = :seen',
        ExpressionAttributeNames: { '#v': 'version' },
        ExpressionAttributeValues: { ':seen': version, ':next': version + 1 },
      }),
    );
  await save(0);
  await save(1);
  await assertRejects(save(1), 'ConditionalCheckFailedException');
  const { Item } = await documents.send(
    new GetCommand({ TableName, Key: key, ConsistentRead: true }),
  );
  assert.equal(Item.version, 2);
});

test('a global index has no strongly consistent reads', async () => {
  await assertRejects(
    query({
      IndexName: 'byCallId',
      KeyConditionExpression: 'callId = :c',
      ExpressionAttributeValues: { ':c': 'c1' },
      ConsistentRead: true,
    }),
    'ValidationException',
    'Consistent reads are not supported on global secondary indexes',
  );
});

test('a number where the sort key is a string is a type error', async () => {
  await assertRejects(
    query({
      IndexName: 'byUserStatus',
      KeyConditionExpression: 'userStatus = :us AND sk >= :now',
      ExpressionAttributeValues: { ':us': 'u1#SCHEDULED', ':now': now },
    }),
    'ValidationException',
    'Condition parameter type does not match schema type',
  );
});
