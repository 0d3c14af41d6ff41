"""Two pipeline tables, a sparse index, tables, tags and pages, from the command line."""

import json

from aws_cli import Suite, item


def index(name, *keys, projection="ALL"):
    schema = [
        {"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"))
    ]
    return {"IndexName": name, "KeySchema": schema, "Projection": {"ProjectionType": projection}}


def definitions(**types):
    return [f"AttributeName={name},AttributeType={kind}" for name, kind in types.items()]


class Pipeline(Suite):
    def test_jobs_are_claimed_once_and_batches_collect_files(self):
        self.create_table(
            "data-download-jobs", ["FileID"],
            "--attribute-definitions", *definitions(FileID="S", Status="S", StatusUpdatedAt="N", BatchID="S"),
            "--global-secondary-indexes", json.dumps([
                index("StatusIndex", "Status", "StatusUpdatedAt"), index("BatchIndex", "BatchID", "Status")]))
        for entity, at in (("ledger", 1000), ("accounts", 999)):
            self.aws("put-item", "--table-name", "data-download-jobs", "--item", item(
                FileID=f"{entity}-2026-02-28", BatchID="b1", Status="available", StatusUpdatedAt=at),
                "--condition-expression", "attribute_not_exists(FileID)")
        names = ("--expression-attribute-names", '{"#s": "Status"}')
        claim = (
            "update-item", "--table-name", "data-download-jobs", "--key", item(FileID="ledger-2026-02-28"),
            "--update-expression", "SET #s = :d, StatusUpdatedAt = :at", "--condition-expression", "#s = :a",
            *names, "--expression-attribute-values", item(**{":d": "downloading", ":a": "available", ":at": 5}),
        )
        self.aws(*claim)
        self.assert_fails("ConditionalCheckFailedException", "", *claim)
        page = self.aws(
            "query", "--table-name", "data-download-jobs", "--index-name", "StatusIndex",
            "--key-condition-expression", "#s = :s AND StatusUpdatedAt < :t", *names,
            "--expression-attribute-values", item(**{":s": "downloading", ":t": 6}))
        self.assertEqual([one["FileID"]["S"] for one in page["Items"]], ["ledger-2026-02-28"])
        page = self.aws(
            "query", "--table-name", "data-download-jobs", "--index-name", "BatchIndex",
            "--key-condition-expression", "BatchID = :b", "--select", "COUNT",
            "--expression-attribute-values", item(**{":b": "b1"}))
        self.assertEqual(page["Count"], 2)

        self.create_table(
            "data-download-batches", ["BatchID"],
            "--attribute-definitions", *definitions(BatchID="S", PollingDate="S", Status="S"),
            "--global-secondary-indexes", json.dumps([index("PollingDateIndex", "PollingDate", "Status")]))
        self.aws("put-item", "--table-name", "data-download-batches", "--item", item(
            BatchID="b1", PollingDate="2026-02-28", Status="timeout"))
        answer = self.aws(
            "update-item", "--table-name", "data-download-batches", "--key", item(BatchID="b1"),
            "--update-expression", "ADD CompletedFiles :f",
            "--expression-attribute-values", '{":f": {"SS": ["b", "a"]}}', "--return-values", "UPDATED_NEW")
        self.assertEqual(answer["Attributes"], {"CompletedFiles": {"SS": ["a", "b"]}})
        page = self.aws(
            "query", "--table-name", "data-download-batches", "--index-name", "PollingDateIndex",
            "--key-condition-expression", "PollingDate = :d AND #s = :s", *names,
            "--expression-attribute-values", item(**{":d": "2026-02-28", ":s": "timeout"}))
        self.assertEqual(page["Count"], 1)


class SparseIndex(Suite):
    def test_a_call_enters_and_leaves_the_index(self):
        self.create_table(
            "PhoneCalls", ["CallId"],
            "--attribute-definitions", *definitions(CallId="S", GSI_Recon_PK="S", GSI_Recon_SK="S"),
            "--global-secondary-indexes", json.dumps([
                index("ReconciliationIndex", "GSI_Recon_PK", "GSI_Recon_SK", projection="KEYS_ONLY")]))
        key = ("--table-name", "PhoneCalls", "--key", item(CallId="c1"))

        def found():
            return self.aws(
                "query", "--table-name", "PhoneCalls", "--index-name", "ReconciliationIndex",
                "--key-condition-expression", "GSI_Recon_PK = :s AND GSI_Recon_SK > :t",
                "--expression-attribute-values", item(**{":s": "STATUS#PENDING", ":t": "2023-10-20T00:00:00Z"}),
            )["Count"]

        self.aws(
            "update-item", *key, "--update-expression", "SET GSI_Recon_PK = :p, GSI_Recon_SK = :s",
            "--expression-attribute-values",
            item(**{":p": "STATUS#PENDING", ":s": "2023-10-27T08:00:00Z#TENANT-123"}))
        self.assertEqual(found(), 1)
        self.aws("update-item", *key, "--update-expression", "REMOVE GSI_Recon_PK, GSI_Recon_SK")
        self.assertEqual(found(), 0)
        self.assertEqual(self.aws("get-item", *key)["Item"], {"CallId": {"S": "c1"}})
        self.assert_fails(
            "ValidationException", "Type mismatch for Index Key GSI_Recon_PK Expected: S Actual: NULL",
            "put-item", "--table-name", "PhoneCalls",
            "--item", '{"CallId": {"S": "c2"}, "GSI_Recon_PK": {"NULL": true}}')
        self.assert_fails(
            "ValidationException", "cannot contain an empty string value",
            "put-item", "--table-name", "PhoneCalls",
            "--item", '{"CallId": {"S": "c2"}, "GSI_Recon_PK": {"S": ""}}')


class Tables(Suite):
    def test_a_table_comes_is_paged_tagged_and_goes(self):
        self.create_table("paged", ["pk"], "--attribute-definitions", *definitions(pk="S"))
        self.aws("batch-write-item", "--request-items", json.dumps({"paged": [
            {"PutRequest": {"Item": {"pk": {"S": f"k{number}"}}}} for number in range(25)]}))
        # The CLI itself follows LastEvaluatedKey from page to page.
        page = self.aws("scan", "--table-name", "paged", "--page-size", "4")
        self.assertEqual(len({one["pk"]["S"] for one in page["Items"]}), 25)
        part = self.aws("scan", "--table-name", "paged", "--max-items", "10")
        rest = self.aws("scan", "--table-name", "paged", "--starting-token", part["NextToken"])
        self.assertEqual(len(part["Items"]) + len(rest["Items"]), 25)

        arn = self.aws("describe-table", "--table-name", "paged")["Table"]["TableArn"]
        self.aws("tag-resource", "--resource-arn", arn, "--tags", "Key=team,Value=blue")
        self.assertEqual(
            self.aws("list-tags-of-resource", "--resource-arn", arn)["Tags"],
            [{"Key": "team", "Value": "blue"}])
        self.assertIn("paged", self.aws("list-tables")["TableNames"])
        self.assertEqual(self.aws("describe-limits")["TableMaxReadCapacityUnits"], 40_000)
        self.aws("delete-table", "--table-name", "paged")
        self.aws("wait", "table-not-exists", "--table-name", "paged")
        self.assert_fails(
            "ResourceNotFoundException", "Table: paged not found", "describe-table", "--table-name", "paged")
