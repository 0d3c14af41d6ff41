"""Time to live: what has expired is deleted, told to streams as the service's own doing, and gone from indexes."""

import time

import boto3

from connect import OPTIONS, Suite, client, clock, create_table

streams = boto3.client("dynamodbstreams", **OPTIONS)
HOUR = 3600
POLL_SECONDS = 0.02
SETTLE_SECONDS_MAX = 30


def keys_of(table, **where):
    return sorted(item["pk"]["S"] for item in client.scan(TableName=table, **where)["Items"])


def wait_until(condition):
    deadline = time.monotonic() + SETTLE_SECONDS_MAX
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("it did not happen")
        time.sleep(POLL_SECONDS)


def records_of(table):
    (stream,) = streams.list_streams(TableName=table)["Streams"]
    records = []
    for shard in streams.describe_stream(StreamArn=stream["StreamArn"])["StreamDescription"]["Shards"]:
        iterator = streams.get_shard_iterator(StreamArn=stream["StreamArn"], ShardId=shard["ShardId"],
                                              ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        records += streams.get_records(ShardIterator=iterator)["Records"]
    return records


class TimeToLive(Suite):
    def test_expired_items_go_and_the_stream_says_who_deleted_them(self):
        self.addCleanup(clock, {"reset": True})
        create_table("ttl", ["pk"], {"by_kind": ["kind"]})
        client.update_table(TableName="ttl", StreamSpecification={
            "StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
        client.update_time_to_live(
            TableName="ttl", TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
        wait_until(lambda: client.describe_time_to_live(TableName="ttl")["TimeToLiveDescription"] == {
            "TimeToLiveStatus": "ENABLED", "AttributeName": "expires"})
        soon = int(clock()) + HOUR
        for pk, expires in [("soon", soon), ("renewed", soon), ("later", soon + 2 * HOUR), ("never", None)]:
            item = {"pk": {"S": pk}, "kind": {"S": "k"}}
            if expires:
                item["expires"] = {"N": str(expires)}
            client.put_item(TableName="ttl", Item=item)
        client.update_item(TableName="ttl", Key={"pk": {"S": "renewed"}}, UpdateExpression="SET expires = :t",
                           ExpressionAttributeValues={":t": {"N": str(soon + 2 * HOUR)}})
        client.put_item(TableName="ttl", Item={"pk": {"S": "deleted"}})
        client.delete_item(TableName="ttl", Key={"pk": {"S": "deleted"}})

        clock({"advance_seconds": HOUR + 2})
        wait_until(lambda: "soon" not in keys_of("ttl"))
        self.assertEqual(keys_of("ttl"), ["later", "never", "renewed"])
        self.assertEqual(keys_of("ttl", IndexName="by_kind"), ["later", "never", "renewed"])

        removed = {record["dynamodb"]["Keys"]["pk"]["S"]: record
                   for record in records_of("ttl") if record["eventName"] == "REMOVE"}
        self.assertEqual(sorted(removed), ["deleted", "soon"])
        self.assertEqual(removed["soon"]["userIdentity"],
                         {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"})
        self.assertEqual(removed["soon"]["dynamodb"]["OldImage"]["expires"], {"N": str(soon)})
        self.assertNotIn("userIdentity", removed["deleted"])

    def test_a_second_change_has_to_wait(self):
        self.addCleanup(clock, {"reset": True})
        create_table("ttl-twice", ["pk"])
        change = {"TableName": "ttl-twice", "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "expires"}}
        client.update_time_to_live(**change)
        self.assert_fails("ValidationException", "TimeToLive is already enabled", client.update_time_to_live, **change)
        change["TimeToLiveSpecification"]["Enabled"] = False
        self.assert_fails("ValidationException", "Time to live has been modified multiple times within a fixed interval",
                          client.update_time_to_live, **change)
        clock({"advance_seconds": HOUR})
        self.assertFalse(client.update_time_to_live(**change)["TimeToLiveSpecification"]["Enabled"])
        wait_until(lambda: client.describe_time_to_live(TableName="ttl-twice")["TimeToLiveDescription"] == {
            "TimeToLiveStatus": "DISABLED"})
