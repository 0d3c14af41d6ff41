// A sparse index: only calls that need attention carry its keys.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  BatchWriteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import { assertRejects, createTable, documents } from './connect.js';

const TableName = 'PhoneCalls';
const IndexName = 'ReconciliationIndex';
const pending = 'STATUS#PENDING';
const time = (minute) => new Date(Date.UTC(2023, 9, 21, 0, minute)).toISOString().slice(0, 19) + 'Z';

const call = (number) => {
  const bad = number % 10 === 0;
  return {
    CallId: `call-${String(number).padStart(4, '0')}`,
    TenantId: `TENANT-${number % 7}`,
    CallDateTime: time(number),
    AudioReceived: !bad,
    ProcessingStatus: bad ? 'PENDING' : 'SUCCESS',
    Note: 'not projected',
    ...(bad && { GSI_Recon_PK: pending, GSI_Recon_SK: `${time(number)}#TENANT-${number % 7}` }),
  };
};
const queryInput = (more = {}) => ({
  TableName,
  IndexName,
  KeyConditionExpression: 'GSI_Recon_PK = :status AND GSI_Recon_SK > :lookback',
  ExpressionAttributeValues: { ':status': pending, ':lookback': '2023-10-20T00:00:00Z' },
  ...more,
});
const expected = Array.from({ length: 100 }, (_, n) => call(n * 10).CallId);

before(async () => {
  await createTable(TableName, ['CallId'], {
    [IndexName]: ['GSI_Recon_PK', 'GSI_Recon_SK', 'INCLUDE', 'TenantId', 'AudioReceived'],
  });
  for (let first = 0; first < 1000; first += 25) {
    const puts = Array.from({ length: 25 }, (_, n) => ({ PutRequest: { Item: call(first + n) } }));
    const { UnprocessedItems } = await documents.send(
      new BatchWriteCommand({ RequestItems: { [TableName]: puts } }),
    );
    assert.deepEqual(UnprocessedItems, {});
  }
});

test('a tenth of a thousand calls is in the index, with the projected attributes', async () => {
  const page = await documents.send(new QueryCommand(queryInput()));
  assert.equal(page.Count, 100);
  assert.equal(page.LastEvaluatedKey, undefined);
  assert.deepEqual(
    page.Items.map((item) => item.CallId),
    expected,
  );
  assert.deepEqual(Object.keys(page.Items[0]).sort(), [
    'AudioReceived',
    'CallId',
    'GSI_Recon_PK',
    'GSI_Recon_SK',
    'TenantId',
  ]);
});

for (const [direction, forward] of [
  ['oldest', true],
  ['newest', false],
]) {
  test(`pages of seven, ${direction} first, lose and repeat nothing`, async () => {
    const seen = [];
    let pages = 0;
    const input = queryInput({ ScanIndexForward: forward });
    for await (const page of paginateQuery({ client: documents, pageSize: 7 }, input)) {
      assert.ok(page.Items.length <= 7);
      seen.push(...page.Items.map((item) => item.CallId));
      pages += 1;
    }
    assert.equal(pages, 15);
    assert.deepEqual(seen, forward ? expected : [...expected].reverse());
  });
}

test('success removes both keys: the call leaves the index and stays in the table', async () => {
  const item = { ...call(0), CallId: 'solved', GSI_Recon_PK: 'STATUS#FAILED' };
  const Key = { CallId: 'solved' };
  await documents.send(new PutCommand({ TableName, Item: item }));
  const failed = () =>
    documents.send(
      new QueryCommand(
        queryInput({
          ExpressionAttributeValues: { ':status': 'STATUS#FAILED', ':lookback': '2023' },
        }),
      ),
    );
  assert.equal((await failed()).Count, 1);
  await documents.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: 'SET ProcessingStatus = :ok, AudioReceived = :t REMOVE GSI_Recon_PK, GSI_Recon_SK',
      ExpressionAttributeValues: { ':ok': 'SUCCESS', ':t': true },
    }),
  );
  assert.equal((await failed()).Count, 0);
  const { Item } = await documents.send(new GetCommand({ TableName, Key }));
  assert.equal(Item.ProcessingStatus, 'SUCCESS');
  assert.equal(Item.GSI_Recon_PK, undefined);
  await documents.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: 'SET GSI_Recon_PK = :pk, GSI_Recon_SK = :sk',
      ExpressionAttributeValues: { ':pk': 'STATUS#FAILED', ':sk': item.GSI_Recon_SK },
    }),
  );
  assert.equal((await failed()).Count, 1);
});

test('only one of the two keys: not in the index', async () => {
  await documents.send(
    new PutCommand({ TableName, Item: { CallId: 'half', GSI_Recon_PK: 'STATUS#HALF' } }),
  );
  const page = await documents.send(
    new QueryCommand({
      TableName,
      IndexName,
      KeyConditionExpression: 'GSI_Recon_PK = :s',
      ExpressionAttributeValues: { ':s': 'STATUS#HALF' },
    }),
  );
  assert.deepEqual(page.Items, []);
});

test('NULL in an index key is refused', async () => {
  await assertRejects(
    documents.send(
      new PutCommand({ TableName, Item: { ...call(0), CallId: 'null', GSI_Recon_PK: null } }),
    ),
    'ValidationException',
    'Type mismatch for Index Key GSI_Recon_PK Expected: S Actual: NULL IndexName: ReconciliationIndex',
  );
});

test('an empty string in an index key is refused, by put and by update', async () => {
  await assertRejects(
    documents.send(
      new PutCommand({ TableName, Item: { ...call(0), CallId: 'empty', GSI_Recon_SK: '' } }),
    ),
    'ValidationException',
    'A value specified for a secondary index key is not supported. The AttributeValue for a key ' +
      'attribute cannot contain an empty string value. IndexName: ReconciliationIndex, IndexKey: GSI_Recon_SK',
  );
  await assertRejects(
    documents.send(
      new UpdateCommand({
        TableName,
        Key: { CallId: 'call-0001' },
        UpdateExpression: 'SET GSI_Recon_PK = :e',
        ExpressionAttributeValues: { ':e': '' },
      }),
    ),
    'ValidationException',
    'attempted to update a secondary index key to a value that is not supported',
  );
});

test('a call at exactly the lookback instant is found', async () => {
  const page = await documents.send(
    new QueryCommand(
      queryInput({ ExpressionAttributeValues: { ':status': pending, ':lookback': time(990) } }),
    ),
  );
  assert.deepEqual(
    page.Items.map((item) => item.CallId),
    ['call-0990'],
  );
});

test('one tenant is a filter, not a key', async () => {
  const page = await documents.send(
    new QueryCommand(
      queryInput({
        FilterExpression: 'TenantId = :t',
        ExpressionAttributeValues: {
          ':status': pending,
          ':lookback': '2023-10-20T00:00:00Z',
          ':t': 'TENANT-3',
        },
      }),
    ),
  );
  assert.equal(page.ScannedCount, 100);
  assert.equal(page.Count, expected.filter((_, n) => (n * 10) % 7 === 3).length);
  await assertRejects(
    documents.send(
      new QueryCommand(
        queryInput({
          FilterExpression: 'contains(GSI_Recon_SK, :t)',
          ExpressionAttributeValues: { ':status': pending, ':lookback': '2023', ':t': 'TENANT-3' },
        }),
      ),
    ),
    'ValidationException',
    'Filter Expression can only contain non-primary key attributes: Primary key attribute: GSI_Recon_SK',
  );
});
