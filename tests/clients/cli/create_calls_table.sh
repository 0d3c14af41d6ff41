#!/usr/bin/env bash
# Creates the table Calls, as a person would type it.
set -euo pipefail
aws dynamodb create-table --endpoint-url "$STATOR_ENDPOINT" \
  --table-name Calls \
  --attribute-definitions \
      AttributeName=userId,AttributeType=S \
      AttributeName=sk,AttributeType=S \
      AttributeName=callId,AttributeType=S \
      AttributeName=providerId,AttributeType=S \
      AttributeName=userStatus,AttributeType=S \
  --key-schema \
      AttributeName=userId,KeyType=HASH \
      AttributeName=sk,KeyType=RANGE \
  --billing-mode PAY_PER_REQUEST \
  --global-secondary-indexes '[
    {
      "IndexName": "byCallId",
      "KeySchema": [{"AttributeName": "callId", "KeyType": "HASH"}],
      "Projection": {"ProjectionType": "ALL"}
    },
    {
      "IndexName": "byProvider",
      "KeySchema": [
        {"AttributeName": "providerId", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"}
      ],
      "Projection": {"ProjectionType": "ALL"}
    },
    {
      "IndexName": "byUserStatus",
      "KeySchema": [
        {"AttributeName": "userStatus", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"}
      ],
      "Projection": {"ProjectionType": "ALL"}
    }
  ]'
