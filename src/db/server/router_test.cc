#include "server/router.h"

#include <gtest/gtest.h>

#include "server/testing/test_client.h"

namespace stator::server {
namespace router_test {

constexpr std::string_view kNotFound = "<UnknownOperationException/>\n";
constexpr std::string_view kUnknown = R"({"__type":"UnknownOperationException","message":""})";
constexpr std::string_view kNotJson = R"({"__type":"SerializationException","message":""})";
constexpr std::string_view kNoToken = R"({"__type":"MissingAuthenticationTokenException",)"
                                      R"("message":"Request is missing Authentication Token"})";

// A POST with exactly these headers.
std::string RawPost(std::string_view headers, std::string_view body,
                    std::string_view target = "/") {
  std::string text = "POST " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n";
  text.append(headers).append("Content-Length: ").append(std::to_string(body.size()));
  return text.append("\r\n\r\n").append(body);
}

const std::string kJson = "Content-Type: application/json\r\n";
const std::string kGet = "X-Amz-Target: DynamoDB_20120810.GetItem\r\n";

class RouterTest : public ServerTest {
 protected:
  HttpAnswer Ask(std::string_view request) { return TestClient(port()).Ask(request); }
};

TEST_F(RouterTest, GetRootTellsHealth) {
  StartServer();
  const HttpAnswer answer = Ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "healthy: dynamodb.us-east-1.amazonaws.com ");
  EXPECT_EQ(answer.headers.at("content-length"), "42");
  EXPECT_EQ(answer.headers.at("x-amz-crc32"), "3128867991");
}

TEST_F(RouterTest, GetRootAndMetricsTellThatNothingIsWritten) {
  StartServer();
  const std::string metrics = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  EXPECT_NE(Ask(metrics).body.find("stator_store_writable{reason=\"none\"} 1\n"),
            std::string::npos);
  handler_.SetHealth({.reason = "no_space", .message = "The disk is full."});
  const HttpAnswer answer = Ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.body, "read-only: The disk is full.\n");
  EXPECT_NE(Ask(metrics).body.find("stator_store_writable{reason=\"no_space\"} 0\n"),
            std::string::npos);
  handler_.SetHealth({});
  EXPECT_EQ(Ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200);
}

TEST_F(RouterTest, EveryAnswerCarriesDynamoDbsHeaders) {
  StartServer();
  const HttpAnswer answer = Ask(Post("GetItem", "{}"));
  EXPECT_EQ(answer.headers.at("server"), "Server");
  EXPECT_EQ(answer.headers.at("content-type"), "application/x-amz-json-1.0");
  EXPECT_EQ(answer.headers.at("x-amz-crc32"), std::to_string(Crc32("{}")));
  EXPECT_EQ(answer.headers.at("x-amzn-requestid").size(), 52U);
  EXPECT_EQ(answer.headers.at("x-amzn-requestid").substr(26), "VV4KQNSO5AEMVJF66Q9ASUAAJG");
  EXPECT_TRUE(answer.headers.at("date").ends_with(" GMT"));
}

TEST_F(RouterTest, OtherMethodsAndPathsAreNotFound) {
  StartServer();
  for (const std::string_view request :
       {"PUT / HTTP/1.1\r\nHost: localhost\r\n\r\n", "DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"}) {
    const HttpAnswer answer = Ask(request);
    EXPECT_EQ(answer.status, 404) << request;
    EXPECT_EQ(answer.body, kNotFound);
    EXPECT_EQ(answer.headers.at("x-amz-crc32"), "3552371480");
  }
}

TEST_F(RouterTest, HeadHasNoBody) {
  StartServer();
  TestClient client(port());
  client.Send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.Read(/*head_only=*/true).status, 404);
  EXPECT_EQ(client.Ask(Post("GetItem", "{}")).status, 200);
}

TEST_F(RouterTest, BodyWithAnotherContentTypeIsNotFound) {
  StartServer();
  EXPECT_EQ(Ask(RawPost(kGet + std::string(kSignature), "{}")).status, 404);
  EXPECT_EQ(
      Ask(RawPost(kGet + std::string(kSignature) + "Content-Type: text/plain\r\n", "{}")).body,
      kNotFound);
}

