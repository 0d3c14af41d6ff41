#include "auth/signed_request.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "auth/authenticator.h"
#include "auth/sigv4.h"

namespace stator {
namespace signed_request_test {

constexpr std::string_view kComplete =
    "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, "
    "Signature=00";

Result<void> Check(std::vector<http::HeaderField> headers, std::string_view query = {}) {
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

// The credentials, time, requests and signatures of AWS's published Signature Version 4 test suite.
constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr std::string_view kTime = "20150830T123600Z";

std::string SignatureOf(SignedRequest request, std::string_view signed_headers,
                        std::vector<http::HeaderField> headers) {
  headers.push_back({"Host", "example.amazonaws.com"});
  headers.push_back({"X-Amz-Date", kTime});
  request.headers = headers;
  request.path = "/";
  SignatureParts parts;
  parts.signed_headers = signed_headers;
  const auto canonical = CanonicalRequest::Of(request, parts);
  if (!canonical) return "none";
  ScopedKey key{.scope = {.date = "", .region = "us-east-1", .service = "service"}};
  key.MoveTo("20150830", kSecret);
  return Signature(canonical->view(), key, kTime);
}

TEST(CanonicalRequest, ParametersAreSorted) {  // get-vanilla-query-order-key-case
  EXPECT_EQ(
      SignatureOf({.method = "GET", .query = "Param2=value2&Param1=value1"}, "host;x-amz-date", {}),
      "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500");
}

TEST(CanonicalRequest, UnreservedCharactersStayAsTheyAre) {  // get-vanilla-query-unreserved
  constexpr std::string_view kAll =
      "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  EXPECT_EQ(SignatureOf({.method = "GET", .query = std::string(kAll) + "=" + std::string(kAll)},
                        "host;x-amz-date", {}),
            "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197");
}

TEST(CanonicalRequest, OtherCharactersAreEncodedInOneWay) {  // get-vanilla-utf8-query
  for (const std::string_view query :
       {"\xe1\x88\xb4=bar", "%E1%88%B4=bar", "%e1%88%b4=%62ar", "&%E1%88%B4=bar&"}) {
    EXPECT_EQ(SignatureOf({.method = "GET", .query = query}, "host;x-amz-date", {}),
              "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04")
        << query;
  }
}

TEST(CanonicalRequest, ValuesAreTrimmedAndTheirBlanksSqueezed) {  // get-header-value-trim
  EXPECT_EQ(SignatureOf({.method = "GET"}, "host;my-header1;my-header2;x-amz-date",
                        {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}}),
            "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736");
}

TEST(CanonicalRequest, HeadersOfOneNameAreJoined) {  // get-header-key-duplicate
  EXPECT_EQ(
      SignatureOf({.method = "GET"}, "host;my-header1;x-amz-date",
                  {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}}),
      "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea");
}

TEST(CanonicalRequest, HeadersThatAreNotSignedDoNotCount) {  // get-vanilla
  EXPECT_EQ(SignatureOf({.method = "GET"}, "host;x-amz-date", {{"User-Agent", "x"}}),
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
}

TEST(CanonicalRequest, ThereIsNoneOfAListThatIsNotAscendingOrNamesWhatIsNotThere) {
  for (const std::string_view list : {"x-amz-date;host", "host;host", "host;x-other", ";host"}) {
    EXPECT_EQ(SignatureOf({.method = "GET"}, list, {}), "none") << list;
  }
}

}  // namespace signed_request_test
}  // namespace stator
