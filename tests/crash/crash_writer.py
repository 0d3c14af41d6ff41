"""A connection that writes its own items until the server is gone, and knows what must be there afterwards."""

import random
import threading

from crash_table import TABLE
from crash_transaction import Transaction
from stator_process import Client, ConnectionLost, Refused

KEYS_PER_WRITER = 12
COLORS = ["red", "green", "blue", "grey"]
ZONES = ["north", "south"]
UNKNOWN = object()


class KnownItem:
    """What is known of one key: what was acknowledged last, and what may have been written since."""

    def __init__(self, pk, sk):
        self.key = {"pk": {"S": pk}, "sk": {"N": str(sk)}}
        self.acknowledged = None  # the item, None when there is none
        self.in_flight = UNKNOWN  # what a write without an answer would have left

    def allows(self, stored):
        return stored == self.acknowledged or (self.in_flight is not UNKNOWN and stored == self.in_flight)

    def settle(self, stored):
        self.acknowledged = stored
        self.in_flight = UNKNOWN


class Writer:
    def __init__(self, number, seed):
        self.number = number
        self.random = random.Random(f"{seed}/{number}")
        self.items = [KnownItem(f"writer{number}", sk) for sk in range(KEYS_PER_WRITER)]
        self.version = 0
        self.transaction = None  # one without an answer
        self.transaction_count = 0
        self.acknowledged_count = 0
        self.problem = None
        self.thread = None
        self.client = None

    def start(self, port):
        self.thread = threading.Thread(target=self._run, args=(port,))
        self.thread.start()

    def join(self):
        if self.thread:
            self.thread.join()

    def _run(self, port):
        self.client = Client(port)
        try:
            if self.transaction:
                self._send_transaction()
            while True:
                self._write()
        except ConnectionLost:
            pass
        except Exception as error:  # told by the main thread
            self.problem = f"{type(error).__name__}: {error}"
        finally:
            self.client.close()

    def _write(self):
        write = self.random.choices(
            [self._put, self._put_new, self._put_next_version, self._move, self._leave_indexes, self._delete,
             self._batch, self._transact],
            [20, 10, 15, 25, 10, 10, 10, 20])[0]
        write(self.random.choice(self.items))

    def _any_item(self, known):
        self.version += 1
        item = {**known.key, "version": {"N": str(self.version)}}
        choices = {
            "score": {"N": str(self.random.randrange(-5, 6))},
            "color": {"S": self.random.choice(COLORS)},
            "flag": {"S": "on"},
            "zone": {"S": self.random.choice(ZONES)},
            "note": {"S": "n" * self.random.choice([0, 5, 200, 3000])},
        }
        for name, value in choices.items():
            if self.random.random() < (0.3 if name == "flag" else 0.7):
                item[name] = value
        return item

    def _expect(self, known, after, operation, **request):
        """A write that must succeed and leave `after`."""
        known.in_flight = after
        self.client.call(operation, TableName=TABLE, **request)
        known.settle(after)
        self.acknowledged_count += 1

    def _expect_failed_condition(self, operation, **request):
        try:
            self.client.call(operation, TableName=TABLE, **request)
        except Refused as refused:
            if refused.kind != "ConditionalCheckFailedException":
                raise
        else:
            raise AssertionError(f"{operation} went through although its condition is false: {request}")

    def _put(self, known):
        item = self._any_item(known)
        self._expect(known, item, "PutItem", Item=item)

    def _put_new(self, known):
        item = self._any_item(known)
        request = {"Item": item, "ConditionExpression": "attribute_not_exists(pk)"}
        if known.acknowledged is None:
            self._expect(known, item, "PutItem", **request)
        else:
            self._expect_failed_condition("PutItem", **request)

    def _put_next_version(self, known):
        if known.acknowledged is None:
            return self._put_new(known)
        item = self._any_item(known)
        self._expect(known, item, "PutItem", Item=item, ConditionExpression="version = :v",
                     ExpressionAttributeValues={":v": known.acknowledged["version"]})

    def _move(self, known):
        """Moves the item in every index."""
        self.version += 1
        moved = {
            "color": {"S": self.random.choice(COLORS)},
            "score": {"N": str(self.random.randrange(-5, 6))},
            "zone": {"S": self.random.choice(ZONES)},
            "version": {"N": str(self.version)},
        }
        after = {**(known.acknowledged or known.key), **moved}
        self._expect(
            known, after, "UpdateItem", Key=known.key,
            UpdateExpression="SET " + ", ".join(f"#{name} = :{name}" for name in moved),
            ExpressionAttributeNames={f"#{name}": name for name in moved},
            ExpressionAttributeValues={f":{name}": value for name, value in moved.items()})

    def _leave_indexes(self, known):
        gone = ["color", "flag", "zone"]
        before = known.acknowledged or known.key
        after = {name: value for name, value in before.items() if name not in gone}
        after["version"] = {"N": str(int(after.get("version", {"N": "0"})["N"]) + 1)}
        self._expect(
            known, after, "UpdateItem", Key=known.key, UpdateExpression="REMOVE #c, #f, #z ADD #v :one",
            ExpressionAttributeNames={"#c": "color", "#f": "flag", "#z": "zone", "#v": "version"},
            ExpressionAttributeValues={":one": {"N": "1"}})

    def _delete(self, known):
        self._expect(known, None, "DeleteItem", Key=known.key)

    def _batch(self, _):
        chosen = self.random.sample(self.items, 4)
        afters = [self._any_item(known) if self.random.random() < 0.7 else None for known in chosen]
        requests = []
        for known, after in zip(chosen, afters):
            known.in_flight = after
            requests.append({"PutRequest": {"Item": after}} if after else {"DeleteRequest": {"Key": known.key}})
        answer = self.client.call("BatchWriteItem", RequestItems={TABLE: requests})
        if answer["UnprocessedItems"]:
            raise AssertionError("BatchWriteItem left items unprocessed")
        for known, after in zip(chosen, afters):
            known.settle(after)
        self.acknowledged_count += len(chosen)

    def _transact(self, _):
        put, deleted, incremented, checked = self.random.sample(self.items, 4)
        self.transaction_count += 1
        self.transaction = Transaction(f"{self.number}/{self.transaction_count}")
        self.transaction.put(put, self._any_item(put))
        self.transaction.delete(deleted)
        self.transaction.increment_version(incremented)
        self.transaction.check(checked)
        self._send_transaction()

    def _send_transaction(self):
        self.transaction.send(self.client)
        self.acknowledged_count += len(self.transaction.changes)
        self.transaction = None
