"""Streams through boto3: a consumer that reads while writers write, places to begin, errors."""

import datetime
import threading

import boto3
from boto3.dynamodb.types import TypeDeserializer

from connect import Suite, OPTIONS, client, create_table

streams = boto3.client("dynamodbstreams", **OPTIONS)


def plain(image):
    return {name: TypeDeserializer().deserialize(value) for name, value in image.items()}


def enable_stream(name, view):
    answer = client.update_table(
        TableName=name, StreamSpecification={"StreamEnabled": True, "StreamViewType": view})
    return answer["TableDescription"]["LatestStreamArn"]


def shards_of(arn):
    return streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]


def iterator_of(arn, shard, kind="TRIM_HORIZON", **more):
    return streams.get_shard_iterator(
        StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType=kind, **more)["ShardIterator"]


class Consumer(threading.Thread):
    """Reads every shard until `writers_are_done` is set and nothing more comes."""

    def __init__(self, arn, writers_are_done):
        super().__init__()
        self.arn = arn
        self.writers_are_done = writers_are_done
        self.records = []
        self.problem = None

    def run(self):
        try:
            iterators = [iterator_of(self.arn, shard) for shard in shards_of(self.arn)]
            while True:
                done = self.writers_are_done.is_set()
                count = len(self.records)
                for i, iterator in enumerate(iterators):
                    page = streams.get_records(ShardIterator=iterator, Limit=100)
                    self.records += page["Records"]
                    iterators[i] = page["NextShardIterator"]
                if done and len(self.records) == count:
                    return
        except Exception as error:  # told by the test's thread
            self.problem = error


class Streams(Suite):
    def test_a_consumer_that_reads_while_writers_write_ends_with_the_table(self):
        table = create_table("stream-replay", ["pk", "sk:N"])
        arn = enable_stream("stream-replay", "NEW_AND_OLD_IMAGES")
        done = threading.Event()
        consumers = [Consumer(arn, done) for _ in range(2)]
        for consumer in consumers:
            consumer.start()

        def write(number):
            for i in range(60):
                key = {"pk": {"S": f"writer{number}"}, "sk": {"N": str(i % 5)}}
                if i % 9 == 8:
                    client.delete_item(TableName="stream-replay", Key=key)
                else:
                    client.put_item(TableName="stream-replay", Item={**key, "i": {"N": str(i)}})

        writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        done.set()
        expected = {(item["pk"], item["sk"]): item for item in table.scan(ConsistentRead=True)["Items"]}
        for consumer in consumers:
            consumer.join()
            self.assertIsNone(consumer.problem)
            ids = [record["eventID"] for record in consumer.records]
            self.assertEqual(len(ids), len(set(ids)))
            self.assertEqual(self.replay(consumer.records), expected)

    def replay(self, records):
        items = {}
        for record in records:
            change = record["dynamodb"]
            keys = plain(change["Keys"])
            key = (keys["pk"], keys["sk"])
            self.assertEqual(plain(change["OldImage"]) if "OldImage" in change else None, items.get(key))
            if "NewImage" in change:
                items[key] = plain(change["NewImage"])
            else:
                del items[key]
        return items

    def test_reading_begins_where_it_is_told_to(self):
        client.create_table(
            TableName="stream-places",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
        )
        arn = streams.list_streams(TableName="stream-places")["Streams"][0]["StreamArn"]
        (shard,) = shards_of(arn)
        for pk in "abc":
            client.put_item(TableName="stream-places", Item={"pk": {"S": pk}})
        latest = iterator_of(arn, shard, "LATEST")
        client.delete_item(TableName="stream-places", Key={"pk": {"S": "b"}})

        def read(iterator):
            return [(record["eventName"], record["dynamodb"]["Keys"]["pk"]["S"])
                    for record in streams.get_records(ShardIterator=iterator)["Records"]]

        records = streams.get_records(ShardIterator=iterator_of(arn, shard))["Records"]
        self.assertEqual(len(records), 4)
        self.assertIsInstance(records[0]["dynamodb"]["ApproximateCreationDateTime"], datetime.datetime)
        self.assertNotIn("userIdentity", records[0])
        self.assertEqual(read(latest), [("REMOVE", "b")])
        number = records[1]["dynamodb"]["SequenceNumber"]
        at_number = iterator_of(arn, shard, "AT_SEQUENCE_NUMBER", SequenceNumber=number)
        self.assertEqual(read(at_number), [("INSERT", "b"), ("INSERT", "c"), ("REMOVE", "b")])
        after_number = iterator_of(arn, shard, "AFTER_SEQUENCE_NUMBER", SequenceNumber=number)
        self.assertEqual(read(after_number), [("INSERT", "c"), ("REMOVE", "b")])

    def test_errors_have_their_types(self):
        unknown = "arn:aws:dynamodb:us-east-1:000000000000:table/Nobody/stream/2026-01-31T12:00:00.000"
        self.assert_fails("ResourceNotFoundException", f"Stream: {unknown} not found",
                          streams.describe_stream, StreamArn=unknown)
        with self.assertRaises(streams.exceptions.ResourceNotFoundException):
            streams.describe_stream(StreamArn=unknown)
        self.assert_fails("ValidationException", "Invalid ShardIterator",
                          streams.get_records, ShardIterator="garbage")

    def test_each_service_has_its_own_operations(self):
        """The same name under the other service's target is unknown."""
        tables_as_streams = boto3.client("dynamodbstreams", **OPTIONS)
        tables_as_streams.meta.events.register(
            "before-sign.dynamodb-streams.ListStreams",
            lambda request, **_: request.headers.replace_header(
                "X-Amz-Target", "DynamoDB_20120810.ListStreams"))
        self.assert_fails("UnknownOperationException", "", tables_as_streams.list_streams)
