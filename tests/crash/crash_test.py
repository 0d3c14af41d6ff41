#!/usr/bin/env python3
"""Kills the server at random moments and looks what is left.

    crash_test.py PROGRAM

Eight connections write; kill -9; the same directory is opened again. No acknowledged write may be missing, no
index entry wrong, no transaction there in part, every write must be in the stream exactly once, and an index whose
build was cut off must complete by itself. Then transactions without an answer are sent again with their tokens, and
writing goes on.

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
from crash_stream import StreamReader, StreamSwitch, check_switched_streams, create_switched_table
from crash_table import TABLE, add_late_index_request, create_request, drop_late_index_request
from crash_writer import Writer
from stator_process import Client, ConnectionLost, Refused, StatorProcess

WRITERS = 8
FILLERS = 8_000
KILL_AFTER_SECONDS = (0.05, 0.4)
FIRST_ANSWER_SECONDS_MAX = 20
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
        self.stream = StreamReader()
        self.cut_index_changes = 0
        self.cut_transactions = 0

    def create(self):
        server = StatorProcess(self.program, self.directory)
        client = Client(server.port)
        client.call("CreateTable", **create_request())
        create_switched_table(client)
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
            acknowledged = self.acknowledged()
            for writer in self.writers:
                writer.start(server.port)
            threads.append(StreamSwitch(server.port))
            time.sleep(self.random.uniform(*KILL_AFTER_SECONDS))
            self.wait_for_a_write(acknowledged)
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

    def wait_for_a_write(self, acknowledged):
        """On a busy machine the moment of the kill may come before the first answer, and would show nothing."""
        deadline = time.monotonic() + FIRST_ANSWER_SECONDS_MAX
        while self.acknowledged() == acknowledged and time.monotonic() < deadline:
            time.sleep(0.01)

    def check(self, client):
        """Whether the late index is there."""
        before = client.call("DescribeTable", TableName=TABLE)["Table"]
        if any(index["IndexStatus"] != "ACTIVE" for index in before["GlobalSecondaryIndexes"]):
            self.cut_index_changes += 1
        self.cut_transactions += sum(writer.transaction is not None for writer in self.writers)
        check_switched_streams(client)
        return is_late_index_there(check(client, self.writers, self.fillers, self.stream))

    def finish(self):
        server = StatorProcess(self.program, self.directory)
        client = Client(server.port)
        self.check(client)
        # Once more from the beginning.
        whole = StreamReader()
        whole.read_on(client)
        if whole.items != self.stream.items or whole.event_ids != self.stream.event_ids:
            raise AssertionError("the stream from its beginning is not what was read of it on the way")
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
