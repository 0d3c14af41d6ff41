#!/usr/bin/env python3
"""A database that cannot be used is refused with a message that says why and what to do, and nothing is written to it.

    bad_input_test.py STATOR [--seed N]

What happens when the database goes away, hangs or is slow while servers run is in troubled_database_test.py.
"""

import re
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from postgres import BIN, USER, Postgres, free_port
from servers import Server, run_test, say

GIVE_UP_SECONDS_MAX = 12


class OldServer(threading.Thread):
    """Speaks just enough of PostgreSQL's protocol to say that it is version 9.6."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    @staticmethod
    def message(kind, body=b""):
        return kind + struct.pack("!i", len(body) + 4) + body

    def serve(self, connection):
        stream = connection.makefile("rb")
        try:
            while True:  # requests for encryption come before the startup message
                size, code = struct.unpack("!ii", stream.read(8))
                stream.read(size - 8)
                if code >> 16 == 3:
                    break
                connection.sendall(b"N")
            answer = self.message(b"R", struct.pack("!i", 0))
            for name, value in {"server_version": "9.6.24", "server_encoding": "UTF8", "client_encoding": "UTF8",
                                "standard_conforming_strings": "on", "integer_datetimes": "on"}.items():
                answer += self.message(b"S", f"{name}\0{value}\0".encode())
            connection.sendall(answer + self.message(b"K", struct.pack("!ii", 1, 1)) + self.message(b"Z", b"I"))
            while kind := stream.read(1):
                stream.read(struct.unpack("!i", stream.read(4))[0] - 4)
                if kind == b"Q":
                    connection.sendall(self.message(b"C", b"SET\0") + self.message(b"Z", b"I"))
                elif kind == b"S":
                    connection.sendall(self.message(b"E", b"SERROR\0C42601\0Mold servers do not understand this\0\0")
                                       + self.message(b"Z", b"I"))
        except (OSError, struct.error):
            pass
        finally:
            connection.close()


def dump(database, name):
    """All that is in it."""
    done = subprocess.run([f"{BIN}/pg_dump", "-h", database.folder, "-p", str(database.port), "-U", USER, "--inserts", name],
                          capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if not line.startswith("\\")]


class Refusals:
    def __init__(self, program, database):
        self.program = program
        self.database = database
        self.problems = []

    def expect(self, what, url, *patterns, unchanged=None):
        """The server gives up soon, says each of the patterns, and leaves the database as it was."""
        before = dump(self.database, unchanged) if unchanged else None
        began = time.monotonic()
        try:
            done = subprocess.run([self.program, "serve", "--store", url, "--port", "0"], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=GIVE_UP_SECONDS_MAX, check=False)
            status, said = done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            status, said = None, f"nothing within {GIVE_UP_SECONDS_MAX} s"
        problems = []
        if status is None or status <= 0:
            problems.append(f"it ended with {status}")
        problems += [f"it does not say '{pattern}'" for pattern in patterns if not re.search(pattern, said, re.IGNORECASE)]
        if not said.startswith("stator: ") or "a+secret" in said:
            problems.append("the message does not begin with 'stator: ', or tells the password")
        if unchanged and dump(self.database, unchanged) != before:
            problems.append("it has written to the database")
        verdict = "; ".join(problems) or "refused"
        say(f"{what} ({time.monotonic() - began:.1f} s): {verdict}\n            {said.strip()}")
        if problems:
            self.problems.append(f"{what}: {verdict}")


def refuse_addresses(refusals, database):
    good = database.url()
    refusals.expect("wrong password", database.url(password="wrong"), "password", unchanged="stator")
    refusals.expect("missing database", database.url(database="nowhere"), '"nowhere" does not exist', "create")
    refusals.expect("unreachable host", f"postgres://stator:x@127.0.0.1:{free_port()}/stator", "reach|connect")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        refusals.expect("a host that never answers", f"postgres://stator:x@127.0.0.1:{silent.getsockname()[1]}/stator",
                        "timeout|time")
    refusals.expect("unknown parameter", good + "?speed=fast", "speed")
    refusals.expect("not a URL of PostgreSQL", "mysql://127.0.0.1/stator", "postgres://")
    refusals.expect("old server", f"postgres://stator:x@127.0.0.1:{OldServer().port}/stator", r"PostgreSQL 9(\.6)?\b", "newer|13")


def refuse_rights(refusals, database):
    """Rights and limits of the role."""
    name = database.new_database()
    database.sql("CREATE ROLE few LOGIN PASSWORD 'few' CONNECTION LIMIT 3; "
                 f"GRANT ALL ON DATABASE {name} TO few; ", database=name)
    database.sql("GRANT ALL ON SCHEMA public TO few", database=name)
    refusals.expect("too few connections", f"postgres://few:few@127.0.0.1:{database.port}/{name}", "connections",
                    unchanged=name)
    database.sql("CREATE ROLE poor LOGIN PASSWORD 'poor'", database=name)
    refusals.expect("no right to create tables", f"postgres://poor:poor@127.0.0.1:{database.port}/{name}",
                    "permission denied|may not|right", "grant|create", unchanged=name)


def refuse_contents(refusals, database):
    name = database.new_database()
    database.sql("CREATE TABLE stator_kv (id int PRIMARY KEY, name text); INSERT INTO stator_kv VALUES (1, 'Laplace')",
                 database=name)
    refusals.expect("a table of the same name", database.url(database=name), "stator_", "another|other|own|else",
                    unchanged=name)
    name = database.new_database()
    server = Server(refusals.program, ["--store", database.url(database=name)])
    server.start()
    server.stop()
    server.log.close()
    database.sql("UPDATE stator_meta SET format = 1000, oldest = 1000", database=name)
    refusals.expect("a newer format", database.url(database=name), "newer|format", "upgrade|newer", unchanged=name)
    database.sql("UPDATE stator_meta SET format = 1, oldest = 1; DROP TABLE stator_logs", database=name)
    refusals.expect("one of the tables is gone", database.url(database=name), "stator_logs|missing|incomplete",
                    unchanged=name)


def test(arguments):
    if arguments.directory:
        raise AssertionError("this test is about PostgreSQL")
    with Postgres() as database:
        refusals = Refusals(arguments.program, database)
        refuse_addresses(refusals, database)
        refuse_rights(refusals, database)
        refuse_contents(refusals, database)
        with database.standby() as standby:
            refusals.expect("read-only replica", standby.url(), "read-only", "primary|read-write|target_session_attrs",
                            unchanged="stator")
    if refusals.problems:
        raise AssertionError("\n  ".join(["", *refusals.problems]))


if __name__ == "__main__":
    run_test(__doc__, test)
