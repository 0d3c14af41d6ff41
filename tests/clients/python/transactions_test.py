"""Transactions through boto3: cancellation reasons, tokens, and clients that move amounts at the same time."""

import random
import threading
import uuid

from connect import Suite, client, create_table

TABLE = "transactions"
ACCOUNTS = 8
START_AMOUNT = 100


def key(pk):
    return {"pk": {"S": pk}}


def put(pk, **request):
    return {"Put": {"TableName": TABLE, "Item": key(pk), **request}}


def add(pk, amount, **request):
    values = {":a": {"N": str(amount)}, **request.pop("values", {})}
    return {"Update": {
        "TableName": TABLE, "Key": key(pk), "UpdateExpression": "ADD amount :a",
        "ExpressionAttributeValues": values, **request}}


def amount_of(pk):
    item = client.get_item(TableName=TABLE, Key=key(pk), ConsistentRead=True).get("Item", {})
    return int(item.get("amount", {"N": "0"})["N"])


class Transactions(Suite):
    @classmethod
    def setUpClass(cls):
        create_table(TABLE, ["pk"])

    def test_a_cancelled_transaction_names_a_reason_for_every_action(self):
        client.transact_write_items(TransactItems=[put("there")])
        error = self.assert_fails(
            "TransactionCanceledException", "[None, None, ValidationError]",
            client.transact_write_items, TransactItems=[
                put("new"),
                put("there", ConditionExpression="attribute_not_exists(pk)",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD"),
                {"Delete": {"TableName": TABLE, "Key": {"pk": {"N": "1"}}}}])
        self.assertIsInstance(error, client.exceptions.TransactionCanceledException)
        self.assertEqual(error.response["CancellationReasons"], [
            {"Code": "None"},
            {"Code": "None"},
            {"Code": "ValidationError", "Message": "The provided key element does not match the schema"}])
        answer = client.transact_get_items(TransactItems=[
            {"Get": {"TableName": TABLE, "Key": key("new")}}, {"Get": {"TableName": TABLE, "Key": key("there")}}])
        self.assertEqual(answer["Responses"], [{}, {"Item": key("there")}])

    def test_a_token_makes_a_transaction_happen_once(self):
        request = {"TransactItems": [add("once", 5)], "ClientRequestToken": str(uuid.uuid4()),
                   "ReturnConsumedCapacity": "TOTAL"}
        first = client.transact_write_items(**request)["ConsumedCapacity"]
        self.assertEqual(first, [{"TableName": TABLE, "CapacityUnits": 2.0, "WriteCapacityUnits": 2.0}])
        again = client.transact_write_items(**request)["ConsumedCapacity"]
        self.assertEqual(again, [{"TableName": TABLE, "CapacityUnits": 2.0, "ReadCapacityUnits": 2.0}])
        self.assertEqual(amount_of("once"), 5)
        self.assert_fails(
            "IdempotentParameterMismatchException", "token", client.transact_write_items,
            TransactItems=[add("once", 6)], ClientRequestToken=request["ClientRequestToken"])

    def test_nobody_sees_an_amount_on_its_way(self):
        names = [f"account{number}" for number in range(ACCOUNTS)]
        client.transact_write_items(TransactItems=[add(name, START_AMOUNT) for name in names])
        problems = []
        done = threading.Event()

        def move(seed):
            choice = random.Random(seed)
            try:
                for _ in range(60):
                    source, target = choice.sample(names, 2)
                    amount = choice.randrange(30)
                    try:
                        client.transact_write_items(TransactItems=[
                            add(source, -amount, ConditionExpression="amount >= :least",
                                values={":least": {"N": str(amount)}}),
                            add(target, amount)])
                    except client.exceptions.TransactionCanceledException as error:
                        codes = [reason["Code"] for reason in error.response["CancellationReasons"]]
                        if codes != ["ConditionalCheckFailed", "None"]:
                            raise
            except Exception as error:  # told by the main thread
                problems.append(error)

        def watch():
            try:
                while not done.is_set():
                    answer = client.transact_get_items(
                        TransactItems=[{"Get": {"TableName": TABLE, "Key": key(name)}} for name in names])
                    total = sum(int(entry["Item"]["amount"]["N"]) for entry in answer["Responses"])
                    self.assertEqual(total, ACCOUNTS * START_AMOUNT)
            except Exception as error:  # told by the main thread
                problems.append(error)

        movers = [threading.Thread(target=move, args=(seed,)) for seed in range(4)]
        watcher = threading.Thread(target=watch)
        for thread in [*movers, watcher]:
            thread.start()
        for thread in movers:
            thread.join()
        done.set()
        watcher.join()
        self.assertEqual(problems, [])
        self.assertEqual(sum(amount_of(name) for name in names), ACCOUNTS * START_AMOUNT)
