#!/usr/bin/env python3
"""kill -9 of the program `homeops` in the middle of messages, against a running server.

    homeops_kill_test.py STATOR HOMEOPS [ROUNDS]

A chat log is read undisturbed into one set of tables. Into another set it is read by processes that are killed at
random moments and started again from its first line, until the last line is reached. What is stored must be the same.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import boto3

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "clients"))

# pylint: disable=wrong-import-position
from with_server import Server, client_environment

STATOR = HOMEOPS = ""
ROUNDS = 2
MESSAGES = 150


def counts_only(lines):
    """Without what depends on the order in which two workers came, not on what they counted."""
    records = [json.loads(line) for line in lines]
    for record in records:
        for name in ("ema", "updatedAt"):
            record["item"].pop(name, None)
    # Which message is answered depends on who was there first; how many are counted does not.
    return sorted(json.dumps(record, sort_keys=True) for record in records
                  if record["table"] != "homeops-response-counters")


class Killed(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="stator-")
        self.addCleanup(self.temporary.cleanup)
        self.server = Server(STATOR, os.path.join(self.temporary.name, "data"))
        self.server.__enter__()
        self.addCleanup(self.server.log.close)
        self.addCleanup(self.server.__exit__, None, None, None)
        self.environment = client_environment(self.server.endpoint)

    def command(self, prefix, *arguments):
        return [HOMEOPS, "--endpoint", self.server.endpoint, "--prefix", prefix,
                "--clock", "fixed:2026-04-04T08:00:00Z", *arguments]

    def run_homeops(self, prefix, *arguments):
        done = subprocess.run(self.command(prefix, *arguments), capture_output=True, text=True, timeout=60,
                              env=self.environment, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def log_file(self, seed, *options):
        path = os.path.join(self.temporary.name, f"log-{seed}.jsonl")
        log = subprocess.run([HOMEOPS, "generate-log", "--seed", str(seed), "--messages", str(MESSAGES), *options],
                             capture_output=True, text=True, timeout=60, check=True).stdout
        Path(path).write_text(log, encoding="utf-8")
        return path

    def state(self, prefix):
        return self.run_homeops(prefix, "state").splitlines()

    def read_and_kill(self, prefix, path, dice, readers, calm_seconds):
        """Returns how many processes were killed before all of a round reached the end."""
        killed = 0
        while True:
            started = [subprocess.Popen(self.command(prefix, "ingest", path), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True, env=self.environment)
                       for _ in range(readers)]
            # Later and later, so that the end is reached even on a busy machine.
            time.sleep(dice.uniform(0.02, calm_seconds * (0.3 + killed / 6)))
            for process in started:
                process.kill()
            for process in started:
                _, errors = process.communicate(timeout=60)
                self.assertIn(process.returncode, (0, -9), errors)
            killed += sum(process.returncode == -9 for process in started)
            if all(process.returncode == 0 for process in started):
                return killed

    def play(self, number, readers, *options):
        """The states of a calm reader and of killed ones."""
        seed = int.from_bytes(os.urandom(4), "big")
        dice = random.Random(seed)
        path = self.log_file(seed, *options)
        began = time.monotonic()
        self.run_homeops(f"calm{number}-", "ingest", path)
        seconds = time.monotonic() - began
        killed = self.read_and_kill(f"killed{number}-", path, dice, readers, seconds)
        print(f"seed {seed}: {killed} processes killed")
        return self.state(f"calm{number}-"), self.state(f"killed{number}-")

    def test_a_reader_that_is_killed_again_and_again_ends_as_a_calm_one(self):
        for number in range(ROUNDS):
            calm, killed = self.play(number, 1)
            self.assertGreater(len(calm), MESSAGES)
            self.assertEqual(killed, calm)

    def test_two_readers_of_the_same_log_count_every_message_once(self):
        for number in range(ROUNDS):
            calm, killed = self.play(100 + number, 2, "--no-slang")
            self.assertEqual(counts_only(killed), counts_only(calm))

    def put_seed_items(self, prefix):
        """Habits and activities as the seed's code and older versions wrote them, under several names."""
        self.run_homeops(prefix, "ingest", os.devnull)
        table = {"homeops": [], "homeops-activities": []}
        for user in range(1, 41):
            for name, seen in (("Diska", {"N": "1771250000"}), ("diskning", {"S": "2026-02-16T13:00:00.000Z"}),
                               ("DISKAT", {"N": "1771250000000"})):
                table["homeops"].append({
                    "pk": {"S": f"PATTERN#hemma#{user}"}, "sk": {"S": name}, "totalCount": {"N": str(user)},
                    "dayOfWeekCounts": {"M": {"mon": {"N": str(user)}}}, "hourOfDayCounts": {"M": {"8": {"N": "1"}}},
                    "lastSeen": seen})
            table["homeops-activities"].append({
                "chatId": {"S": "hemma"}, "activityId": {"S": f"{user:026d}"}, "userId": {"N": str(user)},
                "timestamp": {"N": str(1771000000 + user)}, "activity": {"S": "Dammsög"}, "userName": {"S": "Anna"}})
        client = boto3.client("dynamodb", endpoint_url=self.server.endpoint, region_name="us-east-1",
                              aws_access_key_id="test", aws_secret_access_key="test")
        for name, items in table.items():
            for start in range(0, len(items), 25):
                client.batch_write_item(RequestItems={
                    prefix + name: [{"PutRequest": {"Item": item}} for item in items[start:start + 25]]})

    def test_a_migration_that_is_killed_again_and_again_ends_as_a_calm_one(self):
        for prefix in ("calm-", "killed-"):
            self.put_seed_items(prefix)
        began = time.monotonic()
        self.run_homeops("calm-", "migrate")
        seconds = time.monotonic() - began
        seed = int.from_bytes(os.urandom(4), "big")
        dice = random.Random(seed)
        killed = 0
        while True:
            process = subprocess.Popen(self.command("killed-", "migrate"), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True, env=self.environment)
            time.sleep(dice.uniform(0.02, seconds * (0.5 + killed / 6)))
            process.kill()
            _, errors = process.communicate(timeout=60)
            self.assertIn(process.returncode, (0, -9), errors)
            if process.returncode == 0:
                break
            killed += 1
        print(f"seed {seed}: {killed} migrations killed")
        self.assertIn("all of them findable", self.run_homeops("killed-", "audit"))
        self.assertEqual(self.state("killed-"), self.state("calm-"))
        self.assertIn("0 mended", self.run_homeops("killed-", "migrate"))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    STATOR, HOMEOPS = sys.argv[1:3]
    if len(sys.argv) == 4:
        ROUNDS = int(sys.argv[3])
    unittest.main(argv=sys.argv[:1])
