"""A transaction whose answer may be lost: it has happened as a whole or not at all, and asking again with its token
makes it happen exactly once."""

from crash_table import TABLE, key_of


class Transaction:
    def __init__(self, token):
        self.token = token
        self.actions = []
        self.changes = []  # known item, as it was, as it shall be

    def put(self, known, item):
        self.actions.append({"Put": {"TableName": TABLE, "Item": item}})
        self._change(known, item)

    def delete(self, known):
        self.actions.append({"Delete": {"TableName": TABLE, "Key": known.key}})
        self._change(known, None)

    def increment_version(self, known):
        """The change that shows when a transaction has happened twice."""
        before = known.acknowledged or known.key
        version = int(before.get("version", {"N": "0"})["N"]) + 1
        self.actions.append({"Update": {
            "TableName": TABLE, "Key": known.key, "UpdateExpression": "ADD #v :one",
            "ExpressionAttributeNames": {"#v": "version"}, "ExpressionAttributeValues": {":one": {"N": "1"}}}})
        self._change(known, {**before, "version": {"N": str(version)}})

    def check(self, known):
        exists = "attribute_exists" if known.acknowledged else "attribute_not_exists"
        self.actions.append({"ConditionCheck": {
            "TableName": TABLE, "Key": known.key, "ConditionExpression": f"{exists}(pk)"}})

    def _change(self, known, after):
        self.changes.append((known, known.acknowledged, after))

    def send(self, client):
        for known, _, after in self.changes:
            known.in_flight = after
        client.call("TransactWriteItems", TransactItems=self.actions, ClientRequestToken=self.token)
        for known, _, after in self.changes:
            known.settle(after)

    def check_whole(self, stored):
        found = [stored.get(key_of(known.key)) for known, _, _ in self.changes]
        if found not in ([before for _, before, _ in self.changes], [after for _, _, after in self.changes]):
            raise AssertionError(f"a part of a transaction is there:\n  {found}\nof\n  {self.changes}")
