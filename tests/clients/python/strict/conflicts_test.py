"""Against a server with --conflicts strict: who meets a running transaction is refused, and tries again."""

import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# pylint: disable=wrong-import-position
from connect import Suite, client, create_table

TABLE = "conflicts"
THREADS = 6
ROUNDS_MAX = 50


def update(pk):
    return {"TableName": TABLE, "Key": {"pk": {"S": pk}}, "UpdateExpression": "ADD hits :one",
            "ExpressionAttributeValues": {":one": {"N": "1"}}}


class Conflicts(Suite):
    @classmethod
    def setUpClass(cls):
        create_table(TABLE, ["pk"])

    def test_what_is_refused_has_not_happened(self):
        conflicts = []
        problems = []

        def persist(call, **request):
            while True:
                try:
                    return call(**request)
                except client.exceptions.TransactionConflictException as error:
                    conflicts.append(error.response["Error"]["Message"])
                except client.exceptions.TransactionCanceledException as error:
                    conflicts.append(error.response["CancellationReasons"][0]["Message"])

        def work():
            try:
                for _ in range(5):
                    persist(client.transact_write_items, TransactItems=[{"Update": update("hot")}])
                    persist(client.update_item, **update("hot"))
            except Exception as error:  # told by the main thread
                problems.append(error)

        rounds = 0
        while not conflicts and not problems and rounds < ROUNDS_MAX:
            rounds += 1
            threads = [threading.Thread(target=work) for _ in range(THREADS)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(problems, [])
        self.assertEqual(set(conflicts), {"Transaction is ongoing for the item"})
        item = client.get_item(TableName=TABLE, Key={"pk": {"S": "hot"}}, ConsistentRead=True)["Item"]
        self.assertEqual(int(item["hits"]["N"]), rounds * THREADS * 10)
