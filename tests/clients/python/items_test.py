"""Items and reads through boto3: every type, batches, paginators, errors by class."""

from decimal import Decimal

from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary

from connect import Suite, client, create_table, resource


class Items(Suite):
    @classmethod
    def setUpClass(cls):
        cls.table = create_table("items", ["pk", "sk:N"])

    def test_every_type_comes_back_as_it_went_in(self):
        item = {
            "pk": "types",
            "sk": Decimal("-0.5"),
            "text": "naïve ☂ 𝄞 \u0000",
            "empty": "",
            "number": Decimal("12345678901234567890.123456789012345678"),
            "tiny": Decimal("1E-120"),
            "huge": Decimal("9.9E+30"),
            "binary": Binary(b"\x00\x01\xff"),
            "yes": True,
            "nothing": None,
            "strings": {"a", "ä"},
            "numbers": {Decimal("1"), Decimal("-2.5")},
            "binaries": {Binary(b"1"), Binary(b"")},
            "list": ["x", Decimal(1), [], {}],
            "map": {"inner": {"deep": [None, False]}},
        }
        self.table.put_item(Item=item)
        read = self.table.get_item(Key={"pk": "types", "sk": Decimal("-0.5")}, ConsistentRead=True)
        self.assertEqual(read["Item"], item)

    def test_the_batch_writer_splits_what_is_too_much_for_one_batch(self):
        with self.table.batch_writer() as batch:
            for number in range(120):
                batch.put_item(Item={"pk": "batch", "sk": number, "n": number})
            for number in range(0, 120, 2):
                batch.delete_item(Key={"pk": "batch", "sk": number})
        page = self.table.query(KeyConditionExpression=Key("pk").eq("batch"))
        self.assertEqual([item["sk"] for item in page["Items"]], list(range(1, 120, 2)))

    def test_a_hundred_items_in_one_batch_get(self):
        with self.table.batch_writer() as batch:
            for number in range(100):
                batch.put_item(Item={"pk": "hundred", "sk": number})
        keys = [{"pk": "hundred", "sk": number} for number in range(100)]
        answer = resource.batch_get_item(RequestItems={"items": {"Keys": keys, "ConsistentRead": True}})
        self.assertCountEqual(answer["Responses"]["items"], keys)
        self.assertEqual(answer["UnprocessedKeys"], {})
        self.assert_fails(
            "ValidationException", "Member must have length less than or equal to 100",
            resource.batch_get_item,
            RequestItems={"items": {"Keys": keys + [{"pk": "hundred", "sk": 100}]}})

    def test_scan_segments_hold_every_item_once(self):
        table = create_table("segments", ["pk"])
        with table.batch_writer() as batch:
            for number in range(300):
                batch.put_item(Item={"pk": f"k{number}"})
        paginator = client.get_paginator("scan")
        seen = []
        for segment in range(3):
            for page in paginator.paginate(
                TableName="segments", Segment=segment, TotalSegments=3, PaginationConfig={"PageSize": 40}
            ):
                seen += [item["pk"]["S"] for item in page["Items"]]
        self.assertCountEqual(seen, [f"k{number}" for number in range(300)])

    def test_conditions_built_with_attr(self):
        for number in range(6):
            self.table.put_item(Item={"pk": "attr", "sk": number, "name": f"n{number}", "tags": {"t", str(number)}})

        def found(condition):
            page = self.table.query(KeyConditionExpression=Key("pk").eq("attr"), FilterExpression=condition)
            return [int(item["sk"]) for item in page["Items"]]

        self.assertEqual(found(Attr("name").begins_with("n") & ~Attr("name").eq("n3")), [0, 1, 2, 4, 5])
        self.assertEqual(found(Attr("tags").contains("2") | Attr("name").is_in(["n4", "n5"])), [2, 4, 5])
        self.assertEqual(found(Attr("name").between("n1", "n2")), [1, 2])
        self.assertEqual(found(Attr("tags").size().eq(2) & Attr("missing").not_exists()), [0, 1, 2, 3, 4, 5])
        self.assertEqual(found(Attr("name").attribute_type("SS")), [])

    def test_legacy_parameters_still_work(self):
        client.put_item(
            TableName="items",
            Item={"pk": {"S": "legacy"}, "sk": {"N": "1"}, "a": {"N": "1"}},
            Expected={"pk": {"Exists": False}},
        )
        client.update_item(
            TableName="items",
            Key={"pk": {"S": "legacy"}, "sk": {"N": "1"}},
            AttributeUpdates={"a": {"Action": "ADD", "Value": {"N": "4"}}, "b": {"Value": {"S": "x"}}},
            Expected={"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "1"}]}},
        )
        answer = client.query(
            TableName="items",
            KeyConditions={"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "legacy"}]}},
            AttributesToGet=["a", "b"],
        )
        self.assertEqual(answer["Items"], [{"a": {"N": "5"}, "b": {"S": "x"}}])

    def test_errors_arrive_as_the_classes_of_the_client(self):
        with self.assertRaises(client.exceptions.ResourceNotFoundException):
            client.get_item(TableName="no-such-table", Key={"pk": {"S": "a"}})
        self.assert_fails(
            "ValidationException", "The provided key element does not match the schema",
            self.table.get_item, Key={"pk": "a"})
        self.assert_fails(
            "ValidationException", "Type mismatch for key sk expected: N actual: S",
            self.table.put_item, Item={"pk": "a", "sk": "text"})
        self.assert_fails(
            "ValidationException", "Two document paths overlap with each other",
            self.table.update_item, Key={"pk": "a", "sk": 1}, UpdateExpression="REMOVE a, a.b")
