#include "http/url.h"

#include <gtest/gtest.h>

namespace stator::http {
namespace url_test {

TEST(Url, SplitsHostAndPort) {
  const auto local = ParseUrl("http://127.0.0.1:8000/");
  ASSERT_TRUE(local);
  EXPECT_EQ(local->host, "127.0.0.1");
  EXPECT_EQ(local->port, 8000);
  EXPECT_EQ(local->host_header, "127.0.0.1:8000");
  EXPECT_TRUE(local->is_loopback);

  const auto v6 = ParseUrl("http://[::1]:9000");
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->host, "::1");
  EXPECT_EQ(v6->host_header, "[::1]:9000");

  const auto aws = ParseUrl("http://dynamodb.eu-west-1.amazonaws.com");
  ASSERT_TRUE(aws);
  EXPECT_EQ(aws->port, 80);
  EXPECT_EQ(aws->host_header, "dynamodb.eu-west-1.amazonaws.com");
  EXPECT_FALSE(aws->is_loopback);
}

TEST(Url, RefusesWhatItCannotReach) {
  for (const char* url : {"127.0.0.1:8000", "http://", "http://:80", "http://a:b", "http://a:0",
                          "http://a:70000", "http://a/path", "http://[::1", "ftp://a"}) {
    EXPECT_FALSE(ParseUrl(url)) << url;
  }
}

TEST(Url, KnowsThePortsOfBothSchemes) {
  const auto aws = ParseUrl("https://dynamodb.eu-west-1.amazonaws.com");
  ASSERT_TRUE(aws);
  EXPECT_TRUE(aws->is_tls);
  EXPECT_EQ(aws->port, 443);
  EXPECT_EQ(aws->host_header, "dynamodb.eu-west-1.amazonaws.com");
  EXPECT_EQ(ParseUrl("https://localhost:80")->host_header, "localhost:80");
}

TEST(Url, RefusesWhatWouldBreakOutOfAHeader) {
  EXPECT_FALSE(ParseUrl("http://a\r\nX: y"));
  EXPECT_FALSE(ParseUrl("http://a b"));
  EXPECT_FALSE(ParseUrl("http://user@a"));
}

TEST(Url, TheRegionOfAwsHostsIsInTheirName) {
  EXPECT_EQ(RegionOfHost("dynamodb.eu-west-1.amazonaws.com"), "eu-west-1");
  EXPECT_EQ(RegionOfHost("127.0.0.1"), "");
  EXPECT_EQ(RegionOfHost("dynamodb.example.com"), "");
}

}  // namespace url_test
}  // namespace stator::http
