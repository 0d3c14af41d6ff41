#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "api/testing/api_test.h"

namespace stator {
namespace create_table_test {

using CreateTableTest = ApiTest;

constexpr std::string_view kInvalid =
    "ValidationException: One or more parameter values were invalid: ";
constexpr std::string_view kOneError = "ValidationException: 1 validation error detected: ";

// Definitions and keys, and whatever else a test wants: R"("BillingMode":"X")".
std::string Request(std::string_view rest,
                    std::string_view definitions = R"({"AttributeName":"pk","AttributeType":"S"})",
                    std::string_view schema = R"({"AttributeName":"pk","KeyType":"HASH"})") {
  std::string body = R"({"TableName":"Music","AttributeDefinitions":[)";
  body += definitions;
  body += R"(],"KeySchema":[)";
  body += schema;
  body += "]";
  if (!rest.empty()) body += ",";
  body += rest;
  return body + "}";
}

constexpr std::string_view kThree =
    R"({"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},
       {"AttributeName":"a","AttributeType":"B"})";
constexpr std::string_view kComposite =
    R"({"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"})";

// "pk HASH, sk RANGE" as the elements of a KeySchema.
std::string Schema(std::string_view keys) {
  std::string schema;
  while (!keys.empty()) {
    const std::string_view element = keys.substr(0, keys.find(", "));
    keys.remove_prefix(std::min(keys.size(), element.size() + 2));
    const std::size_t space = element.find(' ');
    if (!schema.empty()) schema += ",";
    schema += R"({"AttributeName":")" + std::string(element.substr(0, space));
    schema += R"(","KeyType":")" + std::string(element.substr(space + 1)) + "\"}";
  }
  return schema;
}

std::string Index(std::string_view keys, std::string_view projection, std::string_view rest = "") {
  return R"({"IndexName":"idx","KeySchema":[)" + Schema(keys) + R"(],"Projection":{)" +
         std::string(projection) + "}" + std::string(rest) + "}";
}

constexpr std::string_view kAll = R"("ProjectionType":"ALL")";

std::string Units(std::string_view read, std::string_view write) {
  return R"("ProvisionedThroughput":{"ReadCapacityUnits":)" + std::string(read) +
         R"(,"WriteCapacityUnits":)" + std::string(write) + "}";
}

// A request for an on-demand table with these members.
std::string OnDemand(std::string_view rest) {
  return Request(R"("BillingMode":"PAY_PER_REQUEST",)" + std::string(rest));
}

std::string WithLocal(std::string_view index) {
  return Request(
      R"("BillingMode":"PAY_PER_REQUEST","LocalSecondaryIndexes":[)" + std::string(index) + "]",
      kThree, kComposite);
}
std::string WithGlobal(std::string_view index) {
  return Request(
      R"("BillingMode":"PAY_PER_REQUEST","GlobalSecondaryIndexes":[)" + std::string(index) + "]",
      kThree, kComposite);
}
constexpr std::string_view kOnDemand = R"("BillingMode":"PAY_PER_REQUEST")";

TEST_F(CreateTableTest, TheAnswerSaysCreatingAndTheTableIsActive) {
  const std::string created = Answer(kCreateTable, Request(Units("5", "6")));
  const std::string id = engine_->catalog().Find("Music")->id;
  const auto expected = [&](std::string_view status, std::string_view warm) {
    return R"({"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
           R"("TableName":"Music","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
           R"("TableStatus":")" +
           std::string(status) +
           R"(","CreationDateTime":1769860800.000,)"
           R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,)"
           R"("WriteCapacityUnits":6},"TableSizeBytes":0,"ItemCount":0,)"
           R"("TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Music","TableId":")" +
           id + "\"" + std::string(warm) + R"(,"DeletionProtectionEnabled":false})";
  };
  EXPECT_EQ(created, R"({"TableDescription":)" + expected("CREATING", "") + "}");
  EXPECT_EQ(
      Answer(kDescribeTable, R"({"TableName":"Music"})"),
      R"({"Table":)" +
          expected("ACTIVE", R"(,"WarmThroughput":{"ReadUnitsPerSecond":5,"WriteUnitsPerSecond":6,)"
                             R"("Status":"ACTIVE"})") +
          "}");
}

TEST_F(CreateTableTest, AnOnDemandTableSaysSoTwice) {
  const std::string created = Answer(kCreateTable, Request(kOnDemand));
  EXPECT_NE(
      created.find(R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},)"
                   R"("TableThroughputModeSummary":{"TableThroughputMode":"PAY_PER_REQUEST"})"),
      std::string::npos)
      << created;
  const std::string described = Answer(kDescribeTable, R"({"TableName":"Music"})");
  EXPECT_NE(described.find(R"("LastUpdateToPayPerRequestDateTime":1769860800.000)"),
            std::string::npos);
  EXPECT_NE(
      described.find(R"("WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000)"),
      std::string::npos);
}

