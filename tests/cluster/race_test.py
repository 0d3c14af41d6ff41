#!/usr/bin/env python3
"""Two servers do the same thing at the same moment: one of them is first, and the other notices.

    race_test.py STATOR [--seed N]

A lock that psql holds on an item makes both servers wait at the same point, so that what each sees afterwards is a matter
of how the store reads, not of luck.
"""

import random
import sys
import threading
import time
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from postgres import wait_until
from servers import Cluster, run_test, say, wait_for_table
from stator_process import Refused
from troubled_database_test import lock_rows

TABLE = "Raced"


def key(name):
    return {"pk": {"S": name}}


def version_is(version):
    return {"ConditionExpression": "version = :old", "ExpressionAttributeValues": {
        ":old": {"N": str(version)}, ":new": {"N": str(version + 1)}}}


class Together:
    """The same request on a connection to each server; their answers by server."""

    def __init__(self, cluster):
        self.clients = [server.client() for server in cluster.servers]

    def call(self, operation, requests):
        answers = [None] * len(self.clients)

        def run(number):
            try:
                answers[number] = self.clients[number].call(operation, **requests[number])
            except Refused as refused:
                answers[number] = refused

        threads = [threading.Thread(target=run, args=(number,)) for number in range(len(self.clients))]
        for thread in threads:
            thread.start()
        return lambda: [thread.join() for thread in threads] and answers

    def close(self):
        for client in self.clients:
            client.close()


def name_of(answer):
    if not isinstance(answer, Refused):
        return "done"
    return "+".join(reason["Code"] for reason in answer.body.get("CancellationReasons", [])) or answer.kind


def while_locked(cluster, together, name, operation, requests):
    """Sends while the item is locked elsewhere, lets it go when all servers wait for it, and returns the answers."""
    psql = lock_rows(cluster.database, [name])
    finish = together.call(operation, requests)
    try:
        wait_until(lambda: int(cluster.database.sql(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'stator'"))
            == len(together.clients), "all servers wait for the lock", 2)
    finally:
        psql.stdin.close()
        psql.wait()
        psql.stdout.close()
    return finish()


def fill(client, names):
    for name in names:
        client.call("PutItem", TableName=TABLE, Item={
            **key(name), "mark": {"S": f"mark-{name}."}, "version": {"N": "1"}})


def version(client, name):
    return int(client.call("GetItem", TableName=TABLE, Key=key(name), ConsistentRead=True)["Item"]["version"]["N"])


def same_token(cluster, together, client):
    """A transaction that is sent again while it is being committed is done, and not refused by its own result."""
    fill(client, ["token"])
    request = {"ClientRequestToken": "the-same", "TransactItems": [
        {"Update": {"TableName": TABLE, "Key": key("token"), "UpdateExpression": "SET version = :new", **version_is(1)}},
        {"Put": {"TableName": TABLE, "Item": key("token-beside")}}]}
    answers = [name_of(answer) for answer in while_locked(
        cluster, together, "token", "TransactWriteItems", [request] * len(together.clients))]
    if not set(answers) <= {"done", "TransactionInProgressException"} or "done" not in answers or version(client, "token") != 2:
        raise AssertionError(f"the same transaction with the same token through each server: {answers}")


def appears_meanwhile(cluster, together, client):
    """Two transactions that both need an item to be absent: one is first, the other is refused because of that item alone."""
    fill(client, ["door"])
    requests = [{"TransactItems": [
        {"Update": {"TableName": TABLE, "Key": key("door"), "UpdateExpression": "SET opened = :by",
                    "ExpressionAttributeValues": {":by": {"N": str(number)}}}},
        {"Put": {"TableName": TABLE, "Item": {**key("guest"), "by": {"N": str(number)}},
                 "ConditionExpression": "attribute_not_exists(pk)"}}]} for number in range(len(together.clients))]
    answers = [name_of(answer) for answer in while_locked(cluster, together, "door", "TransactWriteItems", requests)]
    if sorted(answers) != ["None+ConditionalCheckFailed"] * (len(answers) - 1) + ["done"]:
        raise AssertionError(f"transactions that need the same item to be absent: {answers}")
    winner = answers.index("done")
    items = {item["pk"]["S"]: item for item in client.scan(TableName=TABLE, ConsistentRead=True)}
    if (items["guest"]["by"]["N"], items["door"]["opened"]["N"]) != (str(winner), str(winner)):
        raise AssertionError(f"two transactions are mixed: {items['guest']}, {items['door']}")


def moves_meanwhile(cluster, together, client):
    """An item moves from one key to another in a transaction: nobody sees it at neither place."""
    fill(client, ["here"])
    request = {"TransactItems": [
        {"Delete": {"TableName": TABLE, "Key": key("here"), "ConditionExpression": "attribute_exists(pk)"}},
        {"Put": {"TableName": TABLE, "Item": key("there"), "ConditionExpression": "attribute_not_exists(pk)"}}]}
    answers = [name_of(answer) for answer in while_locked(
        cluster, together, "here", "TransactWriteItems", [request] * len(together.clients))]
    if sorted(answers) != ["ConditionalCheckFailed+ConditionalCheckFailed"] * (len(answers) - 1) + ["done"]:
        raise AssertionError(f"the same move through each server: {answers}; whoever is second finds nothing here and all there")


def swaps(cluster, together, client):
    fill(client, ["swap"])
    request = {"TableName": TABLE, "Key": key("swap"), "UpdateExpression": "SET version = :new", **version_is(1)}
    answers = [name_of(answer) for answer in while_locked(
        cluster, together, "swap", "UpdateItem", [request] * len(together.clients))]
    if sorted(answers) != ["ConditionalCheckFailedException"] * (len(answers) - 1) + ["done"]:
        raise AssertionError(f"the same swap through each server: {answers}")


def creations(together, times):
    """Items that do not exist have no row to lock."""
    verdicts = Counter()
    for number in range(times):
        requests = [{"TableName": TABLE, "Item": {**key(f"new{number}"), "by": {"N": str(place)}},
                     "ConditionExpression": "attribute_not_exists(pk)"} for place in range(len(together.clients))]
        answers = sorted(name_of(answer) for answer in together.call("PutItem", requests)())
        verdicts["+".join(answers)] += 1
    losers = ["ConditionalCheckFailedException"] * (len(together.clients) - 1)
    if set(verdicts) != {"+".join(losers + ["done"])}:
        raise AssertionError(f"of {times} items that were created through all servers at once: {verdicts}")


def test(arguments):
    if arguments.directory:
        raise AssertionError("this test is about PostgreSQL")
    random.seed(arguments.seed)
    with Cluster(arguments, 2) as cluster:
        client = cluster.client()
        client.call("CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST",
                    KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                    AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
        wait_for_table(client, TABLE)
        together = Together(cluster)
        problems = []
        for race in (same_token, appears_meanwhile, moves_meanwhile, swaps):
            began = time.monotonic()
            try:
                race(cluster, together, client)
                say(f"{race.__name__} ({time.monotonic() - began:.1f} s): one was first")
            except AssertionError as error:
                say(f"{race.__name__}: {error}")
                problems.append(str(error))
        creations(together, 100)
        say("100 items were created through both at once, each by one")
        together.close()
        client.close()
        if problems:
            raise AssertionError("; ".join(problems))


if __name__ == "__main__":
    run_test(__doc__, test)
