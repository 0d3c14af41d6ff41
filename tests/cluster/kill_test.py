#!/usr/bin/env python3
"""Three servers on one database, killed with -9 and started again at random moments while clients use all of them.

    kill_test.py STATOR [--rounds 20] [--seed N]

In each round one server or two are killed under load and come back. Then no acknowledged write is lost and none was done
twice, the history of each value is linearizable, indexes equal their table, the stream tells each change once, the
accounts keep their sum, and a restore to the latest moment gives the same table.
"""

import random
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from checks import check
from servers import Cluster, run_test, say
from workload import Workload

SERVERS = 3
UP_SECONDS = (0.1, 0.4)
DOWN_SECONDS = (0.0, 0.4)


def test(arguments):
    dice = random.Random(arguments.seed)
    with Cluster(arguments, SERVERS) as cluster:
        workload = Workload(cluster, arguments.seed)
        client = cluster.client()
        workload.create(client)
        client.close()
        say(f"{len(cluster.servers)} servers are ready")
        workload.start()
        kills = 0
        for number in range(arguments.rounds):
            before = workload.acknowledged()
            time.sleep(dice.uniform(*UP_SECONDS))
            victims = dice.sample(cluster.servers, min(len(cluster.servers), dice.choice([1, 1, 2])))
            for server in victims:
                if not server.is_running():
                    raise AssertionError(f"the server ended by itself:\n{server.log_text()}")
                server.kill()
            kills += len(victims)
            time.sleep(dice.uniform(*DOWN_SECONDS))
            for server in victims:
                server.start(wait=False)
            for server in victims:
                server.wait_until_healthy()
            workload.raise_problem()
            if workload.acknowledged() == before:
                raise AssertionError("nothing was acknowledged in this round")
            if (number + 1) % 5 == 0:
                say(f"round {number + 1}: {kills} kills, {workload.summary()}")
        time.sleep(dice.uniform(*UP_SECONDS))
        workload.stop()
        say(f"{kills} kills, {workload.summary()}")
        check(workload)


if __name__ == "__main__":
    run_test(__doc__, test, lambda parser: parser.add_argument("--rounds", type=int, default=20))
