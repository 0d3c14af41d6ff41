// DeleteTable, ListTables, the tags, and references to tables.
#include <gtest/gtest.h>

#include <string>

#include "api/tables/table_reference.h"
#include "api/testing/api_test.h"

namespace stator {
namespace table_operations_test {

constexpr std::string_view kArn = "arn:aws:dynamodb:us-east-1:000000000000:table/";

class TableOperationsTest : public ApiTest {
 protected:
  void Create(std::string_view name) {
    ASSERT_TRUE(Call(kCreateTable, R"({"TableName":")" + std::string(name) +
                                       R"(","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})"));
  }
  std::string Tag(std::string_view tags) {
    return Answer(kTagResource, R"({"ResourceArn":")" + std::string(kArn) + R"(Music","Tags":)" +
                                    std::string(tags) + "}");
  }
  std::string Tags() {
    return Answer(kListTagsOfResource, R"({"ResourceArn":")" + std::string(kArn) + R"(Music"})");
  }
};

TEST_F(TableOperationsTest, ADeletedTablesNameIsFreeAtOnce) {
  Create("Music");
  const std::string deleted = Answer(kDeleteTable, R"({"TableName":"Music"})");
  EXPECT_NE(deleted.find(R"("TableStatus":"DELETING")"), std::string::npos) << deleted;
  EXPECT_EQ(Answer(kDescribeTable, R"({"TableName":"Music"})"),
            "ResourceNotFoundException: Requested resource not found: Table: Music not found");
  EXPECT_EQ(Answer(kDeleteTable, R"({"TableName":"Music"})"),
            "ResourceNotFoundException: Requested resource not found: Table: Music not found");
  Create("Music");
  engine_->background().WaitUntilIdle();
  EXPECT_TRUE(engine_->catalog().Dropped().empty());
  EXPECT_NE(engine_->catalog().Find("Music"), nullptr);
}

TEST_F(TableOperationsTest, TablesAreListedPageByPage) {
  EXPECT_EQ(Answer(kListTables, "{}"), R"({"TableNames":[]})");
  for (const char* name : {"ccc", "aaa", "bbb"}) Create(name);
  EXPECT_EQ(Answer(kListTables, "{}"), R"({"TableNames":["aaa","bbb","ccc"]})");
  EXPECT_EQ(Answer(kListTables, R"({"Limit":2})"),
            R"({"TableNames":["aaa","bbb"],"LastEvaluatedTableName":"bbb"})");
  EXPECT_EQ(Answer(kListTables, R"({"Limit":2,"ExclusiveStartTableName":"bbb"})"),
            R"({"TableNames":["ccc"]})");
  EXPECT_EQ(Answer(kListTables, R"({"ExclusiveStartTableName":"abc"})"),
            R"({"TableNames":["bbb","ccc"]})");
  EXPECT_EQ(Answer(kListTables, R"({"ExclusiveStartTableName":"zzz"})"), R"({"TableNames":[]})");
  EXPECT_EQ(Answer(kListTables, R"({"Limit":3})"), R"({"TableNames":["aaa","bbb","ccc"]})");
}

TEST_F(TableOperationsTest, TheLimitOfAListIsChecked) {
  EXPECT_EQ(
      Answer(kListTables, R"({"Limit":101})"),
      "ValidationException: 1 validation error detected: Value '101' at 'limit' failed to satisfy "
      "constraint: Member must have value less than or equal to 100");
  EXPECT_EQ(
      Answer(kListTables, R"({"Limit":0})"),
      "ValidationException: 1 validation error detected: Value '0' at 'limit' failed to satisfy "
      "constraint: Member must have value greater than or equal to 1");
}

TEST_F(TableOperationsTest, TagsAreAddedReplacedAndRemoved) {
  Create("Music");
  EXPECT_EQ(Tags(), R"({"Tags":[]})");
  EXPECT_EQ(Tag(R"([{"Key":"b","Value":"1"},{"Key":"a","Value":""}])"), "");
  EXPECT_EQ(Tag(R"([{"Key":"b","Value":"2"}])"), "");
  EXPECT_EQ(Tags(), R"({"Tags":[{"Key":"a","Value":""},{"Key":"b","Value":"2"}]})");
  EXPECT_EQ(Answer(kUntagResource, R"({"ResourceArn":")" + std::string(kArn) +
                                       R"(Music","TagKeys":["a","never there"]})"),
            "");
  EXPECT_EQ(Tags(), R"({"Tags":[{"Key":"b","Value":"2"}]})");
}

