#!/usr/bin/env python3
"""Kills the server while it makes backups and restores tables, and looks what is left.

    recovery_crash_test.py PROGRAM

A writer changes a group of items as one, again and again. Beside it backups are made and deleted and tables are
restored from them and from the past. After a kill -9 every restore must complete by itself, no table may hold half of a
change or differ from its indexes, and no checkpoint may be left that belongs to nothing.

STATOR_CRASH_ROUNDS   how many times (20)
STATOR_CRASH_SEED     repeats the choices of a run; the moment at which a kill hits is never quite the same
"""

import os
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from stator_process import Client, ConnectionLost, Refused, StatorProcess

SOURCE = "Source"
GROUP = 25
FILLERS = 2_000
KILL_AFTER_SECONDS = (0.02, 0.35)
SETTLE_SECONDS_MAX = 60
POLL_SECONDS = 0.01

CREATE = {
    "TableName": SOURCE,
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}] + [
        {"AttributeName": name, "AttributeType": "N"} for name in ("sk", "version", "rank")],
    "LocalSecondaryIndexes": [{
        "IndexName": "by_rank", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "rank", "KeyType": "RANGE"}]}],
    "GlobalSecondaryIndexes": [{
        "IndexName": "by_version", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "version", "KeyType": "HASH"}]}],
}


def group(version):
    return [{"PutRequest": {"Item": {
        "pk": {"S": "group"}, "sk": {"N": str(number)}, "version": {"N": str(version)},
        "rank": {"N": str((number * version) % 7)}}}} for number in range(GROUP)]


def filler(number):
    return {"pk": {"S": f"filler{number % 50}"}, "sk": {"N": str(number)}, "note": {"S": "x" * 200}}


class Activity(threading.Thread):
    """Calls that go on until the server is gone."""

    def __init__(self, port):
        super().__init__()
        self.client = Client(port)
        self.problem = None
        self.answered = threading.Event()

    def run(self):
        try:
            while True:
                self.step()
                self.answered.set()
        except ConnectionLost:
            pass
        except (Refused, AssertionError) as error:
            self.problem = f"{type(self).__name__}: {error}"
        finally:
            self.client.close()

    def step(self):
        raise NotImplementedError


class Writer(Activity):
    """Writes the group with the next version."""

    def __init__(self, port, versions):
        super().__init__(port)
        self.versions = versions

    def step(self):
        self.versions["sent"] += 1
        self.client.call("BatchWriteItem", RequestItems={SOURCE: group(self.versions["sent"])})
        self.versions["acknowledged"] = self.versions["sent"]


class Keeper(Activity):
    """Makes and deletes backups, and restores."""

    def __init__(self, port, chooser, names, versions):
        super().__init__(port)
        self.random = chooser
        self.names = names
        self.versions = versions
        self.floors = {}  # of each restored table: the version that it must have at least

    def step(self):
        backups = self.client.call("ListBackups")["BackupSummaries"]
        choice = self.random.choice(["backup", "restore", "past", "past", "delete", "rest", "rest", "rest"])
        if choice == "backup" and len(backups) < 4:
            self.client.call("CreateBackup", TableName=SOURCE, BackupName="crash")
        elif choice == "restore" and backups:
            self.client.call("RestoreTableFromBackup", TargetTableName=self.new_name(0),
                             BackupArn=self.random.choice(backups)["BackupArn"])
        elif choice == "past":
            floor = self.versions["acknowledged"]
            self.client.call("RestoreTableToPointInTime", SourceTableName=SOURCE,
                             TargetTableName=self.new_name(floor), UseLatestRestorableTime=True)
        elif choice == "rest":
            # Operations come before slices of restores: let some get on.
            time.sleep(self.random.uniform(0, 0.05))
        elif choice == "delete" and backups:
            try:
                self.client.call("DeleteBackup", BackupArn=self.random.choice(backups)["BackupArn"])
            except Refused as error:
                if error.kind != "BackupInUseException":
                    raise

    def new_name(self, floor):
        name = f"Restored{next(self.names)}"
        self.floors[name] = floor
        return name


