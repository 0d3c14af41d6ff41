#include "auth/sigv4.h"

#include <gtest/gtest.h>

#include <vector>

namespace stator {
namespace sigv4_test {

// The credentials, time and requests of AWS's published Signature Version 4 test suite.
const SigningCredentials kCredentials{
    .access_key_id = "AKIDEXAMPLE",
    .secret_access_key = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"};
constexpr std::string_view kTime = "20150830T123600Z";
constexpr std::string_view kScope =
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ";

std::string Authorize(SignedRequest request, std::vector<http::HeaderField> headers) {
  RequestSigner signer(kCredentials, "us-east-1", "service");
  request.headers = headers;
  return signer.Authorization(request, kTime);
}

TEST(SigV4, GetVanilla) {
  EXPECT_EQ(Authorize({.method = "GET", .path = "/"},
                      {{"host", "example.amazonaws.com"}, {"x-amz-date", kTime}}),
            std::string(kScope) +
                "SignedHeaders=host;x-amz-date, "
                "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
}

TEST(SigV4, PostVanilla) {
  EXPECT_EQ(Authorize({.method = "POST", .path = "/"},
                      {{"host", "example.amazonaws.com"}, {"x-amz-date", kTime}}),
            std::string(kScope) +
                "SignedHeaders=host;x-amz-date, "
                "Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b");
}

TEST(SigV4, PostXWwwFormUrlencoded) {
  EXPECT_EQ(Authorize({.method = "POST", .path = "/", .body = "Param1=value1"},
                      {{"content-type", "application/x-www-form-urlencoded"},
                       {"host", "example.amazonaws.com"},
                       {"x-amz-date", kTime}}),
            std::string(kScope) +
                "SignedHeaders=content-type;host;x-amz-date, "
                "Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a");
}

TEST(SigV4, TheKeyFollowsTheDay) {
  RequestSigner signer(kCredentials, "us-east-1", "service");
  const SignedRequest request{.method = "GET", .path = "/"};
  const std::string monday = signer.Authorization(request, "20150830T235959Z");
  const std::string tuesday = signer.Authorization(request, "20150831T000000Z");
  EXPECT_NE(monday.find("/20150830/"), std::string::npos);
  EXPECT_NE(tuesday.find("/20150831/"), std::string::npos);
  RequestSigner fresh(kCredentials, "us-east-1", "service");
  EXPECT_EQ(fresh.Authorization(request, "20150831T000000Z"), tuesday);
}

TEST(SigV4, DatesAreUtcInBasicForm) {
  EXPECT_EQ(AmzDate(1440938160), kTime);
  EXPECT_EQ(AmzDate(0), "19700101T000000Z");
}

using std::chrono::seconds;
using std::chrono::sys_seconds;

TEST(RequestTime, BothFormsAreRead) {
  EXPECT_EQ(ParseAmzDate("20150830T123600Z"), sys_seconds(seconds(1440938160)));
  EXPECT_EQ(ParseAmzDate("20240229T235959Z"), sys_seconds(seconds(1709251199)));
  EXPECT_EQ(ParseHttpDate("Sun, 30 Aug 2015 12:36:00 GMT"), sys_seconds(seconds(1440938160)));
}

TEST(RequestTime, NothingElseIs) {
  for (const std::string_view text :
       {"", "today", "2015-08-30T12:36:00Z", "20150830T123600", "20150830T123600z",
        "20151330T123600Z", "20150229T123600Z", "20150830T243600Z", "20150830T126000Z",
        "20150830T123660Z", "2015083oT123600Z", "+2150830T123600Z"}) {
    EXPECT_FALSE(ParseAmzDate(text)) << text;
  }
  for (const std::string_view text :
       {"", "Sun, 30 Aug 2015 12:36:00 CET", "Sun, 30 aug 2015 12:36:00 GMT",
        "Sun, 31 Feb 2015 12:36:00 GMT", "Sun, 3 Aug 2015 12:36:00 GMT", "20150830T123600Z"}) {
    EXPECT_FALSE(ParseHttpDate(text)) << text;
  }
}

}  // namespace sigv4_test
}  // namespace stator
