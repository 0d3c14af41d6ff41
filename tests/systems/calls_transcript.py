#!/usr/bin/env python3
"""The README of calls: the design's own table, put and queries in the AWS CLI, boto3 and JavaScript."""

import transcript

# Section 7 of the design: the key builders; section 4: create.
CREATE = '''
import boto3
table = boto3.resource("dynamodb", endpoint_url="http://127.0.0.1:8000").Table("Calls")

def sk(scheduled_for_ms, call_id):
    return "%013d#%s" % (scheduled_for_ms, call_id)

def user_status(user_id, status):
    return user_id + "#" + status

def create(user_id, call_id, provider_id, scheduled_for_ms):
    table.put_item(
        Item={"userId": user_id, "sk": sk(scheduled_for_ms, call_id), "callId": call_id, "providerId": provider_id,
              "status": "SCHEDULED", "scheduledFor": scheduled_for_ms, "userStatus": user_status(user_id, "SCHEDULED")},
        ConditionExpression="attribute_not_exists(userId) AND attribute_not_exists(sk)")

create("ann", "c1", "p1", 1772269200000)
create("ann", "c2", "p2", 1772272800000)
create("ben", "c2", "p1", 1772276400000)  # the condition does not see that the id is taken
'''

# Section 5: the queries.
NEXT_CLI = """
aws dynamodb query --table-name Calls --index-name byUserStatus \\
  --key-condition-expression 'userStatus = :u AND sk >= :now' \\
  --expression-attribute-values '{":u":{"S":"ann#SCHEDULED"},":now":{"S":"1772265600000"}}' \\
  --limit 1 --query 'Items[].[sk.S, providerId.S]' --output text
"""

PROVIDER_PYTHON = '''
import boto3
from boto3.dynamodb.conditions import Key
table = boto3.resource("dynamodb", endpoint_url="http://127.0.0.1:8000").Table("Calls")
page = table.query(IndexName="byProvider", KeyConditionExpression=Key("providerId").eq("p1"), ScanIndexForward=False)
for item in page["Items"]:
    print(item["sk"], item["userId"])
'''

LOOKUP_JAVASCRIPT = '''
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: "http://127.0.0.1:8000" }));
const query = (IndexName, KeyConditionExpression, ExpressionAttributeValues, more) =>
  client.send(new QueryCommand({ TableName: "Calls", IndexName, KeyConditionExpression, ExpressionAttributeValues, ...more }));

const last = await query("byUserStatus", "userStatus = :u", { ":u": "ann#COMPLETED" }, { ScanIndexForward: false, Limit: 1 });
console.log("last completed:", last.Items[0].callId, "version", last.Items[0].version);
const found = await query("byCallId", "callId = :c", { ":c": "c1" });
console.log("c1:", found.Items[0].userId, found.Items[0].status, found.Items[0].sk);
'''


def steps(readme):
    """What a reader does."""
    readme.shell("calls next ann", status=1)  # makes the table
    readme.shell("aws dynamodb describe-table --table-name Calls --query 'Table.GlobalSecondaryIndexes[].IndexName' --output text")
    readme.say("The design's own create (§4) with its key builders (§7), and its next call (§5):")
    readme.python(CREATE)
    readme.shell(NEXT_CLI.strip())
    readme.say("What it wrote can be changed at once: no version is version 0.")
    readme.shell("calls complete c1 --version 0")
    readme.shell("calls change-provider c1 --provider p3 --version 0", status=1)
    readme.javascript(LOOKUP_JAVASCRIPT)
    readme.python(PROVIDER_PYTHON)
    readme.say("The audit finds what is missing, adds it, and names the id that two items claim:")
    audit = "stator audit $STATOR/systems/calls/model.yaml --endpoint http://127.0.0.1:8000 --segments 1"
    readme.shell(audit, status=1)
    readme.shell(audit + " --fix", status=1)
    readme.shell("""aws dynamodb delete-item --table-name Calls --key '{"userId":{"S":"ben"},"sk":{"S":"1772276400000#c2"}}'""")
    readme.shell("calls audit --fix")
    readme.shell("calls schedule c2 --user eve --provider p1 --at +3h", status=1)
    readme.shell("calls schedule c9 --user eve --provider '' --at +3h", status=1)


if __name__ == "__main__":
    transcript.main("calls", steps)