TEST_F(RouterTest, ContentTypeMayHaveParametersAndBlanks) {
  StartServer();
  const HttpAnswer json = Ask(RawPost(
      kGet + std::string(kSignature) + "Content-Type:  application/json ; charset=utf-8 \r\n",
      "{}"));
  EXPECT_EQ(json.status, 200);
  EXPECT_EQ(json.headers.at("content-type"), "application/json");
}

TEST_F(RouterTest, UnknownTargetComesBeforeAuthEvenWithoutABody) {
  StartServer();
  for (const std::string& headers : {std::string(), kJson, kJson + "X-Amz-Target: x\r\n",
                                     kJson + "X-Amz-Target: DynamoDB_20111205.GetItem\r\n",
                                     kJson + "X-Amz-Target: DynamoDB_20120810.Nothing\r\n"}) {
    const HttpAnswer answer = Ask(RawPost(headers, ""));
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.body, kUnknown) << headers;
  }
  EXPECT_EQ(Ask(RawPost(kJson, "{}")).body, kUnknown);
}

TEST_F(RouterTest, TextThatIsNotJsonComesBeforeTheUnknownTargetAndAuth) {
  StartServer();
  EXPECT_EQ(Ask(RawPost(kJson, "{")).body, kNotJson);
  EXPECT_EQ(Ask(RawPost(kJson + kGet, "{")).body, kNotJson);
  EXPECT_EQ(Ask(RawPost(kJson + kGet, "{}")).body, kNoToken);
}

TEST_F(RouterTest, AuthComesBeforeTheEmptyBody) {
  StartServer();
  EXPECT_EQ(Ask(RawPost(kGet, "")).body, kNoToken);
  EXPECT_EQ(Ask(RawPost(kGet + std::string(kSignature), "")).body, kNotJson);
}

TEST_F(RouterTest, BothFormsOfSignatureAreRefused) {
  StartServer();
  const HttpAnswer answer =
      Ask(RawPost(kGet + kJson + std::string(kSignature), "{}", "/?X-Amz-Algorithm=x"));
  EXPECT_NE(answer.body.find("Found both 'X-Amz-Algorithm'"), std::string::npos);
}

TEST_F(RouterTest, UnsignedRequestsAreAnsweredWhenAsked) {
  StartServer({.accept_unsigned = true});
  EXPECT_EQ(Ask(RawPost(kGet + kJson, "{}")).status, 200);
}

