#include "server/admin.h"

#include <gtest/gtest.h>

#include "server/access_rules.h"
#include "server/testing/test_client.h"

namespace stator::server {
namespace admin_test {

using std::chrono::milliseconds;

constexpr TimeMs kNewYear2026{milliseconds(1'767'225'600'000)};
const std::string kJson = "Content-Type: application/json\r\n";
const std::string kForms =
    R"( Send one of {\"advance_seconds\": N}, {\"now\": EPOCH_SECONDS} or {\"reset\": true}."})";

std::string Request(std::string_view method, std::string_view headers, std::string_view body = {},
                    std::string_view target = "/_stator/clock") {
  std::string text(method);
  text.append(" ").append(target).append(" HTTP/1.1\r\n").append(headers);
  text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  return text.append(body);
}

const std::string kHost = "Host: localhost:8000\r\n";

class AdminTest : public ServerTest {
 protected:
  AdminTest() { StartServer(); }
  HttpAnswer Ask(std::string_view request) { return TestClient(port()).Ask(request); }
  HttpAnswer Turn(std::string_view body) { return Ask(Request("POST", kHost + kJson, body)); }
  TimeMs Now() { return handler_.clock().Now(); }
};

TEST_F(AdminTest, GetReadsTheClock) {
  const HttpAnswer answer = Ask(Request("GET", kHost));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("content-type"), "application/json");
  EXPECT_TRUE(answer.body.starts_with(R"({"now":1767225600.000,"mode":"fixed","offset_seconds":)"))
      << answer.body;
}

TEST_F(AdminTest, PostTurnsItAndAnswersWithTheNewTime) {
  EXPECT_TRUE(
      Turn(R"({"advance_seconds": 2678400})").body.starts_with(R"({"now":1769904000.000,)"));
  EXPECT_TRUE(Turn(R"({"advance_seconds": 0.0015})").body.starts_with(R"({"now":1769904000.002,)"));
  EXPECT_TRUE(Turn(R"({"advance_seconds": -1.5})").body.starts_with(R"({"now":1769903998.502,)"));
  EXPECT_TRUE(Turn(R"({"now": 1e9})").body.starts_with(R"({"now":1000000000.000,)"));
  EXPECT_TRUE(Turn(R"({"reset": true})").body.starts_with(R"({"now":1767225600.000,)"));
}

