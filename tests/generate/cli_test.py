"""Generated AWS CLI scripts, executed against a Stator server; the tables are compared with the model."""

import json
import os
import re
import subprocess
import unittest

STATOR = os.environ["STATOR"]
MODELS = os.environ["MODELS"]


def generate(*arguments):
    model = os.path.join(MODELS, arguments[1] + ".yaml")
    command = [STATOR, "generate", arguments[0], model, *arguments[2:]]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout


def aws(*arguments):
    command = ["aws", "dynamodb", "--endpoint-url", os.environ["STATOR_ENDPOINT"], *arguments]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)


def execute(script, **variables):
    environment = dict(os.environ, ENDPOINT_URL=os.environ["STATOR_ENDPOINT"], **variables)
    return subprocess.run(["bash"], input=script, capture_output=True, text=True, env=environment, timeout=120)


def schema(*names):
    """schema("a", "b") is a partition and a sort key, schema(["a", "b"], ["c"]) has several of each."""
    partition, sort = (list(names) + [[]])[:2]
    as_list = lambda part: [part] if isinstance(part, str) else part
    return ([{"AttributeName": name, "KeyType": "HASH"} for name in as_list(partition)]
            + [{"AttributeName": name, "KeyType": "RANGE"} for name in as_list(sort)])


def without_newer_options(script):
    """Debian's CLI is older than deletion protection and recovery periods; so they are left out here."""
    script = script.replace(" \\\n  --deletion-protection-enabled", "")
    script = re.sub(r",RecoveryPeriodInDays=\d+", "", script)
    return re.sub(r"aws dynamodb update-table --table-name \S+ --deletion-protection-enabled", ":", script)


class GeneratedScripts(unittest.TestCase):
    maxDiff = None

    def run_script(self, script, **variables):
        done = execute(script, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)

    def indexes(self, table, kind="GlobalSecondaryIndexes"):
        return {index["IndexName"]: index for index in table.get(kind, [])}

    def test_the_calls_table_is_created_by_the_command_that_its_document_writes(self):
        script = generate("cli", "calls")
        document = os.path.join(os.path.dirname(__file__), "..", "clients", "cli", "create_calls_table.sh")
        with open(document, encoding="utf-8") as file:
            wanted = file.read()
        wanted = wanted[wanted.index("aws dynamodb"):].replace(' --endpoint-url "$STATOR_ENDPOINT"', "")
        self.assertIn(wanted, script)
        self.run_script(script)
        table = aws("describe-table", "--table-name", "Calls")["Table"]
        self.assertEqual(table["KeySchema"], schema("userId", "sk"))
        self.assertEqual({d["AttributeName"] for d in table["AttributeDefinitions"]},
                         {"userId", "sk", "callId", "providerId", "userStatus"})
        found = self.indexes(table)
        self.assertEqual({name: index["KeySchema"] for name, index in found.items()},
                         {"byCallId": schema("callId"), "byProvider": schema("providerId", "sk"),
                          "byUserStatus": schema("userStatus", "sk")})

    def test_every_setting_of_the_model_arrives(self):
        script = generate("cli", "everything")
        self.run_script(without_newer_options(script), ENVIRONMENT="prod")

        jobs = aws("describe-table", "--table-name", "data-download-jobs")["Table"]
        self.assertEqual(jobs["KeySchema"], schema("FileID"))
        self.assertEqual(jobs["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        self.assertEqual(jobs["StreamSpecification"],
                         {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
        types = {d["AttributeName"]: d["AttributeType"] for d in jobs["AttributeDefinitions"]}
        self.assertEqual(types, {"FileID": "S", "Status": "S", "StatusUpdatedAt": "N", "BatchID": "S"})
        ttl = aws("describe-time-to-live", "--table-name", "data-download-jobs")["TimeToLiveDescription"]
        self.assertEqual(ttl["AttributeName"], "TTL")
        self.assertIn(ttl["TimeToLiveStatus"], ("ENABLED", "ENABLING"))
        self.assertEqual(self.recovery("data-download-jobs"), "ENABLED")

        matches = aws("describe-table", "--table-name", "tournament.matches")["Table"]
        self.assertEqual(matches["TableClassSummary"]["TableClass"], "STANDARD_INFREQUENT_ACCESS")
        region = self.indexes(matches)["RegionIndex"]
        self.assertEqual(region["KeySchema"], schema(["tournament", "region"], ["round", "bracket"]))
        self.assertEqual(region["Projection"]["ProjectionType"], "INCLUDE")
        self.assertCountEqual(region["Projection"]["NonKeyAttributes"], ["winner", "loser"])
        local = self.indexes(matches, "LocalSecondaryIndexes")["ByPlayer"]
        self.assertEqual(local["KeySchema"], schema("matchId", "player"))

        plain = aws("describe-table", "--table-name", "plain")["Table"]
        throughput = plain["ProvisionedThroughput"]
        self.assertEqual((throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]), (3, 4))
        throughput = self.indexes(plain)["GSI1"]["ProvisionedThroughput"]
        self.assertEqual((throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]), (3, 4))

    def recovery(self, table):
        answer = aws("describe-continuous-backups", "--table-name", table)
        description = answer["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        return description["PointInTimeRecoveryStatus"]

    def test_names_that_mean_something_to_a_shell_stay_names(self):
        self.run_script(generate("cli", "hostile"), ENVIRONMENT="dev")
        table = aws("describe-table", "--table-name", "odd.Table_1")["Table"]
        self.assertEqual(table["KeySchema"], schema("a-b", "ç#$"))
        index = self.indexes(table)["index.1"]
        self.assertEqual(index["KeySchema"], schema("${x}", "class"))
        self.assertCountEqual(index["Projection"]["NonKeyAttributes"], ["it's", 'say "hi"', "%{y}"])

    def test_the_script_asks_for_an_environment_that_the_model_has(self):
        script = generate("cli", "everything")
        self.assertNotEqual(execute(script).returncode, 0)
        done = execute(script, ENVIRONMENT="nowhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere", done.stderr)

    def test_one_environment_is_not_asked_for(self):
        self.assertNotIn("ENVIRONMENT", generate("cli", "everything", "--env", "dev"))


if __name__ == "__main__":
    unittest.main()
