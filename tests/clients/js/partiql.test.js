// PartiQL through the SDK: both clients, pages, batches with errors in their places, transactions.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  BatchExecuteStatementCommand,
  DuplicateItemException,
  ExecuteStatementCommand as RawExecuteStatementCommand,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand as BatchCommand,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
} from '@aws-sdk/lib-dynamodb';
import { assertRejects, client, createTable, documents } from './connect.js';

const TableName = 'partiql';

before(() => createTable(TableName, ['pk', 'sk:N'], { byGroup: ['group', 'sk:N', 'KEYS_ONLY'] }));

const run = (Statement, Parameters, more = {}) =>
  documents.send(new ExecuteStatementCommand({ Statement, ...(Parameters && { Parameters }), ...more }));
const batch = (statements, more = {}) =>
  documents.send(new BatchCommand({ Statements: statements.map(statement), ...more }));
const transact = (statements, more = {}) =>
  documents.send(
    new ExecuteTransactionCommand({ TransactStatements: statements.map(statement), ...more }),
  );
const statement = ([Statement, ...Parameters]) => ({
  Statement,
  ...(Parameters.length > 0 && { Parameters }),
});
const insert = (pk, sk, more = {}) =>
  run(`INSERT INTO "${TableName}" VALUE {'pk': ?, 'sk': ?, 'more': ?}`, [pk, sk, more]);

test('what is inserted is selected, with native values', async () => {
  const more = { list: [1, 'x', null, true], set: new Set(['a', 'b']), bytes: new Uint8Array([1]) };
  assert.deepEqual((await insert('native', 1, more)).Items, []);
  const { Items } = await run(`SELECT * FROM "${TableName}" WHERE pk = ? AND sk = ?`, ['native', 1]);
  assert.deepEqual(Items, [{ pk: 'native', sk: 1, more }]);
});

test('the low-level client sends typed values', async () => {
  await client.send(
    new RawExecuteStatementCommand({
      Statement: `INSERT INTO ${TableName} VALUE {'pk': 'raw', 'sk': 1, 'v': ?}`,
      Parameters: [{ NS: ['2', '1'] }],
    }),
  );
  const { Items } = await client.send(
    new RawExecuteStatementCommand({ Statement: `SELECT v FROM ${TableName} WHERE pk = 'raw'` }),
  );
  assert.deepEqual(Items, [{ v: { NS: ['1', '2'] } }]);
});

test('an item is inserted once', async () => {
  await insert('once', 1);
  const error = await assertRejects(
    insert('once', 1),
    'DuplicateItemException',
    'Duplicate primary key exists in table',
  );
  assert.ok(error instanceof DuplicateItemException);
});

test('UPDATE and DELETE give back what RETURNING asks for', async () => {
  await insert('returning', 1);
  const where = `WHERE pk = 'returning' AND sk = 1`;
  const updated = await run(`UPDATE ${TableName} SET n = ? ${where} RETURNING MODIFIED NEW *`, [5]);
  assert.deepEqual(updated.Items, [{ n: 5 }]);
  const deleted = await run(`DELETE FROM ${TableName} ${where} RETURNING ALL OLD *`);
  assert.deepEqual(deleted.Items, [{ pk: 'returning', sk: 1, more: {}, n: 5 }]);
  await assertRejects(
    run(`UPDATE ${TableName} SET n = 1 ${where}`),
    'ConditionalCheckFailedException',
    'The conditional request failed',
  );
});

