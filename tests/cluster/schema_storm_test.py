#!/usr/bin/env python3
"""Tables and indexes come and go through one server while clients write and read them through the others.

    schema_storm_test.py STATOR [--seconds 8] [--seed N]

No client sees an error that DynamoDB would not give. At the end each index equals its table, no row of a dropped table or
index is left in the database, an index that was added under load misses no item, and of two servers that create the same
table at the same time one succeeds.
"""

import random
import sys
import threading
import time
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from postgres import wait_until
from servers import Cluster, Unreachable, run_test, say, wait_for_table
from crash_checks import check_index
from crash_table import Index, definition, key_of
from stator_process import ConnectionLost, Refused

SERVERS = 3
TABLES = [f"Storm{number}" for number in range(4)]
ITEMS = 40
INDEXES = [Index("by_color", "color", "score"), Index("by_flag", "flag", projection="KEYS_ONLY"),
           Index("by_zone", "zone", "score", projection="INCLUDE", included=("version",))]
DEFINITIONS = {"pk": "S", "sk": "N", "color": "S", "score": "N", "flag": "S", "zone": "S"}

# What DynamoDB says when a table or an index is coming or going. kind → parts of messages, one of which must be there.
TO_CLIENTS = {
    "ResourceNotFoundException": ["Requested resource not found"],
    "ValidationException": ["The table does not have the specified index",
                            "Cannot read from backfilling global secondary index"],
    "TransactionCanceledException": ["ConditionalCheckFailed", "TransactionConflict"],
    "TransactionConflictException": [""],
    "ThrottlingException": [""],
}
TO_ADMINISTRATORS = {
    "ResourceNotFoundException": ["Requested resource not found"],
    "ResourceInUseException": ["Table already exists", "Attempt to change a resource which is still in use",
                               "Cannot delete table", "in the process of being updated"],
    "LimitExceededException": ["Only 1 online index can be created or deleted simultaneously per table"],
    "ValidationException": ["Attempting to create an index which already exists", "Table already has an enabled stream",
                            "Table has no stream to disable"],
}


def is_allowed(refused, allowed):
    message = refused.body.get("message", refused.body.get("Message", ""))
    return any(part in message for part in allowed.get(refused.kind, []))


def create_request(name, indexes, stream=False):
    names = {"pk", "sk"} | {key for index in indexes for key in (index.hash, index.range) if key}
    request = {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "AttributeDefinitions": [definition(key, DEFINITIONS[key]) for key in sorted(names)]}
    if indexes:
        request["GlobalSecondaryIndexes"] = [index.request() for index in indexes]
    if stream:
        request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    return request


class StormThread(threading.Thread):
    allowed = TO_CLIENTS

    def __init__(self, storm, name, servers, tables=tuple(TABLES)):
        super().__init__(name=name, daemon=True)
        self.storm = storm
        self.random = random.Random(f"{storm.seed}/{name}")
        self.servers = servers
        self.tables = tables
        self.caller = storm.cluster.caller()
        self.problem = None

    def run(self):
        try:
            while not self.storm.stopping.is_set():
                try:
                    self.step()
                    self.storm.answers[f"{type(self).__name__} succeeded"] += 1
                except Refused as refused:
                    if not is_allowed(refused, self.allowed):
                        raise
                    self.storm.answers[f"{type(self).__name__} {refused.kind}"] += 1
        except (AssertionError, ConnectionLost, Refused, Unreachable) as error:
            self.problem = f"{type(error).__name__}: {error}"
            say(f"{self.name} stops: {self.problem}")
        finally:
            self.caller.close()

    def call(self, operation, **request):
        return self.caller.call(self.random.choice(self.servers), operation, **request)

    def step(self):
        raise NotImplementedError


