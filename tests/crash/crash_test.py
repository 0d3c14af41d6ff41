#!/usr/bin/env python3
"""Kills the server at random moments and looks what is left.

    crash_test.py PROGRAM

Eight connections write; kill -9; the same directory is opened again. No acknowledged write may be missing, no
index entry wrong, no transaction there in part, and an index whose build was cut off must complete by itself. Then
transactions without an answer are sent again with their tokens, and writing goes on.

STATOR_CRASH_ROUNDS   how many times (20)
STATOR_CRASH_SEED     repeats the choices of a run; the moment at which a kill hits is never quite the same
"""

import os
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from crash_checks import check, is_late_index_there, load_fillers, settled_description
from crash_table import TABLE, add_late_index_request, create_request, drop_late_index_request
from crash_writer import Writer
from stator_process import Client, ConnectionLost, Refused, StatorProcess

WRITERS = 8
FILLERS = 8_000
KILL_AFTER_SECONDS = (0.05, 0.4)
KILL_AFTER_INDEX_CHANGE_SECONDS = (0.0, 0.05)


class IndexChange:
    """Adds the late index or drops it, on a connection of its own: the kill may hit before the answer or after."""

    def __init__(self, port, drop):
        self.problem = None
        self.thread = threading.Thread(target=self._run, args=(port, drop))
        self.thread.start()

    def join(self):
        self.thread.join()

    def _run(self, port, drop):
        client = Client(port)
        try:
            client.call("UpdateTable", **(drop_late_index_request() if drop else add_late_index_request()))
        except ConnectionLost:
            pass
        except Refused as error:
            self.problem = str(error)
        finally:
            client.close()


class CrashTest:
    def __init__(self, program, directory, seed):
        self.program = program
        self.directory = directory
        self.random = random.Random(seed)
        self.writers = [Writer(number, seed) for number in range(WRITERS)]
        self.fillers = {}
        self.cut_index_changes = 0
        self.cut_transactions = 0

    def create(self):
        server = StatorProcess(self.program, self.directory)
        client = Client(server.port)
        client.call("CreateTable", **create_request())
        settled_description(client)
        self.fillers = load_fillers(client, FILLERS)
        client.close()
        server.stop()

    def round(self, number):
        """Opens, checks, writes, kills."""
        server = StatorProcess(self.program, self.directory)
        threads = list(self.writers)
        try:
            client = Client(server.port)
            late_index_there = self.check(client)
            for writer in self.writers:
                writer.start(server.port)
            time.sleep(self.random.uniform(*KILL_AFTER_SECONDS))
            if number % 2 == 1:
                threads.append(IndexChange(server.port, late_index_there))
                time.sleep(self.random.uniform(*KILL_AFTER_INDEX_CHANGE_SECONDS))
            if not server.is_running():
                raise AssertionError(f"the server ended by itself:\n{server.log_text()}")
        finally:
            server.kill()
            for thread in threads:
                thread.join()
        client.close()
        for thread in threads:
            if thread.problem:
                raise AssertionError(f"a connection stopped: {thread.problem}")

    def check(self, client):
        """Whether the late index is there."""
        before = client.call("DescribeTable", TableName=TABLE)["Table"]
        if any(index["IndexStatus"] != "ACTIVE" for index in before["GlobalSecondaryIndexes"]):
            self.cut_index_changes += 1
        self.cut_transactions += sum(writer.transaction is not None for writer in self.writers)
        return is_late_index_there(check(client, self.writers, self.fillers))

    def finish(self):
        server = StatorProcess(self.program, self.directory)
        client = Client(server.port)
        self.check(client)
        client.close()
        server.stop()

    def acknowledged(self):
        return sum(writer.acknowledged_count for writer in self.writers)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rounds = int(os.environ.get("STATOR_CRASH_ROUNDS", "20"))
    seed = int(os.environ.get("STATOR_CRASH_SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
    print(f"crash test: STATOR_CRASH_SEED={seed} STATOR_CRASH_ROUNDS={rounds}", flush=True)
    with tempfile.TemporaryDirectory(prefix="stator-crash-") as directory:
        test = CrashTest(sys.argv[1], os.path.join(directory, "data"), seed)
        number = 0
        try:
            test.create()
            for number in range(rounds):
                before = test.acknowledged()
                test.round(number)
                if test.acknowledged() == before:
                    raise AssertionError("nothing was acknowledged before the kill")
            test.finish()
        except (AssertionError, ConnectionLost, Refused) as error:
            print(f"FAILED in round {number} (STATOR_CRASH_SEED={seed}): {type(error).__name__}: {error}")
            return 1
    print(f"{rounds} kills, {test.acknowledged()} acknowledged writes, "
          f"{test.cut_index_changes} cut off a change of an index, {test.cut_transactions} transactions had no answer")
    return 0


if __name__ == "__main__":
    sys.exit(main())
