#include "server/options.h"

#include <gtest/gtest.h>

#include <thread>

#include "server/testing/test_client.h"

namespace stator::server {
namespace options_test {

class LimitsTest : public ServerTest {
 protected:
  ~LimitsTest() override {
    if (server_ == nullptr) return;
    TestClient survivor(port());
    EXPECT_EQ(survivor.Ask(Post("GetItem", "{}")).status, 200) << "the server must go on";
  }
};

// The head of a request that may be sent in chunks.
const std::string kChunked =
    "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n"
    "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n" +
    std::string(kSignature) + "\r\n";

void ExpectTooLarge(const HttpAnswer& answer) {
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(answer.body, "");
  EXPECT_EQ(answer.headers.at("transfer-encoding"), "chunked");
  EXPECT_FALSE(answer.headers.contains("x-amzn-requestid"));
}

TEST_F(LimitsTest, LargestBodyIsAccepted) {
  StartServer();
  TestClient client(port());
  const std::string body(kBodyBytesMax, ' ');
  std::thread sender([&] { EXPECT_TRUE(client.Send(Post("GetItem", body))); });
  EXPECT_EQ(client.Read().body.size(), kBodyBytesMax);
  sender.join();
}

TEST_F(LimitsTest, LargerBodyIsRefusedFromItsLengthAlone) {
  StartServer();
  TestClient client(port());
  ASSERT_TRUE(
      client.Send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16777217\r\n\r\n"));
  ExpectTooLarge(client.Read());
  EXPECT_TRUE(client.AtEnd());
}

TEST_F(LimitsTest, ExpectedContinueIsNotSentForALargerBody) {
  StartServer();
  TestClient client(port());
  ASSERT_TRUE(
      client.Send("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
                  "16777217\r\n\r\n"));
  ExpectTooLarge(client.Read());
}

TEST_F(LimitsTest, LargerChunkedBodyIsRefused) {
  StartServer();
  TestClient client(port());
  std::thread sender([&] {
    client.Send(kChunked);
    const std::string chunk = "100000\r\n" + std::string(0x100000, 'x') + "\r\n";
    for (int i = 0; i < 20 && client.Send(chunk); ++i) {
    }
    client.EndSending();
  });
  ExpectTooLarge(client.Read());
  sender.join();
}

TEST_F(LimitsTest, RefusalIsReadableAlthoughTheBodyKeepsComing) {
  StartServer();
  TestClient client(port());
  const std::string body(std::size_t{32} << 20, 'x');
  std::thread sender([&] { client.Send(Post("GetItem", body)); });
  ExpectTooLarge(client.Read());
  sender.join();
}

TEST_F(LimitsTest, TooManyHeaderBytesAreRefused) {
  StartServer();
  const std::string value(1000, 'v');
  std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  for (int i = 0; i < 17; ++i) request += "X-" + std::to_string(i) + ": " + value + "\r\n";
  EXPECT_EQ(TestClient(port()).Ask(request).status, 400);
}

TEST_F(LimitsTest, SixteenKilobytesOfHeadersAreFineBesideALongUrl) {
  StartServer();
  std::string request = "GET /?" + std::string(8000, 'u') + " HTTP/1.1\r\nHost: localhost\r\n";
  for (int i = 0; i < 16; ++i)
    request += "X-" + std::to_string(i) + ": " + std::string(1000, 'v') + "\r\n";
  EXPECT_EQ(TestClient(port()).Ask(request + "\r\n").status, 200);
}

TEST_F(LimitsTest, BlanksCountAsHeaderBytes) {
  StartServer();
  const std::string blanks(kUrlBytesMax + kHeaderBytesMax + 100, ' ');
  EXPECT_EQ(TestClient(port()).Ask("GET / HTTP/1.1\r\nHost: localhost\r\nX:" + blanks).status, 400);
}

TEST_F(LimitsTest, TooManyHeadersAreRefused) {
  StartServer();
  std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  for (std::size_t i = 0; i < kHeaderCountMax; ++i) request += "A:b\r\n";
  EXPECT_EQ(TestClient(port()).Ask(request + "\r\n").status, 400);
}

TEST_F(LimitsTest, TooManyTrailerBytesAreRefused) {
  StartServer();
  std::string request = kChunked + "1\r\nx\r\n0\r\n";
  for (int i = 0; i < 17; ++i) request += "X: " + std::string(1000, 'v') + "\r\n";
  EXPECT_EQ(TestClient(port()).Ask(request).status, 400);
}

TEST_F(LimitsTest, LongUrlIsRefused) {
  StartServer();
  const std::string path(kUrlBytesMax, 'u');
  EXPECT_EQ(TestClient(port()).Ask("GET /" + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").status,
            400);
}

TEST_F(LimitsTest, ConnectionAboveTheLimitIsAnswered503) {
  StartServer({.connections_max = 2});
  {
    TestClient first(port());
    TestClient second(port());
    EXPECT_EQ(first.Ask(Post("GetItem", "{}")).status, 200);
    EXPECT_EQ(second.Ask(Post("GetItem", "{}")).status, 200);
    TestClient third(port());
    EXPECT_EQ(third.Read().status, 503);
    EXPECT_TRUE(third.AtEnd());
    EXPECT_EQ(first.Ask(Post("GetItem", "{}")).status, 200);
    EXPECT_EQ(first.Ask(Post("GetItem", "{}", "Connection: close\r\n")).status, 200);
    EXPECT_EQ(second.Ask(Post("GetItem", "{}", "Connection: close\r\n")).status, 200);
    EXPECT_TRUE(first.AtEnd());
    EXPECT_TRUE(second.AtEnd());
  }
  // The places become free again.
  while (TestClient(port()).Ask(Post("GetItem", "{}")).status != 200) {
  }
}

TEST_F(LimitsTest, MalformedRequestsAreAnswered400AndClosed) {
  StartServer();
  const std::string no_size = kChunked + "zz\r\n";
  for (const std::string_view request :
       {"hello\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET  HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        no_size.c_str(), "POST / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\x16\x03\x01\x02\x01\x01\xfc\x03\x03"}) {
    TestClient client(port());
    EXPECT_EQ(client.Ask(request).status, 400) << request;
    EXPECT_TRUE(client.AtEnd());
  }
}

TEST_F(LimitsTest, RequestThatIsNotReadInTimeIsClosed) {
  StartServer({.read_timeout = std::chrono::milliseconds(50)});
  for (const std::string_view part :
       {"G", "POST / HTTP/1.1\r\nHost: localhost\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n123"}) {
    TestClient client(port());
    EXPECT_EQ(client.Ask(part).status, 408) << part;
    EXPECT_TRUE(client.AtEnd());
  }
}

TEST_F(LimitsTest, IdleConnectionIsClosedInTime) {
  StartServer({.idle_timeout = std::chrono::milliseconds(50)});
  TestClient fresh(port());
  EXPECT_TRUE(fresh.AtEnd());
  TestClient used(port());
  EXPECT_EQ(used.Ask(Post("GetItem", "{}")).status, 200);
  EXPECT_TRUE(used.AtEnd());
}

TEST_F(LimitsTest, ARequestInFlightIsNotIdle) {
  StartServer({.threads = 1,
               .read_timeout = std::chrono::milliseconds(20),
               .idle_timeout = std::chrono::milliseconds(20)});
  TestClient client(port());
  ASSERT_TRUE(client.Send(Post("PutItem", "{}")));
  handler_.WaitForWaiting(1);
  TestClient idle(port());
  EXPECT_TRUE(idle.AtEnd());  // the time of an idle one has passed
  handler_.Complete(0);
  EXPECT_EQ(client.Read().status, 200);
}

TEST_F(LimitsTest, PeerThatTakesNothingIsClosedInTime) {
  StartServer({.write_timeout = std::chrono::milliseconds(50)});
  TestClient client(port());
  ASSERT_TRUE(client.Send(Post("Scan", "{\"n\":16000000}")));
  // Sending fails once the server has closed the connection.
  while (client.Send(Post("GetItem", "{}"))) {
  }
}

TEST_F(LimitsTest, ReaderBelowTheLeastRateIsClosed) {
  StartServer(
      {.write_timeout = std::chrono::milliseconds(200), .write_bytes_per_second_min = 100'000});
  TestClient client(port());
  client.SetReceiveBuffer(4096);
  ASSERT_TRUE(client.Send(Post("Scan", "{\"n\":16000000}")));
  // Ten bytes a millisecond at most.
  while (client.Send(Post("GetItem", "{}"))) {
    client.Take(200);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TEST_F(LimitsTest, SlowReaderGetsItsAnswer) {
  StartServer(
      {.write_timeout = std::chrono::milliseconds(200), .write_bytes_per_second_min = 100'000});
  TestClient client(port());
  ASSERT_TRUE(client.Send(Post("Scan", "{\"n\":16000000}", "Connection: close\r\n")));
  const auto begin = std::chrono::steady_clock::now();
  std::size_t taken = 0;
  while (const std::size_t count = client.Take(100'000)) {
    taken += count;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_GT(taken, 16'000'000U);
  EXPECT_GT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(200));
}

TEST_F(LimitsTest, PeerThatNeverClosesIsNotWaitedForLong) {
  StartServer({.linger_timeout = std::chrono::milliseconds(50)});
  TestClient client(port());
  EXPECT_EQ(client.Ask(Post("GetItem", "{}", "Connection: close\r\n")).status, 200);
  EXPECT_TRUE(client.AtEnd());
  while (client.Send("x")) {
  }
}

}  // namespace options_test
}  // namespace stator::server