class Administrator(StormThread):
    allowed = TO_ADMINISTRATORS

    def step(self):
        name = self.random.choice(self.tables)
        index = self.random.choice(INDEXES)
        self.random.choices([self.create, self.drop, self.add_index, self.drop_index, self.switch_stream, self.rest],
                            [3, 2, 6, 4, 2, 2])[0](name, index)

    def create(self, name, _):
        chosen = self.random.sample(INDEXES, self.random.randrange(3))
        self.call("CreateTable", **create_request(name, chosen, self.random.random() < 0.5))

    def drop(self, name, _):
        self.call("DeleteTable", TableName=name)

    def add_index(self, name, index):
        self.call("UpdateTable", TableName=name, AttributeDefinitions=[
            definition(key, DEFINITIONS[key]) for key in (index.hash, index.range) if key],
            GlobalSecondaryIndexUpdates=[{"Create": index.request()}])

    def drop_index(self, name, index):
        self.call("UpdateTable", TableName=name, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": index.name}}])

    def switch_stream(self, name, _):
        specification = ({"StreamEnabled": False} if self.random.random() < 0.5
                         else {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        self.call("UpdateTable", TableName=name, StreamSpecification=specification)

    def rest(self, *_):
        time.sleep(self.random.uniform(0, 0.3))


class Writer(StormThread):
    def step(self):
        name = self.random.choice(self.tables)
        self.random.choice([self.put, self.put, self.update, self.delete, self.batch, self.transact])(name)

    def any_key(self):
        return {"pk": {"S": f"p{self.random.randrange(4)}"}, "sk": {"N": str(self.random.randrange(ITEMS))}}

    def any_item(self):
        item = {**self.any_key(), "version": {"N": str(self.random.randrange(10**6))}}
        for attribute, value in {"color": {"S": self.random.choice(["red", "blue"])}, "flag": {"S": "on"},
                                 "score": {"N": str(self.random.randrange(9))}, "zone": {"S": "north"}}.items():
            if self.random.random() < 0.7:
                item[attribute] = value
        return item

    def put(self, name):
        self.call("PutItem", TableName=name, Item=self.any_item())

    def update(self, name):
        self.call("UpdateItem", TableName=name, Key=self.any_key(), UpdateExpression="SET color = :c REMOVE flag",
                  ExpressionAttributeValues={":c": {"S": self.random.choice(["red", "green"])}})

    def delete(self, name):
        self.call("DeleteItem", TableName=name, Key=self.any_key())

    def batch(self, name):
        items = {key_of(item): item for item in (self.any_item() for _ in range(10))}
        self.call("BatchWriteItem", RequestItems={name: [{"PutRequest": {"Item": item}} for item in items.values()]})

    def transact(self, name):
        items = {key_of(item): item for item in (self.any_item() for _ in range(3))}
        self.call("TransactWriteItems", TransactItems=[
            {"Put": {"TableName": name, "Item": item}} for item in items.values()])


class Reader(StormThread):
    def step(self):
        name = self.random.choice(self.tables)
        index = self.random.choice(INDEXES)
        choice = self.random.randrange(4)
        if choice == 0:
            self.call("Scan", TableName=name, ConsistentRead=True)
        elif choice == 1:
            self.call("Scan", TableName=name, IndexName=index.name)
        elif choice == 2:
            self.call("Query", TableName=name, KeyConditionExpression="pk = :p",
                      ExpressionAttributeValues={":p": {"S": "p1"}})
        else:
            self.call("Query", TableName=name, IndexName="by_color", KeyConditionExpression="color = :c",
                      ExpressionAttributeValues={":c": {"S": "red"}})


class Storm:
    def __init__(self, cluster, seed):
        self.cluster = cluster
        self.seed = seed
        self.answers = Counter()
        self.stopping = threading.Event()

    def blow(self, threads, seconds):
        self.stopping.clear()
        for thread in threads:
            thread.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end and not any(thread.problem for thread in threads):
            time.sleep(0.05)
        self.end(threads)

    def end(self, threads):
        self.stopping.set()
        for thread in threads:
            thread.join()
            if thread.problem:
                raise AssertionError(f"{thread.name}: {thread.problem}")

    def first_and_others(self):
        servers = self.cluster.servers
        return servers[:1], servers[1:] or servers


def settled_tables(client, names):
    """Descriptions of the tables that are there to stay."""
    found = []
    for name in names:
        try:
            while client.call("DescribeTable", TableName=name)["Table"]["TableStatus"] == "DELETING":
                time.sleep(0.02)
            found.append(wait_for_table(client, name))
        except Refused as refused:
            if refused.kind != "ResourceNotFoundException":
                raise
    return found


def check_tables(cluster, names):
    """Each index has exactly the entries of its table, whichever server is asked."""
    entries = 0
    client = cluster.client(1)
    for table in settled_tables(client, names):
        name = table["TableName"]
        stored = {key_of(item): item for item in client.scan(TableName=name, ConsistentRead=True)}
        indexes = [index for index in INDEXES if index.name in
                   {described["IndexName"] for described in table.get("GlobalSecondaryIndexes", [])}]
        for number in range(len(cluster.servers)):
            other = cluster.client(number)
            for index in indexes:
                check_index(index, other.scan(TableName=name, IndexName=index.name), stored)
            check_same_description(client, other, name)
            other.close()
        entries += sum(index.entry(item) is not None for index in indexes for item in stored.values())
        check_rows(cluster, table, stored, indexes)
    client.close()
    return entries


def check_same_description(one, other, name):
    """Counts and sizes may be a moment old."""
    def differences():
        first, second = wait_for_table(one, name), wait_for_table(other, name)
        return {member: (first.get(member), second.get(member)) for member in first.keys() | second.keys()
                if first.get(member) != second.get(member)}
    try:
        wait_until(lambda: not differences(), "two servers describe a table in the same way", 10)
    except AssertionError:
        raise AssertionError(f"two servers describe {name} differently: {differences()}") from None


def check_rows(cluster, table, stored, indexes):
    """The rows in the database: as many below each index as it has entries, and no rows of an index that is gone."""
    if not cluster.database:
        return
    expected = sorted(filter(None, [len(stored)] + [
        sum(index.entry(item) is not None for item in stored.values()) for index in indexes]))
    name = table["TableName"].encode().hex()
    rows = []

    def is_clean():
        # A row of the row space is 02, the table's number, the index's number, …; the table's definition has its name.
        nonlocal rows
        rows = sorted(int(count) for count in cluster.database.sql(f"""
            SELECT count(*) FROM stator_kv WHERE substring(key, 1, 1) = '\\x02' AND substring(key, 2, 4) IN (
              SELECT substring(key, 7, 4) FROM stator_kv WHERE substring(key, 1, 6) = '\\x017461626c65'
                AND position('\\x{name}'::bytea in value) > 0)
            GROUP BY substring(key, 1, 7)""").split())
        return rows == expected
    try:
        wait_until(is_clean, "the rows of dropped indexes are gone", 10)
    except AssertionError as error:
        raise AssertionError(f"{table['TableName']} has {rows} rows by index, {expected} are expected: {error}") from None


def check_no_orphans(cluster):
    """No row belongs to a table that is gone."""
    if not cluster.database:
        return
    def orphans():
        return int(cluster.database.sql("""
            SELECT count(*) FROM stator_kv r WHERE substring(key, 1, 1) IN ('\\x02', '\\x04', '\\x05') AND NOT EXISTS (
              SELECT FROM stator_kv t WHERE t.key = '\\x017461626c65'::bytea || substring(r.key, 2, 4))"""))
    wait_until(lambda: orphans() == 0, "the rows of dropped tables are gone", 15)


def race_to_create(cluster, dice, times):
    """Two servers, one name, one winner."""
    first, second = cluster.client(0), cluster.client(1)
    for number in range(times):
        barrier = threading.Barrier(2)
        verdicts = []

        def create(client, color, barrier=barrier, verdicts=verdicts, number=number):
            barrier.wait()
            try:
                indexes = [INDEXES[0]] if color else []
                client.call("CreateTable", **create_request(f"Race{number}", indexes))
                verdicts.append("created")
            except Refused as refused:
                verdicts.append(refused.kind)

        threads = [threading.Thread(target=create, args=(client, dice.random() < 0.5)) for client in (first, second)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if sorted(verdicts) != ["ResourceInUseException", "created"]:
            raise AssertionError(f"of two that create Race{number}: {verdicts}")
        check_same_description(first, second, f"Race{number}")
        first.call("DeleteTable", TableName=f"Race{number}")
    first.close()
    second.close()


def add_index_under_load(storm):
    """One server adds the index, all write through the others, no item is missed."""
    client = storm.cluster.client(0)
    client.call("CreateTable", **create_request("Loaded", []))
    wait_for_table(client, "Loaded")
    _, others = storm.first_and_others()
    threads = [Writer(storm, f"loader{number}", others, ["Loaded"]) for number in range(4)]
    storm.stopping.clear()
    for thread in threads:
        thread.start()
    for index in INDEXES:
        time.sleep(0.3)
        client.call("UpdateTable", TableName="Loaded", AttributeDefinitions=[
            definition(key, DEFINITIONS[key]) for key in (index.hash, index.range) if key],
            GlobalSecondaryIndexUpdates=[{"Create": index.request()}])
        wait_for_table(client, "Loaded")
    storm.end(threads)
    entries = check_tables(storm.cluster, ["Loaded"])
    client.call("DeleteTable", TableName="Loaded")
    client.close()
    return entries


def test(arguments):
    dice = random.Random(arguments.seed)
    with Cluster(arguments, SERVERS) as cluster:
        storm = Storm(cluster, arguments.seed)
        first, others = storm.first_and_others()
        race_to_create(cluster, dice, 5)
        say("five times two servers created the same table, one of them succeeded")
        say(f"three indexes added under load have all their {add_index_under_load(storm)} entries")
        threads = [Administrator(storm, "administrator", first)]
        threads += [Writer(storm, f"writer{number}", others) for number in range(3)]
        threads += [Reader(storm, f"reader{number}", others) for number in range(2)]
        storm.blow(threads, arguments.seconds)
        say(", ".join(f"{count} {name}" for name, count in sorted(storm.answers.items())))
        if storm.answers["Administrator succeeded"] < 10 or storm.answers["Writer succeeded"] < 10:
            raise AssertionError("too little has happened")
        say(f"after the storm {check_tables(cluster, TABLES)} entries of indexes are right")
        check_no_orphans(cluster)


if __name__ == "__main__":
    run_test(__doc__, test, lambda parser: parser.add_argument("--seconds", type=float, default=8))
