#!/usr/bin/env python3
"""The reconciler's README: the seed's keys and query in the AWS CLI, boto3 and JavaScript, on the table that the reconciler made."""

import transcript

# Section 3A of the seed: the keys that a writer computes, in Python.
WRITE = '''
import boto3
table = boto3.resource("dynamodb", endpoint_url="http://127.0.0.1:8000").Table("calls")

def record(call):
    if not call["AudioReceived"] or call["ProcessingStatus"] != "SUCCESS":
        call["GSI_Recon_PK"] = "STATUS#PENDING"
        call["GSI_Recon_SK"] = f"{call['CallDateTime']}#{call['TenantId']}"
    table.put_item(Item=call)

record({"TenantId": "TENANT-789", "CallId": "c4", "CallDateTime": "2026-02-27T11:00:00Z",
        "AudioReceived": False, "ProcessingStatus": "FAILED"})
record({"TenantId": "TENANT-789", "CallId": "c5", "CallDateTime": "2026-02-27T12:00:00Z",
        "AudioReceived": True, "ProcessingStatus": "SUCCESS"})
'''

# Section 3B: the query of the pooler.
QUERY_CLI = """
aws dynamodb query --table-name calls --index-name ReconciliationIndex \\
  --key-condition-expression 'GSI_Recon_PK = :status AND GSI_Recon_SK > :lookbackDate' \\
  --expression-attribute-values '{":status":{"S":"STATUS#PENDING"},":lookbackDate":{"S":"2026-02-21T00:00:00Z"}}' \\
  --query 'Items[].[GSI_Recon_SK.S, CallId.S]' --output text
"""

QUERY_PYTHON = '''
import boto3
from boto3.dynamodb.conditions import Key
table = boto3.resource("dynamodb", endpoint_url="http://127.0.0.1:8000").Table("calls")
page = table.query(
    IndexName="ReconciliationIndex",
    KeyConditionExpression=Key("GSI_Recon_PK").eq("STATUS#PENDING") & Key("GSI_Recon_SK").gt("2026-02-21T00:00:00Z"),
    ScanIndexForward=False)
for item in page["Items"]:
    print(item["GSI_Recon_SK"], item["CallId"])
'''

QUERY_JAVASCRIPT = '''
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: "http://127.0.0.1:8000" }));
const page = await client.send(new QueryCommand({
  TableName: "calls",
  IndexName: "ReconciliationIndex",
  KeyConditionExpression: "GSI_Recon_PK = :status AND GSI_Recon_SK > :lookbackDate",
  ExpressionAttributeValues: { ":status": "STATUS#EMITTED", ":lookbackDate": "2026-02-21T00:00:00Z" },
}));
console.log(page.Items.map((item) => `${item.GSI_Recon_SK} ${item.CallId}`).sort().join("\\n"));
'''


def steps(readme):
    """What a reader does."""
    readme.file("calls.jsonl", """
{"TenantId":"TENANT-123","CallId":"c1","CallDateTime":"2026-02-27T08:00:00Z","AudioReceived":false,"ProcessingStatus":"PENDING"}
{"TenantId":"TENANT-123","CallId":"c2","CallDateTime":"2026-02-27T09:00:00Z","AudioReceived":true,"ProcessingStatus":"PROCESSING"}
{"TenantId":"TENANT-456","CallId":"c3","CallDateTime":"2026-02-27T10:00:00Z","AudioReceived":true,"ProcessingStatus":"SUCCESS"}
""")
    readme.shell("reconciler ingest calls.jsonl")
    readme.say("The seed's own writer (§3A) beside it, and its query (§3B):")
    readme.python(WRITE)
    readme.shell(QUERY_CLI.strip())
    readme.python(QUERY_PYTHON)
    readme.say("The poller takes in what the seed's writer wrote, and a call that is PROCESSING for longer than an hour:")
    readme.shell("reconciler poll --lookback 7d --out payloads.jsonl")
    readme.shell("cut -c 1-120 payloads.jsonl")
    readme.javascript(QUERY_JAVASCRIPT)
    readme.say("Six hours later nothing was mended but c1:")
    readme.shell("""echo '{"TenantId":"TENANT-123","CallId":"c1","AudioReceived":true,"ProcessingStatus":"SUCCESS"}' | reconciler ingest""")
    readme.shell("command reconciler poll --again-after 6h --out payloads.jsonl "
                 "--endpoint http://127.0.0.1:8000 --clock fixed:2026-02-28T14:00:00Z")
    readme.shell("cut -c 1-60 payloads.jsonl | tail -2")
    readme.shell("reconciler list --emitted")
    readme.say("The index in four shards, and back in one:")
    readme.shell("reconciler reshard --shards 4 --grace 0s")
    readme.shell("aws dynamodb scan --table-name calls --index-name ReconciliationIndex --query 'sort(Items[].GSI_Recon_PK.S)' --output text")
    readme.shell("reconciler reshard --shards 1 --grace 0s")
    readme.shell("reconciler report --json")


if __name__ == "__main__":
    transcript.main("reconciler", steps)
