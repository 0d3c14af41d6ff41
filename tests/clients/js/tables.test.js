// Tables through the SDK: life cycle, waiters, indexes added later, tags, limits, ARNs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeEndpointsCommand,
  DescribeLimitsCommand,
  DescribeTableCommand,
  ListTagsOfResourceCommand,
  ResourceInUseException,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateTableCommand,
  paginateListTables,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  assertRejects,
  client,
  createTable,
  documents,
  tableInput,
  waitForTable,
  waiting,
} from './connect.js';

const describe = async (TableName) =>
  (await client.send(new DescribeTableCommand({ TableName }))).Table;

async function waitForIndexes(name) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const table = await describe(name);
    const indexes = table.GlobalSecondaryIndexes ?? [];
    if (table.TableStatus === 'ACTIVE' && indexes.every((one) => one.IndexStatus === 'ACTIVE')) {
      return table;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return assert.fail(`the indexes of ${name} did not become ACTIVE`);
}

test('a table is created, described, refused twice, and deleted', async () => {
  const name = 'life-cycle';
  const input = tableInput(name, ['pk', 'sk:N'], { byA: ['a', 'sk:N', 'INCLUDE', 'z', 'b'] });
  const created = await client.send(new CreateTableCommand(input));
  assert.equal(created.TableDescription.TableName, name);
  assert.match(created.TableDescription.TableStatus, /^(CREATING|ACTIVE)$/);
  await waitForTable(name);

  const table = await describe(name);
  assert.equal(table.TableStatus, 'ACTIVE');
  assert.equal(table.TableArn, `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`);
  assert.match(table.TableId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.ok(Math.abs(Date.now() - table.CreationDateTime.getTime()) < 120_000);
  assert.equal(table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
  assert.deepEqual(table.AttributeDefinitions, [
    { AttributeName: 'a', AttributeType: 'S' },
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'N' },
  ]);
  assert.deepEqual(table.KeySchema, input.KeySchema);
  const [index] = table.GlobalSecondaryIndexes;
  assert.equal(index.IndexStatus, 'ACTIVE');
  assert.equal(index.IndexArn, `${table.TableArn}/index/byA`);
  assert.deepEqual(index.Projection, { ProjectionType: 'INCLUDE', NonKeyAttributes: ['b', 'z'] });

  const error = await assertRejects(
    client.send(new CreateTableCommand(input)),
    'ResourceInUseException',
    `Table already exists: ${name}`,
  );
  assert.ok(error instanceof ResourceInUseException);

  await client.send(new DeleteTableCommand({ TableName: name }));
  const gone = await waitUntilTableNotExists(waiting, { TableName: name });
  assert.equal(gone.state, 'SUCCESS');
  await assertRejects(
    describe(name),
    'ResourceNotFoundException',
    `Requested resource not found: Table: ${name} not found`,
  );
  // The name is free again, and nothing of the old table shows.
  await createTable(name, ['pk']);
  assert.equal((await describe(name)).KeySchema.length, 1);
});

test('an index added later is filled with the items that have its keys', async () => {
  const TableName = 'backfill';
  await createTable(TableName, ['pk']);
  for (let first = 0; first < 200; first += 25) {
    const puts = Array.from({ length: 25 }, (_, n) => {
      const number = first + n;
      const Item = { pk: `k${number}`, time: number, ...(number % 4 === 0 && { team: 'blue' }) };
      return { PutRequest: { Item } };
    });
    await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
  }
  await documents.send(new PutCommand({ TableName, Item: { pk: 'odd', team: 7, time: 1 } }));

  const { TableDescription } = await client.send(
    new UpdateTableCommand({
      TableName,
      AttributeDefinitions: [
        { AttributeName: 'team', AttributeType: 'S' },
        { AttributeName: 'time', AttributeType: 'N' },
      ],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'byTeam',
            KeySchema: [
              { AttributeName: 'team', KeyType: 'HASH' },
              { AttributeName: 'time', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    }),
  );
  assert.equal(TableDescription.TableStatus, 'UPDATING');
  assert.equal(TableDescription.GlobalSecondaryIndexes[0].IndexStatus, 'CREATING');
  // A write during the backfill is neither lost nor doubled.
  await documents.send(
    new PutCommand({ TableName, Item: { pk: 'late', time: 1000, team: 'blue' } }),
  );
  const table = await waitForIndexes(TableName);
  assert.equal(table.GlobalSecondaryIndexes[0].Backfilling, undefined);

  const page = await documents.send(
    new QueryCommand({
      TableName,
      IndexName: 'byTeam',
      KeyConditionExpression: 'team = :t',
      ExpressionAttributeValues: { ':t': 'blue' },
    }),
  );
  assert.deepEqual(
    page.Items.map((item) => item.time),
    [...Array.from({ length: 50 }, (_, n) => n * 4), 1000],
  );

  await client.send(
    new UpdateTableCommand({
      TableName,
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byTeam' } }],
    }),
  );
  let left = await describe(TableName);
  for (let attempt = 0; left.GlobalSecondaryIndexes && attempt < 200; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    left = await describe(TableName);
  }
  assert.equal(left.GlobalSecondaryIndexes, undefined);
  assert.deepEqual(left.AttributeDefinitions, [{ AttributeName: 'pk', AttributeType: 'S' }]);
});

test('tags are added, replaced, listed and removed', async () => {
  await client.send(
    new CreateTableCommand({
      ...tableInput('tagged', ['pk']),
      Tags: [{ Key: 'team', Value: 'blue' }],
    }),
  );
  await waitForTable('tagged');
  const { TableArn: ResourceArn } = await describe('tagged');
  const tags = async () => {
    const { Tags } = await client.send(new ListTagsOfResourceCommand({ ResourceArn }));
    return Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]));
  };
  assert.deepEqual(await tags(), { team: 'blue' });
  await client.send(
    new TagResourceCommand({
      ResourceArn,
      Tags: [
        { Key: 'team', Value: 'red' },
        { Key: 'stage', Value: '' },
      ],
    }),
  );
  assert.deepEqual(await tags(), { team: 'red', stage: '' });
  await client.send(new UntagResourceCommand({ ResourceArn, TagKeys: ['team', 'never'] }));
  assert.deepEqual(await tags(), { stage: '' });
  await assertRejects(
    client.send(new TagResourceCommand({ ResourceArn, Tags: [{ Key: 'aws:x', Value: 'y' }] })),
    'ValidationException',
    'Tag Key cannot be prefixed with aws:',
  );
});

