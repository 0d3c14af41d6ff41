// Backups and point-in-time recovery through the SDK.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BackupNotFoundException,
  CreateBackupCommand,
  DeleteBackupCommand,
  DeleteTableCommand,
  DescribeBackupCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  ListBackupsCommand,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
} from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { assertRejects, client, createTable, documents, waitForTable } from './connect.js';

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function itemsOf(TableName, IndexName) {
  const { Items } = await documents.send(new ScanCommand({ TableName, IndexName }));
  return Items.sort((a, b) => (a.pk < b.pk ? -1 : 1));
}

async function put(name, numbers) {
  const requests = numbers.map((number) => ({
    PutRequest: { Item: { pk: `key${number}`, name: `name${number % 3}`, number } },
  }));
  await documents.send(new BatchWriteCommand({ RequestItems: { [name]: requests } }));
}

test('a backup is restored with its indexes, under another billing mode, and deleted', async () => {
  const source = 'js-backup-source';
  await createTable(source, ['pk'], { byName: ['name'] });
  await put(source, [1, 2, 3, 4, 5]);
  const before = await itemsOf(source);
  const { BackupDetails } = await client.send(
    new CreateBackupCommand({ TableName: source, BackupName: 'before' }),
  );
  assert.ok(BackupDetails.BackupCreationDateTime instanceof Date);
  await client.send(new DeleteTableCommand({ TableName: source }));

  const { BackupArn } = BackupDetails;
  const described = await client.send(new DescribeBackupCommand({ BackupArn }));
  assert.equal(described.BackupDescription.SourceTableDetails.ItemCount, 5);
  const listed = await client.send(new ListBackupsCommand({ TableName: source }));
  assert.deepEqual(
    listed.BackupSummaries.map((backup) => backup.BackupArn),
    [BackupArn],
  );

  const TargetTableName = 'js-backup-restored';
  const units = { ReadCapacityUnits: 4, WriteCapacityUnits: 5 };
  const { TableDescription } = await client.send(
    new RestoreTableFromBackupCommand({
      TargetTableName,
      BackupArn,
      BillingModeOverride: 'PROVISIONED',
      ProvisionedThroughputOverride: units,
      GlobalSecondaryIndexOverride: [
        {
          IndexName: 'renamed',
          KeySchema: [{ AttributeName: 'name', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
          ProvisionedThroughput: units,
        },
      ],
    }),
  );
  assert.equal(TableDescription.RestoreSummary.RestoreInProgress, true);
  await waitForTable(TargetTableName);
  assert.deepEqual(await itemsOf(TargetTableName), before);
  assert.deepEqual(await itemsOf(TargetTableName, 'renamed'), before);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: TargetTableName }));
  assert.equal(Table.RestoreSummary, undefined);
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 4);

  await client.send(new DeleteBackupCommand({ BackupArn }));
  const error = await assertRejects(
    client.send(new DescribeBackupCommand({ BackupArn })),
    'BackupNotFoundException',
    BackupArn,
  );
  assert.ok(error instanceof BackupNotFoundException);
});

test('a table is restored to the millisecond, and lives on as a backup once it is deleted', async () => {
  const source = 'js-past-source';
  await createTable(source, ['pk']);
  await client.send(
    new UpdateContinuousBackupsCommand({
      TableName: source,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 7 },
    }),
  );
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName: source }),
  );
  const recovery = ContinuousBackupsDescription.PointInTimeRecoveryDescription;
  assert.equal(recovery.PointInTimeRecoveryStatus, 'ENABLED');
  assert.ok(recovery.LatestRestorableDateTime >= recovery.EarliestRestorableDateTime);

  const moments = [];
  for (let number = 0; number < 4; number += 1) {
    await documents.send(new PutCommand({ TableName: source, Item: { pk: 'one', number } }));
    await pause(20);
    moments.push(new Date());
    await pause(20);
  }
  for (const [number, RestoreDateTime] of moments.entries()) {
    const TargetTableName = `js-past-${number}`;
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: source,
        TargetTableName,
        RestoreDateTime,
      }),
    );
    await waitForTable(TargetTableName);
    assert.deepEqual(await itemsOf(TargetTableName), [{ pk: 'one', number }]);
  }

  await client.send(new DeleteTableCommand({ TableName: source }));
  const { BackupSummaries } = await client.send(
    new ListBackupsCommand({ TableName: source, BackupType: 'SYSTEM' }),
  );
  assert.deepEqual(
    BackupSummaries.map((backup) => backup.BackupName),
    [`${source}$DeletedTableBackup`],
  );
});
