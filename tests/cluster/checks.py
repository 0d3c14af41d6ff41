"""What must be true of the workload's table when all clients have stopped."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "crash"))

# pylint: disable=wrong-import-position
from crash_checks import check_index
from crash_stream import StreamReader
from crash_table import key_of
from linearizable import Operation, problem_of
from servers import say, wait_for_table
from workload import ACCOUNTS, BALANCE, INDEXES, TABLE, register

COUNT_SECONDS_MAX = 10


def check(workload):
    """All claims, read through every server."""
    clients = [server.client() for server in workload.cluster.servers if server.is_running()]
    stored = {key_of(item): item for item in clients[0].scan(TableName=TABLE, ConsistentRead=True)}
    for client in clients[1:]:
        items = client.scan(TableName=TABLE, ConsistentRead=True)
        if {key_of(item): item for item in items} != stored or len(items) != len(stored):
            raise AssertionError("two servers show different items")
    check_registers(workload, stored)
    check_counters(workload, stored)
    check_transfers(workload, stored)
    for client in clients:
        for index in INDEXES:
            check_index(index, client.scan(TableName=TABLE, IndexName=index.name), stored)
        check_counts(workload.cluster, client, stored)
    check_stream(workload, clients, stored)
    check_restored(clients, stored)
    say(f"{len(stored)} items, {len(workload.stream.event_ids)} records of the stream, "
        f"{len(workload.registers)} histories of registers are linearizable")
    for client in clients:
        client.close()


def check_registers(workload, stored):
    now = time.monotonic()
    for number, history in workload.registers.items():
        item = stored.get(key_of(register(number)))
        final = Operation(now, now, "read", (), item["value"]["S"] if item else None)
        problem = problem_of(history + [final])
        if problem:
            raise AssertionError(f"register {number}: {problem}")


def check_counters(workload, stored):
    now = time.monotonic()
    for number, history in workload.counters.items():
        item = stored.get(("counter", str(number)))
        total = int(item["total"]["N"]) if item else None
        acknowledged = sum(not one.is_lost() for one in history)
        if not acknowledged <= (total or 0) <= len(history):
            raise AssertionError(f"counter {number} is {total}: {acknowledged} additions were acknowledged, "
                                 f"{len(history) - acknowledged} had no answer")
        problem = problem_of(history + [Operation(now, now, "read", (), total)])
        if problem:
            raise AssertionError(f"counter {number}: {problem}")


def check_transfers(workload, stored):
    recorded = {int(sk): item for (pk, sk), item in stored.items() if pk == "transfer"}
    balances = [BALANCE] * ACCOUNTS
    for name, item in recorded.items():
        if not workload.transfers.get(name, (0, 0, 0, False))[3]:
            raise AssertionError(f"transfer {name} was refused and is recorded: {item}")
        balances[int(item["giver"]["N"])] -= int(item["score"]["N"])
        balances[int(item["taker"]["N"])] += int(item["score"]["N"])
    lost = [name for name, transfer in workload.transfers.items() if transfer[3] and name not in recorded]
    if lost:
        raise AssertionError(f"{len(lost)} acknowledged transfers are lost, e.g. {lost[:5]}")
    found = [int(stored["account", str(number)]["balance"]["N"]) for number in range(ACCOUNTS)]
    if found != balances:
        raise AssertionError(f"the accounts have {found}, the transfers make {balances}")


def check_counts(cluster, client, stored):
    """Counts of tables may be a moment old, and are then right."""
    expected = {index.name: sum(index.entry(item) is not None for item in stored.values()) for index in INDEXES}
    expected[TABLE] = len(stored)
    deadline = time.monotonic() + COUNT_SECONDS_MAX
    while True:
        table = client.call("DescribeTable", TableName=TABLE)["Table"]
        counts = {index["IndexName"]: index["ItemCount"] for index in table["GlobalSecondaryIndexes"]}
        counts[TABLE] = table["ItemCount"]
        if counts == expected:
            return
        if time.monotonic() > deadline:
            sums = cluster.database and cluster.database.sql(
                "SELECT encode(name, 'hex'), sum(items) FROM stator_sums GROUP BY name").split()
            raise AssertionError(f"DescribeTable counts {counts}, there are {expected}; the database's sums: {sums}")
        time.sleep(0.05)


def check_stream(workload, clients, stored):
    """What was read on the way through all servers is what each of them shows from the beginning, and makes the table."""
    workload.stream.check(clients[0], stored)
    for client in clients:
        whole = StreamReader(TABLE)
        whole.check(client, stored)
        if whole.event_ids != workload.stream.event_ids:
            raise AssertionError(f"the stream has {len(whole.event_ids)} records from its beginning, "
                                 f"{len(workload.stream.event_ids)} were read on the way")


def check_restored(clients, stored):
    """A table made of the history is the table; its indexes are those of its items."""
    clients[0].call("RestoreTableToPointInTime", SourceTableName=TABLE, TargetTableName="Restored",
                    UseLatestRestorableTime=True)
    wait_for_table(clients[-1], "Restored")
    restored = {key_of(item): item for item in clients[-1].scan(TableName="Restored", ConsistentRead=True)}
    if restored != stored:
        differing = [key for key in restored.keys() | stored.keys() if restored.get(key) != stored.get(key)]
        raise AssertionError(f"the restored table differs in {len(differing)} of {len(stored)} items, e.g. {differing[:3]}")
    for index in INDEXES:
        check_index(index, clients[0].scan(TableName="Restored", IndexName=index.name), stored)
    clients[0].call("DeleteTable", TableName="Restored")
