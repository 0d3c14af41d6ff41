#!/usr/bin/env python3
"""`stator apply`, `diff`, `audit` and `cost --measured` on a running server: an index is added to a live table, the command is
killed in the middle of its backfill and goes on, and the audit finds and mends what was damaged.

    commands_test.py PROGRAM     (the server is in STATOR_ENDPOINT)
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import boto3

PROGRAM = sys.argv.pop()
ENDPOINT = os.environ["STATOR_ENDPOINT"]
ITEMS = 1200

OLD = """
model: 1
tables:
  orders:
    name: Orders
    key: PK str, SK str
entities:
  Order:
    table: orders
    keys: {PK: "CUSTOMER#{customer}", SK: "ORDER#{orderId}"}
    attrs: {customer: str 8 no=#, orderId: str 8 no=#, status: str enum=OPEN|SHIPPED, createdAt: num epoch_s}
patterns:
  create: {write: Order.create, guard: not_exists, rate: 1/s}
  of_customer: {query: orders, where: customer = $c, page: 20, rate: 1/s}
"""
NEW = OLD.replace("    key: PK str, SK str\n", """    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all}
""").replace('SK: "ORDER#{orderId}"}', 'SK: "ORDER#{orderId}", GSI1PK: "STATUS#{status}", GSI1SK: "{createdAt:010d}"}')


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.old = Path(cls.folder.name, "old.yaml")
        cls.new = Path(cls.folder.name, "new.yaml")
        cls.old.write_text(OLD)
        cls.new.write_text(NEW)
        cls.client = boto3.client("dynamodb", endpoint_url=ENDPOINT)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_stator(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder.name, timeout=120,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.complaints = done.stderr
        return done.stdout

    def on_server(self, command, model, *arguments, status=0):
        return self.run_stator(command, model, "--endpoint", ENDPOINT, *arguments, status=status)

    def load(self):
        for start in range(0, ITEMS, 25):
            self.client.batch_write_item(RequestItems={"Orders": [
                {"PutRequest": {"Item": {
                    "PK": {"S": f"CUSTOMER#c{i % 50}"}, "SK": {"S": f"ORDER#{i}"},
                    "customer": {"S": f"c{i % 50}"}, "orderId": {"S": str(i)},
                    "status": {"S": "SHIPPED" if i % 3 else "OPEN"},
                    "createdAt": {"N": str(1_700_000_000 + i)}}}}
                for i in range(start, start + 25)]})

    def count(self, **parameters):
        return self.client.scan(TableName="Orders", Select="COUNT", **parameters)["Count"]

    def test_settings_of_an_environment(self):
        model = Path(self.folder.name, "environments.yaml")
        model.write_text(OLD.replace("model: 1", "model: 1\nassume: {env: [dev, prod]}").replace(
            "name: Orders", "name: Elsewhere\n    protect: {prod: true}"))
        self.on_server("apply", model, "--dry-run")
        self.assertIn("--env sets it (dev, prod)", self.complaints)
        self.on_server("apply", model, "--dry-run", "--env", "dev")
        self.assertEqual(self.complaints, "")
        self.on_server("apply", model, "--dry-run", "--env", "production", status=2)
        self.assertIn("no environment `production` (it has dev, prod)", self.complaints)

    def test_an_index_is_added_to_a_live_table(self):
        shown = self.on_server("apply", self.old, "--dry-run")
        self.assertIn("Orders: create table Orders", shown)
        self.assertEqual(self.client.list_tables()["TableNames"], [])
        self.on_server("apply", self.old)
        self.assertIn("nothing to do", self.on_server("apply", self.old))
        self.load()

        plan = self.run_stator("diff", self.old, self.new)
        steps = [line.split()[1] for line in plan.splitlines() if line.strip()[:1].isdigit()]
        self.assertEqual(steps, ["indexes", "writers", "backfill", "verify"])

        self.kill_in_the_middle()
        resumed = self.on_server("apply", self.new, "--backfill")
        self.assertIn("taken up after", resumed)
        self.assertIn(f"{ITEMS} items carry its keys, {ITEMS} entries", resumed)
        self.assertEqual(self.count(IndexName="GSI1"), ITEMS)
        self.assertIn("nothing to do", self.on_server("apply", self.new))
        self.damage_and_mend()
        self.compare_with_what_was_counted()

    def kill_in_the_middle(self):
        process = subprocess.Popen(
            [PROGRAM, "apply", str(self.new), "--endpoint", ENDPOINT, "--rate", "400", "--segments", "1"],
            cwd=self.folder.name, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        checkpoint = Path(self.folder.name, ".stator-apply", "Orders.GSI1.json")
        deadline = time.monotonic() + 60
        while not checkpoint.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        filled = self.count(FilterExpression="attribute_exists(GSI1PK)")
        self.assertGreater(filled, 0)
        self.assertLess(filled, ITEMS)
        # The same number of segments, or the place would not be that of this walk.
        text = checkpoint.read_text()
        self.assertEqual(len(json.loads(text)["segments"]), 1)
        self.new.write_text(NEW + """
migrations:
  - {add_index: orders.GSI1, then: backfill Order.GSI1PK, guard: exists, order: writers_first, segments: 1}
""")

    def damage_and_mend(self):
        self.assertIn("nothing is wrong", self.on_server("audit", self.new))
        self.client.update_item(TableName="Orders", Key={"PK": {"S": "CUSTOMER#c0"}, "SK": {"S": "ORDER#0"}},
                                UpdateExpression="SET #s = :s", ExpressionAttributeNames={"#s": "status"},
                                ExpressionAttributeValues={":s": {"S": "SHIPPED"}})
        found = json.loads(self.on_server("audit", self.new, "--json", status=1))
        self.assertEqual([(flaw["flaw"], flaw["subject"], flaw["items"]) for flaw in found[0]["flaws"]],
                         [("derived key wrong", "Order.GSI1PK", 1)])
        self.assertIn("1 mended", self.on_server("audit", self.new, "--fix"))
        self.assertIn("nothing is wrong", self.on_server("audit", self.new))

    def compare_with_what_was_counted(self):
        """What the server counted for a request is what its answer says, beside the estimate."""
        def counted(name):
            shown = self.run_stator("cost", self.new, "--measured", ENDPOINT, "--json")
            return next(part for part in json.loads(shown)["measured"] if part["name"] == name)

        before = counted("Orders.GSI1")
        used = self.client.query(
            TableName="Orders", IndexName="GSI1", KeyConditionExpression="GSI1PK = :open", ReturnConsumedCapacity="INDEXES",
            ExpressionAttributeValues={":open": {"S": "STATUS#OPEN"}})["ConsumedCapacity"]
        after = counted("Orders.GSI1")
        index = used["GlobalSecondaryIndexes"]["GSI1"]["CapacityUnits"]
        self.assertGreater(index, 1)
        self.assertEqual(after["counted_rru"] - before["counted_rru"], index)
        self.assertIn("Orders.GSI1", self.run_stator("cost", self.new, "--measured", ENDPOINT))


if __name__ == "__main__":
    unittest.main()
