// Items through the SDK: every type, marshalling, conditions, batches, and errors by class.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  ResourceNotFoundException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  NumberValue,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { assertRejects, client, createTable, documents } from './connect.js';

const TableName = 'items';

before(() => createTable(TableName, ['pk', 'sk:N']));

const key = (pk, sk = 0) => ({ pk, sk });
const get = async (pk, sk) =>
  (await documents.send(new GetCommand({ TableName, Key: key(pk, sk), ConsistentRead: true }))).Item;

test('every type comes back as it went in', async () => {
  const Item = {
    pk: { S: 'types' },
    sk: { N: '1' },
    text: { S: 'naïve ☂ 𝄞 "quoted" \\ \u0000 \n' },
    emptyText: { S: '' },
    number: { N: '-12345678901234567890.123456789012345678' },
    binary: { B: new Uint8Array([0, 1, 127, 128, 255]) },
    emptyBinary: { B: new Uint8Array([]) },
    yes: { BOOL: true },
    no: { BOOL: false },
    nothing: { NULL: true },
    strings: { SS: ['a', 'b', 'ä'] },
    numbers: { NS: ['-1.5', '0', '7'] },
    binaries: { BS: [new Uint8Array([1]), new Uint8Array([2, 3])] },
    list: { L: [{ S: 'x' }, { N: '1' }, { L: [] }, { M: {} }] },
    map: { M: { inner: { M: { deep: { L: [{ NULL: true }] } } }, 'with.dot': { S: 'y' } } },
  };
  await client.send(new PutItemCommand({ TableName, Item }));
  const read = await client.send(
    new GetItemCommand({ TableName, Key: { pk: Item.pk, sk: Item.sk }, ConsistentRead: true }),
  );
  assert.deepEqual(read.Item, Item);
});

test('sets come back sorted, numbers in plain decimals', async () => {
  await client.send(
    new PutItemCommand({
      TableName,
      Item: {
        pk: { S: 'sorted' },
        sk: { N: '1.0' },
        strings: { SS: ['b', 'a', 'ab'] },
        numbers: { NS: ['1E2', '-3', '+07.50'] },
        number: { N: '1.5E-3' },
      },
    }),
  );
  const { Item } = await client.send(
    new GetItemCommand({ TableName, Key: { pk: { S: 'sorted' }, sk: { N: '1' } } }),
  );
  assert.deepEqual(Item, {
    pk: { S: 'sorted' },
    sk: { N: '1' },
    strings: { SS: ['a', 'ab', 'b'] },
    numbers: { NS: ['-3', '7.5', '100'] },
    number: { N: '0.0015' },
  });
});

test('the document client marshals plain values', async () => {
  const Item = {
    ...key('plain'),
    text: 'hello',
    number: 42.5,
    flag: true,
    nothing: null,
    list: [1, 'two', [3]],
    map: { nested: { deeper: [null, false] } },
    tags: new Set(['x', 'y']),
    primes: new Set([2, 3, 5]),
    bytes: new Uint8Array([1, 2, 3]),
  };
  await documents.send(new PutCommand({ TableName, Item }));
  assert.deepEqual(await get('plain'), Item);
});

test('a number of 38 digits survives, one of 39 is refused', async () => {
  const digits = '12345678901234567890123456789012345678';
  await documents.send(
    new PutCommand({ TableName, Item: { ...key('digits'), n: NumberValue.from(digits) } }),
  );
  const { Item } = await client.send(
    new GetItemCommand({ TableName, Key: { pk: { S: 'digits' }, sk: { N: '0' } } }),
  );
  assert.equal(Item.n.N, digits);
  await assertRejects(
    documents.send(
      new PutCommand({ TableName, Item: { ...key('digits'), n: NumberValue.from(digits + '9') } }),
    ),
    'ValidationException',
    'Attempting to store more than 38 significant digits in a Number',
  );
});

test('a missing item is no item', async () => {
  assert.equal(await get('nowhere'), undefined);
});

