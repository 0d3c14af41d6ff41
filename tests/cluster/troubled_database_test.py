#!/usr/bin/env python3
"""The database goes away, hangs, ends connections or holds locks while two servers run.

    troubled_database_test.py STATOR [--seed N]

Then `GET /` says 503 within five seconds, no request to a server without a database hangs for more than ten, and all is well
when the database is back.
While somebody holds a lock, only the requests that need it are slow. A storm that ends all connections again and again
loses nothing and does nothing twice.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from checks import check
from postgres import Postgres, children_of, wait_until
from servers import Cluster, run_test, say
from stator_process import ConnectionLost, Refused
from workload import Workload

HEALTH_SECONDS_MAX = 5
ANSWER_SECONDS_MAX = 10
BACK_SECONDS_MAX = 10
# A write may have been put into one round with a write that waits for a lock; they part when the lock's time is up.
OTHERS_SECONDS_MAX = 2.5
TABLE = "Troubled"
ITEMS = 30
ALLOWED_ERRORS = [r"the database"]


def create(client):
    client.call("CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST",
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
    for number in range(ITEMS):
        put(client, number, "first")


def put(client, number, text):
    client.call("PutItem", TableName=TABLE, Item={"pk": {"S": f"item{number}"}, "mark": {"S": f"mark-{number}."},
                                                  "text": {"S": text}})


def get(client, number):
    return client.call("GetItem", TableName=TABLE, Key={"pk": {"S": f"item{number}"}},
                       ConsistentRead=True)["Item"]["text"]["S"]


OPERATIONS = {
    "PutItem": lambda client: put(client, 0, "during"),
    "GetItem": lambda client: get(client, 1),
    "Query": lambda client: client.call(
        "Query", TableName=TABLE, KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "item2"}}),
    "CreateTable": lambda client: client.call(
        "CreateTable", TableName="Never", BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}]),
    "DescribeTable": lambda client: client.call("DescribeTable", TableName=TABLE),
}


class Attempt(threading.Thread):
    """One request on a connection of its own."""

    def __init__(self, server, operation):
        super().__init__(daemon=True)
        self.server, self.operation = server, operation
        self.seconds, self.outcome = None, None
        self.start()

    def run(self):
        client = self.server.client(60)
        began = time.monotonic()
        try:
            self.operation(client)
            self.outcome = "200"
        except Refused as refused:
            self.outcome = f"{refused.status} {refused.kind}"
        except ConnectionLost:
            self.outcome = "no answer"
        self.seconds = time.monotonic() - began
        client.close()


def while_away(cluster, leave, come_back, what, must_answer=True):
    """Health and requests of every kind while the database is away; how soon all is well when it is back."""
    client = cluster.client()
    put(client, 4, f"before it was {what}")
    client.close()
    leave()
    left_at = time.monotonic()
    attempts = {name: [Attempt(server, operation) for server in cluster.servers]
                for name, operation in OPERATIONS.items()}
    problems = []
    for server in cluster.servers:
        while server.health()[0] != 503 and time.monotonic() < left_at + ANSWER_SECONDS_MAX:
            time.sleep(0.02)
    noticed = time.monotonic() - left_at
    if noticed > HEALTH_SECONDS_MAX:
        problems.append(f"GET / says 503 after {noticed:.1f} s")
    told = cluster.servers[0].health()[1].strip()
    if must_answer:
        problems += problems_of_answers(attempts, left_at)
    come_back()
    back_at = time.monotonic()
    for name, tried in attempts.items():
        for attempt in tried:
            attempt.join(max(0.1, back_at + BACK_SECONDS_MAX - time.monotonic()))
            if attempt.is_alive():
                problems.append(f"{name} hangs for {BACK_SECONDS_MAX} s after the database is back")
    slowest = max((attempt.seconds or 99 for tried in attempts.values() for attempt in tried))
    outcomes = {name: tried[0].outcome for name, tried in attempts.items()}
    say(f"{what}: 503 after {noticed:.1f} s ('{told}'); answers within {slowest:.1f} s: {outcomes}")
    for server in cluster.servers:
        server.wait_until_healthy(BACK_SECONDS_MAX)
    client = cluster.client()
    put(client, 3, what)
    if get(client, 3) != what or get(client, 4) != f"before it was {what}":
        problems.append("an item is not what was written")
    client.close()
    say(f"{what}: all is well {time.monotonic() - back_at:.1f} s after it came back")
    return [f"{what}: {problem}" for problem in problems]


def problems_of_answers(attempts, since):
    """Requests get an error soon."""
    problems = []
    for name, tried in attempts.items():
        for attempt in tried:
            attempt.join(max(0.1, since + ANSWER_SECONDS_MAX - time.monotonic()))
            if attempt.is_alive():
                problems.append(f"{name} hangs for more than {ANSWER_SECONDS_MAX} s")
            elif attempt.outcome == "200" and name != "DescribeTable":
                problems.append(f"{name} succeeded without a database")
            elif not attempt.outcome.startswith(("5", "400 Throttling", "200")):
                problems.append(f"{name} got {attempt.outcome}")
    return problems


def hang(database, how):
    for pid in [database.process.pid, *children_of(database.process.pid)]:
        try:
            os.kill(pid, how)
        except ProcessLookupError:
            pass


class Bystander(threading.Thread):
    """Reads and writes items that nobody else locks, and measures how long that takes."""

    def __init__(self, server, numbers, seed):
        super().__init__(daemon=True)
        self.server, self.numbers = server, numbers
        self.random = random.Random(seed)
        self.stopping = threading.Event()
        self.slowest = {"reads": 0, "writes": 0}
        self.refused = self.count = 0
        self.problem = None
        self.start()

    def run(self):
        client = self.server.client(60)
        try:
            while not self.stopping.is_set():
                number = self.random.choice(self.numbers)
                for kind, act in (("reads", lambda: get(client, number)), ("writes", lambda: put(client, number, "beside"))):
                    began = time.monotonic()
                    try:
                        act()
                        self.count += 1
                    except Refused as refused:
                        if refused.kind != "ThrottlingException":
                            raise
                        self.refused += 1
                    self.slowest[kind] = max(self.slowest[kind], time.monotonic() - began)
        except (ConnectionLost, Refused) as error:
            self.problem = f"{type(error).__name__}: {error}"
        finally:
            client.close()

    def end(self):
        self.stopping.set()
        self.join()
        if self.problem:
            raise AssertionError(f"a bystander got {self.problem}")


def lock_rows(database, numbers):
    """A psql that holds the rows of these items until its stdin is closed."""
    marks = " OR ".join(f"position('mark-{number}.'::bytea in value) > 0" for number in numbers)
    # pylint: disable-next=consider-using-with
    psql = subprocess.Popen(database.psql(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    psql.stdin.write(f"BEGIN; SELECT count(*) FROM (SELECT 1 FROM stator_kv WHERE {marks} FOR UPDATE) AS locked;\n")
    psql.stdin.flush()
    locked = int(psql.stdout.readline())
    if locked != len(numbers):
        raise AssertionError(f"{locked} rows are locked, not {len(numbers)}")
    return psql


def hold_locks(cluster, numbers, seconds):
    """Somebody else holds the rows of these items; who does not need them does not notice."""
    others = [number for number in range(ITEMS) if number not in numbers]
    bystanders = [Bystander(server, others, seed) for server in cluster.servers for seed in range(4)]
    psql = lock_rows(cluster.database, numbers)
    began = time.monotonic()
    blocked = [Attempt(server, lambda client, number=number: put(client, number, "blocked"))
               for server in cluster.servers for number in numbers]
    client = cluster.client()
    time.sleep(seconds / 2)
    get(client, numbers[0])  # a lock on a row is no reason not to read it
    time.sleep(seconds / 2)
    client.close()
    psql.stdin.close()  # ends the transaction
    psql.wait()
    psql.stdout.close()
    for bystander in bystanders:
        bystander.end()
    for attempt in blocked:
        attempt.join(max(0.1, began + seconds + ANSWER_SECONDS_MAX - time.monotonic()))
        if attempt.is_alive():
            raise AssertionError("a request hangs after the lock is gone")
    slowest = {kind: max(bystander.slowest[kind] for bystander in bystanders) for kind in ("reads", "writes")}
    concerned = max(attempt.seconds for attempt in blocked)
    say(f"{len(numbers)} rows locked for {seconds} s: of {sum(bystander.count for bystander in bystanders)} requests beside "
        f"them the slowest read took {slowest['reads']:.2f} s, the slowest write {slowest['writes']:.2f} s, "
        f"{sum(bystander.refused for bystander in bystanders)} were refused; those concerned took {concerned:.1f} s: "
        f"{sorted({attempt.outcome for attempt in blocked})}")
    return slowest, concerned


def check_locks(cluster):
    slowest, concerned = hold_locks(cluster, [10], 2.5)
    if max(slowest.values()) > OTHERS_SECONDS_MAX:
        raise AssertionError(f"a lock on one item slows the others down: {slowest}")
    if concerned > ANSWER_SECONDS_MAX:
        raise AssertionError(f"the request that needed the lock took {concerned:.1f} s")
    # More locks than rounds can be in flight: writes may be refused or wait, reads go on.
    slowest, concerned = hold_locks(cluster, list(range(10, 22)), 4)
    if slowest["reads"] > OTHERS_SECONDS_MAX or slowest["writes"] > ANSWER_SECONDS_MAX or concerned > ANSWER_SECONDS_MAX:
        raise AssertionError(f"locks on twelve items: {slowest}, {concerned:.1f} s")


def storm(cluster, seed, seconds):
    """All connections of all servers ended, again and again, under load."""
    workload = Workload(cluster, seed, tolerate_failures=True)
    client = cluster.client()
    workload.create(client)
    client.close()
    workload.start()
    end = time.monotonic() + seconds
    ended = 0
    while time.monotonic() < end:
        time.sleep(0.25)
        ended += int(cluster.database.sql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'stator'"))
        workload.raise_problem()
    at = len(workload.acknowledged_at)
    wait_until(lambda: len(workload.acknowledged_at) > at + 100, "requests succeed after the storm", 10)
    workload.stop()
    say(f"{ended} connections were ended: {workload.summary()}")
    for server in cluster.servers:
        server.wait_until_healthy(BACK_SECONDS_MAX)
    check(workload)


def test(arguments):
    if arguments.directory:
        raise AssertionError("this test is about PostgreSQL")
    with Postgres() as database, Cluster(arguments, 2, database=database, allowed_errors=ALLOWED_ERRORS) as cluster:
        client = cluster.client()
        create(client)
        client.close()
        check_locks(cluster)
        storm(cluster, arguments.seed, 2.5)
        problems = while_away(cluster, database.stop, database.start, "stopped")
        problems += while_away(cluster, lambda: hang(database, signal.SIGSTOP), lambda: hang(database, signal.SIGCONT),
                               "hanging", must_answer=False)
        if problems:
            raise AssertionError("; ".join(problems))


if __name__ == "__main__":
    run_test(__doc__, test)
