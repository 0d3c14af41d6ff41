#!/usr/bin/env python3
"""Kills a copy at random moments and lets it go on, until the target is equal to the source.

    copy_kill_test.py PROGRAM [postgres]     into PostgreSQL: the one of STATOR_TEST_POSTGRES

STATOR_COPY_KILLS   how many times (20)
STATOR_COPY_SEED    repeats the moments of a run
"""

import os
import random
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
from copied_database import (TABLE, Client, StatorProcess, change_a_little, check_equal, copy,
                             copy_arguments, load, make, outcome, places_for)

KILLS = int(os.environ.get("STATOR_COPY_KILLS", "20"))
SEED = int(os.environ.get("STATOR_COPY_SEED", str(random.randrange(1 << 32))))
ITEMS = 12_000


def fill(program, source):
    server = StatorProcess(program, source)
    client = Client(server.port)
    make(client)
    load(server.port, 0, ITEMS, note_bytes=1_500)
    client.call("CreateBackup", TableName=TABLE, BackupName="first")
    change_a_little(client)
    client.close()
    server.stop()


def change_source(program, source, round_number):
    """Between two attempts, sometimes: the copy finds out what is different."""
    server = StatorProcess(program, source)
    load(server.port, 500_000 + 1_000 * round_number, 50)
    client = Client(server.port)
    change_a_little(client)
    client.close()
    server.stop()


def main():
    program = sys.argv[1]
    choices = random.Random(SEED)
    print(f"seed {SEED}")
    with tempfile.TemporaryDirectory() as root:
        source = f"{root}/source"
        places = places_for(sys.argv[2] if len(sys.argv) > 2 else "directory", root)
        fill(program, source)
        started = time.monotonic()
        copy(program, source, places.new())
        seconds = time.monotonic() - started
        print(f"a whole copy takes {seconds:.2f} s")
        kills = resumed = refused = targets = 0
        while kills < KILLS:
            target = places.new()
            targets += 1
            while kills < KILLS:
                with subprocess.Popen(copy_arguments(program, source, target), stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
                    time.sleep(choices.uniform(0, seconds * 1.1))
                    is_over = process.poll() is not None
                    process.kill()
                    complaint = process.stderr.read()
                if is_over:
                    if process.returncode != 0:
                        raise AssertionError(f"the copy failed: {complaint}")
                    break
                kills += 1
                try:
                    refused += places.refuses(program, target)
                except AssertionError:
                    break  # killed after its last commit: then it is whole, which is checked below
                if choices.random() < 0.25:
                    change_source(program, source, kills)
            else:
                done = outcome(copy(program, source, target, "--json"))
                resumed += done["resumed"]
            check_equal(program, source, target)
        print(f"{kills} kills of copies into {targets} targets, {resumed} resumed at the end, {refused} times a server "
              "refused the unfinished copy: every target equal to its source")
        if refused == 0:
            raise AssertionError("no kill left an unfinished copy")


if __name__ == "__main__":
    main()
