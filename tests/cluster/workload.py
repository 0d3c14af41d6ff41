"""Clients that write and read one table through all servers at once, and remember every answer.

The table has registers (written, swapped, deleted, read), counters (added to) and accounts (between which transactions
move amounts, each leaving a record of itself). What must be true of it afterwards is in checks.py.
"""

import math
import random
import sys
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "crash"))

# pylint: disable=wrong-import-position
from crash_stream import StreamReader
from crash_table import Index, definition
from linearizable import Operation
from servers import Unreachable, say
from stator_process import ConnectionLost, Refused

TABLE = "Shared"
REGISTERS, COUNTERS, ACCOUNTS = 24, 4, 8
BALANCE = 1000
COLORS = ["red", "green", "blue"]
INDEXES = [
    Index("by_color", "color", "score"),
    Index("by_owner", "owner", projection="INCLUDE", included=("value",)),
]
# They say that nothing was done and that the client may try again.
SLOW_DOWN = {"ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded",
             "TransactionConflictException", "TransactionInProgressException"}


def create_request():
    return {
        "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "AttributeDefinitions": [definition("pk", "S"), definition("sk", "N"), definition("color", "S"),
                                 definition("score", "N"), definition("owner", "S")],
        "GlobalSecondaryIndexes": [index.request() for index in INDEXES],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    }


def key(family, number):
    return {"pk": {"S": family}, "sk": {"N": str(number)}}


def register(number):
    return key(f"register{number % 5}", number)