test('limits and endpoints', async () => {
  const limits = await client.send(new DescribeLimitsCommand({}));
  assert.equal(limits.AccountMaxReadCapacityUnits, 80_000);
  assert.equal(limits.TableMaxWriteCapacityUnits, 40_000);
  const { Endpoints } = await client.send(new DescribeEndpointsCommand({}));
  assert.equal(Endpoints.length, 1);
  assert.equal(Endpoints[0].CachePeriodInMinutes, 1440);
});

test('the ARN of a table stands for its name', async () => {
  await createTable('by-arn', ['pk']);
  const { TableArn } = await describe('by-arn');
  assert.equal((await describe(TableArn)).TableName, 'by-arn');
  const put = await documents.send(
    new PutCommand({ TableName: TableArn, Item: { pk: 'a' }, ReturnConsumedCapacity: 'TOTAL' }),
  );
  assert.deepEqual(put.ConsumedCapacity, { TableName: TableArn, CapacityUnits: 1 });
  const { Item } = await documents.send(new GetCommand({ TableName: 'by-arn', Key: { pk: 'a' } }));
  assert.deepEqual(Item, { pk: 'a' });
});

test('the table paginator lists every name in order', async () => {
  const wanted = ['list-a', 'list-b', 'list-c'];
  for (const name of wanted) await createTable(name, ['pk']);
  const names = [];
  for await (const page of paginateListTables({ client, pageSize: 2 }, {})) {
    assert.ok(page.TableNames.length <= 2);
    names.push(...page.TableNames);
  }
  assert.deepEqual(
    names.filter((name) => name.startsWith('list-')),
    wanted,
  );
  assert.deepEqual(names, [...names].sort());
});

test('deletion protection holds', async () => {
  const name = 'protected';
  await client.send(
    new CreateTableCommand({ ...tableInput(name, ['pk']), DeletionProtectionEnabled: true }),
  );
  await waitForTable(name);
  await assertRejects(
    client.send(new DeleteTableCommand({ TableName: name })),
    'ValidationException',
    'Resource cannot be deleted as it is currently protected against deletion',
  );
  assert.equal((await describe(name)).DeletionProtectionEnabled, true);
});

test('a mistake in a key schema is named', async () => {
  await assertRejects(
    client.send(
      new CreateTableCommand({
        ...tableInput('mistaken', ['pk']),
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'unused', AttributeType: 'S' },
        ],
      }),
    ),
    'ValidationException',
    'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
  );
});