test('a projection keeps nesting and compacts lists', async () => {
  await documents.send(
    new PutCommand({
      TableName,
      Item: { ...key('projection'), a: { b: [10, 20, 30], c: 1 }, d: 4, e: 5 },
    }),
  );
  const { Item } = await documents.send(
    new GetCommand({
      TableName,
      Key: key('projection'),
      ProjectionExpression: 'a.b[2], a.b[0], #d',
      ExpressionAttributeNames: { '#d': 'd' },
    }),
  );
  assert.deepEqual(Item, { a: { b: [10, 30] }, d: 4 });
});

test('each ReturnValues gives its part of the item', async () => {
  const Key = key('return');
  await documents.send(new PutCommand({ TableName, Item: { ...Key, a: 1, b: { c: 1, d: 2 } } }));
  const update = async (ReturnValues) =>
    (
      await documents.send(
        new UpdateCommand({
          TableName,
          Key,
          UpdateExpression: 'SET a = a + :one, b.c = b.c + :one',
          ExpressionAttributeValues: { ':one': 1 },
          ReturnValues,
        }),
      )
    ).Attributes;
  assert.equal(await update('NONE'), undefined);
  assert.deepEqual(await update('UPDATED_OLD'), { a: 2, b: { c: 2 } });
  assert.deepEqual(await update('UPDATED_NEW'), { a: 4, b: { c: 4 } });
  assert.deepEqual(await update('ALL_OLD'), { ...Key, a: 4, b: { c: 4, d: 2 } });
  assert.deepEqual(await update('ALL_NEW'), { ...Key, a: 6, b: { c: 6, d: 2 } });
  const put = await documents.send(
    new PutCommand({ TableName, Item: { ...Key, z: 1 }, ReturnValues: 'ALL_OLD' }),
  );
  assert.equal(put.Attributes.a, 6);
  const removed = await documents.send(
    new DeleteCommand({ TableName, Key, ReturnValues: 'ALL_OLD' }),
  );
  assert.deepEqual(removed.Attributes, { ...Key, z: 1 });
  assert.equal(await get('return'), undefined);
});

test('an update expression sets, removes, adds and deletes in one go', async () => {
  const Key = key('update');
  await documents.send(
    new PutCommand({
      TableName,
      Item: { ...Key, list: [1, 2, 3], gone: 'x', tags: new Set(['a', 'b']), count: 1 },
    }),
  );
  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression:
        'SET #list = list_append(#list, :more), fresh = if_not_exists(fresh, :zero) + :two ' +
        'REMOVE gone ADD #count :two, seen :seen DELETE tags :drop',
      ExpressionAttributeNames: { '#list': 'list', '#count': 'count' },
      ExpressionAttributeValues: {
        ':more': [4],
        ':zero': 0,
        ':two': 2,
        ':seen': new Set([1]),
        ':drop': new Set(['a', 'c']),
      },
      ReturnValues: 'ALL_NEW',
    }),
  );
  assert.deepEqual(Attributes, {
    ...Key,
    list: [1, 2, 3, 4],
    fresh: 2,
    tags: new Set(['b']),
    count: 3,
    seen: new Set([1]),
  });
});

test('a thousand concurrent increments are all counted', async () => {
  const Key = key('counter');
  const increment = () =>
    documents.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'ADD hits :one',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
  await Promise.all(Array.from({ length: 1000 }, increment));
  assert.equal((await get('counter')).hits, 1000);
});

test('a failed condition carries the stored item when asked', async () => {
  const Item = { ...key('old'), state: 'taken', list: [1, { a: 'b' }] };
  await documents.send(new PutCommand({ TableName, Item }));
  const attempt = (ReturnValuesOnConditionCheckFailure) =>
    client.send(
      new PutItemCommand({
        TableName,
        Item: { pk: { S: 'old' }, sk: { N: '0' } },
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure,
      }),
    );
  const asked = await assertRejects(
    attempt('ALL_OLD'),
    'ConditionalCheckFailedException',
    'The conditional request failed',
  );
  assert.ok(asked instanceof ConditionalCheckFailedException);
  assert.deepEqual(asked.Item, {
    pk: { S: 'old' },
    sk: { N: '0' },
    state: { S: 'taken' },
    list: { L: [{ N: '1' }, { M: { a: { S: 'b' } } }] },
  });
  const unasked = await assertRejects(attempt('NONE'), 'ConditionalCheckFailedException');
  assert.equal(unasked.Item, undefined);
});

