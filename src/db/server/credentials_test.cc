// A server that knows its clients.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "auth/sigv4.h"
#include "server/gzip.h"
#include "server/testing/test_client.h"

namespace stator::server {
namespace credentials_test {

constexpr std::string_view kTarget = "DynamoDB_20120810.GetItem";

struct Asked {
  std::string_view method = "POST";
  std::string_view path = "/";
  std::string_view signed_body = "{}";
  std::string_view encoding;  // of the body
  std::string secret = "secret";
  std::string region = "us-east-1";
};

std::string Signed(const Asked& asked) {
  const std::string date = AmzDate(std::time(nullptr));
  std::vector<http::HeaderField> headers = {{"content-type", "application/json"},
                                            {"host", "localhost"},
                                            {"x-amz-date", date},
                                            {"x-amz-target", kTarget}};
  if (!asked.encoding.empty()) {
    headers.insert(headers.begin(), {"content-encoding", asked.encoding});
  }
  RequestSigner signer({.access_key_id = "key", .secret_access_key = asked.secret}, asked.region,
                       "dynamodb");
  std::string text = std::string(asked.method).append(" ").append(asked.path);
  text.append(" HTTP/1.1\r\n");
  for (const http::HeaderField& header : headers) {
    text.append(header.name).append(": ").append(header.value).append("\r\n");
  }
  text.append("Authorization: ");
  text.append(signer.Authorization({.method = asked.method,
                                    .path = asked.path,
                                    .query = "",
                                    .headers = headers,
                                    .body = asked.signed_body},
                                   date));
  text.append("\r\nContent-Length: ").append(std::to_string(asked.signed_body.size()));
  return text.append("\r\n\r\n").append(asked.signed_body);
}

class CredentialsTest : public ServerTest {
 protected:
  CredentialsTest() {
    char name[] = "/tmp/stator_credentials_XXXXXX";
    close(mkstemp(name));
    path_ = name;
    Write("[default]\naws_access_key_id=key\naws_secret_access_key=secret\n");
  }
  ~CredentialsTest() override { unlink(path_.c_str()); }

  void Write(std::string_view text) { std::ofstream(path_) << text; }
  void Start() { StartServer({.credentials_file = path_}); }
  HttpAnswer Ask(std::string_view request) { return TestClient(port()).Ask(request); }
  std::string ErrorOf(std::string_view request) {
    const HttpAnswer answer = Ask(request);
    EXPECT_EQ(answer.status, 400);
    return answer.body.substr(0, answer.body.find(','));
  }

  std::string path_;
};

TEST_F(CredentialsTest, KnownClientsAreAnswered) {
  Start();
  const HttpAnswer answer = Ask(Signed({.signed_body = R"({"a":1})"}));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"a":1})");
}

TEST_F(CredentialsTest, OthersAreNot) {
  Start();
  EXPECT_EQ(ErrorOf(Signed({.secret = "guess"})), R"({"__type":"InvalidSignatureException")");
  EXPECT_EQ(ErrorOf(Signed({.region = "eu-west-1"})), R"({"__type":"InvalidSignatureException")");
  EXPECT_EQ(ErrorOf(Post("GetItem", "{}")), R"({"__type":"InvalidSignatureException")");
  EXPECT_EQ(
      ErrorOf("POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n"
              "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"),
      R"({"__type":"MissingAuthenticationTokenException")");
}

TEST_F(CredentialsTest, ABodyIsSignedAsItTravels) {
  Start();
  Gzip gzip;
  const std::string packed(gzip.Compress(R"({"a":1})"));
  const HttpAnswer answer = Ask(Signed({.signed_body = packed, .encoding = "gzip"}));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"a":1})");
}

TEST_F(CredentialsTest, AStrangersBodyIsNotRead) {
  Start();
  const std::string body(1'000'000, ' ');
  for (const auto& [request, error] :
       {std::pair(Signed({.signed_body = body, .region = "eu-west-1"}),
                  "InvalidSignatureException"),
        std::pair(Post("GetItem", body), "InvalidSignatureException"),
        std::pair("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
                  "X-Amz-Target: DynamoDB_20120810.GetItem\r\nContent-Type: "
                  "application/json\r\n\r\n" +
                      std::string(),
                  "MissingAuthenticationTokenException")}) {
    TestClient client(port());
    ASSERT_TRUE(client.Send(request.substr(0, request.find("\r\n\r\n") + 4)));
    const HttpAnswer answer = client.Read();
    EXPECT_EQ(answer.status, 400);
    EXPECT_NE(answer.body.find(error), std::string::npos) << answer.body;
    EXPECT_EQ(answer.headers.at("connection"), "close");
  }
  EXPECT_EQ(Ask(Signed({.signed_body = "\"" + body + "\""})).status, 200);
}

TEST_F(CredentialsTest, HealthAndFiguresNeedNoSignature) {
  Start();
  EXPECT_EQ(Ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200);
  EXPECT_EQ(Ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200);
}

TEST_F(CredentialsTest, TheClockIsTurnedByKnownClientsOnly) {
  Start();
  const std::string get = "GET /_stator/clock HTTP/1.1\r\nHost: localhost\r\n\r\n";
  EXPECT_EQ(ErrorOf(get), R"({"__type":"MissingAuthenticationTokenException")");
  const Asked turn{.path = "/_stator/clock", .signed_body = R"({"now":5})"};
  EXPECT_TRUE(Ask(Signed(turn)).body.starts_with(R"({"now":5.000,)"));
  Asked guess = turn;
  guess.secret = "guess";
  EXPECT_EQ(ErrorOf(Signed(guess)), R"({"__type":"InvalidSignatureException")");
  EXPECT_EQ(Ask(Signed({.method = "GET", .path = "/_stator/clock", .signed_body = ""})).status,
            200);
}

TEST_F(CredentialsTest, AFileWithoutCredentialsStartsNothing) {
  Write("");
  const auto server = Server::Start({.port = 0, .credentials_file = path_}, handler_);
  ASSERT_FALSE(server);
  EXPECT_TRUE(server.error().starts_with(path_ + ": there are no credentials in it"));
}

}  // namespace credentials_test
}  // namespace stator::server
