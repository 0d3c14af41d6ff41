#!/usr/bin/env python3
"""stator serve --credentials, with clients that sign for themselves: boto3, the AWS CLI, the SDK for JavaScript,
curl, stator's own commands.

    credentials_test.py PROGRAM
"""

import datetime
import hashlib
import hmac
import json
import os
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from unittest import mock

import boto3
import botocore.auth
import botocore.config
import botocore.exceptions

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from with_server import Server, client_environment

PROGRAM = ""
KEY, SECRET = "AKIDFIRST", "wJalrXUtnFEMI/K7MDENG+bPxRfiCY"
REGION = "eu-north-1"
FILE = f"""# everyone who may come in
[default]
aws_access_key_id = {KEY}
aws_secret_access_key = {SECRET}

[second]
aws_access_key_id=AKIDSECOND
aws_secret_access_key=second=secret
[temporary]
aws_access_key_id = ASIATHIRD
aws_secret_access_key = third
aws_session_token = a/token+of==theirs
"""
WRONG_SIGNATURE = (
    "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key "
    "and signing method. Consult the service documentation for details.")


def hmac_sha256(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def presigned(endpoint, operation, body, seconds=60, secret=SECRET):
    """A request whose signature stands in its URL. boto3 makes such URLs only of requests without a body."""
    host = urllib.parse.urlsplit(endpoint).netloc
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    scope = f"{now[:8]}/{REGION}/dynamodb/aws4_request"
    target = f"DynamoDB_20120810.{operation}"
    query = urllib.parse.urlencode(sorted({
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Credential": f"{KEY}/{scope}", "X-Amz-Date": now,
        "X-Amz-Expires": str(seconds), "X-Amz-SignedHeaders": "host;x-amz-target", "note": "ä b+c/~",
    }.items()), quote_via=urllib.parse.quote, safe="~")
    canonical = "\n".join(["POST", "/", query, f"host:{host}", f"x-amz-target:{target}", "", "host;x-amz-target",
                           hashlib.sha256(body).hexdigest()])
    text = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for part in (now[:8], REGION, "dynamodb", "aws4_request"):
        key = hmac_sha256(key, part)
    signature = hmac_sha256(key, text).hex()
    return urllib.request.Request(
        f"{endpoint}/?{query}&X-Amz-Signature={signature}", body,
        {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": target})


class ShiftedTime(datetime.datetime):
    """The clock that botocore signs with, some time away from the truth."""
    shift = datetime.timedelta()

    @classmethod
    def utcnow(cls):
        return super().utcnow() + cls.shift

    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + cls.shift


class Credentials(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="stator-"))
        cls.file = os.path.join(cls.folder, "keys")
        Path(cls.file).write_text(FILE)
        os.chmod(cls.file, 0o600)
        cls.server = cls.enterClassContext(
            Server(PROGRAM, serve=["--credentials", cls.file, "--region", REGION]))
        cls.endpoint = cls.server.endpoint
        cls.client().create_table(
            TableName="Music", BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})

    @classmethod
    def client(cls, key=KEY, secret=SECRET, token=None, service="dynamodb", region=REGION, endpoint=None, config=None):
        client = boto3.client(
            service, endpoint_url=endpoint or cls.endpoint, region_name=region, aws_access_key_id=key,
            aws_secret_access_key=secret, aws_session_token=token,
            config=botocore.config.Config(retries={"total_max_attempts": 1}, **(config or {})))
        cls.addClassCleanup(client.close)
        return client

    def assert_refused(self, code, message, client):
        with self.assertRaises(botocore.exceptions.ClientError) as caught:
            client.list_tables()
        error = caught.exception.response
        self.assertEqual((error["Error"]["Code"], error["ResponseMetadata"]["HTTPStatusCode"]), (code, 400), error)
        self.assertRegex(error["Error"]["Message"], f"^{message}$")

    def test_every_profile_may_come_in(self):
        for client in (self.client(), self.client("AKIDSECOND", "second=secret"),
                       self.client("ASIATHIRD", "third", "a/token+of==theirs")):
            self.assertEqual(client.list_tables()["TableNames"], ["Music"])

    def test_items_of_every_size_and_script(self):
        client = self.client()
        items = [{"pk": {"S": "short"}}, {"pk": {"S": "ключ 🎵 \u0001\"\\/%&+ "}},
                 {"pk": {"S": "long"}, "text": {"S": "ä" * 180_000}}]
        for item in items:
            client.put_item(TableName="Music", Item=item)
            got = client.get_item(TableName="Music", Key={"pk": item["pk"]})
            self.assertEqual(got["Item"], item)
        batch = [{"PutRequest": {"Item": {"pk": {"S": str(i)}, "text": {"S": "x" * 380_000}}}} for i in range(25)]
        self.assertEqual(client.batch_write_item(RequestItems={"Music": batch})["UnprocessedItems"], {})

    def test_streams_are_signed_alike(self):
        streams = self.client(service="dynamodbstreams")
        self.assertEqual(len(streams.list_streams(TableName="Music")["Streams"]), 1)
        with self.assertRaises(botocore.exceptions.ClientError) as caught:
            self.client(service="dynamodbstreams", secret="guess").list_streams()
        self.assertEqual(caught.exception.response["Error"]["Code"], "InvalidSignatureException")

    def test_wrong_credentials_are_refused(self):
        self.assert_refused("InvalidSignatureException", WRONG_SIGNATURE, self.client(secret="guess"))
        self.assert_refused("UnrecognizedClientException", r"The security token included in the request is invalid\.",
                            self.client(key="AKIDOTHER"))
        self.assert_refused("UnrecognizedClientException", r"The security token included in the request is invalid\.",
                            self.client("ASIATHIRD", "third", "another token"))
        self.assert_refused("UnrecognizedClientException", "The security token included in the request is invalid",
                            self.client(token="token"))
        self.assert_refused("InvalidSignatureException", r"Credential should be scoped to a valid region\. ",
                            self.client(region="us-east-1"))

    def test_no_signature_is_a_missing_token(self):
        self.assert_refused("MissingAuthenticationTokenException", "Request is missing Authentication Token",
                            self.client(config={"signature_version": botocore.UNSIGNED}))

    def test_clocks_that_differ_too_much(self):
        with mock.patch.object(botocore.auth.datetime, "datetime", ShiftedTime):
            for minutes, words in (
                    (-16, r"Signature expired: \w+ is now earlier than \w+ \(\w+ - 15 min\.\)"),
                    (16, r"Signature not yet current: \w+ is still later than \w+ \(\w+ \+ 15 min\.\)")):
                ShiftedTime.shift = datetime.timedelta(minutes=minutes)
                self.assert_refused("InvalidSignatureException", words, self.client())
            for minutes in (-14, 14):
                ShiftedTime.shift = datetime.timedelta(minutes=minutes)
                self.client().list_tables()

    def test_what_was_signed_cannot_be_changed(self):
        def change_body(request, **_):
            request.body = request.body.replace(b"1", b"2")

        def change_target(request, **_):
            del request.headers["X-Amz-Target"]
            request.headers["X-Amz-Target"] = "DynamoDB_20120810.DescribeLimits"

        for change in (change_body, change_target):
            client = self.client()
            client.meta.events.register("before-send.dynamodb.ListTables", change)
            with self.assertRaises(botocore.exceptions.ClientError) as caught:
                client.list_tables(Limit=1)
            self.assertEqual(caught.exception.response["Error"]["Code"], "InvalidSignatureException", change)
            self.assertEqual(caught.exception.response["Error"]["Message"], WRONG_SIGNATURE)

    def test_presigned_requests(self):
        with urllib.request.urlopen(presigned(self.endpoint, "ListTables", b'{"Limit": 5}'), timeout=10) as answer:
            self.assertEqual(json.load(answer)["TableNames"], ["Music"])
        guessed = presigned(self.endpoint, "ListTables", b"{}", secret="guess")
        changed = presigned(self.endpoint, "ListTables", b"{}")
        changed.data = b"{ }"
        for request in (guessed, changed):
            with self.assertRaises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(request, timeout=10)
            with caught.exception as refused:
                self.assertEqual(json.load(refused), {
                    "__type": "com.amazon.coral.service#InvalidSignatureException", "message": WRONG_SIGNATURE})

    def run_program(self, *command, secret=SECRET):
        environment = client_environment(self.endpoint)
        environment.update(AWS_ACCESS_KEY_ID=KEY, AWS_SECRET_ACCESS_KEY=secret, AWS_REGION=REGION,
                           AWS_DEFAULT_REGION=REGION)
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    def test_other_programs(self):
        script = Path(__file__).resolve().parent / "js" / "list_tables.mjs"
        for command, refused_status in (
                (("aws", "dynamodb", "list-tables", "--endpoint-url", self.endpoint), 254),
                (("node", str(script)), 1),
                (("curl", "-sS", "--fail-with-body", "--user", f"{KEY}:SECRET", "--aws-sigv4",
                  f"aws:amz:{REGION}:dynamodb", "-H", "X-Amz-Target: DynamoDB_20120810.ListTables", "-H",
                  "Content-Type: application/x-amz-json-1.0", "-d", "{}", self.endpoint), 22)):
            with self.subTest(command[0]):
                right, wrong = (
                    self.run_program(*(word.replace("SECRET", secret) for word in command), secret=secret)
                    for secret in (SECRET, "guess"))
                self.assertEqual((right.returncode, "Music" in right.stdout), (0, True), right.stdout + right.stderr)
                self.assertEqual(wrong.returncode, refused_status, wrong.stdout + wrong.stderr)
                self.assertIn("InvalidSignatureException", wrong.stdout + wrong.stderr)

    def test_the_clock_is_turned_with_a_signature(self):
        turn = ("curl", "-sS", "-H", "Content-Type: application/json", "-d", '{"reset": true}',
                self.endpoint + "/_stator/clock")
        self.assertIn("MissingAuthenticationTokenException", self.run_program(*turn).stdout)
        signed = self.run_program(*turn, "--user", f"{KEY}:{SECRET}", "--aws-sigv4", f"aws:amz:{REGION}:dynamodb")
        self.assertEqual(json.loads(signed.stdout)["mode"], "system")

    def test_our_own_client(self):
        command = (PROGRAM, "backup", "Music", "--endpoint", self.endpoint)
        right = self.run_program(*command)
        self.assertEqual(right.returncode, 0, right.stderr)
        self.assertIn(f"arn:aws:dynamodb:{REGION}:", right.stdout)
        wrong = self.run_program(*command, secret="guess")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("InvalidSignatureException", wrong.stderr)

    def test_a_clock_that_was_turned_is_not_the_clients(self):
        with Server(PROGRAM, serve=["--credentials", self.file, "--region", REGION, "--clock",
                                    "fixed:2001-01-01T00:00:00Z"]) as server:
            self.assertEqual(self.client(endpoint=server.endpoint).list_tables()["TableNames"], [])

    def test_what_cannot_be_used_starts_nothing(self):
        for text, words in (("", "there are no credentials in it"),
                            ("[a]\n\naws_access_key_id = b\n", "line 1: the profile 'a' has no aws_secret_access_key"),
                            ("[a]\nsecret\n", "line 2: expected [PROFILE]")):
            file = os.path.join(self.folder, "wrong")
            Path(file).write_text(text)
            done = subprocess.run([PROGRAM, "serve", "--memory", "--port", "0", "--credentials", file],
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"stator: {file}: {words}", done.stderr)
            self.assertNotIn("secret\n", done.stderr)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
