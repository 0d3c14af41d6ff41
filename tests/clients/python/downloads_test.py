"""A daily download pipeline: two tables, two state machines, string sets."""

from concurrent.futures import ThreadPoolExecutor

from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

from connect import Suite, create_table

BATCH = "batch-2026-02-28-f47ac10b"
START = 1_772_236_800_000


def job(entity, updated_at, **more):
    return {
        "FileID": f"{entity}-2026-02-28",
        "BatchID": BATCH,
        "Status": "available",
        "Entity": entity,
        "StatusUpdatedAt": updated_at,
        "TTL": 1_774_828_800,
        **more,
    }


class Downloads(Suite):
    @classmethod
    def setUpClass(cls):
        cls.jobs = create_table("data-download-jobs", ["FileID"], {
            "StatusIndex": ["Status", "StatusUpdatedAt:N"],
            "BatchIndex": ["BatchID", "Status"],
        })
        cls.batches = create_table(
            "data-download-batches", ["BatchID"], {"PollingDateIndex": ["PollingDate", "Status"]})

    def put(self, item):
        return self.jobs.put_item(Item=item, ConditionExpression=Attr("FileID").not_exists())

    def claim(self, file_id, at, owner="task"):
        return self.jobs.update_item(
            Key={"FileID": file_id},
            UpdateExpression="SET #s = :downloading, StatusUpdatedAt = :at, #o = :owner",
            ConditionExpression="#s = :available",
            ExpressionAttributeNames={"#s": "Status", "#o": "Owner"},
            ExpressionAttributeValues={
                ":downloading": "downloading", ":available": "available", ":at": at, ":owner": owner,
            },
        )

    def entities(self, condition, index):
        page = self.jobs.query(IndexName=index, KeyConditionExpression=condition)
        return [item["Entity"] for item in page["Items"]]

    def test_available_files_come_oldest_first_by_number(self):
        # 999 and 1000: as text the other way round.
        for entity, at in (("ledger", 1000), ("accounts", 999), ("cards", START)):
            self.put(job(entity, at, Status="ready"))
        self.assertEqual(
            self.entities(Key("Status").eq("ready"), "StatusIndex"), ["accounts", "ledger", "cards"])

    def test_a_replayed_put_is_refused(self):
        self.put(job("replay", 1))
        self.assert_fails("ConditionalCheckFailedException", "", self.put, job("replay", 2))

    def test_of_ten_racers_exactly_one_claims_the_file(self):
        self.put(job("race", START))

        def race(racer):
            try:
                self.claim("race-2026-02-28", START + racer, f"t{racer}")
                return "won"
            except ClientError as error:
                return error.response["Error"]["Code"]

        with ThreadPoolExecutor(10) as pool:
            outcomes = list(pool.map(race, range(10)))
        self.assertEqual(outcomes.count("ConditionalCheckFailedException"), 9)
        stored = self.jobs.get_item(Key={"FileID": "race-2026-02-28"}, ConsistentRead=True)["Item"]
        self.assertEqual(stored["Owner"], f"t{outcomes.index('won')}")

    def test_stuck_downloads_are_a_range_of_the_index(self):
        self.put(job("stuck", 10))
        self.put(job("fresh", 20))
        self.claim("stuck-2026-02-28", START - 1_800_001)
        self.claim("fresh-2026-02-28", START - 1_800_000)
        condition = Key("Status").eq("downloading") & Key("StatusUpdatedAt").lt(START - 1_800_000)
        self.assertEqual(self.entities(condition, "StatusIndex"), ["stuck"])

    def test_files_of_a_batch_all_and_by_status(self):
        for entity in "xyz":
            self.put(job(entity, START, BatchID="other"))
        self.claim("y-2026-02-28", START)
        self.assertEqual(
            sorted(self.entities(Key("BatchID").eq("other"), "BatchIndex")), ["x", "y", "z"])
        condition = Key("BatchID").eq("other") & Key("Status").eq("downloading")
        self.assertEqual(self.entities(condition, "BatchIndex"), ["y"])

    def test_a_batch_collects_its_files_in_string_sets(self):
        key = {"BatchID": BATCH}
        self.batches.put_item(Item={
            **key,
            "PollingDate": "2026-02-28",
            "Status": "initiated",
            "ExpectedFiles": {"accounts-2026-02-28", "cards-2026-02-28"},
        })
        for name in ("accounts-2026-02-28", "cards-2026-02-28", "cards-2026-02-28"):
            answer = self.batches.update_item(
                Key=key,
                UpdateExpression="ADD CompletedFiles :f",
                ExpressionAttributeValues={":f": {name}},
                ReturnValues="ALL_NEW",
            )
        self.assertEqual(answer["Attributes"]["CompletedFiles"], answer["Attributes"]["ExpectedFiles"])
        self.batches.update_item(
            Key=key,
            UpdateExpression="SET #s = :timeout",
            ConditionExpression=Attr("Status").is_in(["initiated", "queued"]),
            ExpressionAttributeNames={"#s": "Status"},
            ExpressionAttributeValues={":timeout": "timeout"},
        )
        for status, count in (("timeout", 1), ("initiated", 0)):
            page = self.batches.query(
                IndexName="PollingDateIndex",
                KeyConditionExpression=Key("PollingDate").eq("2026-02-28") & Key("Status").eq(status),
            )
            self.assertEqual(page["Count"], count)
