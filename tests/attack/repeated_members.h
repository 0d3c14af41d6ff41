// Where a request can hold a great deal of something, for every operation.
#ifndef STATOR_TESTS_ATTACK_REPEATED_MEMBERS_H_
#define STATOR_TESTS_ATTACK_REPEATED_MEMBERS_H_

#include <string_view>

namespace stator::attack {

// A request is `head`, then `element` again and again with `separator` between, then `tail`. Each %
// in the element is replaced with the element's number. If there is a `second` element, as many of
// it stand between `tail` and `end`.
struct RepeatedMember {
  std::string_view operation;
  std::string_view member;
  std::string_view head;
  std::string_view element;
  std::string_view tail;
  std::string_view separator = ",";
  std::string_view second = {};
  std::string_view end = {};
};

// The table of every request below. It has a local index `local` and a global one `global`.
inline constexpr std::string_view kThings =
    R"({"TableName":"Things","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[
    {"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},
    {"AttributeName":"l","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
    "LocalSecondaryIndexes":[{"IndexName":"local","KeySchema":[{"AttributeName":"pk",
    "KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],"Projection":
    {"ProjectionType":"KEYS_ONLY"}}],"GlobalSecondaryIndexes":[{"IndexName":"global","KeySchema":
    [{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],
    "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}})";

#define T R"({"TableName":"Things",)"
#define KEY R"("Key":{"pk":{"S":"a"},"sk":{"S":"b"}},)"
#define ARN "arn:aws:dynamodb:us-east-1:000000000000:table/Things"
#define NEW R"({"TableName":"New","BillingMode":"PAY_PER_REQUEST",)"
#define PK R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}])"
#define DEFINED R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
#define INDEX(hash)                                                                          \
  R"({"IndexName":"index%","KeySchema":[{"AttributeName":")" hash R"(","KeyType":"HASH"}],)" \
  R"("Projection":{"ProjectionType":"ALL"}})"
#define IMPORT                                                                                 \
  R"({"S3BucketSource":{"S3Bucket":"bucket"},"InputFormat":"CSV","TableCreationParameters":{)" \
  R"("TableName":"New","BillingMode":"PAY_PER_REQUEST",)"

inline constexpr RepeatedMember kRepeatedMembers[] = {
    {"BatchExecuteStatement", "Statements", R"({"Statements":[)",
     R"({"Statement":"SELECT * FROM Things WHERE pk='%' AND sk='b'"})", "]}"},
    {"BatchExecuteStatement", "Statements.Parameters",
     R"({"Statements":[{"Statement":"SELECT * FROM Things WHERE pk=? AND sk=?","Parameters":[)",
     R"({"S":"%"})", "]}]}"},
    {"BatchGetItem", "RequestItems", R"({"RequestItems":{)",
     R"("Table%":{"Keys":[{"pk":{"S":"a"},"sk":{"S":"b"}}]})", "}}"},
    {"BatchGetItem", "Keys", R"({"RequestItems":{"Things":{"Keys":[)",
     R"({"pk":{"S":"%"},"sk":{"S":"b"}})", "]}}}"},
    {"BatchGetItem", "Keys.Key", R"({"RequestItems":{"Things":{"Keys":[{)", R"("pk%":{"S":"a"})",
     "}]}}}"},
    {"BatchGetItem", "AttributesToGet",
     R"({"RequestItems":{"Things":{"Keys":[{"pk":{"S":"a"}}],"AttributesToGet":[)", R"("a%")",
     "]}}}"},
    {"BatchGetItem", "ExpressionAttributeNames",
     R"({"RequestItems":{"Things":{"Keys":[{"pk":{"S":"a"}}],"ProjectionExpression":"#a0",)"
     R"("ExpressionAttributeNames":{)",
     R"("#a%":"an attribute that has a long name, %")", "}}}}"},
    {"BatchWriteItem", "RequestItems", R"({"RequestItems":{)",
     R"("Table%":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":"b"}}}}])", "}}"},
    {"BatchWriteItem", "PutRequest", R"({"RequestItems":{"Things":[)",
     R"({"PutRequest":{"Item":{"pk":{"S":"%"},"sk":{"S":"b"}}}})", "]}}"},
    {"BatchWriteItem", "PutRequest.Item",
     R"({"RequestItems":{"Things":[{"PutRequest":{"Item":{"pk":{"S":"a"},)", R"("a%":{"S":"b"})",
     "}}}]}}"},
    {"BatchWriteItem", "DeleteRequest.Key",
     R"({"RequestItems":{"Things":[{"DeleteRequest":{"Key":{)", R"("pk%":{"S":"b"})", "}}}]}}"},
    {"CancelBulkOperation", "BulkOperationArn", R"({"BulkOperationArn":")" ARN "/bulk-operation/",
     "0/", R"("})", ""},
    {"CreateBackup", "BackupName", T R"("BackupName":")", "abcd", R"("})", ""},
    {"CreateTable", "AttributeDefinitions", NEW PK R"(,"AttributeDefinitions":[)",
     R"({"AttributeName":"a%","AttributeType":"S"})", "]}"},
    {"CreateTable", "KeySchema", NEW DEFINED R"("KeySchema":[)",
     R"({"AttributeName":"a%","KeyType":"HASH"})", "]}"},
    {"CreateTable", "GlobalSecondaryIndexes", NEW DEFINED PK R"(,"GlobalSecondaryIndexes":[)",
     INDEX("pk"), "]}"},
    {"CreateTable", "GlobalSecondaryIndexes and their attributes",
     NEW PK R"(,"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)",
     R"({"AttributeName":"a%","AttributeType":"S"})", R"(],"GlobalSecondaryIndexes":[)", ",",
     INDEX("a%"), "]}"},
    {"CreateTable", "GlobalSecondaryIndexes.KeySchema",
     NEW DEFINED PK R"(,"GlobalSecondaryIndexes":[{"IndexName":"one","Projection":
     {"ProjectionType":"ALL"},"KeySchema":[)",
     R"({"AttributeName":"a%","KeyType":"HASH"})", "]}]}"},
    {"CreateTable", "GlobalSecondaryIndexes.NonKeyAttributes",
     NEW DEFINED PK R"(,"GlobalSecondaryIndexes":[{"IndexName":"one",)" PK R"(,"Projection":
     {"ProjectionType":"INCLUDE","NonKeyAttributes":[)",
     R"("a%")", "]}}]}"},
    {"CreateTable", "LocalSecondaryIndexes",
     NEW R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
     {"AttributeName":"sk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
     {"AttributeName":"sk","KeyType":"RANGE"}],"LocalSecondaryIndexes":[)",
     R"({"IndexName":"index%","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
     R"({"AttributeName":"sk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}})",
     "]}"},
    {"CreateTable", "Tags", NEW DEFINED PK R"(,"Tags":[)", R"({"Key":"k%","Value":"v"})", "]}"},
    {"DeleteBackup", "BackupArn", R"({"BackupArn":")" ARN "/backup/", "0", R"("})", ""},
    {"DeleteItem", "Key", T R"("Key":{)", R"("pk%":{"S":"a"})", "}}"},
    {"DeleteItem", "Expected", T KEY R"("Expected":{)", R"("a%":{"Exists":false})", "}}"},
    {"DeleteItem", "ExpressionAttributeNames",
     T KEY R"x("ConditionExpression":"attribute_exists(#a0)","ExpressionAttributeNames":{)x",
     R"("#a%":"an attribute that has a long name, %")", "}}"},
    {"DeleteItem", "ExpressionAttributeValues",
     T KEY R"("ConditionExpression":"a=:a0","ExpressionAttributeValues":{)",
     R"(":a%":{"S":"a value that is neither short nor long, %"})", "}}"},
    {"DeleteTable", "TableName", R"({"TableName":")", "abcd", R"("})", ""},
    {"DescribeBackup", "BackupArn", R"({"BackupArn":")" ARN "/backup/", "0", R"("})", ""},
    {"DescribeBulkOperation", "BulkOperationArn", R"({"BulkOperationArn":")" ARN "/bulk-operation/",
     "0", R"("})", ""},
    {"DescribeContinuousBackups", "TableName", R"({"TableName":")", "abcd", R"("})", ""},
    {"DescribeEndpoints", "unknown members", "{", R"("a%":1)", "}"},
    {"DescribeExport", "ExportArn", R"({"ExportArn":")" ARN "/export/", "0", R"("})", ""},
    {"DescribeImport", "ImportArn", R"({"ImportArn":")" ARN "/import/", "0", R"("})", ""},
    {"DescribeLimits", "unknown members", "{", R"("a":[{}])", "}"},
    {"DescribeStream", "StreamArn", R"({"StreamArn":")" ARN "/stream/", "0:", R"("})", ""},
    {"DescribeTable", "TableName", R"({"TableName":")" ARN, ":/", R"("})", ""},
    {"DescribeTimeToLive", "TableName", R"({"TableName":")", "abcd", R"("})", ""},
    {"ExecuteStatement", "Statement", R"({"Statement":"SELECT * FROM Things WHERE pk IN [1)", ",%",
     R"(]"})", ""},
    {"ExecuteStatement", "Parameters",
     R"({"Statement":"INSERT INTO Things VALUE {'pk':?,'sk':?}","Parameters":[)", R"({"S":"%"})",
     "]}"},
    {"ExecuteStatement", "NextToken", R"({"Statement":"SELECT * FROM Things","NextToken":")",
     "abcd", R"("})", ""},
    {"ExecuteTransaction", "TransactStatements", R"({"TransactStatements":[)",
     R"({"Statement":"SELECT * FROM Things WHERE pk='%' AND sk='b'"})", "]}"},
    {"ExecuteTransaction", "TransactStatements.Parameters",
     R"({"TransactStatements":[{"Statement":"SELECT * FROM Things WHERE pk=? AND sk=?",)"
     R"("Parameters":[)",
     R"({"S":"%"})", "]}]}"},
    {"ExportTableToPointInTime", "S3Prefix",
     R"({"TableArn":")" ARN R"(","S3Bucket":"bucket","S3Prefix":")", "a/", R"("})", ""},
    {"GetItem", "Key", T R"("Key":{)", R"("pk%":{"S":"a"})", "}}"},
    {"GetItem", "AttributesToGet", T KEY R"("AttributesToGet":[)", R"("a%")", "]}"},
    {"GetItem", "ExpressionAttributeNames",
     T KEY R"("ProjectionExpression":"#a0","ExpressionAttributeNames":{)",
     R"("#a%":"an attribute that has a long name, %")", "}}"},
    {"GetRecords", "ShardIterator", R"({"ShardIterator":")", "abcd", R"("})", ""},
    {"GetShardIterator", "ShardId",
     R"({"StreamArn":")" ARN R"(/stream/1","ShardIteratorType":"LATEST","ShardId":")", "0", R"("})",
     ""},
    {"ImportTable", "HeaderList",
     IMPORT DEFINED PK R"(},"InputFormatOptions":{"Csv":{"HeaderList":[)", R"("a%")", "]}}}"},
    {"ImportTable", "AttributeDefinitions", IMPORT PK R"(,"AttributeDefinitions":[)",
     R"({"AttributeName":"a%","AttributeType":"S"})", "]}}"},
    {"ImportTable", "GlobalSecondaryIndexes", IMPORT DEFINED PK R"(,"GlobalSecondaryIndexes":[)",
     INDEX("pk"), "]}}"},
    {"ListBackups", "ExclusiveStartBackupArn", R"({"ExclusiveStartBackupArn":")", "abcd", R"("})",
     ""},
    {"ListBulkOperations", "NextToken", R"({"NextToken":")", "30", R"("})", ""},
    {"ListExports", "NextToken", R"({"NextToken":")", "30", R"("})", ""},
    {"ListImports", "NextToken", R"({"NextToken":")", "30", R"("})", ""},
    {"ListStreams", "ExclusiveStartStreamArn", R"({"ExclusiveStartStreamArn":")", "arn:", R"("})",
     ""},
    {"ListTables", "ExclusiveStartTableName", R"({"ExclusiveStartTableName":")", "abcd", R"("})",
     ""},
    {"ListTagsOfResource", "ResourceArn", R"({"ResourceArn":"arn:)", "aws:", R"("})", ""},
    {"PutItem", "Item", T R"("Item":{"pk":{"S":"a"},"sk":{"S":"b"},)", R"("a%":{"N":"%"})", "}}"},
    {"PutItem", "Item, one name", T R"("Item":{"pk":{"S":"a"},"sk":{"S":"b"},)",
     R"("a":{"S":"the same name again and again, %"})", "}}"},
    {"PutItem", "Item.SS", T R"("Item":{"pk":{"S":"a"},"a":{"SS":[)", R"("%")", "]}}}"},
    {"PutItem", "Item.SS, one member", T R"("Item":{"pk":{"S":"a"},"a":{"SS":[)",
     R"("a member of a set that is there more than once")", "]}}}"},
    {"PutItem", "Item.NS", T R"("Item":{"pk":{"S":"a"},"a":{"NS":[)", R"("%")", "]}}}"},
    {"PutItem", "Item.BS", T R"("Item":{"pk":{"S":"a"},"a":{"BS":[)",
     R"("YSBtZW1iZXIgb2YgYSBzZXQgdGhhdCBpcyB0aGVyZSBtb3Jl")", "]}}}"},
    {"PutItem", "Item.L", T R"("Item":{"pk":{"S":"a"},"a":{"L":[)", R"({"NULL":true})", "]}}}"},
    {"PutItem", "Item.M", T R"("Item":{"pk":{"S":"a"},"a":{"M":{)", R"("%":{"NULL":true})", "}}}}"},
    {"PutItem", "Item.L of M, nested", T R"("Item":{"pk":{"S":"a"},"a":{"L":[)",
     R"({"M":{"a":{"L":[{"M":{"a":{"L":[{"M":{"a":{"L":[{"M":{}}]}}}]}}}]}}})", "]}}}"},
    {"PutItem", "Item.N", T R"("Item":{"pk":{"S":"a"},"a":{"N":")", "1", R"("}}})", ""},
    {"PutItem", "Item.N, exponent", T R"("Item":{"pk":{"S":"a"},"a":{"N":"1e)", "1", R"("}}})", ""},
    {"PutItem", "Item.B", T R"("Item":{"pk":{"S":"a"},"a":{"B":")", "aaaa", R"("}}})", ""},
    {"PutItem", "Item.S, escapes", T R"("Item":{"pk":{"S":")", R"(\n\u00e9)", R"("}}})", ""},
    {"PutItem", "Item.S, several types", T R"("Item":{"pk":{)", R"("S":"a")", "}}}"},
    {"PutItem", "Expected", T R"("Item":{"pk":{"S":"a"},"sk":{"S":"b"}},"Expected":{)",
     R"("a%":{"ComparisonOperator":"NOT_NULL"})", "}}"},
    {"PutItem", "Expected.AttributeValueList",
     T R"("Item":{"pk":{"S":"a"},"sk":{"S":"b"}},"Expected":{"sk":{"ComparisonOperator":"IN",)"
       R"("AttributeValueList":[)",
     R"({"S":"%"})", "]}}}"},
    {"PutItem", "ExpressionAttributeNames",
     T R"("Item":{"pk":{"S":"a"},"sk":{"S":"b"}},"ConditionExpression":"a=:a",)"
       R"("ExpressionAttributeNames":{)",
     R"("#a%":"an attribute that has a long name")", "}}"},
    {"PutItem", "ExpressionAttributeValues",
     T R"("Item":{"pk":{"S":"a"},"sk":{"S":"b"}},"ConditionExpression":"a=:a0",)"
       R"("ExpressionAttributeValues":{)",
     R"(":a%":{"SS":["one member", "another member"]})", "}}"},
    {"PutItem", "ConditionExpression",
     T R"("Item":{"pk":{"S":"a"},"sk":{"S":"b"}},"ConditionExpression":")", "(", R"("})", ""},
    {"Query", "KeyConditions", T R"("KeyConditions":{)",
     R"("a%":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"%"}]})", "}}"},
    {"Query", "QueryFilter",
     T R"("KeyConditionExpression":"pk=:a","ExpressionAttributeValues":{":a":{"S":"a"}},)"
       R"("QueryFilter":{)",
     R"("a%":{"ComparisonOperator":"NULL"})", "}}"},
    {"Query", "QueryFilter on an index",
     T R"("IndexName":"local","KeyConditions":{"pk":{"ComparisonOperator":"EQ",)"
       R"("AttributeValueList":[{"S":"a"}]}},"QueryFilter":{)",
     R"("a%":{"ComparisonOperator":"NULL"})", "}}"},
    {"Query", "ExpressionAttributeNames",
     T R"("KeyConditionExpression":"#a0=:a","ExpressionAttributeValues":{":a":{"S":"a"}},)"
       R"("ExpressionAttributeNames":{)",
     R"("#a%":"pk")", "}}"},
    {"Query", "ExpressionAttributeValues",
     T R"("KeyConditionExpression":"pk=:a0","ExpressionAttributeValues":{)",
     R"(":a%":{"S":"a value that is neither short nor long"})", "}}"},
    {"Query", "AttributesToGet",
     T R"("KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}},)"
       R"("AttributesToGet":[)",
     R"("a%")", "]}"},
    {"Query", "ExclusiveStartKey",
     T R"("KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}},)"
       R"("ExclusiveStartKey":{)",
     R"("a%":{"S":"a"})", "}}"},
    {"RestoreTableFromBackup", "GlobalSecondaryIndexOverride",
     R"({"TargetTableName":"New","BackupArn":")" ARN
     R"(/backup/01","GlobalSecondaryIndexOverride":[)",
     INDEX("g"), "]}"},
    {"RestoreTableFromBackup", "LocalSecondaryIndexOverride",
     R"({"TargetTableName":"New","BackupArn":")" ARN
     R"(/backup/01","LocalSecondaryIndexOverride":[)",
     INDEX("pk"), "]}"},
    {"RestoreTableToPointInTime", "GlobalSecondaryIndexOverride",
     R"({"TargetTableName":"New","SourceTableName":"Things","GlobalSecondaryIndexOverride":[)",
     INDEX("g"), "]}"},
    {"RestoreTableToPointInTime", "LocalSecondaryIndexOverride",
     R"({"TargetTableName":"New","SourceTableName":"Things","LocalSecondaryIndexOverride":[)",
     INDEX("pk"), "]}"},
    {"Scan", "ScanFilter", T R"("ScanFilter":{)", R"("a%":{"ComparisonOperator":"NULL"})", "}}"},
    {"Scan", "ScanFilter on an index", T R"("IndexName":"global","ScanFilter":{)",
     R"("a%":{"ComparisonOperator":"NULL"})", "}}"},
    {"Scan", "ScanFilter.AttributeValueList",
     T R"("ScanFilter":{"a":{"ComparisonOperator":"IN","AttributeValueList":[)", R"({"S":"%"})",
     "]}}}"},
    {"Scan", "ExpressionAttributeNames",
     T R"("FilterExpression":"#a0=:a","ExpressionAttributeValues":{":a":{"S":"a"}},)"
       R"("ExpressionAttributeNames":{)",
     R"("#a%":"an attribute that has a long name")", "}}"},
    {"Scan", "ExpressionAttributeValues",
     T R"("FilterExpression":"a=:a0","ExpressionAttributeValues":{)", R"(":a%":{"N":"%"})", "}}"},
    {"Scan", "AttributesToGet", T R"("AttributesToGet":[)", R"("a%")", "]}"},
    {"Scan", "ExclusiveStartKey", T R"("ExclusiveStartKey":{)", R"("a%":{"S":"a"})", "}}"},
    {"StartBulkPutItems", "ClientToken",
     T R"("InputS3Configuration":{"S3Bucket":"bucket","InputFormat":"CSV"},"ClientToken":")",
     "abcd", R"("})", ""},
    {"TagResource", "Tags", R"({"ResourceArn":")" ARN R"(","Tags":[)",
     R"({"Key":"k%","Value":"v"})", "]}"},
    {"TransactGetItems", "TransactItems", R"({"TransactItems":[)",
     R"({"Get":{"TableName":"Things","Key":{"pk":{"S":"%"},"sk":{"S":"b"}}}})", "]}"},
    {"TransactGetItems", "Get.Key", R"({"TransactItems":[{"Get":{"TableName":"Things","Key":{)",
     R"("pk%":{"S":"a"})", "}}}]}"},
    {"TransactGetItems", "Get.ExpressionAttributeNames",
     R"({"TransactItems":[{"Get":{"TableName":"Things","Key":{"pk":{"S":"a"},"sk":{"S":"b"}},)"
     R"("ProjectionExpression":"#a0","ExpressionAttributeNames":{)",
     R"("#a%":"an attribute that has a long name")", "}}}]}"},
    {"TransactWriteItems", "TransactItems", R"({"TransactItems":[)",
     R"({"Delete":{"TableName":"Things","Key":{"pk":{"S":"%"},"sk":{"S":"b"}}}})", "]}"},
    {"TransactWriteItems", "Put.Item",
     R"({"ClientRequestToken":"one","TransactItems":[{"Put":{"TableName":"Things","Item":{)",
     R"("a%":{"S":"a"})", "}}}]}"},
    {"TransactWriteItems", "Delete.Key",
     R"({"TransactItems":[{"Delete":{"TableName":"Things","Key":{)", R"("pk%":{"S":"a"})", "}}}]}"},
    {"TransactWriteItems", "ConditionCheck.ExpressionAttributeNames",
     R"({"TransactItems":[{"ConditionCheck":{"TableName":"Things",)" KEY
     R"x("ConditionExpression":"attribute_exists(#a0)","ExpressionAttributeNames":{)x",
     R"("#a%":"an attribute that has a long name")", "}}}]}"},
    {"TransactWriteItems", "Update.ExpressionAttributeValues",
     R"({"ClientRequestToken":"two","TransactItems":[{"Update":{"TableName":"Things",)" KEY
     R"("UpdateExpression":"SET a=:a0","ExpressionAttributeValues":{)",
     R"(":a%":{"S":"a value that is neither short nor long"})", "}}}]}"},
    {"UntagResource", "TagKeys", R"({"ResourceArn":")" ARN R"(","TagKeys":[)", R"("k%")", "]}"},
    {"UpdateContinuousBackups", "TableName", R"({"TableName":")", "abcd", R"("})", ""},
    {"UpdateItem", "Key", T R"("Key":{)", R"("pk%":{"S":"a"})", "}}"},
    {"UpdateItem", "AttributeUpdates", T KEY R"("AttributeUpdates":{)",
     R"("a%":{"Action":"DELETE"})", R"(},"ReturnValues":"UPDATED_NEW"})"},
    {"UpdateItem", "Expected", T KEY R"("Expected":{)", R"("a%":{"Exists":false})", "}}"},
    {"UpdateItem", "ExpressionAttributeNames",
     T KEY R"("UpdateExpression":"REMOVE #a0","ExpressionAttributeNames":{)",
     R"("#a%":"an attribute that has a long name")", "}}"},
    {"UpdateItem", "ExpressionAttributeValues",
     T KEY R"("UpdateExpression":"SET a=:a0","ExpressionAttributeValues":{)",
     R"(":a%":{"L":[{"S":"an element of a list"}]})", "}}"},
    {"UpdateTable", "AttributeDefinitions",
     T R"("GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"one","KeySchema":
     [{"AttributeName":"a0","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}}],
     "AttributeDefinitions":[)",
     R"({"AttributeName":"a%","AttributeType":"S"})", "]}"},
    {"UpdateTable", "GlobalSecondaryIndexUpdates.Update", T R"("GlobalSecondaryIndexUpdates":[)",
     R"({"Update":{"IndexName":"index%","OnDemandThroughput":{"MaxReadRequestUnits":1}}})", "]}"},
    {"UpdateTable", "GlobalSecondaryIndexUpdates.Create",
     T DEFINED R"("GlobalSecondaryIndexUpdates":[)", R"({"Create":)" INDEX("pk") "}", "]}"},
    {"UpdateTable", "GlobalSecondaryIndexUpdates.Delete", T R"("GlobalSecondaryIndexUpdates":[)",
     R"({"Delete":{"IndexName":"index%"}})", "]}"},
    {"UpdateTimeToLive", "AttributeName",
     T R"("TimeToLiveSpecification":{"Enabled":true,"AttributeName":")", "abcd", R"("}})", ""},
};

#undef T
#undef KEY
#undef ARN
#undef NEW
#undef PK
#undef DEFINED
#undef INDEX
#undef IMPORT

}  // namespace stator::attack

#endif  // STATOR_TESTS_ATTACK_REPEATED_MEMBERS_H_
