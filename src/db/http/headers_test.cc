#include "http/headers.h"

#include <gtest/gtest.h>

#include <array>

namespace stator::http {
namespace headers_test {

TEST(Headers, NamesCompareWithoutRegardToCase) {
  EXPECT_TRUE(SameHeaderName("X-Amz-Date", "x-amz-DATE"));
  EXPECT_FALSE(SameHeaderName("X-Amz-Date", "X-Amz-Dat"));
  EXPECT_FALSE(SameHeaderName("a@", "a`"));
  const std::array<HeaderField, 3> headers = {{{"Host", "h"}, {"DATE", "1"}, {"date", "2"}}};
  EXPECT_EQ(FindHeader(headers, "Date"), "1");
  EXPECT_FALSE(FindHeader(headers, "Dat"));
}

TEST(Headers, BlanksAroundAValueDoNotCount) {
  EXPECT_EQ(TrimBlanks(" \ta b\t "), "a b");
  EXPECT_EQ(TrimBlanks(" \t"), "");
  EXPECT_EQ(TrimBlanks(""), "");
}

TEST(Headers, BytesBeyondAsciiBecomeCharacters) {
  EXPECT_EQ(Utf8OfHeader("a\xe4\xff"), "a\u00e4\u00ff");
}

TEST(Target, NamesTheServiceAndTheOperation) {
  EXPECT_EQ(TargetOfOperation("GetItem"), "DynamoDB_20120810.GetItem");
  EXPECT_EQ(TargetOfOperation("GetRecords"), "DynamoDBStreams_20120810.GetRecords");
}

TEST(Target, GivesTheOperationOfItsOwnServiceOnly) {
  EXPECT_EQ(OperationOfTarget("DynamoDB_20120810.GetItem"), "GetItem");
  EXPECT_EQ(OperationOfTarget("DynamoDBStreams_20120810.GetRecords"), "GetRecords");
  for (const std::string_view other :
       {"", "GetItem", "DynamoDB_20111205.GetItem", "DynamoDB_20120810", "DynamoDB_20120810.",
        "DynamoDB_20120810.GetRecords", "DynamoDBStreams_20120810.GetItem"}) {
    EXPECT_EQ(OperationOfTarget(other), "") << other;
  }
}

}  // namespace headers_test
}  // namespace stator::http
