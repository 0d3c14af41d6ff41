// Exports and imports through the SDK.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  DescribeExportCommand,
  DescribeImportCommand,
  DescribeTableCommand,
  ExportTableToPointInTimeCommand,
  ImportTableCommand,
  ListExportsCommand,
  ListImportsCommand,
  UpdateContinuousBackupsCommand,
} from '@aws-sdk/client-dynamodb';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { assertRejects, client, createTable, documents } from './connect.js';

const buckets = process.env.STATOR_S3_ROOT;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function whenOver(describe) {
  for (;;) {
    const [status, description] = await describe();
    if (status !== 'IN_PROGRESS') return description;
    await pause(50);
  }
}

const exportOver = (ExportArn) =>
  whenOver(async () => {
    const { ExportDescription } = await client.send(new DescribeExportCommand({ ExportArn }));
    return [ExportDescription.ExportStatus, ExportDescription];
  });

const importOver = (ImportArn) =>
  whenOver(async () => {
    const answer = await client.send(new DescribeImportCommand({ ImportArn }));
    return [answer.ImportTableDescription.ImportStatus, answer.ImportTableDescription];
  });

const newTable = (TableName) => ({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
});

async function recoverable(TableName) {
  await createTable(TableName, ['pk']);
  await client.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return Table.TableArn;
}

test('a full export has its manifest and its data, and can be imported', async () => {
  const TableArn = await recoverable('js-export');
  for (const pk of ['a', 'b', 'c']) {
    await documents.send(new PutCommand({ TableName: 'js-export', Item: { pk, list: [1, 'two'] } }));
  }
  const started = await client.send(
    new ExportTableToPointInTimeCommand({ TableArn, S3Bucket: 'js-exports', ClientToken: 'js-one' }),
  );
  const { ExportArn } = started.ExportDescription;
  assert.ok(started.ExportDescription.StartTime instanceof Date);
  const over = await exportOver(ExportArn);
  assert.equal(over.ExportStatus, 'COMPLETED');
  assert.equal(over.ItemCount, 3);

  const summary = JSON.parse(readFileSync(join(buckets, 'js-exports', over.ExportManifest), 'utf8'));
  const files = readFileSync(join(buckets, 'js-exports', summary.manifestFilesS3Key), 'utf8');
  const key = JSON.parse(files.split('\n')[0]).dataFileS3Key;
  const lines = gunzipSync(readFileSync(join(buckets, 'js-exports', key))).toString().trim();
  assert.equal(lines.split('\n').length, 3);
  assert.ok(existsSync(join(buckets, 'js-exports', over.ExportManifest.replace('.json', '.md5'))));

  await assertRejects(
    client.send(
      new ExportTableToPointInTimeCommand({ TableArn, S3Bucket: 'other', ClientToken: 'js-one' }),
    ),
    'ExportConflictException',
    'Export conflict: Duplicate request detected with conflicting parameters',
  );
  const listed = await client.send(new ListExportsCommand({ TableArn }));
  assert.deepEqual(listed.ExportSummaries, [
    { ExportArn, ExportStatus: 'COMPLETED', ExportType: 'FULL_EXPORT' },
  ]);

  const { ImportTableDescription } = await client.send(
    new ImportTableCommand({
      S3BucketSource: { S3Bucket: 'js-exports', S3KeyPrefix: `${dirname(key)}/` },
      InputFormat: 'DYNAMODB_JSON',
      InputCompressionType: 'GZIP',
      TableCreationParameters: newTable('js-import'),
    }),
  );
  assert.deepEqual(ImportTableDescription.TableCreationParameters, newTable('js-import'));
  assert.equal((await importOver(ImportTableDescription.ImportArn)).ImportStatus, 'COMPLETED');
  const { Items } = await documents.send(new ScanCommand({ TableName: 'js-import' }));
  assert.equal(Items.length, 3);
  assert.deepEqual(Items[0].list, [1, 'two']);
});

test('an import with a bad line fails and keeps the good ones', async () => {
  mkdirSync(join(buckets, 'js-mixed'), { recursive: true });
  const lines = '{"Item": {"pk": {"S": "good"}}}\n{"Item": {"other": {"S": "bad"}}}\n';
  writeFileSync(join(buckets, 'js-mixed', 'items.json.gz'), gzipSync(lines));
  const { ImportTableDescription } = await client.send(
    new ImportTableCommand({
      S3BucketSource: { S3Bucket: 'js-mixed' },
      InputFormat: 'DYNAMODB_JSON',
      InputCompressionType: 'GZIP',
      TableCreationParameters: newTable('js-mixed'),
    }),
  );
  const over = await importOver(ImportTableDescription.ImportArn);
  assert.equal(over.ImportStatus, 'FAILED');
  assert.equal(over.FailureCode, 'ItemValidationError');
  assert.equal(over.ErrorCount, 1);
  assert.equal(over.ImportedItemCount, 1);
  const listed = await client.send(new ListImportsCommand({ TableArn: over.TableArn }));
  assert.equal(listed.ImportSummaryList.length, 1);
});
