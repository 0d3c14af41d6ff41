"""What must be true of the directory after a crash."""

import time

from crash_table import FILLER_PARTITION, INDEXES, LATE_INDEX, TABLE, key_of

SETTLE_SECONDS_MAX = 30
POLL_SECONDS = 0.01


def settled_description(client):
    """DescribeTable once no index is being built or removed: a build that the crash cut off goes on by itself."""
    deadline = time.monotonic() + SETTLE_SECONDS_MAX
    while True:
        table = client.call("DescribeTable", TableName=TABLE)["Table"]
        statuses = [index["IndexStatus"] for index in table["GlobalSecondaryIndexes"]]
        if table["TableStatus"] == "ACTIVE" and set(statuses) == {"ACTIVE"}:
            return table
        if time.monotonic() > deadline:
            raise AssertionError(f"the table does not settle: {table['TableStatus']}, indexes {statuses}")
        time.sleep(POLL_SECONDS)


def is_late_index_there(table):
    return any(index["IndexName"] == LATE_INDEX.name for index in table["GlobalSecondaryIndexes"])


def check(client, writers, fillers):
    """Compares all that is stored with what the writers know; they then go on from what is stored."""
    table = settled_description(client)
    stored = {}
    for item in client.scan(TableName=TABLE, ConsistentRead=True):
        if key_of(item) in stored:
            raise AssertionError(f"twice in a Scan: {key_of(item)}")
        stored[key_of(item)] = item
    check_items(stored, writers, fillers)

    indexes = INDEXES + ([LATE_INDEX] if is_late_index_there(table) else [])
    for index in indexes:
        check_index(index, client.scan(TableName=TABLE, IndexName=index.name), stored)
    check_counts(client, stored, indexes)
    return table


def check_items(stored, writers, fillers):
    expected_keys = set(fillers)
    for key, item in fillers.items():
        if stored.get(key) != item:
            raise AssertionError(f"{key} was acknowledged long ago and is now {stored.get(key)}")
    for writer in writers:
        if writer.transaction:
            writer.transaction.check_whole(stored)
        for known in writer.items:
            key = key_of(known.key)
            found = stored.get(key)
            if not known.allows(found):
                raise AssertionError(
                    f"{key} is\n  {found}\nbut acknowledged was\n  {known.acknowledged}\n"
                    f"and in flight\n  {known.in_flight}")
            known.settle(found)
            expected_keys.add(key)
    strangers = stored.keys() - expected_keys
    if strangers:
        raise AssertionError(f"items that nobody wrote: {sorted(strangers)[:5]}")


def check_index(index, entries, stored):
    expected = {key: entry for key, item in stored.items() if (entry := index.entry(item)) is not None}
    found = {}
    for entry in entries:
        if key_of(entry) in found:
            raise AssertionError(f"{index.name} holds {key_of(entry)} twice")
        found[key_of(entry)] = entry
    for key in expected.keys() | found.keys():
        if expected.get(key) != found.get(key):
            raise AssertionError(
                f"{index.name} has {found.get(key)}\nfor the item {stored.get(key)}\n"
                f"and should have {expected.get(key)}")


def check_counts(client, stored, indexes):
    """Items are counted anew in the background after a crash; in the end the counts are right."""
    expected = {index.name: sum(index.entry(item) is not None for item in stored.values()) for index in indexes}
    expected[TABLE] = len(stored)
    deadline = time.monotonic() + SETTLE_SECONDS_MAX
    while (counts := described_counts(client)) != expected:
        if time.monotonic() > deadline:
            raise AssertionError(f"DescribeTable counts {counts}, there are {expected}")
        time.sleep(POLL_SECONDS)


def described_counts(client):
    table = client.call("DescribeTable", TableName=TABLE)["Table"]
    counts = {index["IndexName"]: index["ItemCount"]
              for index in table["GlobalSecondaryIndexes"] + table["LocalSecondaryIndexes"]}
    return {**counts, TABLE: table["ItemCount"]}


def load_fillers(client, count):
    """Items that nobody touches again; they give the build of an index something to do."""
    fillers = {}
    batch = []
    for number in range(count):
        item = {
            "pk": {"S": FILLER_PARTITION}, "sk": {"N": str(number)},
            "zone": {"S": f"zone{number % 7}"}, "score": {"N": str(number % 100)},
        }
        fillers[key_of(item)] = item
        batch.append({"PutRequest": {"Item": item}})
        if len(batch) == 25 or number + 1 == count:
            client.call("BatchWriteItem", RequestItems={TABLE: batch})
            batch = []
    return fillers
