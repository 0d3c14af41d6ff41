#!/usr/bin/env python3
"""kill -9 of `orders migrate` at random moments, against a running server.

    orders_kill_test.py STATOR ORDERS [ROUNDS]

The migration is played undisturbed on one table. On others it is killed again and again, and run again, until it
reaches its end. All tables must then hold the same orders under the same keys, and the audit must find nothing.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "clients"))

# pylint: disable=wrong-import-position
from with_server import Server, client_environment

STATOR = ORDERS = ""
ROUNDS = 3
SIZE = ["--orders", "400", "--new-orders", "100"]
# What the removed index leaves behind in items depends on when it was removed.
LEFT_BEHIND = {"GSI2PK", "GSI2SK"}


class Killed(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="stator-")
        self.addCleanup(self.temporary.cleanup)
        self.server = Server(STATOR, os.path.join(self.temporary.name, "data"))
        self.server.__enter__()
        self.addCleanup(self.server.log.close)
        self.addCleanup(self.server.__exit__, None, None, None)
        self.environment = client_environment(self.server.endpoint)

    def command(self, prefix):
        return [ORDERS, "--endpoint", self.server.endpoint, "--prefix", prefix, "migrate", *SIZE,
                "--checkpoints", os.path.join(self.temporary.name, prefix)]

    def migrate(self, prefix):
        done = subprocess.run(self.command(prefix), capture_output=True, text=True, timeout=60,
                              env=self.environment, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def call(self, operation, body):
        request = urllib.request.Request(self.server.endpoint, json.dumps(body).encode(), {
            "X-Amz-Date": "20260302T080000Z",
            "X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0",
            "Authorization": "AWS4-HMAC-SHA256 Credential=local/20260302/us-east-1/dynamodb/aws4_request, "
                             "SignedHeaders=host, Signature=none"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            self.fail(f"{operation}: {error.read().decode()}")

    def items(self, table, index=None):
        found, start = {}, None
        while True:
            body = {"TableName": table, **({"ExclusiveStartKey": start} if start else {}),
                    **({"IndexName": index} if index else {})}
            page = self.call("Scan", body)
            for item in page["Items"]:
                kept = {name: value for name, value in item.items() if name not in LEFT_BEHIND}
                found[item["PK"]["S"], item["SK"]["S"]] = kept
            start = page.get("LastEvaluatedKey")
            if not start:
                return found

    def test_the_end_is_that_of_an_undisturbed_run(self):
        seed = int(os.environ.get("STATOR_SEED", random.randrange(1 << 32)))
        print(f"seed {seed}", flush=True)
        dice = random.Random(seed)
        started = time.monotonic()
        self.migrate("calm-")
        took = time.monotonic() - started
        calm = self.items("calm-ShopTable")
        calm_index = self.items("calm-ShopTable", "GSI3")
        self.assertGreater(len(calm), 300)
        kills = 0
        for number in range(ROUNDS):
            prefix = f"storm{number}-"
            for _ in range(6):
                process = subprocess.Popen(self.command(prefix), stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL, env=self.environment)
                try:
                    process.wait(timeout=dice.uniform(0.05, took))
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                    kills += 1
            out = self.migrate(prefix)
            self.assertIn("every item is in GSI1 and GSI3", out, f"seed {seed}")
            self.assertEqual(self.items(prefix + "ShopTable"), calm, f"seed {seed}, {kills} kills")
            self.assertEqual(self.items(prefix + "ShopTable", "GSI3"), calm_index, f"seed {seed}")
            described = self.call("DescribeTable", {"TableName": prefix + "ShopTable"})["Table"]
            names = sorted(index["IndexName"] for index in described["GlobalSecondaryIndexes"])
            self.assertEqual(names, ["GSI1", "GSI3"])
        self.assertGreater(kills, 0, f"seed {seed}")


if __name__ == "__main__":
    STATOR, ORDERS = sys.argv[1:3]
    if len(sys.argv) > 3:
        ROUNDS = int(sys.argv[3])
    unittest.main(argv=sys.argv[:1])
