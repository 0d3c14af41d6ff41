#!/usr/bin/env python3
"""Kills the server while it exports, imports and puts items in bulk, and looks what is left.

    transfer_crash_test.py PROGRAM

Each round starts an export, an import and a bulk operation and kills the server with -9 in the middle. After the next
start all of them must complete by themselves, with every item counted once: the manifest and its data files hold the
table, the imported table and the one that was filled in bulk hold the file, and no checkpoint is left over.

STATOR_CRASH_ROUNDS   how many times (20)
STATOR_CRASH_SEED     repeats the choices of a run; the moment at which a kill hits is never quite the same
"""

import gzip
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from stator_process import Client, ConnectionLost, Refused, StatorProcess

SOURCE = "Source"
ITEMS = 3_000
BAD_LINES = 3
KILL_AFTER_SECONDS = (0.0, 0.15)
SETTLE_SECONDS_MAX = 60
POLL_SECONDS = 0.01

KEYS = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}


def item(number):
    return {"pk": {"S": f"item{number}"}, "note": {"S": "x" * 150}}


def objects_in(folder):
    """Their names. A kill may leave a file that was being written; it is no object, and no import reads it."""
    return sorted(name for name in os.listdir(folder) if not name.startswith(".stator-upload-"))


class TransferCrashTest:
    def __init__(self, program, directory, seed):
        self.program = program
        self.directory = os.path.join(directory, "data")
        self.buckets = Path(directory) / "buckets"
        self.random = random.Random(seed)
        self.number = 0
        self.jobs = {}
        self.checked = 0
        self.cut_off = 0

    def start(self):
        return StatorProcess(self.program, self.directory, "--s3-root", str(self.buckets))

    def create(self):
        (self.buckets / "inbox").mkdir(parents=True)
        lines = [json.dumps({"Item": item(number)}) for number in range(ITEMS)]
        for place in range(BAD_LINES):
            lines.insert(place * 700, "nonsense")
        half = len(lines) // 2
        (self.buckets / "inbox" / "1.json").write_text("\n".join(lines[:half]) + "\n")
        (self.buckets / "inbox" / "2.json.gz").write_bytes(gzip.compress(b""))  # of another prefix
        (self.buckets / "inbox" / "1b.json").write_text("\n".join(lines[half:]) + "\n")
        server = self.start()
        client = Client(server.port)
        client.call("CreateTable", TableName=SOURCE, **KEYS)
        for start in range(0, ITEMS, 25):
            client.call("BatchWriteItem", RequestItems={SOURCE: [
                {"PutRequest": {"Item": item(number)}} for number in range(start, start + 25)]})
        client.call("UpdateContinuousBackups", TableName=SOURCE,
                    PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        client.close()
        server.stop()

    def round(self):
        server = self.start()
        client = Client(server.port)
        try:
            self.check(client)
            self.begin(client)
            time.sleep(self.random.uniform(*KILL_AFTER_SECONDS))
            if not server.is_running():
                raise AssertionError(f"the server ended by itself:\n{server.log_text()}")
        finally:
            server.kill()
            client.close()

    def begin(self, client):
        self.number += 1
        table_arn = client.call("DescribeTable", TableName=SOURCE)["Table"]["TableArn"]
        bulk, imported = f"Bulk{self.number}", f"Import{self.number}"
        client.call("CreateTable", TableName=bulk, **KEYS)
        self.jobs = {
            "export": client.call("ExportTableToPointInTime", TableArn=table_arn, S3Bucket="out")
            ["ExportDescription"]["ExportArn"],
            "bulk": client.call("StartBulkPutItems", TableName=bulk, InputS3Configuration={
                "S3Bucket": "inbox", "S3KeyPrefix": "1", "InputFormat": "DYNAMODB_JSON"}, OutputS3Configuration={
                    "OutputType": ["ERROR"], "S3Bucket": "errors"})
            ["BulkOperationDescription"]["BulkOperationArn"],
            "import": client.call("ImportTable", S3BucketSource={"S3Bucket": "inbox", "S3KeyPrefix": "1"},
                                  InputFormat="DYNAMODB_JSON", TableCreationParameters={"TableName": imported, **KEYS})
            ["ImportTableDescription"]["ImportArn"]}

    def settled(self, describe, status):
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        first = True
        while (described := describe())[status] == "IN_PROGRESS":
            self.cut_off += first
            first = False
            if time.monotonic() > deadline:
                raise AssertionError(f"not over: {described}")
            time.sleep(POLL_SECONDS)
        return described

    def check(self, client):
        if not self.jobs:
            return
        self.check_export(self.settled(
            lambda: client.call("DescribeExport", ExportArn=self.jobs["export"])["ExportDescription"], "ExportStatus"))
        self.check_bulk(client, self.settled(
            lambda: client.call("DescribeBulkOperation", BulkOperationArn=self.jobs["bulk"])
            ["BulkOperationDescription"], "BulkOperationStatus"))
        self.check_import(client, self.settled(
            lambda: client.call("DescribeImport", ImportArn=self.jobs["import"])["ImportTableDescription"],
            "ImportStatus"))
        self.check_checkpoints()
        self.checked += 1

    def check_export(self, export):
        if (export["ExportStatus"], export.get("ItemCount")) != ("COMPLETED", ITEMS):
            raise AssertionError(f"the export ended so: {export}")
        out = self.buckets / "out"
        summary = json.loads((out / export["ExportManifest"]).read_text())
        files = [json.loads(line)["dataFileS3Key"]
                 for line in (out / summary["manifestFilesS3Key"]).read_text().splitlines()]
        folder = (out / export["ExportManifest"]).parent / "data"
        if objects_in(folder) != sorted(os.path.basename(key) for key in files):
            raise AssertionError(f"{folder} has other files than the manifest: {files}")
        keys = [json.loads(line)["Item"]["pk"]["S"]
                for key in files for line in gzip.decompress((out / key).read_bytes()).splitlines()]
        if sorted(keys) != sorted(f"item{number}" for number in range(ITEMS)):
            raise AssertionError(f"the export has {len(keys)} items, {len(set(keys))} different ones")

    def check_bulk(self, client, bulk):
        seen = (bulk["BulkOperationStatus"], bulk["ProcessedItemCount"], bulk["FailedItemCount"])
        if seen != ("COMPLETED_WITH_ERRORS", ITEMS + BAD_LINES, BAD_LINES):
            raise AssertionError(f"the bulk operation ended so: {bulk}")
        self.check_table(client, f"Bulk{self.number}")
        folder = self.buckets / "errors" / "AWSDynamoDB" / self.jobs["bulk"].rpartition("/")[2] / "errors"
        lines = {name: (folder / name).read_text().splitlines() for name in objects_in(folder)}
        if sum(map(len, lines.values())) != BAD_LINES:
            raise AssertionError(f"{folder} has other errors than {BAD_LINES}: {lines}")

    def check_import(self, client, imported):
        seen = (imported["ImportStatus"], imported["ImportedItemCount"], imported["ErrorCount"])
        if seen != ("FAILED", ITEMS, BAD_LINES) or imported["FailureCode"] != "ItemValidationError":
            raise AssertionError(f"the import ended so: {imported}")
        self.check_table(client, f"Import{self.number}")

    def check_table(self, client, name):
        items = client.scan(TableName=name, ConsistentRead=True)
        if sorted(one["pk"]["S"] for one in items) != sorted(f"item{number}" for number in range(ITEMS)):
            raise AssertionError(f"{name} has {len(items)} items")
        described = client.call("DescribeTable", TableName=name)["Table"]
        if described["TableStatus"] != "ACTIVE":
            raise AssertionError(f"{name} is {described['TableStatus']}")
        client.call("DeleteTable", TableName=name)

    def check_checkpoints(self):
        folder = os.path.join(self.directory, "backups")
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while os.path.isdir(folder) and (found := os.listdir(folder)):
            if time.monotonic() > deadline:
                raise AssertionError(f"checkpoints are left over: {found}")
            time.sleep(POLL_SECONDS)

    def finish(self):
        server = self.start()
        client = Client(server.port)
        self.check(client)
        client.close()
        server.stop()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rounds = int(os.environ.get("STATOR_CRASH_ROUNDS", "20"))
    seed = int(os.environ.get("STATOR_CRASH_SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
    print(f"transfer crash test: STATOR_CRASH_SEED={seed} STATOR_CRASH_ROUNDS={rounds}", flush=True)
    with tempfile.TemporaryDirectory(prefix="stator-crash-") as directory:
        test = TransferCrashTest(sys.argv[1], directory, seed)
        number = 0
        try:
            test.create()
            for number in range(rounds):
                test.round()
            test.finish()
        except (AssertionError, ConnectionLost, Refused) as error:
            print(f"FAILED in round {number} (STATOR_CRASH_SEED={seed}): {type(error).__name__}: {error}")
            return 1
    print(f"{rounds} kills, {test.checked} times three jobs checked, {test.cut_off} jobs cut off")
    return 0


if __name__ == "__main__":
    sys.exit(main())
