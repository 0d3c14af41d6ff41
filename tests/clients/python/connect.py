"""The clients that every suite uses, and what they all do with a table."""

import json
import os
import unittest
import urllib.request

import boto3
import botocore.config
import botocore.exceptions

OPTIONS = dict(
    endpoint_url=os.environ["STATOR_ENDPOINT"],
    region_name="us-east-1",
    config=botocore.config.Config(retries={"total_max_attempts": 1}),
)
client = boto3.client("dynamodb", **OPTIONS)
resource = boto3.resource("dynamodb", **OPTIONS)

# For every waiter: boto3's own pace of 20 seconds suits a cloud.
WAITING = {"Delay": 1, "MaxAttempts": 30}


def clock(document=None):
    """Turns the server's clock if told how, and reads it. Whoever turns it adds clock({"reset": True}) as a cleanup."""
    body = json.dumps(document).encode() if document else None
    request = urllib.request.Request(
        OPTIONS["endpoint_url"] + "/_stator/clock", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)["now"]


def create_table(name, keys, indexes=None):
    """create_table("Calls", ["pk", "sk:N"], {"byName": ["name"]}); every index projects ALL."""
    types = {}

    def schema(attributes):
        elements = []
        for attribute, kind in zip(attributes, ("HASH", "RANGE")):
            attribute_name, _, attribute_type = attribute.partition(":")
            types[attribute_name] = attribute_type or "S"
            elements.append({"AttributeName": attribute_name, "KeyType": kind})
        return elements

    request = {"TableName": name, "KeySchema": schema(keys), "BillingMode": "PAY_PER_REQUEST"}
    if indexes:
        request["GlobalSecondaryIndexes"] = [
            {"IndexName": index, "KeySchema": schema(attributes), "Projection": {"ProjectionType": "ALL"}}
            for index, attributes in indexes.items()
        ]
    request["AttributeDefinitions"] = [
        {"AttributeName": attribute, "AttributeType": kind} for attribute, kind in types.items()
    ]
    client.create_table(**request)
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig=WAITING)
    return resource.Table(name)


class Suite(unittest.TestCase):
    maxDiff = None

    def assert_fails(self, code, words, function, *arguments, **parameters):
        """Asserts the code of a ClientError, and that its message holds the given words."""
        with self.assertRaises(botocore.exceptions.ClientError) as caught:
            function(*arguments, **parameters)
        error = caught.exception.response
        self.assertEqual(error["Error"]["Code"], code, error)
        self.assertIn(words, error["Error"]["Message"])
        self.assertEqual(error["ResponseMetadata"]["HTTPStatusCode"], 400)
        return caught.exception
