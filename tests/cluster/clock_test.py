#!/usr/bin/env python3
"""The clock of one server's machine is hours away and jumps: nobody can tell. The turnable clock is one for all servers.

    clock_test.py STATOR SHIFTED_CLOCK_LIBRARY [--seed N]

Dates of tables, times in streams, expiry, restores to a moment and tokens go by the database's time, whichever server is
asked and whichever works in the background.
"""

import os
import struct
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from postgres import wait_until
from servers import Cluster, run_test, say, wait_for_table

HOUR = 3600
SHIFTS = {"five hours ahead": 5 * HOUR, "three hours behind": -3 * HOUR, "forty days ahead": 40 * 24 * HOUR}
NEAR_SECONDS = 5  # of the database's time; the machine is busy
KEYS = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}


class MachineClock:
    """Of the first server."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "shift")
        with open(self.path, "wb") as file:
            file.write(struct.pack("q", 0))

    def set(self, seconds):
        with open(self.path, "r+b") as file:
            file.write(struct.pack("q", seconds))


def assert_near(what, seconds, expected=None):
    expected = time.time() if expected is None else expected
    if abs(seconds - expected) > NEAR_SECONDS:
        raise AssertionError(f"{what} is {seconds - expected:+.1f} s away")


def put(client, table, pk, **attributes):
    client.call("PutItem", TableName=table, Item={"pk": {"S": pk}, **attributes})


def get(client, table, pk):
    return client.call("GetItem", TableName=table, Key={"pk": {"S": pk}}, ConsistentRead=True).get("Item")


def due_in(seconds, now=None):
    return {"expires": {"N": str(int((now or time.time()) + seconds))}}


def check_clocks(servers):
    for number, server in enumerate(servers):
        clock = server.clock()
        assert_near(f"the clock of server {number}", clock["now"])
        if clock["mode"] != "system":
            raise AssertionError(f"the clock of server {number} is {clock}")


def check_table_dates(clients, name):
    for number, client in enumerate(clients):
        table = client.call("CreateTable", TableName=f"{name}-dates{number}", **KEYS)["TableDescription"]
        assert_near(f"the creation of a table through server {number}", table["CreationDateTime"])


def check_stream(clients, name):
    table = f"{name}-stream"
    clients[0].call("CreateTable", TableName=table, StreamSpecification={
        "StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}, **KEYS)
    wait_for_table(clients[0], table)
    for number in range(12):
        put(clients[number % len(clients)], table, "same", number={"N": str(number)})
    for client in clients:
        arn = client.call("DescribeTable", TableName=table)["Table"]["LatestStreamArn"]
        stream = client.call("DescribeStream", StreamArn=arn)["StreamDescription"]
        assert_near("the creation of a stream", stream["CreationRequestDateTime"])
        records = []
        for shard in stream["Shards"]:
            iterator = client.call("GetShardIterator", StreamArn=arn, ShardId=shard["ShardId"],
                                   ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            records += client.call("GetRecords", ShardIterator=iterator)["Records"]
        if [record["dynamodb"]["NewImage"]["number"]["N"] for record in records] != [str(n) for n in range(12)]:
            raise AssertionError(f"the stream has {len(records)} records, or not in order")
        times = [record["dynamodb"]["ApproximateCreationDateTime"] for record in records]
        if times != sorted(times):
            raise AssertionError(f"the times in the stream go back: {times}")
        for moment in times:
            assert_near("a record of the stream", moment)


def check_restore(clients, name):
    table = f"{name}-past"
    clients[0].call("CreateTable", TableName=table, **KEYS)
    wait_for_table(clients[0], table)
    clients[-1].call("UpdateContinuousBackups", TableName=table,
                     PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
    for number, client in enumerate(clients):
        put(client, table, f"item{number}", version={"S": "old"})
    time.sleep(1.1)
    moment = clients[0].call("DescribeContinuousBackups", TableName=table)[
        "ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
    assert_near("the latest moment of a restore", moment["LatestRestorableDateTime"], time.time())
    then = time.time() - 0.05
    time.sleep(0.1)
    for number, client in enumerate(clients):
        put(client, table, f"item{number}", version={"S": "new"})
    target = f"{name}-restored"
    clients[0].call("RestoreTableToPointInTime", SourceTableName=table, TargetTableName=target, RestoreDateTime=then)
    wait_for_table(clients[-1], target)
    versions = {item["pk"]["S"]: item["version"]["S"] for item in clients[-1].scan(TableName=target, ConsistentRead=True)}
    if versions != {f"item{number}": "old" for number in range(len(clients))}:
        raise AssertionError(f"the table as it was has {versions}")


def check_token(clients, name):
    table = f"{name}-token"
    clients[0].call("CreateTable", TableName=table, **KEYS)
    wait_for_table(clients[0], table)
    action = {"Update": {"TableName": table, "Key": {"pk": {"S": "sum"}}, "UpdateExpression": "ADD n :one",
                         "ExpressionAttributeValues": {":one": {"N": "1"}}}}
    for client in (*clients, *clients):
        client.call("TransactWriteItems", TransactItems=[action], ClientRequestToken=f"{name}-once")
    if get(clients[0], table, "sum")["n"]["N"] != "1":
        raise AssertionError("a token was honoured by one server and not by another")


def check_expiry(clients, name):
    """What is due by the time of all goes, what is due by the machine's stays."""
    table = f"{name}-expiry"
    clients[0].call("CreateTable", TableName=table, **KEYS)
    wait_for_table(clients[0], table)
    clients[0].call("UpdateTimeToLive", TableName=table,
                    TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
    for number, client in enumerate(clients):
        put(client, table, f"stays{number}", **due_in(HOUR))
        put(client, table, f"goes{number}", **due_in(-HOUR))
    wait_until(lambda: not any(get(clients[0], table, f"goes{number}") for number in range(len(clients))),
               "what is due is deleted", 10)
    time.sleep(1.2)  # two rests of the sweep
    for number in range(len(clients)):
        if not get(clients[0], table, f"stays{number}"):
            raise AssertionError(f"stays{number} was deleted an hour too early")
    return table


def check_turns(servers, clients, table):
    """One turns it, all show it, what is due then goes."""
    servers[0].clock({"advance_seconds": 2 * HOUR})
    for number, server in enumerate(servers):
        clock = server.clock()
        assert_near(f"the turned clock of server {number}", clock["now"], time.time() + 2 * HOUR)
        if (clock["mode"], clock["offset_seconds"]) != ("offset", 2 * HOUR):
            raise AssertionError(f"server {number} shows {clock}")
    wait_until(lambda: not any(get(clients[0], table, f"stays{number}") for number in range(len(clients))),
               "what is due by the turned clock is deleted", 10)
    servers[-1].clock({"now": 1_900_000_000})
    assert_near("the clock that was set", servers[0].clock()["now"], 1_900_000_000)
    created = clients[0].call("CreateTable", TableName="in-2030", **KEYS)["TableDescription"]
    assert_near("a table created then", created["CreationDateTime"], 1_900_000_000)
    servers[0].clock({"reset": True})
    check_clocks(servers)


def test(arguments):
    folder = tempfile.TemporaryDirectory(prefix="stator-clock-")  # pylint: disable=consider-using-with
    clock = MachineClock(folder.name)
    shifted = {"LD_PRELOAD": arguments.library, "STATOR_TEST_CLOCK": clock.path}
    with folder, Cluster(arguments, 2, environments={0: shifted}) as cluster:
        servers = cluster.servers
        clients = [server.client() for server in servers]
        for name, seconds in SHIFTS.items():
            if cluster.database:
                clock.set(seconds)
            label = name.replace(" ", "-")
            check_clocks(servers)
            check_table_dates(clients, label)
            check_stream(clients, label)
            check_restore(clients, label)
            check_token(clients, label)
            table = check_expiry(clients, label)
            keeper = "the shifted server" if servers[0] is cluster.keeper() else "the other server"
            say(f"one machine is {name}, {keeper} works in the background: nothing shows")
            if cluster.database and seconds == 5 * HOUR:
                # The other one works in the background from now on.
                keeper = cluster.keeper()
                keeper.stop()
                wait_until(lambda: any(server.is_keeper() for server in servers if server is not keeper),  # pylint: disable=cell-var-from-loop
                           "the other server works in the background", 10)
                keeper.start()
                clients = [server.client() for server in servers]
        check_turns(servers, clients, table)
        say("the turnable clock is one for all")


if __name__ == "__main__":
    run_test(__doc__, test, lambda parser: parser.add_argument("library"))
