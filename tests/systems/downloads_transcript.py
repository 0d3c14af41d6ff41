#!/usr/bin/env python3
"""What the README of the downloads shows: the document's own snippets on the tables of the program.

    downloads_transcript.py STATOR DOWNLOADS [--write]
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
import transcript  # noqa: E402

SOURCE = "http://127.0.0.1:8700"
CLIENT = """
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, %s } from '@aws-sdk/lib-dynamodb';
const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: 'http://127.0.0.1:8000' }));
const %s = 'data-download-%s';
"""


def steps(told):
    told.say("The tables are the document's Terraform, and a folder is published:")
    told.shell("downloads setup --env prod | grep create")
    told.shell("mkdir files && seq 1 20000 > files/accounts.csv && seq 1 90000 > files/EU-Transactions.parquet")
    # As `env`, because the source has no tables, and no --endpoint.
    told.background(f"env downloads source --folder files --keys keys --clock {transcript.CLOCK}", SOURCE, "--port 0")

    told.say("A producer written after the document queues a file, once, with its condition and its record. "
             "It knows of no checksum:")
    told.javascript(CLIENT % ("PutCommand", "JOBS_TABLE", "jobs") + """
const now = Date.parse('2026-02-28T07:59:00Z');
const record = {
  FileID: 'accounts-2026-02-28', BatchID: 'batch-2026-02-28-abc123', Status: 'available',
  Entity: 'accounts', DownloadDate: '2026-02-28', PresignedURL: 'https://bucket.s3.amazonaws.com/accounts',
  EncryptedAESKey: 'a2V5', EncodedAESIV: 'aXY=',
  CreatedAt: new Date(now).toISOString(), StatusUpdatedAt: now,
  TTL: Math.floor(now / 1000) + (30 * 24 * 60 * 60)
};
const put = new PutCommand({
  TableName: JOBS_TABLE, Item: record, ConditionExpression: 'attribute_not_exists(FileID)'
});
for (const time of ['first', 'second']) {
  await dynamodb.send(put).then(() => console.log(time, 'queued'), error => console.log(time, error.name));
}
""")

    told.say("The day starts, and takes that job over. The document's query finds what is waiting, oldest first:")
    told.shell(f"downloads run --source {SOURCE}")
    told.javascript(CLIENT % ("QueryCommand", "JOBS_TABLE", "jobs") + """
const result = await dynamodb.send(new QueryCommand({
  TableName: JOBS_TABLE,
  IndexName: 'StatusIndex',
  KeyConditionExpression: '#s = :available',
  ExpressionAttributeNames:  { '#s': 'Status' },
  ExpressionAttributeValues: { ':available': 'available' },
  ScanIndexForward: true // ascending by StatusUpdatedAt
}));
for (const job of result.Items) console.log(job.FileID, job.BatchID, job.SizeBytes ?? 'size unknown');
""")

    told.say("The downloader cannot vouch for the job without a checksum; requeue asks the source for what is missing:")
    told.shell("downloads downloader --keys keys", status=1)
    told.shell(f"downloads requeue --source {SOURCE}")
    told.shell("downloads downloader --keys keys")
    told.shell("ls output && cmp files/EU-Transactions.parquet output/EU-Transactions-2026-02-28.parquet")
    told.shell("downloads poller")

    told.say("The document's query for the completed files of a batch:")
    told.javascript(CLIENT % ("QueryCommand", "JOBS_TABLE", "jobs") + """
const result = await dynamodb.send(new QueryCommand({
  TableName: JOBS_TABLE,
  IndexName: 'BatchIndex',
  KeyConditionExpression: 'BatchID = :bid AND #s = :completed',
  ExpressionAttributeNames:  { '#s': 'Status' },
  ExpressionAttributeValues: {
    ':bid':       'batch-2026-02-28-abe60269',
    ':completed': 'completed'
  }
}));
console.log(result.Items.map(job => `${job.FileID} ${job.Status} ${job.Attempts}`).sort().join('\\n'));
""")

    told.say("The day before is given no time at all, and the document's query finds its batch:")
    told.shell(f"downloads run --source {SOURCE} --date 2026-02-27")
    told.shell("downloads poller --date 2026-02-27 --timeout 0s", status=1)
    told.javascript(CLIENT % ("QueryCommand", "BATCH_TABLE", "batches") + """
const result = await dynamodb.send(new QueryCommand({
  TableName:  BATCH_TABLE,
  IndexName:  'PollingDateIndex',
  KeyConditionExpression: 'PollingDate = :date AND #s = :timeout',
  ExpressionAttributeNames:  { '#s': 'Status' },
  ExpressionAttributeValues: {
    ':date':    '2026-02-27',
    ':timeout': 'timeout'
  }
}));
for (const batch of result.Items) console.log(batch.BatchID, batch.TimeoutAt, [...batch.ExpectedFiles]);
""")

    told.say("A downloader written after the document claims a file with its condition, and dies. The AWS CLI finds the "
             "job stuck after 30 minutes, and requeue puts it back:")
    claim = """aws dynamodb update-item --table-name data-download-jobs --key '{"FileID": {"S": "accounts-2026-02-27"}}' \\
  --update-expression 'SET #status = :downloading, StatusUpdatedAt = :now' --condition-expression '#status = :available' \\
  --expression-attribute-names '{"#status": "Status"}' --expression-attribute-values \\
  '{":available": {"S": "available"}, ":downloading": {"S": "downloading"}, ":now": {"N": "1772263700000"}}'"""
    told.shell(claim)
    told.shell(claim, status=254)
    told.shell("""aws dynamodb query --table-name data-download-jobs --index-name StatusIndex --query Items[].FileID.S \\
  --key-condition-expression '#s = :downloading AND StatusUpdatedAt < :before' \\
  --expression-attribute-names '{"#s": "Status"}' \\
  --expression-attribute-values '{":downloading": {"S": "downloading"}, ":before": {"N": "1772263800000"}}'""")
    told.shell(f"downloads requeue --source {SOURCE}")

    told.say("The fast path, a GetItem by FileID, with boto3:")
    told.python("""
import boto3
jobs = boto3.resource("dynamodb", endpoint_url="http://127.0.0.1:8000").Table("data-download-jobs")
job = jobs.get_item(Key={"FileID": "EU-Transactions-2026-02-28"}, ConsistentRead=True)["Item"]
print(job["Status"], job["CompletedAt"], job["SizeBytes"], job["Extension"], job["TTL"])
""")


if __name__ == "__main__":
    transcript.main("downloads", steps)
