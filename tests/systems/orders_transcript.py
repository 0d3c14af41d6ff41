#!/usr/bin/env python3
"""The orders' README: the guide's own queries, its "example flow" and its backfill, in JavaScript as it has them, in boto3
and in the AWS CLI, on the tables that the program made."""

import transcript

CONNECT = """
import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb";
const dynamodb = DynamoDBDocument.from(new DynamoDB({ endpoint: "http://127.0.0.1:8000" }));
"""


def shop(readme):
    """Orders are placed by the program and found by the guide's code."""
    readme.say("A shop, as its owner would use it:")
    readme.shell("orders shop register alice alice@example.com | cut -c 1-70")
    for order, amount in [("550e8400", "120.50 --currency EUR"), ("660f9500", "1250 --currency JPY")]:
        readme.shell(f"orders shop place alice {order} --amount {amount} | grep -o '\"amount.*'")
    readme.shell("orders shop place bob 770a1100 --amount 5.00", status=1)
    readme.shell("orders shop place alice 770a1100 --amount 5.005", status=1)
    readme.shell("orders shop ship 550e8400 1Z999AA10123456784 | grep -o '\"status.*'")
    readme.shell("orders shop ship 660f9500 1Z999AA10123456784", status=1)
    readme.shell("orders shop by-status LOST", status=1)
    readme.say("Strategy 1 and the \"example flow\" of step 5, as the guide has them (its `dynamodb` is the SDK's document "
               "client, which calls them `get` and `update`):")
    readme.javascript(CONNECT + """
// 1. Query GSI1 to get primary keys
const gsiResult = await dynamodb.query({
  TableName: "AppTable",
  IndexName: "GSI1",
  KeyConditionExpression: "GSI1PK = :orderId",
  ExpressionAttributeValues: { ":orderId": "ORDER#550e8400" },
});

// 2. Fetch full item from main table
const fullItem = await dynamodb.get({
  TableName: "AppTable",
  Key: {
    PK: gsiResult.Items[0].PK,
    SK: gsiResult.Items[0].SK,
  },
});
const { username, amount, currency, status, trackingNumber } = fullItem.Item;
console.log({ username, amount, currency, status, trackingNumber });
""")
    readme.say("The same query with the AWS CLI, and the orders of a customer with boto3, which bring the customer too (S2.39):")
    readme.shell("""aws dynamodb query --table-name AppTable --index-name GSI1 \\
  --key-condition-expression "GSI1PK = :orderId" \\
  --expression-attribute-values '{":orderId": {"S": "ORDER#550e8400"}}' \\
  --query "Items[].[PK.S, SK.S, amount.N, currency.S]" --output text""")
    readme.python("""
import boto3
from boto3.dynamodb.conditions import Key
table = boto3.resource("dynamodb", endpoint_url="http://127.0.0.1:8000").Table("AppTable")
for item in table.query(KeyConditionExpression=Key("PK").eq("CUSTOMER#alice"))["Items"]:
    print(item["SK"], item.get("amount"), item.get("currency"))
""")


def backfill(readme):
    """Items that others wrote."""
    readme.say("An order that other code wrote without the keys of GSI1 is not found, until the guide's backfill script has been "
               "there. It sends an unconditional update for each item, which would bring deleted ones back (S2.34); "
               "`orders migrate` shows a guarded one.")
    readme.shell("""aws dynamodb put-item --table-name AppTable --item '{"PK": {"S": "CUSTOMER#alice"}, "SK": {"S": "ORDER#990c3300"},
  "Type": {"S": "ORDER"}, "OrderId": {"S": "990c3300"}}'""")
    readme.shell("orders shop by-id 990c3300", status=1)
    readme.javascript(CONNECT + """
const scanTable = async (TableName) => (await dynamodb.scan({ TableName })).Items;

// Backfill script
const items = await scanTable("AppTable");

for (const item of items) {
  if (item.Type === "ORDER") {
    await dynamodb.update({
      TableName: "AppTable",
      Key: { PK: item.PK, SK: item.SK },
      UpdateExpression: "SET GSI1PK = :gsi1pk, GSI1SK = :gsi1sk",
      ExpressionAttributeValues: {
        ":gsi1pk": `ORDER#${item.OrderId}`,
        ":gsi1sk": `ORDER#${item.OrderId}`,
      },
    });
  }
}
""")
    readme.shell("orders shop by-id 990c3300")


def status(readme):
    """The index by status, with the guide's keys and with ours."""
    readme.say("Strategy 2. The table that `orders migrate` starts from has the guide's keys, `ORDER#<status>` / `<timestamp>`, and "
               "its query works there:")
    readme.shell("orders migrate --orders 8 --new-orders 4 --steps 1")
    readme.javascript(CONNECT + """
// Get all open orders, newest first
const result = await dynamodb.query({
  TableName: "ShopTable",
  IndexName: "GSI2",
  KeyConditionExpression: "GSI2PK = :status",
  ExpressionAttributeValues: {
    ":status": "ORDER#OPEN",
  },
  ScanIndexForward: false, // Descending order
});
console.log(result.Items.map((item) => `${item.GSI2SK} ${item.orderId}`));
""")
    readme.say("All open orders are in one partition there. In `AppTable` they are in 16, `STATUS#OPEN#0` to `STATUS#OPEN#15`, so the "
               "guide's query finds none, and the program asks all of them and merges:")
    readme.shell("""aws dynamodb query --table-name AppTable --index-name GSI2 --select COUNT \\
  --key-condition-expression "GSI2PK = :status" --no-scan-index-forward \\
  --expression-attribute-values '{":status": {"S": "ORDER#OPEN"}}' --query Count""")
    readme.shell("orders shop by-status OPEN")


def own_items(readme):
    """An example on a reader's items."""
    readme.say("A strategy on items of one's own, in a table of its own; `AppTable` does not notice:")
    readme.file("mine.json", """
{"Customer": [{"username": "maria", "email": "maria@example.com"}],
 "Order": [{"username": "maria", "orderId": "X17", "amount": "12.505", "currency": "KWD"},
           {"username": "nobody", "orderId": "X18", "amount": "1"}]}
""")
    readme.shell("orders strategy sparse --items mine.json --tracking RR123456785KW --table Mine", status=1)


def steps(readme):
    """What a reader does."""
    shop(readme)
    backfill(readme)
    status(readme)
    own_items(readme)


if __name__ == "__main__":
    transcript.main("orders", steps)
