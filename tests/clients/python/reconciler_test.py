"""A sparse index: only calls that need attention carry its keys."""

from boto3.dynamodb.conditions import Key

from connect import Suite, client, create_table

INDEX = "ReconciliationIndex"


def call(number):
    item = {"CallId": f"call-{number:04d}", "TenantId": f"TENANT-{number % 7}", "Status": "SUCCESS"}
    if number % 10 == 0:
        item.update(
            Status="PENDING",
            GSI_Recon_PK="STATUS#PENDING",
            GSI_Recon_SK=f"2023-10-21T{number // 60:02d}:{number % 60:02d}:00Z#{item['TenantId']}",
        )
    return item


class Reconciler(Suite):
    @classmethod
    def setUpClass(cls):
        cls.table = create_table("PhoneCalls", ["CallId"], {INDEX: ["GSI_Recon_PK", "GSI_Recon_SK"]})
        with cls.table.batch_writer() as batch:
            for number in range(1000):
                batch.put_item(Item=call(number))

    def pending(self, **parameters):
        return self.table.query(
            IndexName=INDEX,
            KeyConditionExpression=Key("GSI_Recon_PK").eq("STATUS#PENDING")
            & Key("GSI_Recon_SK").gt("2023-10-20T00:00:00Z"),
            **parameters,
        )

    def test_a_tenth_of_a_thousand_calls_is_in_the_index(self):
        self.assertEqual(self.pending(Select="COUNT")["Count"], 100)

    def test_pages_lose_and_repeat_nothing_in_both_directions(self):
        expected = [call(number)["CallId"] for number in range(0, 1000, 10)]
        for forward in (True, False):
            pages = client.get_paginator("query").paginate(
                TableName="PhoneCalls",
                IndexName=INDEX,
                KeyConditionExpression="GSI_Recon_PK = :p",
                ExpressionAttributeValues={":p": {"S": "STATUS#PENDING"}},
                ScanIndexForward=forward,
                PaginationConfig={"PageSize": 9},
            )
            seen = [item["CallId"]["S"] for page in pages for item in page["Items"]]
            self.assertEqual(seen, expected if forward else expected[::-1])

    def test_removing_both_keys_takes_the_call_out_and_setting_them_brings_it_back(self):
        key = {"CallId": "call-moved"}

        def found():
            return self.table.query(
                IndexName=INDEX, KeyConditionExpression=Key("GSI_Recon_PK").eq("STATUS#FAILED"))["Count"]

        set_both = dict(
            Key=key,
            UpdateExpression="SET GSI_Recon_PK = :p, GSI_Recon_SK = :s",
            ExpressionAttributeValues={":p": "STATUS#FAILED", ":s": "2023-10-27T08:00:00Z#TENANT-123"},
        )
        self.table.update_item(**set_both)
        self.assertEqual(found(), 1)
        self.table.update_item(Key=key, UpdateExpression="REMOVE GSI_Recon_PK, GSI_Recon_SK")
        self.assertEqual(found(), 0)
        self.assertEqual(self.table.get_item(Key=key)["Item"], key)
        self.table.update_item(**set_both)
        self.assertEqual(found(), 1)

    def test_null_in_an_index_key_is_refused(self):
        self.assert_fails(
            "ValidationException", "Type mismatch for Index Key GSI_Recon_PK Expected: S Actual: NULL",
            self.table.put_item, Item={"CallId": "null", "GSI_Recon_PK": None})

    def test_an_empty_string_in_an_index_key_is_refused(self):
        self.assert_fails(
            "ValidationException", "A value specified for a secondary index key is not supported",
            self.table.put_item, Item={"CallId": "empty", "GSI_Recon_PK": ""})