TEST_F(AdminTest, AWrongDocumentTurnsNothingAndIsAnsweredWithTheRightOnes) {
  for (const std::string_view body : {"",
                                      "{",
                                      "[]",
                                      "null",
                                      "{}",
                                      R"({"now": null})",
                                      R"({"hours": 1})",
                                      R"({"reset": false})",
                                      R"({"reset": 1})",
                                      R"({"now": "2026"})",
                                      R"({"now": true})",
                                      R"({"advance_seconds": [1]})",
                                      R"({"now": -1})",
                                      R"({"now": 253402300800})",
                                      R"({"now": 1e300})",
                                      R"({"now": 18446744073709551615})",
                                      R"({"advance_seconds": -1e300})",
                                      R"({"advance_seconds": 300000000000})",
                                      R"({"advance_seconds": -2000000000})",
                                      R"({"now": 1, "reset": true})",
                                      R"({"now": 1, "other": 1})"}) {
    const HttpAnswer answer = Turn(body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_TRUE(answer.body.starts_with(R"({"message":")")) << answer.body;
    EXPECT_TRUE(answer.body.ends_with(kForms)) << answer.body;
    EXPECT_EQ(Now(), kNewYear2026) << body;
  }
}

TEST_F(AdminTest, AForeignHostIsRefused) {
  for (const std::string host : {"evil.example", "localhost.evil.example:8000", ""}) {
    for (const std::string_view method : {"GET", "POST", "OPTIONS"}) {
      const std::string headers = "Host: " + host + "\r\n" + kJson;
      EXPECT_EQ(Ask(Request(method, headers, R"({"now": 1})")).status, 403) << host;
    }
  }
  EXPECT_EQ(Ask(Request("GET", kHost, {}, "http://localhost/_stator/clock")).status, 403);
  EXPECT_EQ(Now(), kNewYear2026);
}

TEST_F(AdminTest, NoHostOrTwoOfThemAreRefused) {
  for (const std::string& headers : {std::string(), kHost + kHost}) {
    const int status = Ask(Request("POST", headers + kJson, R"({"now": 1})")).status;
    EXPECT_TRUE(status == 400 || status == 403) << status;
  }
  EXPECT_EQ(Now(), kNewYear2026);
}

TEST_F(AdminTest, AForeignOriginIsRefusedEvenWithCors) {
  StartServer({.cors_origin = "*"});
  for (const std::string origin :
       {"null", "http://evil.example", "http://localhost:3000", "https://localhost:8000",
        "http://localhost", "http://localhost:8000/", "", "http://"}) {
    for (const std::string_view method : {"GET", "POST", "OPTIONS"}) {
      const HttpAnswer answer =
          Ask(Request(method, kHost + kJson + "Origin: " + origin + "\r\n", R"({"now": 1})"));
      EXPECT_EQ(answer.status, 403) << origin;
      EXPECT_FALSE(answer.headers.contains("access-control-allow-origin")) << origin;
    }
  }
  EXPECT_EQ(Now(), kNewYear2026);
  const std::string own = "Origin: http://localhost:8000\r\n";
  EXPECT_EQ(Ask(Request("POST", kHost + kJson + own, R"({"now": 1})")).status, 200);
}

TEST_F(AdminTest, WhatAPageCanSendUnaskedIsRefused) {
  for (const std::string type :
       {"", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: multipart/form-data\r\n", "Content-Type: text/plain; application/json\r\n",
        "Content-Type: application/x-amz-json-1.0\r\n"}) {
    const HttpAnswer answer = Ask(Request("POST", kHost + type, R"({"now": 1})"));
    EXPECT_EQ(answer.status, 415) << type;
    EXPECT_EQ(answer.body, R"({"message":"Send the header Content-Type: application/json."})");
  }
  EXPECT_EQ(Now(), kNewYear2026);
  const std::string with_charset = "Content-Type: application/json; charset=utf-8\r\n";
  EXPECT_EQ(Ask(Request("POST", kHost + with_charset, R"({"now": 1})")).status, 200);
}

TEST_F(AdminTest, OtherMethodsAndPathsAreAnsweredWithWhatThereIs) {
  const HttpAnswer method = Ask(Request("DELETE", kHost));
  EXPECT_EQ(method.status, 405);
  EXPECT_EQ(method.headers.at("allow"), "GET, POST");
  for (const std::string_view path : {"/_stator", "/_stator/", "/_stator/x", "/_stator/clock/"}) {
    const HttpAnswer answer = Ask(Request("GET", kHost, {}, path));
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_NE(answer.body.find("/_stator/clock"), std::string::npos) << path;
  }
  EXPECT_EQ(Ask(Request("GET", kHost, {}, "/_statorx")).body, "<UnknownOperationException/>\n");
}

RequestHead HeadWithHost(std::string_view host) {
  RequestHead head;
  head.AppendTarget("/_stator/clock");
  head.AppendHeaderName("Host");
  head.AppendHeaderValue(host);
  head.Finish();
  return head;
}

TEST(AdminGuard, AServerThatOtherMachinesReachHasNoAdminPaths) {
  const RequestHead head = HeadWithHost("127.0.0.1:8000");
  EXPECT_FALSE(CheckAdminAccess(head, false, "127.0.0.1"));
  EXPECT_FALSE(CheckAdminAccess(head, false, "localhost"));
  EXPECT_FALSE(CheckAdminAccess(head, false, "::1"));
  for (const std::string host : {"0.0.0.0", "192.168.0.7", "::", ""}) {
    const auto refusal = CheckAdminAccess(head, false, host);
    ASSERT_TRUE(refusal) << host;
    EXPECT_EQ(refusal->status, 403);
    EXPECT_NE(refusal->message.find("--host 127.0.0.1"), std::string::npos);
  }
}

TEST(AdminGuard, KnowsTheNamesOfThisMachine) {
  for (const std::string_view host : {"localhost", "localhost:8000", "LocalHost:1", "127.0.0.1",
                                      "127.0.0.1:65535", "127.0.0.2:8000", "[::1]", "[::1]:8000"}) {
    EXPECT_TRUE(NamesThisMachine(host)) << host;
  }
  for (const std::string_view host : {"",
                                      ":8000",
                                      "localhost.",
                                      "localhost:x",
                                      "localhost:8000:1",
                                      "localhost:123456",
                                      "xlocalhost",
                                      "localhost@evil",
                                      "evil@localhost",
                                      "127.0.0.1.evil.example",
                                      "128.0.0.1",
                                      "127.1",
                                      "2130706433",
                                      "0x7f.0.0.1",
                                      "0.0.0.0",
                                      "::1",
                                      "[::1",
                                      "[::1]x",
                                      "[::2]",
                                      "[::]",
                                      "[127.0.0.1]",
                                      "[]",
                                      "]",
                                      "["}) {
    EXPECT_FALSE(NamesThisMachine(host)) << host;
  }
}

TEST(AdminClock, ARunningClockThatIsSetSaysHowFarItIsFromTheSystem) {
  TurnableClock clock;
  EXPECT_TRUE(ClockDocument(clock.Read()).ends_with(R"("mode":"system","offset_seconds":0.000})"));
  ASSERT_TRUE(TurnClock(R"({"advance_seconds": -7200.5})", clock));
  EXPECT_TRUE(
      ClockDocument(clock.Read()).ends_with(R"("mode":"offset","offset_seconds":-7200.500})"));
}

}  // namespace admin_test
}  // namespace stator::server
