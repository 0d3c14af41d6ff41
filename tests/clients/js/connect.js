// The clients that every suite uses, and what they all do with a table.
import assert from 'node:assert/strict';
import {
  CreateTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export const client = new DynamoDBClient({
  endpoint: process.env.STATOR_ENDPOINT,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
});
export const documents = DynamoDBDocumentClient.from(client);

// For every waiter: the SDK's own pace of 20 seconds suits a cloud.
export const waiting = { client, minDelay: 1, maxDelay: 1, maxWaitTime: 30 };

export async function waitForTable(name) {
  const { state } = await waitUntilTableExists(waiting, { TableName: name });
  assert.equal(state, 'SUCCESS');
}

// tableInput('Calls', ['pk', 'sk:N'], { byName: ['name'], byTime: ['pk', 'time:N', 'INCLUDE', 'a', 'b'] })
export function tableInput(name, keys, indexes = {}) {
  const types = new Map();
  const schema = (attributes) =>
    attributes.map((attribute, position) => {
      const [attributeName, type = 'S'] = attribute.split(':');
      types.set(attributeName, type);
      return { AttributeName: attributeName, KeyType: position === 0 ? 'HASH' : 'RANGE' };
    });
  const projections = ['ALL', 'KEYS_ONLY', 'INCLUDE'];
  const KeySchema = schema(keys);
  const GlobalSecondaryIndexes = Object.entries(indexes).map(([IndexName, words]) => {
    const end = words.findIndex((word) => projections.includes(word));
    const keyWords = end === -1 ? words : words.slice(0, end);
    const ProjectionType = end === -1 ? 'ALL' : words[end];
    const NonKeyAttributes = end === -1 ? [] : words.slice(end + 1);
    return {
      IndexName,
      KeySchema: schema(keyWords),
      Projection: { ProjectionType, ...(NonKeyAttributes.length > 0 && { NonKeyAttributes }) },
    };
  });
  return {
    TableName: name,
    KeySchema,
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    BillingMode: 'PAY_PER_REQUEST',
    ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
  };
}

export async function createTable(name, keys, indexes) {
  await client.send(new CreateTableCommand(tableInput(name, keys, indexes)));
  await waitForTable(name);
}

// Asserts the class of an SDK error, and that its message holds the given words.
export async function assertRejects(promise, name, words = '') {
  const error = await promise.then(
    () => assert.fail(`expected ${name}`),
    (caught) => caught,
  );
  assert.equal(error.name, name, `${error.name}: ${error.message}`);
  assert.ok(error.message.includes(words), `"${error.message}" lacks "${words}"`);
  assert.equal(error.$metadata?.httpStatusCode, 400);
  return error;
}