TEST_F(TableOperationsTest, RulesOfTags) {
  Create("Music");
  EXPECT_EQ(Tag("[]"), "ValidationException: Atleast one Tag needs to be provided as Input.");
  EXPECT_EQ(
      Tag("null"),
      "ValidationException: 1 validation error detected: Value null at 'tags' failed to satisfy "
      "constraint: Member must not be null");
  EXPECT_EQ(Tag(R"([{"Key":"","Value":""}])"),
            "ValidationException: The Tag Key provided is invalid, Key: ");
  EXPECT_EQ(Tag(R"([{"Key":"a*","Value":""}])"),
            "ValidationException: The Tag Key provided is invalid, Key: a*");
  EXPECT_EQ(Tag(R"([{"Key":"a","Value":"#"}])"),
            "ValidationException: The Tag Value provided is invalid, Value: #");
  EXPECT_EQ(Tag(R"([{"Key":"a","Value":"1"},{"Key":"a","Value":"2"}])"),
            "ValidationException: Duplicate Tag Keys provided as input: Duplicate Tag Key found a");
  EXPECT_EQ(Tag(R"([{"Key":"größe","Value":"_.:/=+-@ 9"}])"), "");
  std::string many = "[";
  for (int i = 0; i < 50; ++i) {
    if (i > 0) many += ",";
    many += R"({"Key":")" + std::to_string(i) + R"(","Value":""})";
  }
  EXPECT_EQ(
      Tag(many + "]"),
      "ValidationException: Number of Tags exceed the current limit for the provided ResourceArn");
  EXPECT_EQ(Tags(), R"({"Tags":[{"Key":"größe","Value":"_.:/=+-@ 9"}]})") << "all or none";
}

TEST_F(TableOperationsTest, ArnsOfTaggedTables) {
  const auto list = [this](std::string_view arn) {
    return Answer(kListTagsOfResource, R"({"ResourceArn":")" + std::string(arn) + "\"}");
  };
  const std::string prefix = "ValidationException: One or more parameter values were invalid: ";
  EXPECT_EQ(Answer(kListTagsOfResource, "{}"), "ValidationException: Invalid TableArn");
  EXPECT_EQ(list("Music"), prefix + "ARNs must start with 'arn:': Music");
  EXPECT_EQ(list("arn:aws:s3:::bucket"),
            prefix + "Provided Arn is not a DynamoDB resource arn: arn:aws:s3:::bucket");
  const std::string index = std::string(kArn) + "Music/index/idx";
  EXPECT_EQ(list(index),
            prefix +
                "Invalid resource arn provided, only table or stream is accepted. Provided "
                "resource arn: " +
                index);
  EXPECT_EQ(list("arn:aws:dynamodb:eu-west-1:000000000000:table/Music"),
            "ValidationException: Invalid TableArn: Invalid ResourceArn provided as input "
            "arn:aws:dynamodb:eu-west-1:000000000000:table/Music");
  EXPECT_EQ(list("arn:aws:dynamodb:us-east-1:1:table/Music"),
            "AccessDeniedException: Access is denied");
  EXPECT_EQ(list(std::string(kArn) + "Music"),
            "ResourceNotFoundException: Requested resource not found: ResourceArn: " +
                std::string(kArn) + "Music not found");
}

TEST_F(TableOperationsTest, ATableMayBeNamedByItsArn) {
  Create("Music");
  const std::string described =
      Answer(kDescribeTable, R"({"TableName":")" + std::string(kArn) + R"(Music"})");
  EXPECT_NE(described.find(R"("TableName":"Music")"), std::string::npos) << described;
}

TEST_F(TableOperationsTest, TheNameInsideAnArnIsCheckedToo) {
  EXPECT_EQ(
      Answer(kDescribeTable, R"({"TableName":")" + std::string(kArn) + R"("})"),
      "ValidationException: 2 validation errors detected: Value '' at 'tableName' failed to "
      "satisfy constraint: Member must have length greater than or equal to 3; Value '' at "
      "'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: "
      "[a-zA-Z0-9_.-]+");
}

TEST_F(TableOperationsTest, ForeignArnsAreRefused) {
  const auto error = [this](std::string_view reference) {
    const Result<std::string> name = TableNameOf(reference, *engine_);
    return name ? *name : std::string(name.error().name()) + ": " + name.error().message();
  };
  const auto invalid = [](std::string_view part, std::string_view arn) {
    return "ValidationException: 1 validation error detected: Invalid " + std::string(part) +
           " in '" + std::string(arn) + "'";
  };
  EXPECT_EQ(error("Music"), "Music");
  EXPECT_EQ(error(std::string(kArn) + "Music"), "Music");
  const std::string region = "arn:aws:dynamodb:eu-west-1:000000000000:table/Music";
  EXPECT_EQ(error(region), invalid("AWS region", region));
  const std::string partition = "arn:aws-cn:dynamodb:us-east-1:000000000000:table/Music";
  EXPECT_EQ(error(partition), invalid("AWS partition", partition));
  for (const char* rest : {"Music/index/idx", "Music/stream/2026-01-31T12:00:00.000"}) {
    EXPECT_EQ(error(std::string(kArn) + rest), invalid("resource type", std::string(kArn) + rest));
  }
  EXPECT_EQ(error("arn:aws:dynamodb:us-east-1:1:table/Music"),
            "AccessDeniedException: Access is denied");
  EXPECT_TRUE(error("arn:").starts_with("ValidationException"));
  EXPECT_TRUE(error("arn:aws:dynamodb:us-east-1").starts_with("ValidationException"));
}

TEST_F(TableOperationsTest, LimitsAndEndpoints) {
  EXPECT_EQ(Answer(kDescribeLimits, "{}"),
            R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,)"
            R"("TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})");
  EXPECT_EQ(Answer(kDescribeEndpoints, "{}"),
            R"({"Endpoints":[{"Address":"dynamodb.us-east-1.amazonaws.com",)"
            R"("CachePeriodInMinutes":1440}]})");
}

}  // namespace table_operations_test
}  // namespace stator