class RecoveryCrashTest:
    def __init__(self, program, directory, seed):
        self.program = program
        self.directory = directory
        self.random = random.Random(seed)
        self.versions = {"sent": 0, "acknowledged": 0}
        self.names = iter(range(10**9))
        self.floors = {}
        self.checked = 0
        self.cut_off = 0

    def create(self):
        server = StatorProcess(self.program, self.directory)
        client = Client(server.port)
        client.call("CreateTable", **CREATE)
        items = [filler(number) for number in range(FILLERS)]
        for start in range(0, FILLERS, 25):
            requests = [{"PutRequest": {"Item": item}} for item in items[start:start + 25]]
            client.call("BatchWriteItem", RequestItems={SOURCE: requests})
        client.call("BatchWriteItem", RequestItems={SOURCE: group(0)})
        client.call("UpdateContinuousBackups", TableName=SOURCE,
                    PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        client.close()
        server.stop()

    def round(self):
        server = StatorProcess(self.program, self.directory)
        threads = []
        try:
            client = Client(server.port)
            self.check(client)
            client.close()
            keeper = Keeper(server.port, self.random, self.names, self.versions)
            threads = [Writer(server.port, self.versions), keeper]
            for thread in threads:
                thread.start()
            # On a slow machine the kill must not come before anything has happened.
            for thread in threads:
                thread.answered.wait(SETTLE_SECONDS_MAX)
            time.sleep(self.random.uniform(*KILL_AFTER_SECONDS))
            if not server.is_running():
                raise AssertionError(f"the server ended by itself:\n{server.log_text()}")
        finally:
            server.kill()
            for thread in threads:
                thread.join()
        self.floors = keeper.floors
        for thread in threads:
            if thread.problem:
                raise AssertionError(f"a connection stopped: {thread.problem}")

    def check(self, client):
        """Every table is whole and no checkpoint is left over; restored tables are then deleted."""
        tables = client.call("ListTables")["TableNames"]
        for name in tables:
            if client.call("DescribeTable", TableName=name)["Table"]["TableStatus"] == "CREATING":
                self.cut_off += 1
        for name in tables:
            described = self.settled(client, name)
            self.check_table(client, name, described)
        self.check_checkpoints(client)
        for name in tables:
            if name != SOURCE:
                client.call("DeleteTable", TableName=name)

    def settled(self, client, name):
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while True:
            table = client.call("DescribeTable", TableName=name)["Table"]
            if table["TableStatus"] == "ACTIVE":
                return table
            if time.monotonic() > deadline:
                raise AssertionError(f"{name} stays {table['TableStatus']}")
            time.sleep(POLL_SECONDS)

    def check_table(self, client, name, described):
        items = client.scan(TableName=name, ConsistentRead=True)
        if len(items) != FILLERS + GROUP:
            raise AssertionError(f"{name} has {len(items)} items ({described.get('RestoreSummary')})")
        versioned = [item for item in items if "version" in item]
        versions = {int(item["version"]["N"]) for item in versioned}
        if len(versions) != 1:
            raise AssertionError(f"{name} has half of a change: {sorted(versions)}")
        version = versions.pop()
        floor = self.versions["acknowledged"] if name == SOURCE else self.floors.get(name, 0)
        if not floor <= version <= self.versions["sent"]:
            raise AssertionError(f"{name} is at {version}, not within {floor} and {self.versions['sent']}")
        for index in ("by_version", "by_rank"):
            entries = client.scan(TableName=name, IndexName=index)
            if sorted(entries, key=repr) != sorted(versioned, key=repr):
                raise AssertionError(f"{index} of {name} differs from the table")
        if name == SOURCE:
            self.versions["acknowledged"] = version
        self.checked += name != SOURCE

    def check_checkpoints(self, client):
        if "STATOR_TEST_POSTGRES" in os.environ:
            return  # they are rows, and those that nothing needs stay for an hour
        backups = client.call("ListBackups", BackupType="ALL")["BackupSummaries"]
        wanted = sorted(backup["BackupArn"].rpartition("/")[2] for backup in backups)
        folder = os.path.join(self.directory, "backups")
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while (found := sorted(os.listdir(folder)) if os.path.isdir(folder) else []) != wanted:
            if time.monotonic() > deadline:
                raise AssertionError(f"checkpoints are {found}, backups are {wanted}")
            time.sleep(POLL_SECONDS)

    def finish(self):
        server = StatorProcess(self.program, self.directory)
        client = Client(server.port)
        self.check(client)
        client.close()
        server.stop()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rounds = int(os.environ.get("STATOR_CRASH_ROUNDS", "20"))
    seed = int(os.environ.get("STATOR_CRASH_SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
    print(f"recovery crash test: STATOR_CRASH_SEED={seed} STATOR_CRASH_ROUNDS={rounds}", flush=True)
    with tempfile.TemporaryDirectory(prefix="stator-crash-") as directory:
        test = RecoveryCrashTest(sys.argv[1], os.path.join(directory, "data"), seed)
        number = 0
        try:
            test.create()
            for number in range(rounds):
                test.round()
            test.finish()
        except (AssertionError, ConnectionLost, Refused) as error:
            print(f"FAILED in round {number} (STATOR_CRASH_SEED={seed}): {type(error).__name__}: {error}")
            return 1
    print(f"{rounds} kills, {test.versions['acknowledged']} acknowledged changes, "
          f"{test.checked} restored tables checked, {test.cut_off} restores cut off")
    return 0


if __name__ == "__main__":
    sys.exit(main())