TEST_F(RouterTest, AbsoluteTargetMeansItsPath) {
  StartServer();
  EXPECT_EQ(Ask("GET http://localhost:8000/ HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200);
  EXPECT_EQ(Ask("GET http://localhost:8000/x HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 404);
}

TEST_F(RouterTest, PagesOfOtherSitesAreRefusedWhateverTheySend) {
  StartServer({.accept_unsigned = true});
  for (const std::string_view origin : {"http://a.example", "null", "https://localhost", "", "x"}) {
    const std::string header = "Origin: " + std::string(origin) + "\r\n";
    for (const std::string& request :
         {Post("GetItem", "{}", header),
          RawPost(kGet + "Content-Type: text/plain\r\n" + header, "{}"),
          "OPTIONS / HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n",
          "GET / HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n",
          "GET /metrics HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n"}) {
      const HttpAnswer answer = Ask(request);
      EXPECT_EQ(answer.status, 403) << request;
      EXPECT_NE(answer.body.find("--cors"), std::string::npos) << answer.body;
      EXPECT_FALSE(answer.headers.contains("access-control-allow-origin"));
    }
  }
  EXPECT_EQ(Ask(Post("GetItem", "{}", "Origin: http://localhost\r\n")).status, 200);
}

TEST_F(RouterTest, AServerOfThisMachineAnswersToItsNamesOnly) {
  StartServer({.accept_unsigned = true, .allowed_hosts = {"db.example", "*.test"}});
  const auto status = [&](std::string_view host, std::string_view line = "GET / HTTP/1.1") {
    return Ask(std::string(line).append("\r\nHost: ").append(host).append("\r\n\r\n")).status;
  };
  for (const std::string_view host :
       {"localhost", "LocalHost:8000", "127.0.0.1", "127.1.2.3:80", "[::1]:8000", "a.localhost",
        "db.example:9", "DB.example", "a.b.test"}) {
    EXPECT_EQ(status(host), 200) << host;
  }
  for (const std::string_view host :
       {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "stator",
        "", "a.db.example", "test", "nottest", "localhost:x", "[::2]", "127.0.0.1@evil",
        "localhost "
        "evil"}) {
    EXPECT_EQ(status(host), 403) << host;
    EXPECT_EQ(status(host, "GET /metrics HTTP/1.1"), 403) << host;
  }
  const HttpAnswer scan = Ask("POST / HTTP/1.1\r\nHost: evil.example:8000\r\n" + kGet + kJson +
                              "Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(scan.status, 403);
  EXPECT_NE(scan.body.find("--allow-host"), std::string::npos);
  EXPECT_EQ(status("localhost", "GET http://evil.example/ HTTP/1.1"), 403);
  EXPECT_EQ(Ask("GET / HTTP/1.0\r\n\r\n").status, 200);
}

TEST(AccessRules, AServerForOtherMachinesTakesNamesThatNoPageCanHave) {
  const auto allows = [](const ServerOptions& options, std::string_view host) {
    RequestHead head;
    head.AppendTarget("/");
    head.AppendHeaderName("Host");
    head.AppendHeaderValue(host);
    head.Finish();
    return !AccessRules(options).WhyRefused(head);
  };
  const ServerOptions open{.host = "0.0.0.0", .allowed_hosts = {"*.svc.cluster.local"}};
  for (const std::string_view host :
       {"stator:8000", "10.0.0.1:8000", "[fe80::1]", "localhost", "db.data.svc.cluster.local"}) {
    EXPECT_TRUE(allows(open, host)) << host;
  }
  for (const std::string_view host :
       {"evil.example", "10.0.0.1.example", "svc.cluster.local", ""}) {
    EXPECT_FALSE(allows(open, host)) << host;
  }
  EXPECT_TRUE(allows({.host = "0.0.0.0", .credentials_file = "keys"}, "db.example"));
  EXPECT_FALSE(
      allows({.host = "0.0.0.0", .credentials_file = "keys", .allowed_hosts = {"a.example"}},
             "db.example"));
  EXPECT_TRUE(allows({.allowed_hosts = {"*"}}, "db.example"));
}

TEST_F(RouterTest, AllowedOriginsGetTheHeadersThatDynamoDbSends) {
  StartServer({.cors_origin = "*"});
  const HttpAnswer preflight =
      Ask("OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a.example\r\n"
          "Access-Control-Request-Headers: x-amz-target\r\nAccess-Control-Request-Method: "
          "POST\r\n\r\n");
  EXPECT_EQ(preflight.status, 200);
  EXPECT_EQ(preflight.body, "");
  EXPECT_EQ(preflight.headers.at("access-control-allow-origin"), "*");
  EXPECT_EQ(preflight.headers.at("access-control-max-age"), "172800");
  EXPECT_EQ(preflight.headers.at("access-control-allow-headers"), "x-amz-target");
  EXPECT_EQ(preflight.headers.at("access-control-allow-methods"), "POST");
  const HttpAnswer answer = Ask(Post("GetItem", "{}", "Origin: http://a.example\r\n"));
  EXPECT_EQ(answer.headers.at("access-control-allow-origin"), "*");
  for (const HttpAnswer* any : {&preflight, &answer}) {
    EXPECT_EQ(any->headers.at("access-control-expose-headers"),
              "x-amzn-RequestId,x-amzn-ErrorType,x-amz-crc32");
  }
}

TEST_F(RouterTest, OneAllowedOriginDoesNotAllowOthers) {
  StartServer({.cors_origin = "http://a.example"});
  const HttpAnswer a = Ask(Post("GetItem", "{}", "Origin: http://a.example\r\n"));
  EXPECT_EQ(a.headers.at("access-control-allow-origin"), "http://a.example");
  const HttpAnswer b = Ask(Post("GetItem", "{}", "Origin: http://b.example\r\n"));
  EXPECT_EQ(b.status, 403);
  EXPECT_FALSE(b.headers.contains("access-control-allow-origin"));
}

}  // namespace router_test
}  // namespace stator::server
