#!/usr/bin/env python3
"""The primary is killed with -9 under load and its synchronous standby promoted: the servers find it by themselves.

    failover_test.py STATOR [--rounds 1] [--seed N]

All that kill_test.py claims holds here too. The seconds without an acknowledged write are printed. In further rounds the
dead server's place is taken by a new standby of the one that lives.
"""

import random
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from checks import check
from postgres import Postgres
from servers import Cluster, run_test, say
from workload import Workload

SERVERS = 2
UP_SECONDS = (1.0, 2.0)
GAP_SECONDS_MAX = 10
# What servers may say of a database that is away.
ALLOWED_ERRORS = [r"the database"]


def longest_gap(moments, since):
    """Of the seconds between two acknowledged requests, one of them after `since`."""
    after = sorted(moment for moment in moments if moment > since - 0.2)
    return max(later - earlier for earlier, later in zip(after, after[1:]))


def wait_for_acknowledged(workload, more, seconds_max=30):
    wanted = workload.acknowledged() + more
    deadline = time.monotonic() + seconds_max
    while workload.acknowledged() < wanted:
        workload.raise_problem()
        if time.monotonic() > deadline:
            raise AssertionError(f"in {seconds_max} s fewer than {more} requests succeeded: {workload.summary()}")
        time.sleep(0.05)


def test(arguments):
    dice = random.Random(arguments.seed)
    databases = [Postgres()]
    try:
        databases.append(databases[0].standby())
        say("the standby follows")
        url = databases[0].url(others=databases[1:], target_session_attrs="read-write")
        with Cluster(arguments, SERVERS, database=databases[0], url=url, allowed_errors=ALLOWED_ERRORS) as cluster:
            workload = Workload(cluster, arguments.seed, tolerate_failures=True)
            client = cluster.client()
            workload.create(client)
            client.close()
            workload.start()
            for number in range(arguments.rounds):
                wait_for_acknowledged(workload, 300)
                time.sleep(dice.uniform(*UP_SECONDS))
                dead, heir = databases
                killed_at = time.monotonic()
                dead.kill()
                heir.promote()
                say(f"killed and promoted, in {time.monotonic() - killed_at:.1f} s")
                wait_for_acknowledged(workload, 300)
                gap = longest_gap(list(workload.acknowledged_at), killed_at)
                say(f"the gap: {gap:.1f} s without an acknowledged request")
                if gap > GAP_SECONDS_MAX:
                    raise AssertionError(f"a gap of {gap:.1f} s")
                if number + 1 < arguments.rounds:
                    port = dead.port
                    dead.__exit__()
                    databases = [heir]
                    databases.append(heir.standby(port))
            workload.stop()
            say(workload.summary())
            for server in cluster.servers:
                server.wait_until_healthy()
            check(workload)
    finally:
        for database in databases:
            database.__exit__()


if __name__ == "__main__":
    run_test(__doc__, test, lambda parser: parser.add_argument("--rounds", type=int, default=1))
