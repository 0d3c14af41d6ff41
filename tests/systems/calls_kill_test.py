#!/usr/bin/env python3
"""kill -9 of the program `calls` at random moments, against a running server.

    calls_kill_test.py STATOR CALLS [ROUNDS]

A journal of changes is played undisturbed into one table. Then two processes at a time play it into another one
and are killed again and again, until one of them reaches the end. Both tables must hold the same items, and the
audit must find nothing.
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

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "clients"))

# pylint: disable=wrong-import-position
import boto3

from with_server import Server, client_environment

STATOR = CALLS = ""
ROUNDS = 3
CLOCK = "fixed:2026-03-02T08:00:00Z"
CALLS_OF_A_JOURNAL = 60


def journal(dice):
    """Lines that schedule calls and change each of them several times, in an order of their own."""
    versions = {}
    completed = set()
    lines = []
    for _ in range(CALLS_OF_A_JOURNAL * 8):
        call = f"c{dice.randrange(CALLS_OF_A_JOURNAL)}"
        at = f"2026-{dice.randrange(1, 13):02}-{dice.randrange(1, 29):02}T{dice.randrange(24):02}:00:00Z"
        user, provider = f"user-{dice.randrange(5)}", f"provider-{dice.randrange(3)}"
        if call not in versions:
            lines.append({"do": "schedule", "call": call, "user": user, "provider": provider, "at": at})
            versions[call] = 1
            continue
        change = dice.choice([{"do": "reassign", "user": user}, {"do": "provider", "provider": provider},
                              {"do": "reschedule", "to": at}, {"do": "reschedule", "to": at}, {"do": "complete"}])
        if call in completed and change["do"] in ("reschedule", "complete"):
            continue
        if change["do"] == "complete":
            completed.add(call)
        lines.append({**change, "call": call, "version": versions[call]})
        versions[call] += 1
    return "".join(json.dumps(line) + "\n" for line in lines)


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
        return [CALLS, "--endpoint", self.server.endpoint, "--prefix", prefix, "--clock", CLOCK, *arguments]

    def run_calls(self, prefix, *arguments):
        done = subprocess.run(self.command(prefix, *arguments), capture_output=True, text=True, timeout=60,
                              env=self.environment, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def items(self, table):
        """Every item of a table, in an order of its own."""
        database = boto3.client("dynamodb", endpoint_url=self.server.endpoint, region_name="us-east-1",
                                aws_access_key_id="local", aws_secret_access_key="local")
        self.addCleanup(database.close)
        pages = database.get_paginator("scan").paginate(TableName=table)
        return sorted((item for page in pages for item in page["Items"]),
                      key=lambda item: json.dumps(item, sort_keys=True))

    def play_and_kill(self, prefix, path, dice, undisturbed_seconds):
        """Returns how many processes were killed before one came to the end."""
        killed = 0
        while True:
            players = [subprocess.Popen(self.command(prefix, "replay", path), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True, env=self.environment) for _ in range(2)]
            # Later and later, so that the end is reached even on a busy machine.
            time.sleep(dice.uniform(0.01, undisturbed_seconds * (0.3 + killed / 8)))
            for player in players:
                player.kill()
            for player in players:
                _, errors = player.communicate(timeout=60)
                self.assertIn(player.returncode, (0, -9), errors)
            killed += sum(player.returncode == -9 for player in players)
            if any(player.returncode == 0 for player in players):
                return killed

    def test_S1_11_killed_players_leave_the_same_calls_as_an_undisturbed_one(self):
        for number in range(ROUNDS):
            seed = int.from_bytes(os.urandom(4), "big")
            with self.subTest(seed=seed):
                dice = random.Random(seed)
                path = os.path.join(self.temporary.name, f"journal-{number}.jsonl")
                Path(path).write_text(journal(dice), encoding="utf-8")
                began = time.monotonic()
                self.run_calls(f"calm{number}-", "replay", path)
                seconds = time.monotonic() - began
                killed = self.play_and_kill(f"killed{number}-", path, dice, seconds)
                self.assertEqual(self.items(f"killed{number}-Calls"), self.items(f"calm{number}-Calls"))
                self.assertIn("nothing wrong", self.run_calls(f"killed{number}-", "audit"))
                print(f"round {number + 1}: {killed} processes killed, the end is the same")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    STATOR, CALLS = sys.argv[1:3]
    if len(sys.argv) == 4:
        ROUNDS = int(sys.argv[3])
    unittest.main(argv=sys.argv[:1])