test('a failed condition shows the item when it is asked for', async () => {
  await insert('shown', 1);
  const error = await assertRejects(
    run(`DELETE FROM ${TableName} WHERE pk = 'shown' AND sk = 1 AND n = 1`, undefined, {
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    'ConditionalCheckFailedException',
  );
  assert.deepEqual(error.Item, { pk: { S: 'shown' }, sk: { N: '1' }, more: { M: {} } });
});

test('NextToken leads through all pages', async () => {
  for (let sk = 0; sk < 7; ++sk) await insert('pages', sk);
  const seen = [];
  let NextToken;
  do {
    const page = await run(
      `SELECT sk FROM ${TableName} WHERE pk = ? ORDER BY sk DESC`,
      ['pages'],
      { Limit: 3, ...(NextToken && { NextToken }) },
    );
    assert.ok(page.Items.length <= 3);
    seen.push(...page.Items.map((item) => item.sk));
    NextToken = page.NextToken;
  } while (NextToken);
  assert.deepEqual(seen, [6, 5, 4, 3, 2, 1, 0]);
  await assertRejects(
    run(`SELECT sk FROM ${TableName}`, undefined, { NextToken: 'none of ours' }),
    'ValidationException',
    'Invalid NextToken',
  );
});

test('an index answers for what it projects', async () => {
  await run(`INSERT INTO ${TableName} VALUE {'pk': 'i', 'sk': 1, 'group': 'g', 'x': 1}`);
  const { Items } = await run(`SELECT * FROM ${TableName}.byGroup WHERE "group" = 'g'`);
  assert.deepEqual(Items, [{ pk: 'i', sk: 1, group: 'g' }]);
  await assertRejects(
    run(`SELECT x FROM ${TableName}.byGroup WHERE "group" = 'g'`),
    'ValidationException',
    'Global secondary index byGroup does not project [x]',
  );
});

test('a batch answers in order, errors included', async () => {
  const put = (pk) => [`INSERT INTO ${TableName} VALUE {'pk': ?, 'sk': 1}`, pk];
  await batch([put('batch1')]);
  const { Responses } = await batch([put('batch1'), put('batch2'), ['SLECT * FROM x']]);
  assert.deepEqual(Responses, [
    {
      TableName,
      Error: { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' },
    },
    { TableName },
    {
      Error: {
        Code: 'ValidationError',
        Message: "Statement wasn't well formed, can't be processed: Expected data manipulation",
      },
    },
  ]);
  const read = await batch(
    ['batch1', 'batch2', 'none'].map((pk) => [
      `SELECT pk FROM ${TableName} WHERE pk = ? AND sk = 1`,
      pk,
    ]),
    { ReturnConsumedCapacity: 'TOTAL' },
  );
  assert.deepEqual(read.Responses, [
    { TableName, Item: { pk: 'batch1' } },
    { TableName, Item: { pk: 'batch2' } },
    { TableName },
  ]);
  assert.deepEqual(read.ConsumedCapacity, [{ TableName, CapacityUnits: 1.5 }]);
});

test('a batch without statements is refused', async () => {
  await assertRejects(
    client.send(new BatchExecuteStatementCommand({ Statements: [] })),
    'ValidationException',
    "Value '[]' at 'statements' failed to satisfy constraint",
  );
});

test('a transaction writes all or nothing, once for a token', async () => {
  await insert('tx', 1);
  const add = [`UPDATE ${TableName} SET n = if_not_exists(n, 0) + 1 WHERE pk = 'tx' AND sk = 1`];
  const ClientRequestToken = 'partiql-token';
  assert.deepEqual((await transact([add], { ClientRequestToken })).Responses, []);
  await transact([add], { ClientRequestToken });
  const error = await assertRejects(
    transact([
      add,
      [`INSERT INTO ${TableName} VALUE {'pk': 'tx', 'sk': 2}`],
      [`EXISTS(SELECT * FROM ${TableName} WHERE pk = 'tx' AND sk = 3 AND n = 1)`],
    ]),
    'TransactionCanceledException',
    '[None, None, ConditionalCheckFailed]',
  );
  assert.ok(error instanceof TransactionCanceledException);
  const { Responses } = await transact(
    [1, 2].map((sk) => [`SELECT n FROM ${TableName} WHERE pk = 'tx' AND sk = ?`, sk]),
  );
  assert.deepEqual(Responses, [{ Item: { n: 1 } }, {}]);
});
