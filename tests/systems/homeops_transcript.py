#!/usr/bin/env python3
"""HomeOps' README: the seed's own snippets in JavaScript, boto3 and the AWS CLI, on the tables that the bot made."""

import transcript

# The seed's queryAliases, as it stands there.
ALIASES = """
import { DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";

const client = new DynamoDBClient({ endpoint: "http://127.0.0.1:8000" });

async function queryAliases(tableName, chatId) {
  const result = await client.send(
    new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: {
        ":pk": { S: `ALIAS#${chatId}` },
      },
    }),
  );

  return (result.Items ?? []).map((item) => ({
    alias: item.sk.S,
    canonicalActivity: item.canonicalActivity.S,
    confirmations: Number(item.confirmations?.N ?? "0"),
    source: item.source.S,
  }));
}

for (const alias of await queryAliases("homeops", "hemma")) {
  if (alias.source === "learned") console.log(alias);
}
"""

# The seed's three memory queries; the second and third with the reserved word and the paging that they need.
QUESTIONS = """
import { DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";

const client = new DynamoDBClient({ endpoint: "http://127.0.0.1:8000" });
const activitiesTableName = "homeops-activities";

// "Who did diskning last?"
const last = await client.send(
  new QueryCommand({
    TableName: activitiesTableName,
    IndexName: "chatId-activity-index",
    KeyConditionExpression: "chatId = :chatId AND begins_with(activityTimestamp, :activityPrefix)",
    ExpressionAttributeValues: {
      ":chatId": { S: "hemma" },
      ":activityPrefix": { S: "diskning#" },
    },
    ScanIndexForward: false, // most recent first
    Limit: 1,
  }),
);
console.log(last.Items[0].userName.S, last.Items[0].timestamp.N);

// "How many times did Martin do diskning this week?"
const weekStart = 1771801200; // Monday 00:00 in Stockholm
const week = await client.send(
  new QueryCommand({
    TableName: activitiesTableName,
    IndexName: "userId-timestamp-index",
    KeyConditionExpression: "userId = :uid AND #ts BETWEEN :start AND :end",
    FilterExpression: "activity = :act",
    ExpressionAttributeNames: { "#ts": "timestamp" },
    ExpressionAttributeValues: {
      ":uid": { N: "1" },
      ":start": { N: String(weekStart) },
      ":end": { N: "1772265600" },
      ":act": { S: "diskning" },
    },
  }),
);
console.log(week.Items?.length ?? 0);
"""

# The seed's recommended read of a habit, in boto3.
HABIT = """
import boto3

table = boto3.resource("dynamodb", endpoint_url="http://127.0.0.1:8000").Table("homeops")
habit = table.get_item(Key={"pk": "PATTERN#hemma#1", "sk": "diskning"})["Item"]
print(habit["dayOfWeekCounts"], habit["hourOfDayCounts"], habit["totalCount"], habit["lastSeen"])
"""

# The seed's recommended write of a habit, as it stands there, without its types.
WRITE_HABIT = """
import { DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";

const client = new DynamoDBClient({ endpoint: "http://127.0.0.1:8000" });

async function updatePatternHabit(tableName, chatId, userId, canonicalActivity, dayKey, hourKey) {
  const pk = `PATTERN#${chatId}#${userId}`;
  const sk = canonicalActivity;

  // Read current record (may not exist)
  const existing = await client.send(
    new GetItemCommand({
      TableName: tableName,
      Key: { pk: { S: pk }, sk: { S: sk } },
    }),
  );

  const dayOfWeekCounts = {};
  const hourOfDayCounts = {};
  let totalCount = 0;

  if (existing.Item) {
    // Parse existing maps
    for (const [k, v] of Object.entries(existing.Item.dayOfWeekCounts?.M ?? {})) {
      dayOfWeekCounts[k] = Number(v.N);
    }
    for (const [k, v] of Object.entries(existing.Item.hourOfDayCounts?.M ?? {})) {
      hourOfDayCounts[k] = Number(v.N);
    }
    totalCount = Number(existing.Item.totalCount?.N ?? "0");
  }

  // Increment
  dayOfWeekCounts[dayKey] = (dayOfWeekCounts[dayKey] ?? 0) + 1;
  hourOfDayCounts[hourKey] = (hourOfDayCounts[hourKey] ?? 0) + 1;
  totalCount += 1;

  // Write back
  const now = new Date().toISOString();
  const dayMap = {};
  for (const [k, v] of Object.entries(dayOfWeekCounts)) {
    dayMap[k] = { N: String(v) };
  }
  const hourMap = {};
  for (const [k, v] of Object.entries(hourOfDayCounts)) {
    hourMap[k] = { N: String(v) };
  }

  await client.send(
    new PutItemCommand({
      TableName: tableName,
      Item: {
        pk: { S: pk },
        sk: { S: sk },
        dayOfWeekCounts: { M: dayMap },
        hourOfDayCounts: { M: hourMap },
        totalCount: { N: String(totalCount) },
        lastSeen: { S: now },
        updatedAt: { S: now },
      },
    }),
  );
}

await updatePatternHabit("homeops", "hemma", 2, "städning", "fri", "18");
await updatePatternHabit("homeops", "hemma", 2, "städning", "sat", "18");
"""

# The seed's first attempt at a habit, as it stands there: the paths overlap, and the keyword comes twice.
OVERLAP = """
aws dynamodb update-item --table-name homeops --key '{"pk": {"S": "PATTERN#hemma#9"}, "sk": {"S": "diskning"}}' \\
  --update-expression 'SET dayOfWeekCounts = if_not_exists(dayOfWeekCounts, :emptyMap),
    dayOfWeekCounts.#dayKey = if_not_exists(dayOfWeekCounts.#dayKey, :zero) + :one' \\
  --expression-attribute-names '{"#dayKey": "mon"}' \\
  --expression-attribute-values '{":emptyMap": {"M": {}}, ":zero": {"N": "0"}, ":one": {"N": "1"}}'
"""


def steps(readme):
    """What a reader does."""
    readme.shell("""printf '%s\\n' 'Har diskat' 'Vem diskade senast?' \\
  'Hur ofta har Martin diskat den här veckan?' 'Nu har jag kört en maskin' 'tvätt' \\
  'häckklippning är en aktivitet: klippt häcken' 'Har klippt häcken och handlat' |
  homeops chat --as Martin""")
    readme.say("The seed's alias lookup (JavaScript) finds what the chat has taught:")
    readme.javascript(ALIASES)
    readme.say("Its memory queries answer as the bot does:")
    readme.javascript(QUESTIONS)
    readme.say("And a habit reads as the seed writes it:")
    readme.python(HABIT)
    readme.say("And the other way round: what the seed's code writes, the bot reads.")
    readme.javascript(WRITE_HABIT)
    readme.shell("homeops habits 2")
    readme.say("Where the seed is wrong, DynamoDB says so, and Stator says the same:")
    readme.shell(OVERLAP.strip(), status=254)


if __name__ == "__main__":
    # The seed's code goes by the machine's clock.
    transcript.main("homeops", steps, same=[(r"\d{4}-\d\d-\d\d \d\d:\d\d", "2026-02-28 09:00")])
