// Query and Scan through the SDK: pages, segments, filters, capacity.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  BatchWriteCommand,
  GetCommand,
  QueryCommand,
  ScanCommand,
  paginateQuery,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import { assertRejects, createTable, documents } from './connect.js';

const TableName = 'reads';
const count = 250;
const padding = 'x'.repeat(1000);

before(async () => {
  await createTable(TableName, ['pk', 'sk:N'], { byGroup: ['group', 'sk:N', 'KEYS_ONLY'] });
  const items = Array.from({ length: count }, (_, n) => ({
    pk: `p${n % 5}`,
    sk: n - 100,
    group: `g${n % 3}`,
    even: n % 2 === 0,
    padding,
  }));
  for (let first = 0; first < count; first += 25) {
    const puts = items.slice(first, first + 25).map((Item) => ({ PutRequest: { Item } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
  }
});

const query = (input) => documents.send(new QueryCommand({ TableName, ...input }));
const scan = (input) => documents.send(new ScanCommand({ TableName, ...input }));
const p0 = { KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 'p0' } };
const sks = (page) => page.Items.map((item) => item.sk);
const range = (from, to, step) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step);

test('numbers sort by value, negative ones first', async () => {
  assert.deepEqual(sks(await query(p0)), range(-100, 145, 5));
});

for (const [condition, values, expected] of [
  ['sk = :a', { ':a': 0 }, [0]],
  ['sk < :a', { ':a': -90 }, [-100, -95]],
  ['sk <= :a', { ':a': -90 }, [-100, -95, -90]],
  ['sk > :a', { ':a': 140 }, [145]],
  ['sk >= :a', { ':a': 140 }, [140, 145]],
  ['sk BETWEEN :a AND :b', { ':a': -7, ':b': 5 }, [-5, 0, 5]],
]) {
  test(`pk = :p AND ${condition}`, async () => {
    const page = await query({
      KeyConditionExpression: `pk = :p AND ${condition}`,
      ExpressionAttributeValues: { ':p': 'p0', ...values },
    });
    assert.deepEqual(sks(page), expected);
  });
}

test('a page that ends exactly at its limit still has a key to go on', async () => {
  const page = await query({ ...p0, Limit: 50 });
  assert.equal(page.Count, 50);
  assert.deepEqual(page.LastEvaluatedKey, { pk: 'p0', sk: 145 });
  const next = await query({ ...p0, Limit: 50, ExclusiveStartKey: page.LastEvaluatedKey });
  assert.deepEqual(next.Items, []);
  assert.equal(next.LastEvaluatedKey, undefined);
});

for (const forward of [true, false]) {
  test(`the query paginator sees all, ${forward ? 'ascending' : 'descending'}`, async () => {
    const seen = [];
    const input = { TableName, ...p0, ScanIndexForward: forward };
    for await (const page of paginateQuery({ client: documents, pageSize: 8 }, input)) {
      seen.push(...sks(page));
    }
    const all = range(-100, 145, 5);
    assert.deepEqual(seen, forward ? all : all.reverse());
  });
}

test('the limit counts before the filter', async () => {
  const page = await query({
    KeyConditionExpression: 'pk = :p',
    FilterExpression: 'even = :yes',
    ExpressionAttributeValues: { ':p': 'p0', ':yes': true },
    Limit: 10,
  });
  assert.equal(page.ScannedCount, 10);
  assert.equal(page.Count, 5);
});

test('four segments hold every item once', async () => {
  const segments = await Promise.all(
    range(0, 3, 1).map(async (Segment) => {
      const seen = [];
      const input = { TableName, Segment, TotalSegments: 4 };
      for await (const page of paginateScan({ client: documents, pageSize: 20 }, input)) {
        seen.push(...page.Items.map((item) => `${item.pk}/${item.sk}`));
      }
      return seen;
    }),
  );
  const all = segments.flat();
  assert.equal(all.length, count);
  assert.equal(new Set(all).size, count);
});

test('a scan stops at one megabyte and goes on from there', async () => {
  const name = 'megabytes';
  await createTable(name, ['pk']);
  const big = 'y'.repeat(100_000);
  for (let first = 0; first < 30; first += 10) {
    const puts = range(first, first + 9, 1).map((n) => ({
      PutRequest: { Item: { pk: `k${n}`, big } },
    }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [name]: puts } }));
  }
  const first = await documents.send(new ScanCommand({ TableName: name }));
  assert.ok(first.Count >= 10 && first.Count <= 11, `${first.Count} items in the first page`);
  assert.ok(first.LastEvaluatedKey);
  let total = 0;
  for await (const page of paginateScan({ client: documents }, { TableName: name })) {
    total += page.Count;
  }
  assert.equal(total, 30);
});

