#!/usr/bin/env python3
"""The server that works in the background is killed, or paused, in the middle of its work: another goes on with it.

    keeper_test.py STATOR [--seed N]

An index is being built, a table restored and expired items deleted when it happens. Another must go on with it within ten
seconds of a kill. A keeper that is paused for eight seconds, and wakes when another has taken over, does no harm: indexes
equal their tables, the restored table is whole, the stream tells of each expired item once.
"""

import random
import sys
import threading
import time
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
ITEMS = 1_500
DUE, LIVE = 800, 50
BATCH = 25
GO_ON_SECONDS_MAX = 10
PAUSE_SECONDS = 8
BY_COLOR = Index("by_color", "color", "score")
BY_ROUND = Index("by_round", "round")
LATER = Index("by_note", "note", projection="KEYS_ONLY")


def create(client, name, *indexes, **more):
    names = {"pk": "S", "sk": "N", "color": "S", "score": "N", "round": "N", "note": "S"}
    used = {"pk", "sk"} | {key for index in indexes for key in (index.hash, index.range) if key}
    if indexes:
        more["GlobalSecondaryIndexes"] = [index.request() for index in indexes]
    client.call("CreateTable", TableName=name, BillingMode="PAY_PER_REQUEST", KeySchema=[
        {"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[definition(key, names[key]) for key in sorted(used)], **more)
    wait_for_table(client, name)


def add_index(client, name, index):
    client.call("UpdateTable", TableName=name, AttributeDefinitions=[
        definition(key, "N" if key == "score" else "S") for key in (index.hash, index.range) if key],
        GlobalSecondaryIndexUpdates=[{"Create": index.request()}])


def fill(client, name, items):
    for start in range(0, len(items), BATCH):
        client.call("BatchWriteItem", RequestItems={name: [
            {"PutRequest": {"Item": item}} for item in items[start:start + BATCH]]})


def item(number):
    return {"pk": {"S": f"p{number % 50}"}, "sk": {"N": str(number)}, "color": {"S": f"c{number % 7}"},
            "score": {"N": str(number % 100)}, "note": {"S": f"n{number % 3}"}, "filler": {"S": "x" * 200}}


def due_item(number):
    seconds = -1000 if number < DUE else 1_000_000
    return {"pk": {"S": f"p{number % 50}"}, "sk": {"N": str(number)}, "round": {"N": str(number % 5)},
            "expires": {"N": str(int(time.time()) + seconds)}}


class Mover(threading.Thread):
    """Moves items within the index that is being built, through one server, until it is told to stop."""

    def __init__(self, server, table, seed):
        super().__init__(daemon=True)
        self.server, self.table = server, table
        self.random = random.Random(seed)
        self.stopping = threading.Event()
        self.problem = None
        self.longest_seconds = 0

    def run(self):
        client = self.server.client()
        try:
            while not self.stopping.is_set():
                began = time.monotonic()
                self.move(client)
                self.longest_seconds = max(self.longest_seconds, time.monotonic() - began)
                time.sleep(0.002)
        except ConnectionLost:
            if self.server.is_running():
                self.problem = "a server that lives does not answer"
        except (Refused, Unreachable) as error:
            self.problem = str(error)
        finally:
            client.close()

    def move(self, client):
        moved = item(self.random.randrange(ITEMS))
        moved["color"] = {"S": f"c{self.random.randrange(9)}"}
        try:
            if self.random.random() < 0.1:
                client.call("DeleteItem", TableName=self.table, Key={"pk": moved["pk"], "sk": moved["sk"]})
            else:
                client.call("PutItem", TableName=self.table, Item=moved)
        except Refused as refused:
            # A request that waited while its server was paused.
            if refused.kind != "ThrottlingException":
                raise

    def end(self):
        self.stopping.set()
        self.join()
        if self.problem:
            raise AssertionError(f"a write through {self.server.endpoint}: {self.problem}")


class Work:
    """Three things to do in the background; the tables are named by the round."""

    def __init__(self, client, name):
        self.built, self.past, self.restored, self.due = (f"{kind}-{name}" for kind in ("Built", "Past", "Restored", "Due"))
        create(client, self.built)
        create(client, self.past, BY_COLOR)
        create(client, self.due, BY_ROUND,
               StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        items = [item(number) for number in range(ITEMS)]
        fill(client, self.built, items)
        fill(client, self.past, items)
        fill(client, self.due, [due_item(number) for number in range(DUE + LIVE)])
        client.call("UpdateContinuousBackups", TableName=self.past,
                    PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})

    def begin(self, client):
        client.call("UpdateTimeToLive", TableName=self.due,
                    TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
        client.call("RestoreTableToPointInTime", SourceTableName=self.past, TargetTableName=self.restored,
                    UseLatestRestorableTime=True)
        add_index(client, self.built, BY_COLOR)

    def open(self, client):
        """What is not over."""
        left = []
        table = client.call("DescribeTable", TableName=self.built)["Table"]
        if any(index["IndexStatus"] != "ACTIVE" for index in table["GlobalSecondaryIndexes"]):
            left.append("index")
        if client.call("DescribeTable", TableName=self.restored)["Table"]["TableStatus"] != "ACTIVE":
            left.append("restore")
        if len(client.scan(TableName=self.due, ConsistentRead=True)) != LIVE:
            left.append("expiry")
        return left

    def wait(self, client, since):
        """Seconds until each was over."""
        seconds = {}
        while len(seconds) < 3:
            left = self.open(client)
            for thing in {"index", "restore", "expiry"} - seconds.keys() - set(left):
                seconds[thing] = time.monotonic() - since
            if time.monotonic() > since + 40:
                raise AssertionError(f"not over after 40 s: {left}")
            time.sleep(0.02)
        return seconds

    def check(self, cluster, *more_indexes):
        for server in cluster.servers:
            if not server.is_running():
                continue
            client = server.client()
            stored = {key_of(item): item for item in client.scan(TableName=self.built, ConsistentRead=True)}
            for index in (BY_COLOR, *more_indexes):
                check_index(index, client.scan(TableName=self.built, IndexName=index.name), stored)
            restored = {key_of(item): item for item in client.scan(TableName=self.restored, ConsistentRead=True)}
            if restored != {key_of(item(number)): item(number) for number in range(ITEMS)}:
                raise AssertionError(f"the restored table has {len(restored)} items, and not those of its source")
            check_index(BY_COLOR, client.scan(TableName=self.restored, IndexName=BY_COLOR.name), restored)
            live = {key_of(item): item for item in client.scan(TableName=self.due, ConsistentRead=True)}
            check_index(BY_ROUND, client.scan(TableName=self.due, IndexName=BY_ROUND.name), live)
            self.check_stream(client)
            client.close()

    def check_stream(self, client):
        """Each item came once, and each that was due went once."""
        arn = client.call("DescribeTable", TableName=self.due)["Table"]["LatestStreamArn"]
        events = {"INSERT": [], "REMOVE": []}
        for shard in client.call("DescribeStream", StreamArn=arn)["StreamDescription"]["Shards"]:
            iterator = client.call("GetShardIterator", StreamArn=arn, ShardId=shard["ShardId"],
                                   ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            while iterator:
                page = client.call("GetRecords", ShardIterator=iterator)
                for record in page["Records"]:
                    if record["eventName"] == "REMOVE" and record.get("userIdentity", {}).get("Type") != "Service":
                        raise AssertionError(f"not deleted by the service: {record}")
                    events[record["eventName"]].append(int(record["dynamodb"]["Keys"]["sk"]["N"]))
                iterator = page.get("NextShardIterator") if page["Records"] else None
        if sorted(events["INSERT"]) != list(range(DUE + LIVE)) or sorted(events["REMOVE"]) != list(range(DUE)):
            raise AssertionError(f"the stream tells of {len(events['INSERT'])} items that came and {len(events['REMOVE'])} "
                                 f"({len(set(events['REMOVE']))} different ones) that went; {DUE} were due")


def begin_and_wait_a_moment(cluster, work, dice):
    """The keeper and the others, with the work under way."""
    keeper = cluster.keeper()
    others = [server for server in cluster.servers if server is not keeper] or cluster.servers
    client = others[-1].client()
    work.begin(client)
    time.sleep(dice.uniform(0.05, 0.25))
    return keeper, others, client


def kill_the_keeper(cluster, dice, name):
    client = cluster.client()
    work = Work(client, name)
    client.close()
    keeper, others, client = begin_and_wait_a_moment(cluster, work, dice)
    movers = [Mover(server, work.built, dice.random()) for server in others if server is not keeper]
    for mover in movers:
        mover.start()
    keeper.kill()
    killed_at = time.monotonic()
    if not cluster.database:
        keeper.start()
        client = keeper.client()
    left = work.open(client)
    taken_over = 0
    if cluster.database:
        wait_until(lambda: any(server.is_keeper() for server in others), "another server works in the background", 30)
        taken_over = time.monotonic() - killed_at
    seconds = work.wait(client, killed_at)
    for mover in movers:
        mover.end()
    say(f"{name}: the keeper was killed with {', '.join(left) or 'nothing'} open; another took over after {taken_over:.1f} s, "
        "over after " + ", ".join(f"{thing} {taken:.1f} s" for thing, taken in sorted(seconds.items())))
    if taken_over > GO_ON_SECONDS_MAX:
        raise AssertionError(f"nobody went on with the work of a dead keeper for {taken_over:.1f} s")
    if not keeper.is_running():
        keeper.start()
    work.check(cluster)
    client.close()
    return len(left)


def pause_the_keeper(cluster, dice, name):
    client = cluster.client()
    work = Work(client, name)
    client.close()
    keeper, others, client = begin_and_wait_a_moment(cluster, work, dice)
    movers = [Mover(server, work.built, dice.random()) for server in cluster.servers]
    for mover in movers:
        mover.start()
    time.sleep(0.05)
    keeper.pause()
    paused_at = time.monotonic()
    if cluster.database:
        left = work.open(client)
        wait_until(lambda: any(server.is_keeper() for server in others), "another server works in the background", 12)
        taken_over = time.monotonic() - paused_at
        work.wait(client, paused_at)
        # A change that the sleeper has not heard of when it wakes with a write in hand.
        add_index(client, work.built, LATER)
        time.sleep(max(0, paused_at + PAUSE_SECONDS - time.monotonic()))
    else:
        left, taken_over = [], 0
        time.sleep(1)
    keeper.resume()
    time.sleep(1)
    for mover in movers:
        mover.end()
    keeper.wait_until_healthy(10)
    work.wait(client, time.monotonic())
    wait_for_table(client, work.built)
    say(f"{name}: paused with {', '.join(left) or 'nothing'} open, another took over after {taken_over:.1f} s, the sleeper woke "
        f"after {time.monotonic() - paused_at - 1:.1f} s; the others' slowest write took "
        f"{max([mover.longest_seconds for mover in movers if mover.server is not keeper], default=0):.1f} s")
    if cluster.database and keeper.is_keeper():
        raise AssertionError("the sleeper takes itself for the keeper")
    work.check(cluster, *([LATER] if cluster.database else []))
    client.close()


def test(arguments):
    dice = random.Random(arguments.seed)
    with Cluster(arguments, SERVERS) as cluster:
        cluster.keeper()
        if not sum(kill_the_keeper(cluster, dice, f"kill{number}") for number in range(arguments.rounds)):
            raise AssertionError("no kill came in the middle of the work")
        for number in range(arguments.rounds):
            pause_the_keeper(cluster, dice, f"pause{number}")


if __name__ == "__main__":
    run_test(__doc__, test, lambda parser: parser.add_argument("--rounds", type=int, default=1))
