"""Backups and point-in-time recovery through boto3."""

import datetime
import time

from connect import WAITING, Suite, client, create_table, resource


def utc_now():
    return datetime.datetime.now(datetime.timezone.utc)


def wait_for(name):
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig=WAITING)
    return resource.Table(name)


def items_of(table, index=None):
    parameters = {"IndexName": index} if index else {}
    return sorted(table.scan(**parameters)["Items"], key=lambda item: item["pk"])


class Backups(Suite):
    def test_a_backup_is_made_restored_and_deleted(self):
        table = create_table("backup-source", ["pk"], {"byName": ["name"]})
        with table.batch_writer() as batch:
            for number in range(60):
                batch.put_item(Item={"pk": f"{number:03}", "name": f"name{number % 5}"})
        before = items_of(table)

        details = client.create_backup(TableName="backup-source", BackupName="before")["BackupDetails"]
        self.assertEqual(details["BackupType"], "USER")
        self.assertLess(abs(utc_now() - details["BackupCreationDateTime"]), datetime.timedelta(minutes=2))
        table.put_item(Item={"pk": "later"})

        described = client.describe_backup(BackupArn=details["BackupArn"])["BackupDescription"]
        self.assertEqual(described["BackupDetails"]["BackupStatus"], "AVAILABLE")
        self.assertEqual(described["SourceTableDetails"]["ItemCount"], 60)
        indexes = described["SourceTableFeatureDetails"]["GlobalSecondaryIndexes"]
        self.assertEqual([index["IndexName"] for index in indexes], ["byName"])

        restored = client.restore_table_from_backup(
            TargetTableName="backup-restored", BackupArn=details["BackupArn"])["TableDescription"]
        self.assertTrue(restored["RestoreSummary"]["RestoreInProgress"])
        self.assertEqual(restored["RestoreSummary"]["SourceBackupArn"], details["BackupArn"])
        copy = wait_for("backup-restored")
        self.assertEqual(items_of(copy), before)
        self.assertEqual(items_of(copy, "byName"), before)

        with self.assertRaises(client.exceptions.TableAlreadyExistsException):
            client.restore_table_from_backup(TargetTableName="backup-restored", BackupArn=details["BackupArn"])
        client.delete_backup(BackupArn=details["BackupArn"])
        with self.assertRaises(client.exceptions.BackupNotFoundException):
            client.describe_backup(BackupArn=details["BackupArn"])

    def test_backups_are_listed_page_by_page(self):
        create_table("backup-list", ["pk"])
        arns = [client.create_backup(TableName="backup-list", BackupName=f"backup{number}")
                ["BackupDetails"]["BackupArn"] for number in range(5)]
        pages = client.get_paginator("list_backups").paginate(TableName="backup-list", PaginationConfig={"PageSize": 2})
        self.assertEqual([backup["BackupArn"] for page in pages for backup in page["BackupSummaries"]], arns)
        hour = datetime.timedelta(hours=1)
        listed = client.list_backups(
            TableName="backup-list", TimeRangeLowerBound=utc_now() - hour, TimeRangeUpperBound=utc_now() + hour)
        self.assertEqual(len(listed["BackupSummaries"]), 5)
        listed = client.list_backups(TableName="backup-list", TimeRangeUpperBound=utc_now() - hour)
        self.assertEqual(listed["BackupSummaries"], [])

    def test_a_missing_table_has_a_name_of_its_own(self):
        with self.assertRaises(client.exceptions.TableNotFoundException):
            client.create_backup(TableName="missing", BackupName="backup")


class PointInTime(Suite):
    def test_a_table_is_restored_to_a_second_and_to_the_latest_time(self):
        table = create_table("past-source", ["pk"], {"byName": ["name"]})
        table.put_item(Item={"pk": "a", "name": "first"})
        description = client.update_continuous_backups(
            TableName="past-source",
            PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})["ContinuousBackupsDescription"]
        recovery = description["PointInTimeRecoveryDescription"]
        self.assertEqual(recovery["PointInTimeRecoveryStatus"], "ENABLED")
        # boto3 sends whole seconds: the next change lies in a later one.
        time.sleep(1.1)
        at = utc_now()
        time.sleep(1.1)
        table.put_item(Item={"pk": "a", "name": "second"})
        table.put_item(Item={"pk": "b", "name": "second"})

        client.restore_table_to_point_in_time(
            SourceTableName="past-source", TargetTableName="past-then", RestoreDateTime=at)
        client.restore_table_to_point_in_time(
            SourceTableName="past-source", TargetTableName="past-earliest",
            RestoreDateTime=recovery["EarliestRestorableDateTime"])
        client.restore_table_to_point_in_time(
            SourceTableName="past-source", TargetTableName="past-latest", UseLatestRestorableTime=True)
        for name in ("past-then", "past-earliest"):
            self.assertEqual(items_of(wait_for(name)), [{"pk": "a", "name": "first"}])
            self.assertEqual(items_of(resource.Table(name), "byName"), [{"pk": "a", "name": "first"}])
        self.assertEqual(len(items_of(wait_for("past-latest"), "byName")), 2)
        with self.assertRaises(client.exceptions.InvalidRestoreTimeException):
            client.restore_table_to_point_in_time(
                SourceTableName="past-source", TargetTableName="past-never",
                RestoreDateTime=at - datetime.timedelta(days=3))

    def test_without_recovery_there_is_no_past(self):
        create_table("past-none", ["pk"])
        status = client.describe_continuous_backups(TableName="past-none")["ContinuousBackupsDescription"]
        self.assertEqual(status["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"], "DISABLED")
        with self.assertRaises(client.exceptions.PointInTimeRecoveryUnavailableException):
            client.restore_table_to_point_in_time(
                SourceTableName="past-none", TargetTableName="past-nowhere", UseLatestRestorableTime=True)
