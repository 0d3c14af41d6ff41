"""Calls: per-user timelines over one table and three indexes."""

from boto3.dynamodb.conditions import Attr, Key

from connect import Suite, client, create_table

NOW = 1_790_000_000_000
HOUR = 3_600_000


def sort_key(scheduled_for, call_id=""):
    return f"{scheduled_for:013d}#{call_id}"


def call(user, call_id, scheduled_for, status, provider="p1"):
    return {
        "userId": user,
        "sk": sort_key(scheduled_for, call_id),
        "callId": call_id,
        "providerId": provider,
        "status": status,
        "scheduledFor": scheduled_for,
        "userStatus": f"{user}#{status}",
    }


CALLS = [
    call("u1", "c1", NOW - 3 * HOUR, "COMPLETED"),
    call("u1", "c2", NOW - 2 * HOUR, "COMPLETED", "p2"),
    call("u1", "c3", NOW + HOUR, "SCHEDULED"),
    call("u1", "c4", NOW + 2 * HOUR, "SCHEDULED"),
    call("u2", "c5", NOW + 3 * HOUR, "SCHEDULED"),
]


class Calls(Suite):
    @classmethod
    def setUpClass(cls):
        cls.table = create_table("Calls", ["userId", "sk"], {
            "byCallId": ["callId"],
            "byProvider": ["providerId", "sk"],
            "byUserStatus": ["userStatus", "sk"],
        })
        for item in CALLS:
            cls.create(item)

    @classmethod
    def create(cls, item):
        return cls.table.put_item(
            Item=item,
            ConditionExpression=Attr("userId").not_exists() & Attr("sk").not_exists(),
            ReturnConsumedCapacity="INDEXES",
        )

    def ids(self, condition, **parameters):
        page = self.table.query(KeyConditionExpression=condition, **parameters)
        return [item["callId"] for item in page["Items"]]

    def test_creating_a_call_costs_one_unit_for_the_table_and_one_for_each_index(self):
        units = self.create(call("u9", "c90", NOW, "SCHEDULED", "p9"))["ConsumedCapacity"]
        self.assertEqual(units["CapacityUnits"], 4)
        self.assertEqual(units["Table"], {"CapacityUnits": 1})
        self.assertEqual(units["GlobalSecondaryIndexes"], {
            name: {"CapacityUnits": 1} for name in ("byCallId", "byProvider", "byUserStatus")
        })

    def test_creating_the_same_call_again_is_refused(self):
        error = self.assert_fails(
            "ConditionalCheckFailedException", "The conditional request failed", self.create, CALLS[0])
        self.assertIsInstance(error, client.exceptions.ConditionalCheckFailedException)

    def test_the_timeline_of_a_user_is_in_order_of_time(self):
        self.assertEqual(self.ids(Key("userId").eq("u1")), ["c1", "c2", "c3", "c4"])

    def test_a_call_is_found_by_its_id(self):
        page = self.table.query(IndexName="byCallId", KeyConditionExpression=Key("callId").eq("c5"))
        self.assertEqual(page["Items"], [CALLS[4]])

    def test_calls_of_a_provider_newest_first(self):
        ids = self.ids(Key("providerId").eq("p1"), IndexName="byProvider", ScanIndexForward=False)
        self.assertEqual(ids, ["c5", "c4", "c3", "c1"])

    def test_the_next_scheduled_call(self):
        condition = Key("userStatus").eq("u1#SCHEDULED") & Key("sk").gte(sort_key(NOW))
        self.assertEqual(self.ids(condition, IndexName="byUserStatus", Limit=1), ["c3"])

    def test_the_last_completed_call(self):
        ids = self.ids(
            Key("userStatus").eq("u1#COMPLETED"), IndexName="byUserStatus", Limit=1, ScanIndexForward=False)
        self.assertEqual(ids, ["c2"])

    def test_the_calls_of_one_status_both_ways(self):
        condition = Key("userStatus").eq("u1#SCHEDULED")
        self.assertEqual(self.ids(condition, IndexName="byUserStatus"), ["c3", "c4"])
        self.assertEqual(
            self.ids(condition, IndexName="byUserStatus", ScanIndexForward=False), ["c4", "c3"])

    def test_a_status_change_moves_the_call_and_costs_five_units(self):
        item = call("u3", "c30", NOW + HOUR, "SCHEDULED", "p3")
        self.create(item)

        def complete():
            return self.table.update_item(
                Key={"userId": item["userId"], "sk": item["sk"]},
                UpdateExpression="SET #status = :completed, userStatus = :us",
                ConditionExpression=Attr("status").eq("SCHEDULED"),
                ExpressionAttributeNames={"#status": "status"},
                ExpressionAttributeValues={":completed": "COMPLETED", ":us": "u3#COMPLETED"},
                ReturnValues="ALL_NEW",
                ReturnConsumedCapacity="INDEXES",
            )

        answer = complete()
        self.assertEqual(answer["Attributes"], {**item, "status": "COMPLETED", "userStatus": "u3#COMPLETED"})
        units = answer["ConsumedCapacity"]
        self.assertEqual(units["CapacityUnits"], 5)
        self.assertEqual(units["GlobalSecondaryIndexes"]["byUserStatus"], {"CapacityUnits": 2})
        self.assertEqual(self.ids(Key("userStatus").eq("u3#SCHEDULED"), IndexName="byUserStatus"), [])
        self.assertEqual(self.ids(Key("userStatus").eq("u3#COMPLETED"), IndexName="byUserStatus"), ["c30"])
        self.assert_fails("ConditionalCheckFailedException", "", complete)

    def test_a_provider_change_moves_the_call_in_by_provider(self):
        item = call("u4", "c40", NOW, "SCHEDULED", "p4")
        self.create(item)
        answer = self.table.update_item(
            Key={"userId": item["userId"], "sk": item["sk"]},
            UpdateExpression="SET providerId = :p",
            ExpressionAttributeValues={":p": "p5"},
            ReturnValues="UPDATED_OLD",
        )
        self.assertEqual(answer["Attributes"], {"providerId": "p4"})
        self.assertEqual(self.ids(Key("providerId").eq("p4"), IndexName="byProvider"), [])
        self.assertEqual(self.ids(Key("providerId").eq("p5"), IndexName="byProvider"), ["c40"])

    def test_the_time_of_a_call_is_part_of_its_key(self):
        self.assert_fails(
            "ValidationException", "Cannot update attribute sk. This attribute is part of the key",
            self.table.update_item,
            Key={"userId": "u1", "sk": CALLS[0]["sk"]},
            UpdateExpression="SET sk = :sk",
            ExpressionAttributeValues={":sk": sort_key(NOW, "c1")},
        )
