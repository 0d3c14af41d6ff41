// Transactions through the SDK: typed cancellation reasons, tokens, positional reads.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  GetCommand,
  PutCommand,
  TransactGetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { assertRejects, createTable, documents } from './connect.js';

const TableName = 'transactions';

before(() => createTable(TableName, ['pk', 'sk:N']));

const key = (pk, sk = 0) => ({ pk, sk });
const get = async (pk) =>
  (await documents.send(new GetCommand({ TableName, Key: key(pk), ConsistentRead: true }))).Item;
const increment = (pk) => ({
  Update: {
    TableName,
    Key: key(pk),
    UpdateExpression: 'ADD hits :one',
    ExpressionAttributeValues: { ':one': 1 },
  },
});

test('all actions happen together', async () => {
  await documents.send(new PutCommand({ TableName, Item: { ...key('guard'), open: true } }));
  await documents.send(new PutCommand({ TableName, Item: key('old') }));
  await documents.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName, Item: { ...key('new'), tags: new Set(['a']) } } },
        { Delete: { TableName, Key: key('old') } },
        increment('counted'),
        {
          ConditionCheck: {
            TableName,
            Key: key('guard'),
            ConditionExpression: '#o = :yes',
            ExpressionAttributeNames: { '#o': 'open' },
            ExpressionAttributeValues: { ':yes': true },
          },
        },
      ],
    }),
  );
  const { Responses } = await documents.send(
    new TransactGetCommand({
      TransactItems: ['new', 'old', 'counted'].map((pk) => ({ Get: { TableName, Key: key(pk) } })),
    }),
  );
  assert.deepEqual(Responses, [
    { Item: { ...key('new'), tags: new Set(['a']) } },
    {},
    { Item: { ...key('counted'), hits: 1 } },
  ]);
});

test('a cancelled transaction tells the reason of every action and changes nothing', async () => {
  await documents.send(new PutCommand({ TableName, Item: { ...key('taken'), by: 'me' } }));
  const error = await assertRejects(
    documents.send(
      new TransactWriteCommand({
        TransactItems: [
          increment('untouched'),
          {
            Put: {
              TableName,
              Item: key('taken'),
              ConditionExpression: 'attribute_not_exists(pk)',
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            },
          },
        ],
      }),
    ),
    'TransactionCanceledException',
    '[None, ConditionalCheckFailed]',
  );
  assert.ok(error instanceof TransactionCanceledException);
  assert.deepEqual(error.CancellationReasons, [
    { Code: 'None' },
    {
      Code: 'ConditionalCheckFailed',
      Message: 'The conditional request failed',
      // The document client leaves errors as they come.
      Item: { pk: { S: 'taken' }, sk: { N: '0' }, by: { S: 'me' } },
    },
  ]);
  assert.equal(await get('untouched'), undefined);
});

test('a token makes a transaction happen once', async () => {
  const request = {
    TransactItems: [increment('once')],
    ClientRequestToken: `once-${process.pid}-${Date.now()}`,
    ReturnConsumedCapacity: 'TOTAL',
  };
  const first = await documents.send(new TransactWriteCommand(request));
  assert.deepEqual(first.ConsumedCapacity, [{ TableName, CapacityUnits: 2, WriteCapacityUnits: 2 }]);
  const again = await documents.send(new TransactWriteCommand(request));
  assert.deepEqual(again.ConsumedCapacity, [{ TableName, CapacityUnits: 2, ReadCapacityUnits: 2 }]);
  assert.equal((await get('once')).hits, 1);
  await assertRejects(
    documents.send(new TransactWriteCommand({ ...request, TransactItems: [increment('twice')] })),
    'IdempotentParameterMismatchException',
  );
});

test('equal requests at the same time happen once', async () => {
  const request = {
    TransactItems: [increment('together')],
    ClientRequestToken: `together-${process.pid}-${Date.now()}`,
  };
  await Promise.all(
    Array.from({ length: 10 }, () => documents.send(new TransactWriteCommand(request))),
  );
  assert.equal((await get('together')).hits, 1);
});

test('the SDK gives every transaction a token of its own', async () => {
  for (let i = 0; i < 2; ++i) {
    await documents.send(new TransactWriteCommand({ TransactItems: [increment('own')] }));
  }
  assert.equal((await get('own')).hits, 2);
});
