#!/usr/bin/env python3
"""kill -9 of every process of the program `downloads` at random moments, against a running server.

    downloads_kill_test.py STATOR DOWNLOADS [ROUNDS] [--servers N]

With --servers, N servers share one PostgreSQL and are killed as well. A day is played undisturbed into one set of tables and one folder. Then runs, downloaders, requeues, pollers and the
source itself are killed and started again until the batch is over. Files, jobs and batches must be the same.
"""

import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "clients"))

# pylint: disable=wrong-import-position
from system_servers import SystemServers, parse_arguments
from with_server import client_environment

ARGUMENTS = None
ROUNDS = 3
FILES = 12
FILE_BYTES = 30_000
BYTES_PER_SECOND = 300_000
ROUND_SECONDS_MAX = 60


class Source:
    """The source, which may be killed and comes back at the same address."""

    def __init__(self, keys):
        self.keys, self.port, self.process = keys, 0, None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [ARGUMENTS.program, "source", "--port", str(self.port), "--keys", self.keys, "--files", str(FILES),
             "--file-bytes", str(FILE_BYTES), "--bytes-per-second", str(BYTES_PER_SECOND)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self.process.stdout.readline())
        assert found, "the source did not start"
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Killed(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="downloads-")
        self.folder = Path(self.temporary.name)
        self.servers = SystemServers(ARGUMENTS.stator, ["--memory"], ARGUMENTS.servers)
        self.endpoints = random.Random(0)
        self.environment = client_environment(self.servers.endpoint())
        self.source = Source(str(self.folder / "keys"))
        self.running = []

    def tearDown(self):
        for process in self.running:
            process.kill()
            process.wait()
        self.source.kill()
        self.servers.end()
        self.temporary.cleanup()

    def command(self, name, prefix, day):
        where = ["--endpoint", self.servers.endpoint(self.endpoints), "--prefix", prefix]
        source = ["--source", self.source.url]
        return [ARGUMENTS.program, name, *where, *{
            "run": ["--date", day, *source],
            "downloader": ["--keys", str(self.folder / "keys"), "--out", str(self.folder / prefix), "--workers", "2"],
            # Half an hour ahead: whatever is claimed counts as stuck, also what is still being downloaded.
            "requeue": ["--clock", "offset:+31m", "--attempts", "1000", *source],
            "poller": ["--date", day],
            "dashboard": ["--date", day],
        }[name]]

    def play(self, name, prefix, day):
        return subprocess.run(self.command(name, prefix, day), env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60, check=False)

    def start(self, name, prefix, day):
        process = subprocess.Popen(self.command(name, prefix, day), env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.started_as = name
        self.running.append(process)

    def result(self, prefix, day):
        """The files with their contents, and what the dashboard says of jobs and batches."""
        files = {path.name: path.read_bytes() for path in (self.folder / prefix).iterdir() if day in path.name}
        shown = self.play("dashboard", prefix, day)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        return files, [line for line in shown.stdout.splitlines() if not line.startswith("counted")]

    def disturb(self, dice, prefix, day):
        """Starts what is not running, kills what is; True when the batch is over."""
        self.running = [process for process in self.running if process.poll() is None]
        names = [process.started_as for process in self.running]
        for name, count in (("run", 1), ("downloader", 2), ("poller", 1), ("requeue", 1)):
            for _ in range(count - names.count(name)):
                self.start(name, prefix, day)
        time.sleep(dice.uniform(0, 0.12))
        choice = dice.random()
        if choice < 0.1:
            self.source.kill()
            self.source.start()
        elif choice < 0.4 and self.servers.are_killed():
            self.servers.kill_one(dice)
        else:
            victim = dice.choice(self.running)
            victim.send_signal(signal.SIGKILL)
            victim.wait()
        return self.play("poller", prefix, day).returncode == 0

    def test_whoever_is_killed_the_end_is_the_same(self):
        seed = random.randrange(1 << 32)
        print(f"seed {seed}", flush=True)
        dice = random.Random(seed)
        kills = 0
        for number in range(ARGUMENTS.rounds):
            day = f"2026-03-{number + 1:02}"
            for name in ("run", "downloader", "poller"):
                done = self.play(name, "calm-", day)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            give_up = time.monotonic() + ROUND_SECONDS_MAX
            while not self.disturb(dice, "wild-", day):
                kills += 1
                self.assertLess(time.monotonic(), give_up, "the batch does not come to an end")
            for process in self.running:
                process.kill()
                process.wait()
            # Removes what a dead downloader of a finished file has left.
            self.play("downloader", "wild-", day)
            calm, wild = self.result("calm-", day), self.result("wild-", day)
            self.assertEqual(wild, calm)
            self.assertEqual(len(calm[0]), FILES)
        print(f"{ARGUMENTS.rounds} days, {kills} kills, {self.servers.kills} of servers", flush=True)


if __name__ == "__main__":
    ARGUMENTS = parse_arguments(ROUNDS)
    unittest.main(argv=sys.argv[:1])
