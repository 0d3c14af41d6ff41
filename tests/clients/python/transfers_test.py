"""Exports, imports and bulk operations through boto3; what boto3 does not know yet goes over plain HTTP."""

import gzip
import json
import os
import time
import urllib.request
from pathlib import Path

from connect import OPTIONS, Suite, client, clock, create_table, resource

BUCKETS = Path(os.environ["STATOR_S3_ROOT"])
OVER = {"COMPLETED", "COMPLETED_WITH_ERRORS", "FAILED", "CANCELLED"}
WAIT_SECONDS_MAX = 60

AUTHORIZATION = ("AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
                 "SignedHeaders=host;x-amz-date, Signature=0")


def call(operation, **request):
    """An operation that this boto3 has no method for."""
    answer = urllib.request.urlopen(urllib.request.Request(
        OPTIONS["endpoint_url"], data=json.dumps(request).encode(), headers={
            "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "X-Amz-Date": "20260101T000000Z", "Authorization": AUTHORIZATION}))
    return json.load(answer)


def wait_for(describe, status):
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    while (described := describe())[status] not in OVER:
        if time.monotonic() > deadline:
            raise AssertionError(f"not over: {described}")
        time.sleep(0.05)
    return described


def wait_for_export(arn):
    return wait_for(lambda: client.describe_export(ExportArn=arn)["ExportDescription"], "ExportStatus")


def wait_for_import(arn):
    return wait_for(lambda: client.describe_import(ImportArn=arn)["ImportTableDescription"], "ImportStatus")


def fill(name, count=80):
    table = create_table(name, ["pk"])
    with table.batch_writer() as batch:
        for number in range(count):
            batch.put_item(Item={"pk": f"{number:04}", "number": number, "tags": {"a", "b"}, "deep": {"list": [1, None]}})
    client.update_continuous_backups(
        TableName=name, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
    return client.describe_table(TableName=name)["Table"]["TableArn"]


def table_parameters(name):
    return {"TableName": name, "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}


def items_of(name):
    return sorted(resource.Table(name).scan()["Items"], key=lambda item: item["pk"])


class Transfers(Suite):
    def test_a_table_is_exported_and_imported_again(self):
        for export_format in ("DYNAMODB_JSON", "ION"):
            name = f"export-{export_format.replace('_', '-')}"
            arn = fill(name)
            export = client.export_table_to_point_in_time(
                TableArn=arn, S3Bucket="py-exports", S3Prefix=name, ExportFormat=export_format)["ExportDescription"]
            self.assertEqual(export["ExportStatus"], "IN_PROGRESS")
            export = wait_for_export(export["ExportArn"])
            self.assertEqual(export["ExportStatus"], "COMPLETED", export)
            self.assertEqual(export["ItemCount"], 80)
            summary = json.loads((BUCKETS / "py-exports" / export["ExportManifest"]).read_text())
            self.assertEqual(summary["itemCount"], 80)
            files = (BUCKETS / "py-exports" / summary["manifestFilesS3Key"]).read_text().splitlines()
            keys = [json.loads(line)["dataFileS3Key"] for line in files]
            lines = [line for key in keys
                     for line in gzip.decompress((BUCKETS / "py-exports" / key).read_bytes()).splitlines()]
            self.assertEqual(len([line for line in lines if line.strip()]), 80)

            imported = client.import_table(
                S3BucketSource={"S3Bucket": "py-exports", "S3KeyPrefix": os.path.dirname(keys[0]) + "/"},
                InputFormat=export_format, InputCompressionType="GZIP",
                TableCreationParameters=table_parameters(name + "-copy"))["ImportTableDescription"]
            imported = wait_for_import(imported["ImportArn"])
            self.assertEqual(imported["ImportStatus"], "COMPLETED", imported)
            self.assertEqual(imported["ImportedItemCount"], 80)
            self.assertEqual(items_of(name + "-copy"), items_of(name))

    def test_exports_and_imports_are_listed_page_by_page(self):
        arn = fill("export-list", 1)
        arns = []
        for _ in range(3):
            time.sleep(0.002)
            arns.append(client.export_table_to_point_in_time(TableArn=arn, S3Bucket="py-list")["ExportDescription"]["ExportArn"])
        for export in arns:
            wait_for_export(export)
        pages = client.get_paginator("list_exports").paginate(TableArn=arn, PaginationConfig={"PageSize": 2}) \
            if client.can_paginate("list_exports") else [client.list_exports(TableArn=arn)]
        self.assertEqual([export["ExportArn"] for page in pages for export in page["ExportSummaries"]], arns)

    def test_a_client_token_stands_for_one_request(self):
        arn = fill("export-token", 1)
        request = {"TableArn": arn, "S3Bucket": "py-token", "ClientToken": "export-token"}
        first = client.export_table_to_point_in_time(**request)["ExportDescription"]["ExportArn"]
        self.assertEqual(client.export_table_to_point_in_time(**request)["ExportDescription"]["ExportArn"], first)
        with self.assertRaises(client.exceptions.ExportConflictException):
            client.export_table_to_point_in_time(**{**request, "S3Bucket": "py-other"})
        with self.assertRaises(client.exceptions.ExportNotFoundException):
            client.describe_export(ExportArn=first[:-8] + "00000000")

    def test_csv_is_imported(self):
        (BUCKETS / "py-csv").mkdir(parents=True)
        (BUCKETS / "py-csv" / "people.csv").write_text('pk,note\nada,"first, of all"\ngrace,\n')
        imported = client.import_table(
            S3BucketSource={"S3Bucket": "py-csv"}, InputFormat="CSV",
            TableCreationParameters=table_parameters("import-csv"))["ImportTableDescription"]
        self.assertEqual(wait_for_import(imported["ImportArn"])["ImportStatus"], "COMPLETED")
        self.assertEqual(items_of("import-csv"), [{"pk": "ada", "note": "first, of all"}, {"pk": "grace"}])
        listed = client.list_imports(TableArn=imported["TableArn"])["ImportSummaryList"]
        self.assertEqual([one["ImportArn"] for one in listed], [imported["ImportArn"]])

    def test_zstd_is_imported(self):
        lines = b"".join(json.dumps({"Item": {"pk": {"S": f"{number}"}}}).encode() + b"\n" for number in range(5))
        # A frame of one block that is not compressed; its header has the size in one byte.
        block = (len(lines) << 3 | 1).to_bytes(3, "little")
        (BUCKETS / "py-zstd").mkdir(parents=True)
        (BUCKETS / "py-zstd" / "items.json.zst").write_bytes(
            b"\x28\xb5\x2f\xfd\x20" + bytes([len(lines)]) + block + lines)
        imported = client.import_table(
            S3BucketSource={"S3Bucket": "py-zstd"}, InputFormat="DYNAMODB_JSON", InputCompressionType="ZSTD",
            TableCreationParameters=table_parameters("import-zstd"))["ImportTableDescription"]
        self.assertEqual(wait_for_import(imported["ImportArn"])["ImportStatus"], "COMPLETED")
        self.assertEqual(len(items_of("import-zstd")), 5)

    def test_an_incremental_export_has_what_changed(self):
        self.addCleanup(clock, {"reset": True})
        arn = fill("export-changes", 3)
        start = int(clock())
        old = items_of("export-changes")[0]
        resource.Table("export-changes").put_item(Item={"pk": "new"})
        resource.Table("export-changes").delete_item(Key={"pk": old["pk"]})
        clock({"advance_seconds": 1200})
        resource.Table("export-changes").put_item(Item={"pk": "too late"})
        export = call(
            "ExportTableToPointInTime", TableArn=arn, S3Bucket="py-changes", ExportType="INCREMENTAL_EXPORT",
            IncrementalExportSpecification={"ExportFromTime": start, "ExportToTime": start + 1000})["ExportDescription"]
        export = wait_for_export(export["ExportArn"])
        self.assertEqual((export["ExportStatus"], export["ItemCount"]), ("COMPLETED", 2), export)
        out = BUCKETS / "py-changes"
        summary = json.loads((out / export["ExportManifest"]).read_text())
        self.assertEqual((summary["exportType"], summary["outputView"]), ("INCREMENTAL_EXPORT", "NEW_AND_OLD_IMAGES"))
        changes = {}
        for line in (out / summary["manifestFilesS3Key"]).read_text().splitlines():
            data = gzip.decompress((out / json.loads(line)["dataFileS3Key"]).read_bytes())
            for change in map(json.loads, data.splitlines()):
                changes[change["Keys"]["pk"]["S"]] = sorted(change.keys() - {"Keys", "Metadata"})
        self.assertEqual(changes, {"new": ["NewImage"], old["pk"]: ["OldImage"]})

    def test_buckets_outside_of_the_root_cannot_be_reached(self):
        outside = BUCKETS.parent / "outside"
        outside.mkdir(exist_ok=True)
        (outside / "secret.json").write_text('{"Item": {"pk": {"S": "secret"}}}\n')
        BUCKETS.mkdir(exist_ok=True)
        (BUCKETS / "py-linked").symlink_to(outside)
        (BUCKETS / "py-links").mkdir()
        (BUCKETS / "py-links" / "secret.json").symlink_to(outside / "secret.json")

        def request(bucket, prefix):
            return {"S3BucketSource": {"S3Bucket": bucket, "S3KeyPrefix": prefix}, "InputFormat": "DYNAMODB_JSON",
                    "TableCreationParameters": table_parameters("import-secret")}

        for prefix in ("../outside/", "a/../../outside/", "/etc/"):
            self.assert_fails("ValidationException", "", client.import_table, **request("py-links", prefix))
        for bucket in ("py-linked", "py-links"):
            imported = client.import_table(**request(bucket, "secret"))["ImportTableDescription"]
            over = wait_for_import(imported["ImportArn"])
            self.assertEqual((over["ImportStatus"], over["ImportedItemCount"]), ("FAILED", 0), over)
        arn = fill("export-links", 1)
        export = client.export_table_to_point_in_time(TableArn=arn, S3Bucket="py-linked")["ExportDescription"]
        self.assertEqual(wait_for_export(export["ExportArn"])["ExportStatus"], "FAILED")
        self.assertEqual([file.name for file in outside.iterdir()], ["secret.json"])

    def test_items_are_put_in_bulk(self):
        create_table("bulk", ["pk"])
        (BUCKETS / "py-bulk").mkdir(parents=True)
        (BUCKETS / "py-bulk" / "items.json").write_text(
            "".join(json.dumps({"Item": {"pk": {"S": f"{number:04}"}}}) + "\n" for number in range(600)))
        started = call("StartBulkPutItems", TableName="bulk",
                       InputS3Configuration={"S3Bucket": "py-bulk", "InputFormat": "DYNAMODB_JSON"})
        arn = started["BulkOperationDescription"]["BulkOperationArn"]
        described = wait_for(lambda: call("DescribeBulkOperation", BulkOperationArn=arn)["BulkOperationDescription"],
                             "BulkOperationStatus")
        self.assertEqual((described["BulkOperationStatus"], described["ProcessedItemCount"]), ("COMPLETED", 600))
        self.assertEqual(len(items_of("bulk")), 600)
