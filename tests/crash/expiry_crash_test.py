#!/usr/bin/env python3
"""Kills the server while it deletes what has expired, and looks what is left.

    expiry_crash_test.py PROGRAM

Each round puts items that live and items that are due, some of which are renewed while the others are being deleted,
and kills the server with -9 in the middle. After the next start every acknowledged live item must be there as it was
written, every due one must go, the index and the counts must agree with the table, and the stream must tell of every
expired item once and of no other.

STATOR_CRASH_ROUNDS   how many times (20)
STATOR_CRASH_SEED     repeats the choices of a run; the moment at which a kill hits is never quite the same
"""

import http.client
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

TABLE = "Expiring"
BATCH = 25
LIVE = 100
DUE = 400
PAST_SECONDS = 1000
FUTURE_SECONDS = 1_000_000
KILL_AFTER_SECONDS = (0.0, 0.12)
SETTLE_SECONDS_MAX = 60
POLL_SECONDS = 0.01

CREATE = {
    "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
                             {"AttributeName": "round", "AttributeType": "N"},
                             {"AttributeName": "expires", "AttributeType": "N"}],
    "GlobalSecondaryIndexes": [{
        "IndexName": "by_round", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "round", "KeyType": "HASH"}, {"AttributeName": "expires", "KeyType": "RANGE"}]}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
}


