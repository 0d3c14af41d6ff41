"""A database with a bit of everything, the places it can be copied to, and the command that copies."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "crash"))

# pylint: disable=wrong-import-position
from stator_process import Client, ConnectionLost, Refused, StatorProcess

# Where copies go in tests with PostgreSQL. Not where every server works, as it would be in the environment.
POSTGRES = os.environ.pop("STATOR_TEST_POSTGRES", None)

TABLE = "Music"
OTHER_TABLE = "Plain"
COPY_SECONDS_MAX = 300
LOADERS = 4


def attribute(name, kind="S"):
    return {"AttributeName": name, "AttributeType": kind}


def keys(partition, sort=None):
    schema = [{"AttributeName": partition, "KeyType": "HASH"}]
    return schema + ([{"AttributeName": sort, "KeyType": "RANGE"}] if sort else [])


CREATE = {
    "TableName": TABLE,
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": keys("pk", "sk"),
    "AttributeDefinitions": [attribute("pk"), attribute("sk", "N"), attribute("group"), attribute("rank", "N")],
    "LocalSecondaryIndexes": [{"IndexName": "by_rank", "Projection": {"ProjectionType": "KEYS_ONLY"},
                               "KeySchema": keys("pk", "rank")}],
    "GlobalSecondaryIndexes": [{"IndexName": "by_group", "Projection": {"ProjectionType": "ALL"},
                                "KeySchema": keys("group", "rank")}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    "Tags": [{"Key": "team", "Value": "records"}],
}
CREATE_OTHER = {"TableName": OTHER_TABLE, "BillingMode": "PAY_PER_REQUEST", "KeySchema": keys("pk"),
                "AttributeDefinitions": [attribute("pk")]}


def item(number, version=0, note_bytes=300):
    return {"pk": {"S": f"p{number % 97}"}, "sk": {"N": str(number)}, "group": {"S": f"g{number % 13}"},
            "rank": {"N": str((number * 7 + version) % 101)}, "version": {"N": str(version)},
            "expires": {"N": str(4_000_000_000 + number)}, "note": {"S": "x" * note_bytes}}


def make(client):
    """Tables with indexes, a stream, time to live and history."""
    client.call("CreateTable", **CREATE)
    client.call("CreateTable", **CREATE_OTHER)
    client.call("UpdateTimeToLive", TableName=TABLE,
                TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
    client.call("UpdateContinuousBackups", TableName=TABLE,
                PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})


def load(port, first, count, note_bytes=300):
    """Puts items, several clients at once."""
    def run(part):
        client = Client(port)
        for start in range(first + part * 25, first + count, 25 * LOADERS):
            requests = [{"PutRequest": {"Item": item(number, 0, note_bytes)}}
                        for number in range(start, min(start + 25, first + count))]
            client.call("BatchWriteItem", RequestItems={TABLE: requests})
        client.close()
    threads = [threading.Thread(target=run, args=(part,)) for part in range(LOADERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def change_a_little(client):
    """Updates, deletes and a transaction, so that history, stream and tokens have something to tell."""
    for number in range(0, 60, 3):
        client.call("PutItem", TableName=TABLE, Item=item(number, version=1))
        client.call("DeleteItem", TableName=TABLE,
                    Key={"pk": item(number + 1)["pk"], "sk": item(number + 1)["sk"]})
    client.call("PutItem", TableName=OTHER_TABLE, Item={"pk": {"S": "one"}, "blob": {"B": "AAEC"}})
    client.call("TransactWriteItems", ClientRequestToken="token-of-a-copy", TransactItems=[
        {"Put": {"TableName": OTHER_TABLE, "Item": {"pk": {"S": f"t{number}"}}}} for number in range(5)])


class Writer(threading.Thread):
    """Keeps changing items until the server is gone, and remembers what was acknowledged."""

    def __init__(self, port, number):
        super().__init__()
        self.client = Client(port)
        self.number = number
        self.acknowledged = {}
        self.writes = 0
        self.problem = None

    def run(self):
        version = 1
        try:
            while True:
                for offset in range(50):
                    number = 1_000_000 + self.number * 1_000 + offset
                    written = item(number, version)
                    if (version + offset) % 5 == 0:
                        self.client.call("DeleteItem", TableName=TABLE,
                                         Key={"pk": written["pk"], "sk": written["sk"]})
                        self.acknowledged[number] = None
                    else:
                        self.client.call("PutItem", TableName=TABLE, Item=written)
                        self.acknowledged[number] = written
                    self.writes += 1
                version += 1
        except ConnectionLost:
            self.acknowledged.pop(number, None)  # nobody knows about the last one
        except Refused as error:
            if error.kind != "InternalServerError":  # the server is stopping
                self.problem = str(error)
            self.acknowledged.pop(number, None)
        finally:
            self.client.close()


def copy_arguments(program, source, target, *options):
    return [program, "copy", "--from", str(source), "--to", str(target), *options]


def copy(program, source, target, *options, succeeds=True):
    """Runs the command to its end; returns what it printed."""
    done = subprocess.run(copy_arguments(program, source, target, *options), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=COPY_SECONDS_MAX, check=False)
    if (done.returncode == 0) != succeeds:
        raise AssertionError(f"copy {options} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout if succeeds else done.stderr


def outcome(output):
    """The last line of what --json printed."""
    return json.loads(output.strip().splitlines()[-1])


def check_equal(program, source, target):
    """By the command's own comparison: returns the spaces by name."""
    done = outcome(copy(program, source, target, "--verify-only", "--json"))
    if not done["equal"] or any(not space["equal"] for space in done["spaces"]):
        raise AssertionError(f"source and target are not equal: {done}")
    return {space["name"]: space["source"] for space in done["spaces"]}


