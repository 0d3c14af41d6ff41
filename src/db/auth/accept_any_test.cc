#include "auth/accept_any.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace stator {
namespace accept_any_test {

constexpr std::string_view kComplete =
    "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, "
    "Signature=00";

Result<void> Check(std::vector<HeaderField> headers, std::string_view query = {}) {
  return AcceptAny().Check(
      {.method = "POST", .path = "/", .query = query, .headers = headers, .body = "{}"});
}

TEST(AcceptAny, CompleteHeaderIsAccepted) {
  EXPECT_TRUE(Check({{"authorization", kComplete}, {"x-amz-date", "20260101T000000Z"}}));
  EXPECT_TRUE(Check({{"Authorization", kComplete}, {"Date", "today"}}));
}

TEST(AcceptAny, PartsMayBeSeparatedByCommasAlone) {
  EXPECT_TRUE(Check({{"Authorization", "AWS4-X Credential=a,SignedHeaders=b,Signature=c"},
                     {"X-Amz-Date", "20260101T000000Z"}}));
}

TEST(AcceptAny, NeitherFormIsAMissingToken) {
  const Result<void> result = Check({{"Host", "localhost"}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::kMissingAuthenticationToken);
  EXPECT_EQ(result.error().message(), "Request is missing Authentication Token");
}

TEST(AcceptAny, OtherSchemesAreAMissingToken) {
  const Result<void> result = Check({{"Authorization", "Basic abc"}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::kMissingAuthenticationToken);
}

TEST(AcceptAny, BothFormsAreRefusedFirst) {
  const Result<void> result = Check({{"Authorization", "Basic abc"}}, "X-Amz-Algorithm");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::kInvalidSignature);
  EXPECT_EQ(
      result.error().message(),
      "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
}

TEST(AcceptAny, EveryMissingPartOfTheHeaderIsNamedInOrder) {
  const Result<void> result = Check({{"Authorization", "AWS4-HMAC-SHA256"}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::kIncompleteSignature);
  EXPECT_EQ(result.error().message(),
            "Authorization header requires 'Credential' parameter. "
            "Authorization header requires 'Signature' parameter. "
            "Authorization header requires 'SignedHeaders' parameter. "
            "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
            "Authorization=AWS4-HMAC-SHA256");
}

TEST(AcceptAny, EveryMissingPartOfTheQueryIsNamedInOrder) {
  const Result<void> result = Check({}, "X-Amz-Algorithm=&X-Amz-Signature=x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::kIncompleteSignature);
  EXPECT_EQ(result.error().message(),
            "AWS query-string parameters must include 'X-Amz-Algorithm'. "
            "AWS query-string parameters must include 'X-Amz-Credential'. "
            "AWS query-string parameters must include 'X-Amz-SignedHeaders'. "
            "AWS query-string parameters must include 'X-Amz-Date'. "
            "Re-examine the query-string parameters.");
}

TEST(AcceptAny, CompleteQueryIsAccepted) {
  EXPECT_TRUE(Check({},
                    "X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&"
                    "X-Amz-SignedHeaders=d&X-Amz-Date=e"));
}

TEST(AcceptAny, BytesAreQuotedAsCharacters) {
  const Result<void> result = Check({{"Authorization", "AWS4-\xe4\xff"}});
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().message().ends_with("Authorization=AWS4-\u00e4\u00ff"));
}

TEST(AcceptAny, AnyTextGetsAnAnswer) {
  EXPECT_TRUE(rc::check([](const std::string& authorization, const std::string& query) {
    const Result<void> result = Check({{"Authorization", authorization}}, query);
    RC_ASSERT(!result.has_value());
  }));
}

TEST(AcceptUnsigned, NothingIsDemanded) { EXPECT_TRUE(AcceptUnsigned().Check({})); }

}  // namespace accept_any_test
}  // namespace stator
