"""Tables through boto3: life cycle, waiters, local and global indexes, tags, ARNs."""

import time

from boto3.dynamodb.conditions import Key

from connect import WAITING, Suite, client, create_table, resource


class Tables(Suite):
    def test_a_table_comes_and_goes(self):
        table = create_table("life-cycle", ["pk"])
        table.load()
        self.assertEqual(table.table_status, "ACTIVE")
        self.assertEqual(table.table_arn, "arn:aws:dynamodb:us-east-1:000000000000:table/life-cycle")
        self.assertEqual(table.provisioned_throughput["ReadCapacityUnits"], 0)
        self.assertIn("life-cycle", client.list_tables()["TableNames"])
        table.delete()
        client.get_waiter("table_not_exists").wait(TableName="life-cycle", WaiterConfig=WAITING)
        with self.assertRaises(client.exceptions.ResourceNotFoundException):
            table.reload()

    def test_provisioned_throughput_is_kept_and_changed(self):
        client.create_table(
            TableName="provisioned",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
        )
        client.get_waiter("table_exists").wait(TableName="provisioned", WaiterConfig=WAITING)
        client.update_table(
            TableName="provisioned",
            ProvisionedThroughput={"ReadCapacityUnits": 7, "WriteCapacityUnits": 6},
        )
        client.get_waiter("table_exists").wait(TableName="provisioned", WaiterConfig=WAITING)
        throughput = client.describe_table(TableName="provisioned")["Table"]["ProvisionedThroughput"]
        self.assertEqual((throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]), (7, 6))

    def test_a_local_index_reads_consistently_and_fetches_what_it_lacks(self):
        client.create_table(
            TableName="local",
            KeySchema=[
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            AttributeDefinitions=[
                {"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "other")
            ],
            LocalSecondaryIndexes=[{
                "IndexName": "byOther",
                "KeySchema": [
                    {"AttributeName": "pk", "KeyType": "HASH"},
                    {"AttributeName": "other", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }],
            BillingMode="PAY_PER_REQUEST",
        )
        client.get_waiter("table_exists").wait(TableName="local", WaiterConfig=WAITING)
        table = resource.Table("local")
        for sk, other in (("1", "b"), ("2", "a")):
            answer = table.put_item(
                Item={"pk": "p", "sk": sk, "other": other, "more": "m"}, ReturnItemCollectionMetrics="SIZE")
        self.assertEqual(answer["ItemCollectionMetrics"]["ItemCollectionKey"], {"pk": "p"})
        query = dict(IndexName="byOther", KeyConditionExpression=Key("pk").eq("p"), ConsistentRead=True)
        self.assertEqual(
            table.query(**query)["Items"],
            [{"pk": "p", "sk": "2", "other": "a"}, {"pk": "p", "sk": "1", "other": "b"}])
        whole = table.query(**query, Select="ALL_ATTRIBUTES")["Items"]
        self.assertEqual([item["more"] for item in whole], ["m", "m"])

    def test_an_index_added_later_is_filled(self):
        table = create_table("backfill", ["pk"])
        with table.batch_writer() as batch:
            for number in range(60):
                batch.put_item(Item={"pk": f"k{number}", "n": number} | ({"team": "blue"} if number % 3 else {}))
        client.update_table(
            TableName="backfill",
            AttributeDefinitions=[
                {"AttributeName": "team", "AttributeType": "S"}, {"AttributeName": "n", "AttributeType": "N"},
            ],
            GlobalSecondaryIndexUpdates=[{"Create": {
                "IndexName": "byTeam",
                "KeySchema": [
                    {"AttributeName": "team", "KeyType": "HASH"}, {"AttributeName": "n", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }}],
        )
        deadline = time.monotonic() + 30
        while table.global_secondary_indexes is None or any(
            index["IndexStatus"] != "ACTIVE" for index in table.global_secondary_indexes
        ):
            self.assertLess(time.monotonic(), deadline, "the index did not become ACTIVE")
            table.reload()
        page = table.query(IndexName="byTeam", KeyConditionExpression=Key("team").eq("blue"))
        self.assertEqual([item["n"] for item in page["Items"]], [n for n in range(60) if n % 3])

    def test_tags_are_added_and_removed(self):
        arn = create_table("tagged", ["pk"]).table_arn
        client.tag_resource(ResourceArn=arn, Tags=[{"Key": "a", "Value": "1"}, {"Key": "b", "Value": "2"}])
        client.untag_resource(ResourceArn=arn, TagKeys=["a"])
        self.assertEqual(client.list_tags_of_resource(ResourceArn=arn)["Tags"], [{"Key": "b", "Value": "2"}])

    def test_limits_and_endpoints(self):
        self.assertEqual(client.describe_limits()["AccountMaxWriteCapacityUnits"], 80_000)
        self.assertEqual(client.describe_endpoints()["Endpoints"][0]["CachePeriodInMinutes"], 1440)

    def test_the_list_paginator_sees_every_table(self):
        wanted = [f"listed-{letter}" for letter in "abc"]
        for name in wanted:
            create_table(name, ["pk"])
        pages = client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 2})
        names = [name for page in pages for name in page["TableNames"]]
        self.assertEqual(names, sorted(names))
        self.assertTrue(set(wanted) <= set(names))