TEST_F(CreateTableTest, IndexesAreKeptAsSubmitted) {
  Answer(kCreateTable, Request(R"("BillingMode":"PAY_PER_REQUEST",
           "LocalSecondaryIndexes":[{"IndexName":"local","KeySchema":[
             {"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"a","KeyType":"RANGE"}],
             "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["z","b"]}}],
           "GlobalSecondaryIndexes":[{"IndexName":"multi","KeySchema":[
             {"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"HASH"},
             {"AttributeName":"pk","KeyType":"RANGE"}],
             "Projection":{"ProjectionType":"KEYS_ONLY"}}])",
                               kThree, kComposite));
  const TablePtr table = engine_->catalog().Find("Music");
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->indexes.size(), 2U);
  EXPECT_EQ(table->indexes[0].entry_attributes,
            (std::vector<std::string>{"a", "b", "pk", "sk", "z"}));
  EXPECT_EQ(table->indexes[1].keys.hash.size(), 2U);
  EXPECT_EQ(table->indexes[1].keys.range.size(), 1U);
  EXPECT_NE(table->indexes[0].number, table->indexes[1].number);
}

TEST_F(CreateTableTest, ANameIsTakenOnce) {
  Answer(kCreateTable, Request(kOnDemand));
  EXPECT_EQ(Answer(kCreateTable, Request(kOnDemand)),
            "ResourceInUseException: Table already exists: Music");
  EXPECT_TRUE(Answer(kCreateTable, Request("")).starts_with("ValidationException"))
      << "validation wins over the name";
}

TEST_F(CreateTableTest, NamesOfTables) {
  EXPECT_EQ(Answer(kCreateTable, "{}"),
            "ValidationException: The parameter 'TableName' is required but was not present in the "
            "request");
  EXPECT_EQ(Answer(kCreateTable, R"({"TableName":"ab"})"),
            std::string(kOneError) +
                "Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length "
                "greater than or equal to 3");
  EXPECT_EQ(
      Answer(kCreateTable, R"({"TableName":"a b"})"),
      std::string(kOneError) +
          "Value 'a b' at 'tableName' failed to satisfy constraint: Member must satisfy regular "
          "expression pattern: [a-zA-Z0-9_.-]+");
}

TEST_F(CreateTableTest, FrameworkConstraintsAreReportedTogether) {
  EXPECT_EQ(
      Answer(kCreateTable, R"({"TableName":"Music"})"),
      "ValidationException: 2 validation errors detected: Value null at 'attributeDefinitions' "
      "failed to satisfy constraint: Member must not be null; Value null at 'keySchema' failed "
      "to satisfy constraint: Member must not be null");
  EXPECT_EQ(
      Answer(kCreateTable,
             R"({"TableName":"Music","AttributeDefinitions":[],"KeySchema":[],
                       "ProvisionedThroughput":{"ReadCapacityUnits":-1,"WriteCapacityUnits":0}})"),
      "ValidationException: 3 validation errors detected: Value '0' at "
      "'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must have "
      "value greater than or equal to 1; Value '-1' at 'provisionedThroughput.readCapacityUnits' "
      "failed to satisfy constraint: Member must have value greater than or equal to 1; Value "
      "'[]' at 'keySchema' failed to satisfy constraint: Member must have length greater than or "
      "equal to 1");
}

struct RuleCase {
  std::string request;
  std::string_view message;
};

TEST_F(CreateTableTest, RulesInOrder) {
  const std::string_view both =
      R"({"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"})";
  const RuleCase cases[] = {
      {Request(""),
       "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
       "PROVISIONED"},
      {OnDemand(Units("1", "1")),
       "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
       "PAY_PER_REQUEST"},
      {Request(kOnDemand, both),
       "Number of attributes in KeySchema does not exactly match number of "
       "attributes defined in AttributeDefinitions"},
      {Request(kOnDemand, R"({"AttributeName":"x","AttributeType":"S"})"),
       "Some index key attributes are not defined in AttributeDefinitions. Keys: [pk], "
       "AttributeDefinitions: [x]"},
      {OnDemand(R"("LocalSecondaryIndexes":[])"), "List of LocalSecondaryIndexes is empty"},
      {OnDemand(R"("GlobalSecondaryIndexes":[])"), "List of GlobalSecondaryIndexes is empty"},
      {WithLocal(Index("pk HASH", "")), "Index KeySchema does not have a range key for index: idx"},
      {WithLocal(Index("pk HASH, sk RANGE", "")),
       "Some AttributeDefinitions are not used. AttributeDefinitions: [pk, sk, a], keys used: [pk, "
       "sk]"},
      {WithLocal(Index("a HASH", "")), "Index KeySchema does not have a range key for index: idx"},
      {WithLocal(Index("a HASH, pk RANGE", "")),
       "Index KeySchema does not have the same leading hash key as table KeySchema for index: idx. "
       "index "
       "hash key: a, table hash key: pk"},
      {WithLocal(Index("pk HASH, a RANGE", "")), "Unknown ProjectionType: null"},
      {WithGlobal(Index("a HASH", R"("ProjectionType":"ALL","NonKeyAttributes":["x"])")),
       "ProjectionType is ALL, but NonKeyAttributes is specified"},
      {WithGlobal(Index("a HASH", R"("ProjectionType":"INCLUDE")")),
       "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
      {WithGlobal(Index("a HASH", R"("ProjectionType":"INCLUDE","NonKeyAttributes":["x","x"])")),
       "Duplicate element in NonKeyAttributes: x"},
      {WithGlobal(Index("a HASH", kAll, "," + Units("1", "1"))),
       "ProvisionedThroughput should not be specified for index: idx when BillingMode is "
       "PAY_PER_REQUEST"},
      {WithGlobal(Index("a HASH", kAll) + "," + Index("a HASH", kAll)),
       "Duplicate index name: idx"},
      {WithGlobal(Index("a HASH, pk RANGE, sk HASH", kAll)),
       "All HASH key attributes must precede RANGE key attributes in the KeySchema"},
      {OnDemand(R"("StreamSpecification":{"StreamEnabled":true})"),
       "Table is being created with a stream enabled, UpdateViewType is required"},
      {OnDemand(R"("StreamSpecification":{"StreamEnabled":false,
                                            "StreamViewType":"KEYS_ONLY"})"),
       "Table is being created with a stream disabled, UpdateViewType should not be specified"},
      {OnDemand(R"("SSESpecification":{"Enabled":false,"SSEType":"KMS"})"),
       "SSEType can not be specified if Enabled is false"},
      {OnDemand(R"("SSESpecification":{"Enabled":true,"SSEType":"AES256"})"),
       "SSEType AES256 is not supported"},
      {OnDemand(R"("OnDemandThroughput":{"MaxReadRequestUnits":0})"),
       "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range"},
      {Request(Units("1", "1") + R"(,"OnDemandThroughput":{"MaxWriteRequestUnits":5})"),
       "MaxWriteRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is "
       "PROVISIONED."},
      {Request(Units("9", "1") + R"(,"WarmThroughput":{"ReadUnitsPerSecond":5})"),
       "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than ReadCapacityUnits "
       "of "
       "ProvisionedThroughput"},
  };
  for (const RuleCase& one : cases) {
    EXPECT_EQ(Answer(kCreateTable, one.request), std::string(kInvalid) + std::string(one.message))
        << one.request;
  }
  EXPECT_EQ(engine_->catalog().size(), 0U);
}

TEST_F(CreateTableTest, RulesWithMessagesOfTheirOwn) {
  const RuleCase cases[] = {
      {Request(kOnDemand,
               R"({"AttributeName":"pk","AttributeType":"S"},
                    {"AttributeName":"pk","AttributeType":"N"})"),
       "ValidationException: Attribute Name is duplicated: pk"},
      {Request(kOnDemand, ""),
       "ValidationException: Invalid KeySchema: Some index key attribute have no definition"},
      {Request(
           kOnDemand, R"({"AttributeName":"pk","AttributeType":"S"})",
           R"({"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"pk","KeyType":"RANGE"})"),
       "ValidationException: Invalid KeySchema: Some index key attribute have no definition"},
      {Request(kOnDemand, R"({"AttributeName":"pk","AttributeType":"S"})",
               R"({"AttributeName":"pk","KeyType":"RANGE"})"),
       "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
      {OnDemand(R"("TableClass":"CHEAP")"),
       "ValidationException: Invalid table-class parameter provided. Please try again with a valid "
       "table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS]."},
      {OnDemand(R"("Tags":[{"Key":"aws:x","Value":""}])"),
       "ValidationException: Tag Key cannot be prefixed with aws:, Key: aws:x"},
      {OnDemand(R"("VectorIndexes":[])"),
       "ValidationException: VectorIndexes is not supported by this version of Stator"},
      {Request(Units("1000000000001", "1")),
       "ValidationException: Given value 1000000000001 for ReadCapacityUnits is out of bounds"},
      {Request(Units("40001", "1")),
       "LimitExceededException: The requested ReadCapacityUnits, 40001, is above the per table "
       "maximum "
       "for the account in us-east-1. Per table maximum: 40000. Refer to the Amazon DynamoDB "
       "Developer "
       "Guide for current limits and how to request higher limits."},
  };
  for (const RuleCase& one : cases) {
    EXPECT_EQ(Answer(kCreateTable, one.request), one.message) << one.request;
  }
}

TEST_F(CreateTableTest, NamesThatAreNoTextAreRefused) {
  CreateTableRequest request;
  request.table_name = "Music";
  request.billing_mode = BillingMode::kPayPerRequest;
  request.attribute_definitions = {{{"\xFF", ScalarType::kS}}};
  request.key_schema = {{{"\xFF", KeyType::kHash}}};
  EXPECT_FALSE(kCreateTable.call(*engine_, Wording::kClassic, std::move(request)));
}

}  // namespace create_table_test
}  // namespace stator
