"""Runs the AWS CLI, one process a command, as a person would."""

import json
import os
import subprocess
import unittest


def run(*arguments):
    """Runs `aws dynamodb …`. Returns the finished process."""
    command = ["aws", "dynamodb", "--endpoint-url", os.environ["STATOR_ENDPOINT"], *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def item(**attributes):
    """item(a="x", n=1) in DynamoDB's JSON: text as S, numbers as N."""
    return json.dumps({
        name: {"S": value} if isinstance(value, str) else {"N": str(value)}
        for name, value in attributes.items()
    })


class Suite(unittest.TestCase):
    maxDiff = None

    def aws(self, *arguments):
        """The JSON that a command answers; it must succeed."""
        process = run(*arguments)
        self.assertEqual(process.returncode, 0, f"aws dynamodb {' '.join(arguments)}\n{process.stderr}")
        return json.loads(process.stdout) if process.stdout.strip() else {}

    def assert_fails(self, code, words, *arguments):
        process = run(*arguments)
        self.assertNotEqual(process.returncode, 0, process.stdout)
        self.assertIn(f"({code})", process.stderr)
        self.assertIn(words, process.stderr)

    def create_table(self, name, keys, *arguments):
        """create_table("Calls", ["pk", "sk:N"], "--global-secondary-indexes", …)"""
        schema = [
            f"AttributeName={key.partition(':')[0]},KeyType={kind}"
            for key, kind in zip(keys, ("HASH", "RANGE"))
        ]
        self.aws(
            "create-table", "--table-name", name, "--key-schema", *schema,
            "--billing-mode", "PAY_PER_REQUEST", *arguments)
        self.aws("wait", "table-exists", "--table-name", name)
