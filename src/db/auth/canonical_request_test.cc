#include "auth/canonical_request.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "auth/sigv4.h"

namespace stator {
namespace canonical_request_test {

// The credentials, time, requests and signatures of AWS's published Signature Version 4 test suite.
constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr std::string_view kTime = "20150830T123600Z";

std::string SignatureOf(SignedRequest request, std::string_view signed_headers,
                        std::vector<HeaderField> headers) {
  headers.push_back({"Host", "example.amazonaws.com"});
  headers.push_back({"X-Amz-Date", kTime});
  request.headers = headers;
  request.path = "/";
  SignatureParts parts;
  parts.signed_headers = signed_headers;
  const auto canonical = CanonicalRequest::Of(request, parts);
  if (!canonical) return "none";
  const SigningScope scope{.date = "20150830", .region = "us-east-1", .service = "service"};
  return Signature(canonical->view(), SigningKey(kSecret, scope), scope, kTime);
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

}  // namespace canonical_request_test
}  // namespace stator
