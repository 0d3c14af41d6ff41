"""Streams over crashes: one that tells every write exactly once, and one that is switched on and off."""

import threading
import time

from crash_table import TABLE, definition, key_of
from stator_process import Client, ConnectionLost, Refused

SWITCHED_TABLE = "Switched"
SWITCHES_PER_ROUND = 6
SETTLE_SECONDS_MAX = 30
POLL_SECONDS = 0.01


class StreamReader:
    """Reads the table's stream on from where it was before the crash, and does what the records say."""

    def __init__(self, table=TABLE):
        self.table = table
        self.items = {}
        self.iterators = {}  # by shard, None at its end; they outlive the server
        self.event_ids = set()

    def read_on(self, client):
        arn = client.call("DescribeTable", TableName=self.table)["Table"]["LatestStreamArn"]
        for shard in client.call("DescribeStream", StreamArn=arn)["StreamDescription"]["Shards"]:
            self.read_shard(client, arn, shard["ShardId"])

    def read_shard(self, client, arn, shard_id):
        if shard_id not in self.iterators:
            self.iterators[shard_id] = client.call(
                "GetShardIterator", StreamArn=arn, ShardId=shard_id,
                ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        while self.iterators[shard_id]:
            page = client.call("GetRecords", ShardIterator=self.iterators[shard_id])
            for record in page["Records"]:
                self.apply(record)
            self.iterators[shard_id] = page.get("NextShardIterator")
            if not page["Records"]:
                return

    def apply(self, record):
        """A write without a record, or with two, shows here: the old image is not what was left before."""
        change = record["dynamodb"]
        key = key_of(change["Keys"])
        if record["eventID"] in self.event_ids:
            raise AssertionError(f"the record {record['eventID']} of {key} came twice")
        self.event_ids.add(record["eventID"])
        if change.get("OldImage") != self.items.get(key):
            raise AssertionError(
                f"a record of {key} replaces\n  {change.get('OldImage')}\nbut the one before it left\n"
                f"  {self.items.get(key)}")
        if "NewImage" in change:
            self.items[key] = change["NewImage"]
        else:
            del self.items[key]

    def check(self, client, stored):
        self.read_on(client)
        for key in self.items.keys() | stored.keys():
            if self.items.get(key) != stored.get(key):
                raise AssertionError(
                    f"the stream leaves {self.items.get(key)}\nfor the item {stored.get(key)}")


def create_switched_table(client):
    client.call("CreateTable", TableName=SWITCHED_TABLE, BillingMode="PAY_PER_REQUEST",
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                AttributeDefinitions=[definition("pk", "S")])


class StreamSwitch:
    """Switches the stream of its table on and off, with a write in between, until the server is gone."""

    def __init__(self, port):
        self.problem = None
        self.thread = threading.Thread(target=self._run, args=(port,))
        self.thread.start()

    def join(self):
        self.thread.join()

    def _run(self, port):
        client = Client(port)
        try:
            for number in range(SWITCHES_PER_ROUND):
                table = client.call("DescribeTable", TableName=SWITCHED_TABLE)["Table"]
                wanted = ({"StreamEnabled": False} if "StreamSpecification" in table
                          else {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
                client.call("UpdateTable", TableName=SWITCHED_TABLE, StreamSpecification=wanted)
                client.call("PutItem", TableName=SWITCHED_TABLE,
                            Item={"pk": {"S": "a"}, "number": {"N": str(number)}})
        except ConnectionLost:
            pass
        except Refused as error:
            self.problem = str(error)
        finally:
            client.close()


def check_switched_streams(client):
    """Each stream is on with open shards, or off with closed ones; at most the table's own is on."""
    table = client.call("DescribeTable", TableName=SWITCHED_TABLE)["Table"]
    request = {"TableName": SWITCHED_TABLE}
    while True:
        page = client.call("ListStreams", **request)
        for stream in page["Streams"]:
            check_switched_stream(client, stream["StreamArn"], table)
        if "LastEvaluatedStreamArn" not in page:
            return
        request["ExclusiveStartStreamArn"] = page["LastEvaluatedStreamArn"]


def settled_stream(client, arn):
    """DescribeStream once shards that the crash left open are closed, which happens by itself."""
    deadline = time.monotonic() + SETTLE_SECONDS_MAX
    while True:
        description = client.call("DescribeStream", StreamArn=arn)["StreamDescription"]
        if description["StreamStatus"] != "DISABLING":
            return description
        if time.monotonic() > deadline:
            raise AssertionError(f"{arn} stays DISABLING")
        time.sleep(POLL_SECONDS)


def check_switched_stream(client, arn, table):
    description = settled_stream(client, arn)
    is_on = "StreamSpecification" in table and table["LatestStreamArn"] == arn
    closed = {"EndingSequenceNumber" in shard["SequenceNumberRange"] for shard in description["Shards"]}
    if description["StreamStatus"] != ("ENABLED" if is_on else "DISABLED") or closed != {not is_on}:
        raise AssertionError(f"{arn} is {description['StreamStatus']}, its shards closed: {closed}")
    for shard in description["Shards"]:
        iterator = client.call("GetShardIterator", StreamArn=arn, ShardId=shard["ShardId"],
                               ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        page = client.call("GetRecords", ShardIterator=iterator)
        if ("NextShardIterator" in page) == ("EndingSequenceNumber" in shard["SequenceNumberRange"]):
            raise AssertionError(f"{shard} of {arn} ends wrongly")