def everything(client):
    """What clients can see of a database."""
    seen = {}
    for name in client.call("ListTables")["TableNames"]:
        table = client.call("DescribeTable", TableName=name)["Table"]
        seen[name] = {
            "table": table,
            "items": sorted(map(json.dumps, client.scan(TableName=name))),
            "tags": client.call("ListTagsOfResource", ResourceArn=table["TableArn"]),
            "ttl": client.call("DescribeTimeToLive", TableName=name),
        }
        for index in table.get("GlobalSecondaryIndexes", []) + table.get("LocalSecondaryIndexes", []):
            entries = client.scan(TableName=name, IndexName=index["IndexName"])
            seen[name][index["IndexName"]] = sorted(map(json.dumps, entries))
        if "LatestStreamArn" in table:
            seen[name]["stream"] = records(client, table["LatestStreamArn"])
    seen["backups"] = sorted(map(json.dumps, client.call("ListBackups")["BackupSummaries"]))
    return seen


def records(client, stream):
    """All records of a stream, by shard."""
    read = {}
    for shard in client.call("DescribeStream", StreamArn=stream)["StreamDescription"]["Shards"]:
        iterator = client.call("GetShardIterator", StreamArn=stream, ShardId=shard["ShardId"],
                               ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        read[shard["ShardId"]] = []
        while iterator:
            page = client.call("GetRecords", ShardIterator=iterator)
            read[shard["ShardId"]] += page["Records"]
            iterator = page.get("NextShardIterator") if page["Records"] else None
    return read


class DirectoryPlace:
    """Where a copy can go: directories below one that the test removes."""

    def __init__(self, root):
        self.root = Path(root)
        self.count = 0

    def new(self):
        self.count += 1
        return str(self.root / f"target{self.count}")

    @staticmethod
    def serve(program, place):
        return StatorProcess(program, place)

    @staticmethod
    def refuses(program, place):
        """Whether a server refuses what a kill has left. A kill before the first row leaves an empty directory."""
        if not Path(place, "STATOR").exists():
            return False
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copytree(place, f"{scratch}/target")
            return is_refused(lambda: StatorProcess(program, f"{scratch}/target"))


class PostgresPlace:
    """Schemas of the database in STATOR_TEST_POSTGRES."""

    def __init__(self):
        self.base = POSTGRES
        self.count = 0

    def new(self):
        self.count += 1
        schema = f"copy_{os.getpid()}_{self.count}"
        self.sql(f"CREATE SCHEMA {schema}")
        return f"{self.base}{'&' if '?' in self.base else '?'}options=-csearch_path%3D{schema}"

    def sql(self, text, place=None):
        return subprocess.run(["psql", "-qAt", "-v", "ON_ERROR_STOP=1", "-c", text, place or self.base], check=True,
                              capture_output=True, text=True).stdout

    @staticmethod
    def serve(program, place):
        os.environ["STATOR_TEST_POSTGRES"] = place
        try:
            return StatorProcess(program, None)
        finally:
            del os.environ["STATOR_TEST_POSTGRES"]

    def refuses(self, program, place):
        """Only when there is a row: a server would make a database of an empty one."""
        if self.sql("SELECT to_regclass('stator_kv')", place).strip() == "":
            return False
        if self.sql("SELECT count(*) FROM stator_kv", place).strip() == "0":
            return False
        return is_refused(lambda: self.serve(program, place))


def is_refused(start):
    try:
        server = start()
    except AssertionError as error:
        if "unfinished copy" not in str(error):
            raise
        return True
    client = Client(server.port)
    tables = client.call("ListTables")["TableNames"]
    client.close()
    server.stop()
    if tables:
        raise AssertionError(f"an unfinished copy was served, with {tables}")
    return False


def places_for(kind, root):
    return PostgresPlace() if kind == "postgres" else DirectoryPlace(root)