class Workload:
    """All that the clients share."""

    def __init__(self, cluster, seed, clients=6, tolerate_failures=False):
        self.cluster = cluster
        self.seed = seed
        self.tolerate_failures = tolerate_failures  # the database itself may be away: 5xx is no wonder
        self.registers = defaultdict(list)  # number → history
        self.counters = defaultdict(list)
        self.last_seen = {}  # of a register; only a guess
        self.transfers = {}  # id → (from, to, amount, whether it was acknowledged)
        self.answers = Counter()
        self.acknowledged_at = []  # moments
        self.stopping = threading.Event()
        self.stream = StreamReader(TABLE)
        self.threads = [WorkloadClient(self, number) for number in range(clients)] + [StreamFollower(self)]

    def create(self, client):
        client.call("CreateTable", **create_request())
        client.call("UpdateContinuousBackups", TableName=TABLE,
                    PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        client.call("BatchWriteItem", RequestItems={TABLE: [
            {"PutRequest": {"Item": {**key("account", number), "balance": {"N": str(BALANCE)}}}}
            for number in range(ACCOUNTS)]})

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join()
        self.raise_problem()

    def raise_problem(self):
        for thread in self.threads:
            if thread.problem:
                raise AssertionError(f"{thread.name}: {thread.problem}")

    def acknowledged(self):
        return self.answers["acknowledged"]

    def summary(self):
        return ", ".join(f"{count} {name}" for name, count in sorted(self.answers.items()))


class WorkloadThread(threading.Thread):
    """Runs steps until it is told to stop, or something is wrong."""

    def __init__(self, workload, name):
        super().__init__(name=name, daemon=True)
        self.workload = workload
        self.random = random.Random(f"{workload.seed}/{name}")
        self.caller = workload.cluster.caller()
        self.problem = None

    def run(self):
        try:
            while not self.workload.stopping.is_set():
                self.step()
        except Exception as error:  # pylint: disable=broad-exception-caught
            self.problem = f"{type(error).__name__}: {error}"
            say(f"{self.name} stops: {self.problem}")
        finally:
            self.caller.close()

    def step(self):
        raise NotImplementedError

    def any_server(self):
        return self.random.choice(self.workload.cluster.servers)


class WorkloadClient(WorkloadThread):
    def __init__(self, workload, number):
        super().__init__(workload, f"client{number}")
        self.number = number
        self.count = 0
        self.way = ""  # what the current step has sent, and where to

    def step(self):
        self.way = ""
        step = self.random.choices(
            [self.put, self.put_if, self.create, self.update, self.delete, self.delete_if, self.get, self.get_two, self.query,
             self.batch, self.transact, self.add, self.transfer, self.audit],
            [12, 10, 8, 8, 6, 6, 25, 4, 4, 6, 8, 8, 12, 3])[0]
        step()

    # What was sent, what came back.

    def send(self, operation, **request):
        """The answer, or the Refused that says that nothing was done. Raises ConnectionLost when nobody knows."""
        tally = self.workload.answers
        server = self.any_server()
        self.way += f" {operation}@{self.workload.cluster.servers.index(server)}"
        try:
            answer = self.caller.call(server, operation, **request)
        except ConnectionLost:
            tally["lost"] += 1
            raise
        except Unreachable:
            time.sleep(0.005)
            return None
        except Refused as refused:
            if refused.status >= 500:
                if not self.workload.tolerate_failures:
                    raise
                tally[f"{refused.status} {refused.kind}"] += 1
                time.sleep(0.05)
                raise ConnectionLost(operation) from refused
            if refused.kind in SLOW_DOWN:
                tally[refused.kind] += 1
                time.sleep(0.005)
            elif refused.kind not in ("ConditionalCheckFailedException", "TransactionCanceledException"):
                raise
            return refused
        tally["acknowledged"] += 1
        self.workload.acknowledged_at.append(time.monotonic())
        return answer

    def act(self, history, kind, arguments, operation, answer_of=lambda answer: None, **request):
        """One operation on one value; puts it into the value's history."""
        called = time.monotonic()
        try:
            answer = self.send(operation, TableName=TABLE, **request)
        except ConnectionLost:
            history.append(Operation.lost(called, kind, *arguments, note=self.way))
            return
        if answer is None or (isinstance(answer, Refused) and answer.kind != "ConditionalCheckFailedException"):
            return
        if isinstance(answer, Refused):
            if kind != "swap":
                raise answer
            result = False
        else:
            result = True if kind == "swap" else answer_of(answer)
        history.append(Operation(called, time.monotonic(), kind, arguments, result, self.way))

    def send_until_answered(self, **request):
        """A transaction with a token: sent through one server after the other until one knows what became of it."""
        while True:
            try:
                answer = self.send("TransactWriteItems", **request)
            except ConnectionLost:
                continue
            if answer is None or (isinstance(answer, Refused) and (answer.kind in SLOW_DOWN or is_conflict(answer))):
                # Not even a workload that is told to stop may leave it open.
                continue
            return answer

    # Registers.

    def any_register(self):
        return self.random.randrange(REGISTERS)

    def new_value(self):
        self.count += 1
        return f"{self.number}.{self.count}"

    def any_item(self, number, value):
        item = {**register(number), "value": {"S": value}, "score": {"N": str(self.random.randrange(5))}}
        if self.random.random() < 0.8:
            item["color"] = {"S": self.random.choice(COLORS)}
        if self.random.random() < 0.5:
            item["owner"] = {"S": f"owner{self.number}"}
        if self.random.random() < 0.1:
            item["note"] = {"S": "n" * self.random.choice([100, 5_000])}
        return item

    def put(self):
        number, value = self.any_register(), self.new_value()
        self.act(self.workload.registers[number], "write", (value,), "PutItem", Item=self.any_item(number, value))

    def put_if(self):
        number, value = self.any_register(), self.new_value()
        expected = self.workload.last_seen.get(number)
        if expected is None:
            return
        self.act(self.workload.registers[number], "swap", (expected, value), "PutItem", Item=self.any_item(number, value),
                 ConditionExpression="#v = :v", ExpressionAttributeNames={"#v": "value"},
                 ExpressionAttributeValues={":v": {"S": expected}})

    def create(self):
        number, value = self.any_register(), self.new_value()
        self.act(self.workload.registers[number], "swap", (None, value), "PutItem", Item=self.any_item(number, value),
                 ConditionExpression="attribute_not_exists(pk)")

    def update(self):
        number, value = self.any_register(), self.new_value()
        self.act(self.workload.registers[number], "write", (value,), "UpdateItem", Key=register(number),
                 UpdateExpression="SET #v = :v, color = :c, score = :s REMOVE #o",
                 ExpressionAttributeNames={"#v": "value", "#o": "owner"}, ExpressionAttributeValues={
                     ":v": {"S": value}, ":c": {"S": self.random.choice(COLORS)},
                     ":s": {"N": str(self.random.randrange(5))}})

    def delete(self):
        number = self.any_register()
        self.act(self.workload.registers[number], "write", (None,), "DeleteItem", Key=register(number))

    def delete_if(self):
        number = self.any_register()
        expected = self.workload.last_seen.get(number)
        if expected is None:
            return
        self.act(self.workload.registers[number], "swap", (expected, None), "DeleteItem", Key=register(number),
                 ConditionExpression="#v = :v", ExpressionAttributeNames={"#v": "value"},
                 ExpressionAttributeValues={":v": {"S": expected}})

    def seen(self, number, item):
        value = item["value"]["S"] if item else None
        self.workload.last_seen[number] = value
        return value

    def get(self):
        number = self.any_register()
        self.act(self.workload.registers[number], "read", (), "GetItem",
                 lambda answer: self.seen(number, answer.get("Item")), Key=register(number), ConsistentRead=True)

    def get_two(self):
        numbers = self.random.sample(range(REGISTERS), 2)
        called = time.monotonic()
        try:
            answer = self.send("TransactGetItems", TransactItems=[
                {"Get": {"TableName": TABLE, "Key": register(number)}} for number in numbers])
        except ConnectionLost:
            return
        if not isinstance(answer, dict):
            return
        for number, response in zip(numbers, answer["Responses"]):
            value = self.seen(number, response.get("Item"))
            self.workload.registers[number].append(Operation(called, time.monotonic(), "read", (), value, self.way))

    def query(self):
        """All registers of a partition, those that are not there too."""
        numbers = range(self.random.randrange(5), REGISTERS, 5)
        called = time.monotonic()
        try:
            answer = self.send("Query", TableName=TABLE, ConsistentRead=True, KeyConditionExpression="pk = :p",
                               ExpressionAttributeValues={":p": register(numbers[0])["pk"]})
        except ConnectionLost:
            return
        if not isinstance(answer, dict):
            return
        items = {int(item["sk"]["N"]): item for item in answer["Items"]}
        for number in numbers:
            value = self.seen(number, items.get(number))
            self.workload.registers[number].append(Operation(called, time.monotonic(), "read", (), value, self.way))

    def batch(self):
        numbers = self.random.sample(range(REGISTERS), 4)
        values = [self.new_value() if self.random.random() < 0.7 else None for _ in numbers]
        requests = [{"PutRequest": {"Item": self.any_item(number, value)}} if value
                    else {"DeleteRequest": {"Key": register(number)}} for number, value in zip(numbers, values)]
        called = time.monotonic()
        try:
            answer = self.send("BatchWriteItem", RequestItems={TABLE: requests})
        except ConnectionLost:
            for number, value in zip(numbers, values):
                self.workload.registers[number].append(Operation.lost(called, "write", value, note=self.way))
            return
        if not isinstance(answer, dict):
            return
        left = answer.get("UnprocessedItems", {}).get(TABLE, [])
        for number, value, request in zip(numbers, values, requests):
            if request not in left:
                self.workload.registers[number].append(Operation(called, time.monotonic(), "write", (value,), None, self.way))

    def transact(self):
        """Puts one register, deletes another, swaps a third."""
        put, deleted, swapped = self.random.sample(range(REGISTERS), 3)
        value, new = self.new_value(), self.new_value()
        expected = self.workload.last_seen.get(swapped)
        condition = ({"ConditionExpression": "#v = :v", "ExpressionAttributeNames": {"#v": "value"},
                      "ExpressionAttributeValues": {":v": {"S": expected}}} if expected
                     else {"ConditionExpression": "attribute_not_exists(pk)"})
        called = time.monotonic()
        answer = self.send_until_answered(ClientRequestToken=self.token(value), TransactItems=[
            {"Put": {"TableName": TABLE, "Item": self.any_item(put, value)}},
            {"Delete": {"TableName": TABLE, "Key": register(deleted)}},
            {"Put": {"TableName": TABLE, "Item": self.any_item(swapped, new), **condition}}])
        done = not isinstance(answer, Refused)
        if not done and [reason["Code"] for reason in answer.body["CancellationReasons"]] != [
                "None", "None", "ConditionalCheckFailed"]:
            raise answer
        answered = time.monotonic()
        registers = self.workload.registers
        registers[swapped].append(Operation(called, answered, "swap", (expected, new), done, self.way))
        if done:
            registers[put].append(Operation(called, answered, "write", (value,), None, self.way))
            registers[deleted].append(Operation(called, answered, "write", (None,), None, self.way))

    def token(self, name):
        return f"{self.workload.seed}-{name}"

    # Counters and accounts.

    def add(self):
        number = self.random.randrange(COUNTERS)
        self.act(self.workload.counters[number], "add", (1,), "UpdateItem",
                 lambda answer: int(answer["Attributes"]["total"]["N"]), Key=key("counter", number),
                 UpdateExpression="ADD #t :one SET color = :c", ExpressionAttributeNames={"#t": "total"},
                 ExpressionAttributeValues={":one": {"N": "1"}, ":c": {"S": self.random.choice(COLORS)}},
                 ReturnValues="UPDATED_NEW")

    def transfer(self):
        giver, taker = self.random.sample(range(ACCOUNTS), 2)
        amount = self.random.randrange(1, 300)
        self.count += 1
        name = self.number * 1_000_000 + self.count
        record = {**key("transfer", name), "color": {"S": "gold"}, "score": {"N": str(amount)},
                  "giver": {"N": str(giver)}, "taker": {"N": str(taker)}}
        value = {":m": {"N": str(amount)}}
        request = {"ClientRequestToken": self.token(f"transfer{name}"), "TransactItems": [
            {"Update": {"TableName": TABLE, "Key": key("account", giver), "UpdateExpression": "SET balance = balance - :m",
                        "ConditionExpression": "balance >= :m", "ExpressionAttributeValues": value}},
            {"Update": {"TableName": TABLE, "Key": key("account", taker), "UpdateExpression": "SET balance = balance + :m",
                        "ExpressionAttributeValues": value}},
            {"Put": {"TableName": TABLE, "Item": record, "ConditionExpression": "attribute_not_exists(pk)"}}]}
        answer = self.send_until_answered(**request)
        done = not isinstance(answer, Refused)
        if not done and [reason["Code"] for reason in answer.body["CancellationReasons"]] != [
                "ConditionalCheckFailed", "None", "None"]:
            raise answer
        self.workload.transfers[name] = (giver, taker, amount, done)
        if done and self.random.random() < 0.3:
            # Once more, through whichever server: its token says that it is done.
            again = self.send_until_answered(**request)
            if isinstance(again, Refused):
                raise again
            self.workload.answers["tokens sent again"] += 1

    def audit(self):
        """All accounts at one moment."""
        try:
            answer = self.send("TransactGetItems", TransactItems=[
                {"Get": {"TableName": TABLE, "Key": key("account", number)}} for number in range(ACCOUNTS)])
        except ConnectionLost:
            return
        if not isinstance(answer, dict):
            return
        total = sum(int(response["Item"]["balance"]["N"]) for response in answer["Responses"])
        if total != ACCOUNTS * BALANCE:
            raise AssertionError(f"for a moment the accounts have {total}, not {ACCOUNTS * BALANCE}")


def is_conflict(refused):
    """Cancelled because others were faster, and nothing else: it may be sent again."""
    codes = {reason["Code"] for reason in refused.body.get("CancellationReasons", [])}
    return "TransactionConflict" in codes and codes <= {"None", "TransactionConflict"}


class AnyServer:
    """Reads through whichever server answers."""

    def __init__(self, thread):
        self.thread = thread
        self.stop_at = math.inf

    def call(self, operation, **request):
        while time.monotonic() < self.stop_at:
            try:
                return self.thread.caller.call(self.thread.any_server(), operation, **request)
            except (ConnectionLost, Unreachable):
                time.sleep(0.005)
            except Refused as refused:
                if refused.kind not in SLOW_DOWN and not (
                        refused.status >= 500 and self.thread.workload.tolerate_failures):
                    raise
                time.sleep(0.05)
        raise AssertionError(f"no server answers {operation}")


class StreamFollower(WorkloadThread):
    """Reads the stream while it is written, each page through another server."""

    def __init__(self, workload):
        super().__init__(workload, "stream")
        self.servers = AnyServer(self)

    def step(self):
        self.workload.stream.read_on(self.servers)
        time.sleep(0.05)
