// Against a server with --conflicts strict: transactions that meet are refused, and clients that try again succeed.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { createTable, documents } from '../connect.js';

const TableName = 'conflicts';
const clients = 20;
const roundsMax = 50;

before(() => createTable(TableName, ['pk']));

const update = (pk) => ({
  TableName,
  Key: { pk },
  UpdateExpression: 'ADD hits :one',
  ExpressionAttributeValues: { ':one': 1 },
});
const hits = async (pk) =>
  (await documents.send(new GetCommand({ TableName, Key: { pk }, ConsistentRead: true }))).Item?.hits;

// Sends until it succeeds; how often it was refused because of a running transaction.
async function persist(command) {
  for (let refused = 0; ; ++refused) {
    try {
      await documents.send(command());
      return refused;
    } catch (error) {
      if (error.name === 'TransactionCanceledException') {
        const conflict = error.CancellationReasons.find(({ Code }) => Code === 'TransactionConflict');
        assert.equal(conflict?.Message, 'Transaction is ongoing for the item', error.message);
      } else {
        assert.equal(error.name, 'TransactionConflictException', error.message);
        assert.equal(error.message, 'Transaction is ongoing for the item');
      }
    }
  }
}

test('who meets a running transaction is refused, and nothing is lost', async () => {
  let refused = 0;
  let rounds = 0;
  while (refused === 0 && rounds < roundsMax) {
    ++rounds;
    const work = [];
    for (let i = 0; i < clients; ++i) {
      work.push(
        persist(
          () => new TransactWriteCommand({ TransactItems: [{ Update: update('hot') }, { Update: update(`own${i}`) }] }),
        ),
        persist(() => new UpdateCommand(update('hot'))),
        persist(() => new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key: { pk: 'hot' } } }] })),
      );
    }
    for (const count of await Promise.all(work)) refused += count;
    assert.equal(await hits('hot'), rounds * clients * 2);
  }
  assert.ok(refused > 0, `no conflict in ${rounds} rounds`);
});

test('the SDK tries a token again that is in progress, and it happens once', async () => {
  const patient = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: process.env.STATOR_ENDPOINT,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 10,
    }),
  );
  const request = {
    TransactItems: [{ Update: update('once') }],
    ClientRequestToken: `strict-${process.pid}-${Date.now()}`,
  };
  await Promise.all(Array.from({ length: 5 }, () => patient.send(new TransactWriteCommand(request))));
  assert.equal(await hits('once'), 1);
});
