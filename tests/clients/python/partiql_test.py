"""PartiQL through boto3: the client, the resource's batches, the paginator-like loop over NextToken."""

from decimal import Decimal

from connect import Suite, client, create_table, resource

TABLE = "partiql"


def run(statement, *parameters, **request):
    if parameters:
        request["Parameters"] = list(parameters)
    return client.execute_statement(Statement=statement, **request)


class PartiQL(Suite):
    @classmethod
    def setUpClass(cls):
        cls.table = create_table(TABLE, ["pk", "sk:N"], {"byName": ["name"]})

    def test_a_statement_of_each_kind(self):
        self.assertEqual(run(f"INSERT INTO {TABLE} VALUE {{'pk': 'k', 'sk': 1, 'tags': <<'a', 'b'>>}}")["Items"], [])
        run(f"UPDATE {TABLE} SET n = 1 SET tags = set_delete(tags, <<'a'>>) WHERE pk = 'k' AND sk = 1")
        self.assertEqual(
            run(f"SELECT * FROM {TABLE} WHERE pk = ? AND sk >= ?", {"S": "k"}, {"N": "0"})["Items"],
            [{"pk": {"S": "k"}, "sk": {"N": "1"}, "tags": {"SS": ["b"]}, "n": {"N": "1"}}])
        deleted = run(f"DELETE FROM {TABLE} WHERE pk = 'k' AND sk = 1 RETURNING ALL OLD *")
        self.assertEqual(deleted["Items"][0]["n"], {"N": "1"})
        self.assertEqual(run(f"SELECT * FROM {TABLE} WHERE pk = 'k'")["Items"], [])

    def test_the_resource_takes_python_values(self):
        resource.meta.client.execute_statement(
            Statement=f"INSERT INTO {TABLE} VALUE {{'pk': ?, 'sk': ?, 'm': ?}}",
            Parameters=["python", Decimal("0.5"), {"list": [None, True]}])
        page = resource.meta.client.execute_statement(
            Statement=f"SELECT m FROM {TABLE} WHERE pk = 'python'", ConsistentRead=True)
        self.assertEqual(page["Items"], [{"m": {"list": [None, True]}}])

    def test_errors_have_their_classes(self):
        insert = f"INSERT INTO {TABLE} VALUE {{'pk': 'dup', 'sk': 1}}"
        run(insert)
        error = self.assert_fails("DuplicateItemException", "Duplicate primary key", run, insert)
        self.assertIsInstance(error, client.exceptions.DuplicateItemException)
        self.assert_fails(
            "ConditionalCheckFailedException", "The conditional request failed",
            run, f"DELETE FROM {TABLE} WHERE pk = 'dup' AND sk = 1 AND x = 1")
        self.assert_fails("ValidationException", "can't be processed", run, "SLECT * FROM x")
        self.assert_fails("ResourceNotFoundException", "not found", run, "SELECT * FROM nowhere")

    def test_pages_of_an_index(self):
        for number in range(5):
            run(f"INSERT INTO {TABLE} VALUE {{'pk': ?, 'sk': 1, 'name': 'paged'}}", {"S": f"page{number}"})
        seen, token = [], {}
        while True:
            page = run(f"SELECT pk FROM {TABLE}.byName WHERE name = 'paged'", Limit=2, **token)
            seen += [item["pk"]["S"] for item in page["Items"]]
            if "NextToken" not in page:
                break
            token = {"NextToken": page["NextToken"]}
        self.assertEqual(sorted(seen), [f"page{number}" for number in range(5)])

    def test_a_batch_has_an_answer_a_statement(self):
        statements = [{"Statement": f"INSERT INTO {TABLE} VALUE {{'pk': ?, 'sk': 1}}", "Parameters": [{"S": pk}]}
                      for pk in ("b1", "b2")]
        client.batch_execute_statement(Statements=statements[:1])
        answer = client.batch_execute_statement(Statements=statements, ReturnConsumedCapacity="TOTAL")
        self.assertEqual(answer["Responses"][0]["Error"]["Code"], "DuplicateItem")
        self.assertEqual(answer["Responses"][1], {"TableName": TABLE})
        self.assertEqual(answer["ConsumedCapacity"], [{"TableName": TABLE, "CapacityUnits": 2.0}])
        reads = client.batch_execute_statement(Statements=[
            {"Statement": f"SELECT * FROM {TABLE} WHERE pk = 'b1' AND sk = 1", "ConsistentRead": True},
            {"Statement": f"SELECT * FROM {TABLE} WHERE pk = 'b1'"}])
        self.assertEqual(reads["Responses"][0]["Item"]["pk"], {"S": "b1"})
        self.assertEqual(reads["Responses"][1]["Error"]["Code"], "ValidationError")

    def test_a_transaction_is_cancelled_as_a_whole(self):
        run(f"INSERT INTO {TABLE} VALUE {{'pk': 'tx', 'sk': 1}}")
        statements = [f"INSERT INTO {TABLE} VALUE {{'pk': 'tx', 'sk': {sk}}}" for sk in (2, 1)]
        error = self.assert_fails(
            "TransactionCanceledException", "[None, DuplicateItem]", client.execute_transaction,
            TransactStatements=[{"Statement": statement} for statement in statements])
        self.assertEqual(error.response["CancellationReasons"], [
            {"Code": "None"},
            {"Code": "DuplicateItem", "Message": "Duplicate primary key exists in table"}])
        answer = client.execute_transaction(TransactStatements=[
            {"Statement": f"SELECT * FROM {TABLE} WHERE pk = 'tx' AND sk = {sk}"} for sk in (1, 2)])
        self.assertEqual(answer["Responses"], [{"Item": {"pk": {"S": "tx"}, "sk": {"N": "1"}}}, {}])
