"""Calls: the table from its command, then every read and update of the design."""

import json
import subprocess
from pathlib import Path

from aws_cli import Suite, item

NOW = 1_790_000_000_000
HOUR = 3_600_000


def call(user, call_id, scheduled_for, status, provider="p1"):
    return item(
        userId=user, sk=f"{scheduled_for:013d}#{call_id}", callId=call_id, providerId=provider,
        status=status, scheduledFor=scheduled_for, userStatus=f"{user}#{status}")


class Calls(Suite):
    @classmethod
    def setUpClass(cls):
        script = Path(__file__).with_name("create_calls_table.sh")
        process = subprocess.run([script], capture_output=True, text=True, check=False)
        if process.returncode != 0:
            raise RuntimeError(process.stderr)
        cls.created = json.loads(process.stdout)["TableDescription"]
        suite = cls()
        suite.aws("wait", "table-exists", "--table-name", "Calls")
        suite.aws("batch-write-item", "--request-items", json.dumps({"Calls": [
            {"PutRequest": {"Item": json.loads(one)}} for one in (
                call("u1", "c1", NOW - 3 * HOUR, "COMPLETED"),
                call("u1", "c2", NOW - 2 * HOUR, "COMPLETED", "p2"),
                call("u1", "c3", NOW + HOUR, "SCHEDULED"),
                call("u1", "c4", NOW + 2 * HOUR, "SCHEDULED"),
                call("u2", "c5", NOW + 3 * HOUR, "SCHEDULED"),
            )
        ]}))

    def ids(self, condition, values, *arguments):
        page = self.aws(
            "query", "--table-name", "Calls", "--key-condition-expression", condition,
            "--expression-attribute-values", item(**{f":{name}": value for name, value in values.items()}),
            *arguments)
        return [one["callId"]["S"] for one in page["Items"]]

    def test_the_command_of_the_design_makes_the_table(self):
        self.assertEqual(self.created["TableName"], "Calls")
        self.assertEqual(
            [index["IndexName"] for index in self.created["GlobalSecondaryIndexes"]],
            ["byCallId", "byProvider", "byUserStatus"])
        table = self.aws("describe-table", "--table-name", "Calls")["Table"]
        self.assertEqual(table["TableStatus"], "ACTIVE")
        self.assertEqual(len(table["AttributeDefinitions"]), 5)

    def test_create_with_a_condition_costs_four_units_and_works_once(self):
        put = (
            "put-item", "--table-name", "Calls", "--item", call("u9", "c9", NOW, "SCHEDULED", "p9"),
            "--condition-expression", "attribute_not_exists(userId) AND attribute_not_exists(sk)",
            "--return-consumed-capacity", "TOTAL",
        )
        self.assertEqual(
            self.aws(*put)["ConsumedCapacity"], {"TableName": "Calls", "CapacityUnits": 4.0})
        self.assert_fails("ConditionalCheckFailedException", "The conditional request failed", *put)

    def test_the_six_reads(self):
        self.assertEqual(self.ids("userId = :u", {"u": "u1"}), ["c1", "c2", "c3", "c4"])
        self.assertEqual(self.ids("callId = :c", {"c": "c5"}, "--index-name", "byCallId"), ["c5"])
        self.assertEqual(
            self.ids("providerId = :p", {"p": "p1"}, "--index-name", "byProvider", "--no-scan-index-forward"),
            ["c5", "c4", "c3", "c1"])
        by_status = ("--index-name", "byUserStatus")
        self.assertEqual(
            self.ids("userStatus = :us AND sk >= :now", {"us": "u1#SCHEDULED", "now": f"{NOW:013d}"},
                     *by_status, "--limit", "1", "--no-paginate"),
            ["c3"])
        self.assertEqual(
            self.ids("userStatus = :us", {"us": "u1#COMPLETED"},
                     *by_status, "--limit", "1", "--no-paginate", "--no-scan-index-forward"),
            ["c2"])
        self.assertEqual(self.ids("userStatus = :us", {"us": "u1#SCHEDULED"}, *by_status), ["c3", "c4"])

    def test_a_status_change_costs_five_units_and_happens_once(self):
        self.aws("put-item", "--table-name", "Calls", "--item", call("u3", "c30", NOW, "SCHEDULED", "p3"))
        update = (
            "update-item", "--table-name", "Calls", "--key", item(userId="u3", sk=f"{NOW:013d}#c30"),
            "--update-expression", "SET #status = :completed, userStatus = :us",
            "--condition-expression", "#status = :scheduled",
            "--expression-attribute-names", '{"#status": "status"}',
            "--expression-attribute-values",
            item(**{":completed": "COMPLETED", ":scheduled": "SCHEDULED", ":us": "u3#COMPLETED"}),
            "--return-values", "UPDATED_NEW", "--return-consumed-capacity", "INDEXES",
        )
        answer = self.aws(*update)
        self.assertEqual(
            answer["Attributes"], {"status": {"S": "COMPLETED"}, "userStatus": {"S": "u3#COMPLETED"}})
        self.assertEqual(answer["ConsumedCapacity"]["CapacityUnits"], 5.0)
        self.assertEqual(
            answer["ConsumedCapacity"]["GlobalSecondaryIndexes"]["byUserStatus"], {"CapacityUnits": 2.0})
        self.assert_fails("ConditionalCheckFailedException", "", *update)

    def test_a_provider_change_moves_the_call(self):
        self.aws("put-item", "--table-name", "Calls", "--item", call("u4", "c40", NOW, "SCHEDULED", "p4"))
        self.aws(
            "update-item", "--table-name", "Calls", "--key", item(userId="u4", sk=f"{NOW:013d}#c40"),
            "--update-expression", "SET providerId = :p", "--expression-attribute-values", item(**{":p": "p5"}))
        self.assertEqual(self.ids("providerId = :p", {"p": "p4"}, "--index-name", "byProvider"), [])
        self.assertEqual(self.ids("providerId = :p", {"p": "p5"}, "--index-name", "byProvider"), ["c40"])
