#!/usr/bin/env python3
"""kill -9 of ingesters, pollers and resharders of the reconciler at random moments, against a running server.

    reconciler_kill_test.py STATOR RECONCILER [ROUNDS] [--servers N]

With --servers, N servers share one PostgreSQL and are killed as well. A journal of reports is ingested and polled undisturbed on one set of tables, and emitted once more seven hours later. On another
the same is done by processes that are killed again and again, while others change the number of shards and are killed, too. Both
files of payloads must hold the same lines, each once, and both tables the same calls.
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
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from system_servers import SystemServers, parse_arguments

ARGUMENTS = None
ROUNDS = 2
CALLS = 150
POLLERS = 3
LEASE = "1s"
# A reshard must wait longer than settings may be old.
SETTINGS_AGE, GRACE = "0.2s", "2s"
LATER = "offset:7h"
PATIENCE_SECONDS = 60
# What tells how often and when something was tried, not what came of it.
HISTORY = {"Version", "Attempts", "ReconTime", "GSI_Recon_SK"}


def journal(dice):
    """Reports of calls whose states change a few times, in the order of their own times."""
    now = time.time()
    lines = []
    for call in range(CALLS):
        at = now - 3600 - call
        report = {"TenantId": f"t{call % 5}", "CallId": f"c{call}", "CallDateTime": stamp(at)}
        for step in range(dice.randrange(1, 4)):
            report |= {"AudioReceived": dice.random() < 0.6, "UpdatedAt": stamp(at + step),
                       "ProcessingStatus": dice.choice(["PENDING", "PROCESSING", "FAILED", "SUCCESS"])}
            lines.append(json.dumps(report))
    return "\n".join(lines) + "\n"


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + ".000Z"


class Killed(unittest.TestCase):
    """The same servers for all rounds; tables by prefix."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.servers = SystemServers(ARGUMENTS.stator, [self.path("data"), "--sync=off"], ARGUMENTS.servers)
        self.endpoints = random.Random(0)
        self.running = []

    def tearDown(self):
        for process in self.running:
            process.kill()
            process.wait()
        self.servers.end()
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def start(self, prefix, *arguments):
        process = subprocess.Popen(  # pylint: disable=consider-using-with
            [ARGUMENTS.program, *arguments, "--endpoint", self.servers.endpoint(self.endpoints), "--prefix", prefix],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.running.append(process)
        return process

    def end(self, process):
        process.kill()
        process.wait()
        self.running.remove(process)

    def run_to_end(self, prefix, *arguments):
        process = self.start(prefix, *arguments)
        self.assertEqual(process.wait(PATIENCE_SECONDS), 0, arguments)
        self.running.remove(process)

    def poll(self, out, *more):
        return ["poll", "--lookback", "7d", "--out", self.path(out), "--lease", LEASE, *more]

    def entries(self, prefix):
        return self.servers.client().scan(TableName=prefix + "calls", IndexName="ReconciliationIndex")

    def waiting(self, prefix, emissions=1):
        """Entries that were not emitted so often yet."""
        return sum(int(entry["Emissions"]["N"]) < emissions for entry in self.entries(prefix))

    def calls(self, prefix):
        """The calls without what is history, and without their shards."""
        found = []
        for item in self.servers.client().scan(TableName=prefix + "calls"):
            if item["TenantId"]["S"] == "#settings":
                continue
            call = {name: value for name, value in item.items() if name not in HISTORY}
            if "GSI_Recon_PK" in call:
                call["GSI_Recon_PK"] = call["GSI_Recon_PK"]["S"].split("#")[:2]
            found.append(call)
        return sorted(found, key=lambda call: call["CallId"]["S"])

    def reshard(self, prefix, shards):
        return self.start(prefix, "reshard", "--shards", str(shards), "--grace", GRACE)

    def lines(self, out):
        with open(self.path(out), encoding="utf-8") as file:
            return file.read().splitlines()

    def ingest_with_kills(self, prefix, dice):
        kills = 0
        while True:
            process = self.start(prefix, "ingest", self.path("journal.jsonl"), "--settings-age", SETTINGS_AGE)
            try:
                status = process.wait(dice.uniform(0.02, 0.12) * (1 + kills / 4))
                self.running.remove(process)
                if status == 0 or not self.servers.are_killed():
                    self.assertEqual(status, 0)
                    return kills
            except subprocess.TimeoutExpired:
                if dice.random() < 0.2:
                    kills += self.servers.kill_one(dice)
                self.end(process)
            kills += 1

    def poll_with_kills(self, prefix, out, dice, *more, emissions=1):
        """Pollers die until nothing waits any more, and so do those that change the shards; the last ones may live."""
        kills = 0
        until = time.monotonic() + PATIENCE_SECONDS
        resharder = None
        while self.waiting(prefix, emissions) > 0:
            self.assertLess(time.monotonic(), until, "the index is never drained")
            if resharder is None:
                resharder = self.reshard(prefix, dice.randrange(1, 6))
            pollers = [self.start(prefix, *self.poll(out, "--settings-age", SETTINGS_AGE, *more)) for _ in range(POLLERS)]
            time.sleep(dice.uniform(0.02, 0.12) if kills < 20 else 0.6)
            if dice.random() < 0.2:
                kills += self.servers.kill_one(dice)
            for poller in pollers:
                kills += poller.poll() is None
                self.end(poller)
            if resharder.poll() is not None or dice.random() < 0.3:
                kills += resharder.poll() is None
                self.end(resharder)
                resharder = None
        if resharder:
            self.end(resharder)
        return kills

    def play(self, seed):
        """One round."""
        dice = random.Random(seed)
        calm, wild = f"calm{seed}-", f"wild{seed}-"
        with open(self.path("journal.jsonl"), "w", encoding="utf-8") as file:
            file.write(journal(dice))
        self.run_to_end(calm, "ingest", self.path("journal.jsonl"))
        self.run_to_end(calm, *self.poll(calm + "out"))
        self.run_to_end(calm, *self.poll(calm + "out", "--again-after", "6h", "--clock", LATER))

        kills = self.ingest_with_kills(wild, dice)
        # Pollers and a second reading of the journal meet.
        again = self.start(wild, "ingest", self.path("journal.jsonl"), "--settings-age", SETTINGS_AGE)
        kills += self.poll_with_kills(wild, wild + "out", dice)
        status = again.wait(PATIENCE_SECONDS)
        self.running.remove(again)
        if status != 0 and self.servers.are_killed():  # its server was gone for too long
            self.run_to_end(wild, "ingest", self.path("journal.jsonl"))
        else:
            self.assertEqual(status, 0)

        kills += self.poll_with_kills(wild, wild + "out", dice, "--again-after", "6h", "--clock", LATER, emissions=2)
        self.run_to_end(wild, "reshard", "--shards", "3", "--grace", "0s")

        self.assertEqual(self.waiting(calm, emissions=2), 0)
        self.assertEqual(self.waiting(wild, emissions=2), 0)
        shards = {entry["GSI_Recon_PK"]["S"] for entry in self.entries(wild)}
        self.assertLessEqual(shards, {f"STATUS#EMITTED#{shard}" for shard in range(3)})
        self.assertEqual(self.calls(wild), self.calls(calm))
        wild_lines = self.lines(wild + "out")
        self.assertEqual(len(set(wild_lines)), len(wild_lines), "a payload was written twice")
        self.assertEqual(sorted(wild_lines), sorted(self.lines(calm + "out")))
        taken_over = sum(int(item["Attempts"]["N"]) > 1 for item in self.servers.client().scan(TableName=wild + "calls")
                         if "Attempts" in item)
        return kills, len(wild_lines), taken_over

    def test_the_end_state_equals_the_undisturbed_one(self):
        seed = int(os.environ.get("STATOR_KILL_SEED", random.randrange(1_000_000)))
        for number in range(ARGUMENTS.rounds):
            with self.subTest(seed=seed + number):
                kills, payloads, taken_over = self.play(seed + number)
                self.assertGreater(payloads, CALLS // 2)
                print(f"seed {seed + number}: {kills} kills, {self.servers.kills} of servers in all, {payloads} payloads, "
                      f"each once; {taken_over} were taken over", file=sys.stderr)


if __name__ == "__main__":
    ARGUMENTS = parse_arguments(ROUNDS)
    unittest.main(argv=sys.argv[:1])