test('a condition on a missing item carries no item', async () => {
  const error = await assertRejects(
    client.send(
      new UpdateItemCommand({
        TableName,
        Key: { pk: { S: 'absent' }, sk: { N: '0' } },
        UpdateExpression: 'SET a = :a',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':a': { N: '1' } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
    'ConditionalCheckFailedException',
  );
  assert.equal(error.Item, undefined);
  assert.equal(await get('absent'), undefined);
});

test('errors arrive as the classes of the SDK', async () => {
  const missing = await assertRejects(
    documents.send(new GetCommand({ TableName: 'no-such-table', Key: key('a') })),
    'ResourceNotFoundException',
    'Requested resource not found',
  );
  assert.ok(missing instanceof ResourceNotFoundException);
  const invalid = await assertRejects(
    documents.send(new GetCommand({ TableName, Key: { pk: 'a' } })),
    'ValidationException',
    'The provided key element does not match the schema',
  );
  assert.ok(invalid instanceof DynamoDBServiceException);
  assert.match(invalid.$metadata.requestId, /^[0-9A-V]{52}$/);
  await assertRejects(
    documents.send(new PutCommand({ TableName, Item: { pk: 'a' } })),
    'ValidationException',
    'One or more parameter values were invalid: Missing the key sk in the item',
  );
  await assertRejects(
    documents.send(new PutCommand({ TableName, Item: { ...key('big'), x: 'x'.repeat(409_600) } })),
    'ValidationException',
    'Item size has exceeded the maximum allowed size',
  );
});

test('25 writes in a batch, 100 reads in a batch', async () => {
  const items = Array.from({ length: 100 }, (_, sk) => ({ ...key('batch', sk), n: sk * sk }));
  for (let first = 0; first < 100; first += 25) {
    const { UnprocessedItems, ConsumedCapacity } = await documents.send(
      new BatchWriteCommand({
        RequestItems: {
          [TableName]: items.slice(first, first + 25).map((Item) => ({ PutRequest: { Item } })),
        },
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    assert.deepEqual(UnprocessedItems, {});
    assert.deepEqual(ConsumedCapacity, [{ TableName, CapacityUnits: 25 }]);
  }
  const Keys = items.map(({ pk, sk }) => ({ pk, sk }));
  const read = await documents.send(
    new BatchGetCommand({
      RequestItems: { [TableName]: { Keys, ConsistentRead: true } },
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  const bySk = (a, b) => a.sk - b.sk;
  assert.deepEqual(read.Responses[TableName].sort(bySk), items);
  assert.deepEqual(read.UnprocessedKeys, {});
  assert.deepEqual(read.ConsumedCapacity, [{ TableName, CapacityUnits: 100 }]);

  const removals = Keys.slice(0, 10).map((Key) => ({ DeleteRequest: { Key } }));
  await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: removals } }));
  const rest = await documents.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys } } }));
  assert.equal(rest.Responses[TableName].length, 90);
});

test('a batch of too many, or of one key twice, is refused', async () => {
  const put = (sk) => ({ PutRequest: { Item: key('many', sk) } });
  await assertRejects(
    documents.send(
      new BatchWriteCommand({
        RequestItems: { [TableName]: Array.from({ length: 26 }, (_, sk) => put(sk)) },
      }),
    ),
    'ValidationException',
    'Member must have length less than or equal to 25',
  );
  await assertRejects(
    documents.send(
      new BatchGetCommand({
        RequestItems: {
          [TableName]: { Keys: Array.from({ length: 101 }, (_, sk) => key('many', sk)) },
        },
      }),
    ),
    'ValidationException',
    'Member must have length less than or equal to 100',
  );
  await assertRejects(
    documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: [put(1), put(1)] } })),
    'ValidationException',
    'Provided list of item keys contains duplicates',
  );
});