class ExpiryCrashTest:
    def __init__(self, program, directory, seed):
        self.program = program
        self.directory = directory
        self.random = random.Random(seed)
        self.number = 0
        self.live = {}  # key → the item as it was acknowledged
        self.due = set()
        self.unknown = {}  # key → the item as its renewal, which nobody answered, would have left it
        self.expired = set()
        self.renewed = 0
        self.cut_off = 0

    def item(self, pk, seconds):
        return {"pk": {"S": pk}, "round": {"N": str(self.number)}, "expires": {"N": str(int(time.time()) + seconds)}}

    def create(self):
        server = StatorProcess(self.program, self.directory)
        client = Client(server.port)
        client.call("CreateTable", **CREATE)
        client.call("UpdateTimeToLive", TableName=TABLE,
                    TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
        client.close()
        server.stop()

    def round(self):
        server = StatorProcess(self.program, self.directory)
        client = Client(server.port)
        try:
            self.check(client)
            self.fill(client)
            self.wake(server.port)
            self.renew(client, time.monotonic() + self.random.uniform(*KILL_AFTER_SECONDS))
            if not server.is_running():
                raise AssertionError(f"the server ended by itself:\n{server.log_text()}")
        finally:
            server.kill()
            client.close()

    def fill(self, client):
        self.number += 1
        live = [self.item(f"live-{self.number}-{place}", FUTURE_SECONDS) for place in range(LIVE)]
        due = [self.item(f"due-{self.number}-{place}", -PAST_SECONDS) for place in range(DUE)]
        items = live + due
        for start in range(0, len(items), BATCH):
            client.call("BatchWriteItem", RequestItems={TABLE: [
                {"PutRequest": {"Item": item}} for item in items[start:start + BATCH]]})
        self.live.update((item["pk"]["S"], item) for item in live)
        self.due = {item["pk"]["S"] for item in due}

    @staticmethod
    def wake(port):
        """A turn of the clock, even by nothing, ends the rest of the sweep."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("POST", "/_stator/clock", json.dumps({"advance_seconds": 0}),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        if answer.status != 200:
            raise AssertionError(f"the clock answered {answer.status} {answer.read()}")
        connection.close()

    def renew(self, client, end):
        """Gives due items more time, if they are still there, until the time is over."""
        candidates = self.random.sample(sorted(self.due), len(self.due))
        while candidates and time.monotonic() < end:
            pk = candidates.pop()
            item = self.item(pk, FUTURE_SECONDS)
            self.unknown = {pk: item}
            try:
                client.call("UpdateItem", TableName=TABLE, Key={"pk": {"S": pk}}, UpdateExpression="SET expires = :t",
                            ConditionExpression="attribute_exists(pk)",
                            ExpressionAttributeValues={":t": item["expires"]})
            except Refused as refused:
                if refused.kind != "ConditionalCheckFailedException":
                    raise
            else:
                self.live[pk] = item
                self.due.discard(pk)
                self.renewed += 1
            self.unknown = {}

    def check(self, client):
        self.wait_for_the_sweep(client)
        stored = {item["pk"]["S"]: item for item in client.scan(TableName=TABLE, ConsistentRead=True)}
        for pk, item in self.unknown.items():
            if pk in stored:
                self.live[pk] = item
                self.due.discard(pk)
        if stored != self.live:
            lost = sorted(self.live.keys() - stored.keys())[:5]
            strange = sorted(stored.keys() - self.live.keys())[:5]
            raise AssertionError(f"lost {lost}, not to be there {strange}, or items differ")
        self.expired |= self.due
        self.due = set()
        self.unknown = {}
        indexed = {item["pk"]["S"]: item for item in client.scan(TableName=TABLE, IndexName="by_round")}
        if indexed != stored:
            raise AssertionError(f"the index differs: {sorted(indexed.keys() ^ stored.keys())[:5]}")
        self.check_counts(client, len(stored))

    def wait_for_the_sweep(self, client):
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        first = True
        while any(item["pk"]["S"] in self.due and int(item["expires"]["N"]) < time.time()
                  for item in client.scan(TableName=TABLE, ConsistentRead=True)):
            self.cut_off += first
            first = False
            if time.monotonic() > deadline:
                raise AssertionError("what has expired is not deleted")
            time.sleep(POLL_SECONDS)

    @staticmethod
    def check_counts(client, count):
        """Counts are made up in the background after a crash."""
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while True:
            table = client.call("DescribeTable", TableName=TABLE)["Table"]
            seen = (table["ItemCount"], table["GlobalSecondaryIndexes"][0]["ItemCount"])
            if seen == (count, count):
                return
            if time.monotonic() > deadline:
                raise AssertionError(f"counts are {seen}, not {count}")
            time.sleep(POLL_SECONDS)

    def check_stream(self, client):
        (stream,) = client.call("ListStreams", TableName=TABLE)["Streams"]
        arn = stream["StreamArn"]
        removed = []
        for shard in client.call("DescribeStream", StreamArn=arn)["StreamDescription"]["Shards"]:
            iterator = client.call("GetShardIterator", StreamArn=arn, ShardId=shard["ShardId"],
                                   ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            while iterator:
                page = client.call("GetRecords", ShardIterator=iterator)
                if not page["Records"]:
                    break
                for record in page["Records"]:
                    if record["eventName"] == "REMOVE":
                        if record["userIdentity"]["Type"] != "Service":
                            raise AssertionError(f"somebody else deleted an item: {record}")
                        removed.append(record["dynamodb"]["Keys"]["pk"]["S"])
                iterator = page.get("NextShardIterator")
        if sorted(removed) != sorted(self.expired):
            raise AssertionError(f"the stream tells of {len(removed)} items ({len(set(removed))} different ones) "
                                 f"and {len(self.expired)} expired")

    def finish(self):
        server = StatorProcess(self.program, self.directory)
        client = Client(server.port)
        self.check(client)
        self.check_stream(client)
        client.close()
        server.stop()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rounds = int(os.environ.get("STATOR_CRASH_ROUNDS", "20"))
    seed = int(os.environ.get("STATOR_CRASH_SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
    print(f"expiry crash test: STATOR_CRASH_SEED={seed} STATOR_CRASH_ROUNDS={rounds}", flush=True)
    with tempfile.TemporaryDirectory(prefix="stator-crash-") as directory:
        test = ExpiryCrashTest(sys.argv[1], directory, seed)
        number = 0
        try:
            test.create()
            for number in range(rounds):
                test.round()
            test.finish()
        except (AssertionError, ConnectionLost, Refused) as error:
            print(f"FAILED in round {number} (STATOR_CRASH_SEED={seed}): {type(error).__name__}: {error}")
            return 1
    print(f"{rounds} kills, {test.cut_off} sweeps cut off, {len(test.expired)} items expired, {test.renewed} renewed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