test('an index scan gives the keys and nothing more', async () => {
  const seen = new Set();
  for await (const page of paginateScan(
    { client: documents, pageSize: 33 },
    { TableName, IndexName: 'byGroup' },
  )) {
    for (const item of page.Items) {
      assert.deepEqual(Object.keys(item).sort(), ['group', 'pk', 'sk']);
      seen.add(`${item.pk}/${item.sk}`);
    }
  }
  assert.equal(seen.size, count);
});

test('reads are billed by what they evaluate', async () => {
  const units = (answer) => answer.ConsumedCapacity.CapacityUnits;
  const ReturnConsumedCapacity = 'TOTAL';
  const Key = { pk: 'p0', sk: 0 };
  const get = (ConsistentRead) =>
    documents.send(new GetCommand({ TableName, Key, ConsistentRead, ReturnConsumedCapacity }));
  assert.equal(units(await get(false)), 0.5);
  assert.equal(units(await get(true)), 1);
  // 50 items of a little over 1,000 bytes are 13 blocks of 4 KB.
  const all = await query({ ...p0, ReturnConsumedCapacity });
  assert.equal(units(all), 6.5);
  const strong = await query({ ...p0, ReturnConsumedCapacity, ConsistentRead: true });
  assert.equal(units(strong), 13);
  const counted = await query({ ...p0, ReturnConsumedCapacity, Select: 'COUNT' });
  assert.equal(units(counted), 6.5);
  const index = await query({
    IndexName: 'byGroup',
    KeyConditionExpression: '#g = :g',
    ExpressionAttributeNames: { '#g': 'group' },
    ExpressionAttributeValues: { ':g': 'g0' },
    ReturnConsumedCapacity: 'INDEXES',
  });
  assert.deepEqual(index.ConsumedCapacity, {
    TableName,
    CapacityUnits: 0.5,
    Table: { CapacityUnits: 0 },
    GlobalSecondaryIndexes: { byGroup: { CapacityUnits: 0.5 } },
  });
});

test('mistakes in reads are named', async () => {
  await assertRejects(
    query({ ...p0, IndexName: 'nope' }),
    'ValidationException',
    'The table does not have the specified index: nope',
  );
  await assertRejects(
    query({ KeyConditionExpression: 'sk = :p', ExpressionAttributeValues: { ':p': 1 } }),
    'ValidationException',
    'Query condition missed key schema element: pk',
  );
  await assertRejects(
    scan({ Segment: 4, TotalSegments: 4 }),
    'ValidationException',
    'Segment: 4 is not less than TotalSegments: 4',
  );
  await assertRejects(
    scan({ FilterExpression: 'a = = :v', ExpressionAttributeValues: { ':v': 1 } }),
    'ValidationException',
    'Invalid FilterExpression: Syntax error; token: "=", near: "= = :v"',
  );
  await assertRejects(
    query({
      IndexName: 'byGroup',
      KeyConditionExpression: '#g = :g',
      ExpressionAttributeNames: { '#g': 'group' },
      ExpressionAttributeValues: { ':g': 'g0' },
      Select: 'ALL_ATTRIBUTES',
    }),
    'ValidationException',
    'Select type ALL_ATTRIBUTES is not supported for global secondary index byGroup',
  );
});
