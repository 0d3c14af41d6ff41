#!/usr/bin/env python3
"""Moves a database while a server on it is under load, and measures how long nobody could write.

    copy_follow_test.py PROGRAM [postgres] [--items N]

Every acknowledged write must be in the target, every row of which must be equal to the source. On the way the copy is
killed once, and once it stands still until the logs that it reads are deleted.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
from copied_database import (TABLE, Client, StatorProcess, Writer, change_a_little, check_equal,
                             copy_arguments, everything, item, load, make, places_for)

WRITERS = 4
LOAD_SECONDS = 6


class Follower:
    """The command, with its progress."""

    def __init__(self, program, source, target):
        self.process = subprocess.Popen(copy_arguments(program, source, target, "--follow", "--json"),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True)
        self.events = []
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.events.append(json.loads(line))

    def wait_for(self, doing, seconds=120):
        deadline = time.monotonic() + seconds
        while not any(event.get("doing") == doing for event in self.events):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.end()
                raise AssertionError(f"the copy never got to {doing}: {self.events[-3:]}")
            time.sleep(0.02)

    def kill(self):
        self.process.kill()
        self.end()

    def end(self):
        complaint = self.process.stderr.read()
        self.process.wait(300)
        self.reader.join()
        self.process.stderr.close()
        self.process.stdout.close()
        return complaint


def churn(port, stop):
    """Tables that come and go, and backups, beside the writes."""
    client = Client(port)
    number = 0
    while not stop.is_set():
        number += 1
        name = f"Passing{number}"
        client.call("CreateTable", TableName=name, BillingMode="PAY_PER_REQUEST",
                    KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                    AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
        for key in range(30):
            client.call("PutItem", TableName=name, Item={"pk": {"S": str(key)}})
        if number % 2:
            client.call("DeleteTable", TableName=name)
        if number % 4 == 1:
            client.call("CreateBackup", TableName=TABLE, BackupName=f"backup{number}")
        time.sleep(0.3)
    client.close()


def lose_the_thread(follower, client):
    """While the copy stands still, the server deletes logs that it has not read: it must find out what changed."""
    follower.process.send_signal(signal.SIGSTOP)
    for number in range(3):
        client.call("PutItem", TableName=TABLE, Item=item(2_000_000 + number))
        client.call("CreateBackup", TableName=TABLE, BackupName=f"unseen{number}")
    follower.process.send_signal(signal.SIGCONT)
    time.sleep(2)


def check_acknowledged(client, writers):
    stored = {int(found["sk"]["N"]): found for found in client.scan(TableName=TABLE)}
    count = 0
    for writer in writers:
        for number, written in writer.acknowledged.items():
            count += 1
            if stored.get(number) != written:
                raise AssertionError(f"{number} was acknowledged as {written}, but is {stored.get(number)}")
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("target", nargs="?", default="directory", choices=["directory", "postgres"])
    parser.add_argument("--items", type=int, default=8_000)
    arguments = parser.parse_args()
    program = arguments.program
    with tempfile.TemporaryDirectory() as root:
        places = places_for(arguments.target, root)
        source, target = f"{root}/source", places.new()
        server = StatorProcess(program, source)
        client = Client(server.port)
        make(client)
        load(server.port, 0, arguments.items, note_bytes=1_500)
        change_a_little(client)
        client.call("CreateBackup", TableName=TABLE, BackupName="before")
        writers = [Writer(server.port, number) for number in range(WRITERS)]
        stop = threading.Event()
        churner = threading.Thread(target=churn, args=(server.port, stop))
        for thread in [*writers, churner]:
            thread.start()
        first = Follower(program, source, target)
        time.sleep(1.0)
        first.kill()
        follower = Follower(program, source, target)
        follower.wait_for("following")
        time.sleep(LOAD_SECONDS)
        lose_the_thread(follower, client)
        stop.set()
        churner.join()
        stopped = time.monotonic()
        server.stop()
        after_stop = time.monotonic()
        complaint = follower.end()
        copied = time.monotonic()
        for writer in writers:
            writer.join()
            if writer.problem:
                raise AssertionError(writer.problem)
        if follower.process.returncode != 0:
            raise AssertionError(f"the copy failed: {complaint}")
        done = follower.events[-1]
        new_server = places.serve(program, target)
        new_client = Client(new_server.port)
        new_client.call("ListTables")
        served = time.monotonic()
        acknowledged = check_acknowledged(new_client, writers)
        seen = everything(new_client)
        new_client.close()
        new_server.stop()
        server = StatorProcess(program, source)
        client = Client(server.port)
        if everything(client) != seen:
            raise AssertionError("clients see other things in the copy than in the source")
        client.close()
        server.stop()
        spaces = check_equal(program, source, target)
        rows = sum(space["rows"] for space in spaces.values())
        print(f"{sum(writer.writes for writer in writers)} writes under way, {acknowledged} keys checked; "
              f"{done['changes']} changes followed, {done['compared_rows']} rows compared; {rows} rows equal")
        print(f"downtime {served - stopped:.2f} s: {after_stop - stopped:.2f} s to stop the old server, "
              f"{copied - after_stop:.2f} s to copy the rest, {served - copied:.2f} s to start the new one")


if __name__ == "__main__":
    main()
