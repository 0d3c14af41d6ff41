#!/usr/bin/env python3
"""By hand, as root: a real disk of 160 MB fills up under load, and is emptied again.

    full_disk.py PROGRAM [ROUNDS [SYNC]]

Four writers put items on a tmpfs that is mounted for this. Each round fills the disk, waits until GET / says 503, frees
the space and waits until GET / says 200. The last round ends with kill -9 on a full disk, on which a start must be
refused with exit code 1. In the end every acknowledged write must be there.
"""

import http.client
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from stator_process import Client, Refused, StatorProcess

TABLE = "Items"
WRITERS = 4
KEYS_PER_WRITER = 3_000
WAIT_SECONDS_MAX = 30


class Writer(threading.Thread):
    """Puts items with rising versions and remembers what it was told."""

    def __init__(self, number, port, known):
        super().__init__()
        self.number = number
        self.client = Client(port)
        self.known = known  # key -> (acknowledged version, refused versions since)
        self.refusals = set()
        self.ends = False

    def run(self):
        version = 0
        while not self.ends:
            version += 1
            key = f"{self.number}-{version % KEYS_PER_WRITER}"
            item = {"k": {"S": key}, "v": {"N": str(version)}, "pad": {"S": "x" * 5_000}}
            try:
                self.client.call("PutItem", TableName=TABLE, Item=item)
                self.known[key] = (version, set())
            except Refused as refused:
                self.refusals.add(str(refused))
                self.known.setdefault(key, (None, set()))[1].add(version)
                time.sleep(0.005)


def health(port):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/")
    response = connection.getresponse()
    return response.status, response.read().decode().strip()


def wait_for(port, status):
    began = time.monotonic()
    while health(port)[0] != status:
        if time.monotonic() - began > WAIT_SECONDS_MAX:
            raise AssertionError(f"GET / says {health(port)}, not {status}")
        time.sleep(0.01)
    return time.monotonic() - began


def fill(path, leave):
    """Writes until so many bytes are free."""
    chunk = 1 << 20
    with open(path, "ab", buffering=0) as filler:
        while chunk >= 4096:
            free = os.statvfs(path.parent).f_bavail * os.statvfs(path.parent).f_frsize
            if free <= leave:
                return
            try:
                filler.write(b"x" * min(chunk, max(4096, free - leave)))
            except OSError:
                chunk //= 2


def check(client, known):
    lost = 0
    for key, (acknowledged, refused) in known.items():
        found = client.call("GetItem", TableName=TABLE, Key={"k": {"S": key}}, ConsistentRead=True).get("Item")
        version = int(found["v"]["N"]) if found else None
        if version != acknowledged and version not in refused:
            lost += 1
            print(f"{key} is {version}, acknowledged was {acknowledged}")
    return lost


def run(program, mount, rounds, sync):
    data, filler = str(mount / "data"), mount / "filler"
    server = StatorProcess(program, data, "--sync", sync)
    Client(server.port).call(
        "CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "k", "AttributeType": "S"}])
    known = {}
    writers = [Writer(number, server.port, known) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    for number in range(rounds):
        time.sleep(1 + random.random())
        leave = random.choice([0, 0, 4096, 100_000, 5_000_000, 20_000_000])
        fill(filler, leave)
        told = wait_for(server.port, 503)
        message = health(server.port)[1]
        time.sleep(random.random())
        filler.unlink()
        lifted = wait_for(server.port, 200)
        print(f"round {number}: {leave} bytes free, told after {told:.2f} s, lifted after {lifted:.2f} s: {message}")
    fill(filler, 0)
    wait_for(server.port, 503)
    for writer in writers:
        writer.ends = True
    for writer in writers:
        writer.join()
    server.kill()
    refused = subprocess.run([program, "serve", data, "--port", "0"], capture_output=True, text=True, check=False)
    print(f"a start on the full disk exits with {refused.returncode}: {refused.stderr.strip()}")
    filler.unlink()
    server = StatorProcess(program, data, "--sync", sync)
    lost = check(Client(server.port), known)
    server.stop()
    for text in set().union(*(writer.refusals for writer in writers)):
        print("clients were told:", text)
        if str(mount) in text:
            raise AssertionError("a client was told a path of the server")
    print(f"{len(known)} keys, {lost} lost")
    return 0 if lost == 0 and refused.returncode == 1 else 1


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    sync = sys.argv[3] if len(sys.argv) > 3 else "always"
    with tempfile.TemporaryDirectory() as mount:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160m", "tmpfs", mount], check=True)
        try:
            return run(program, Path(mount), rounds, sync)
        finally:
            subprocess.run(["umount", "--lazy", mount], check=True)


if __name__ == "__main__":
    sys.exit(main())
