#include "server/connection.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "server/options.h"
#include "server/testing/test_client.h"

namespace stator::server {
namespace connection_test {

class ConnectionTest : public ServerTest {};

std::string Numbered(std::size_t n) { return "{\"n\":" + std::to_string(n) + "}"; }

TEST_F(ConnectionTest, StaysOpenForTheNextRequest) {
  StartServer();
  TestClient client(port());
  for (std::size_t i = 0; i < 100; ++i) {
    const HttpAnswer answer = client.Ask(Post("GetItem", Numbered(i)));
    ASSERT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, Numbered(i));
    EXPECT_EQ(answer.headers.at("connection"), "keep-alive");
  }
}

TEST_F(ConnectionTest, ClosesWhenTheClientAsksForIt) {
  StartServer();
  TestClient client(port());
  const HttpAnswer answer = client.Ask(Post("GetItem", "{}", "Connection: close\r\n"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("connection"), "close");
  EXPECT_TRUE(client.AtEnd());
}

TEST_F(ConnectionTest, Http10ClosesUnlessKeepAliveIsAskedFor) {
  StartServer();
  TestClient once(port());
  EXPECT_EQ(once.Ask("GET / HTTP/1.0\r\n\r\n").status, 200);
  EXPECT_TRUE(once.AtEnd());
  TestClient again(port());
  EXPECT_EQ(again.Ask("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").status, 200);
  EXPECT_EQ(again.Ask("GET / HTTP/1.0\r\n\r\n").status, 200);
}

TEST_F(ConnectionTest, AnswersToInlineRequestsKeepTheirOrder) {
  StartServer();
  TestClient client(port());
  std::string requests;
  for (std::size_t i = 0; i < 500; ++i) requests += Post("GetItem", Numbered(i));
  std::thread sender([&] { EXPECT_TRUE(client.Send(requests)); });
  for (std::size_t i = 0; i < 500; ++i) ASSERT_EQ(client.Read().body, Numbered(i));
  sender.join();
}

TEST_F(ConnectionTest, AnswersCompletedOutOfOrderGoOutInOrder) {
  StartServer();
  TestClient client(port());
  std::string requests;
  for (std::size_t i = 0; i < 8; ++i) {
    requests += Post(i % 2 == 0 ? "PutItem" : "GetItem", Numbered(i));
  }
  ASSERT_TRUE(client.Send(requests));
  handler_.WaitForWaiting(4);
  for (const std::size_t index : {3, 1, 0, 0}) handler_.Complete(index);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(client.Read().body, Numbered(i));
}

TEST_F(ConnectionTest, ManyThreadsMayCompleteRequestsOfManyConnections) {
  StartServer();
  constexpr std::size_t kClients = 8;
  constexpr std::size_t kRounds = 50;
  std::vector<std::thread> completers;
  for (std::size_t t = 0; t < 4; ++t) {
    completers.emplace_back([&] {
      for (std::size_t i = 0; i < kClients * kRounds / 4; ++i) {
        handler_.CompleteNext();
      }
    });
  }
  std::vector<std::thread> clients;
  for (std::size_t c = 0; c < kClients; ++c) {
    clients.emplace_back([&, c] {
      TestClient client(port());
      for (std::size_t i = 0; i < kRounds; ++i) {
        EXPECT_EQ(client.Ask(Post("PutItem", Numbered(c * kRounds + i))).body,
                  Numbered(c * kRounds + i));
      }
    });
  }
  for (std::thread& thread : clients) thread.join();
  for (std::thread& thread : completers) thread.join();
}

TEST_F(ConnectionTest, PipelinedRequestsInFlightAreBounded) {
  StartServer({.threads = 1});
  TestClient client(port());
  constexpr std::size_t kSent = kPipelinedRequestsMax * 3;
  std::string requests;
  for (std::size_t i = 0; i < kSent; ++i) requests += Post("PutItem", Numbered(i));
  ASSERT_TRUE(client.Send(requests));
  handler_.WaitForWaiting(kPipelinedRequestsMax);
  // A second connection is answered meanwhile, after which nothing more can have been read.
  TestClient other(port());
  EXPECT_EQ(other.Ask(Post("GetItem", "{}")).status, 200);
  EXPECT_EQ(handler_.WaitingCount(), kPipelinedRequestsMax);
  for (std::size_t i = 0; i < kSent; ++i) {
    handler_.CompleteNext();
    EXPECT_EQ(client.Read().body, Numbered(i));
  }
}

TEST_F(ConnectionTest, BytesMayComeOneAtATime) {
  StartServer();
  TestClient client(port());
  const std::string request =
      Post("GetItem", R"({"a":"b"})") +
      "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n"
      "Content-Type: application/json\r\n" +
      std::string(kSignature) +
      "Transfer-Encoding: chunked\r\n\r\n3\r\n{\"x\r\n4\r\n\":1}\r\n0\r\n\r\n";
  for (const char byte : request) ASSERT_TRUE(client.Send({&byte, 1}));
  EXPECT_EQ(client.Read().body, R"({"a":"b"})");
  const HttpAnswer second = client.Read();
  EXPECT_EQ(second.body, R"({"x":1})");
  EXPECT_EQ(second.headers.at("content-type"), "application/json");
}

TEST_F(ConnectionTest, ExpectedContinueIsSentBeforeTheBody) {
  StartServer();
  TestClient client(port());
  const std::string request = Post("GetItem", R"({"a":1})", "Expect: 100-continue\r\n");
  const std::size_t head = request.find("\r\n\r\n") + 4;
  ASSERT_TRUE(client.Send(std::string_view(request).substr(0, head)));
  EXPECT_EQ(client.Read(/*head_only=*/true).status, 100);
  ASSERT_TRUE(client.Send(std::string_view(request).substr(head)));
  EXPECT_EQ(client.Read().body, R"({"a":1})");
}

TEST_F(ConnectionTest, HalfClosedPeerGetsItsAnswers) {
  StartServer();
  TestClient client(port());
  ASSERT_TRUE(client.Send(Post("PutItem", "{\"n\":1}") + Post("GetItem", "{\"n\":2}")));
  client.EndSending();
  handler_.WaitForWaiting(1);
  handler_.Complete(0);
  EXPECT_EQ(client.Read().body, "{\"n\":1}");
  EXPECT_EQ(client.Read().body, "{\"n\":2}");
  EXPECT_TRUE(client.AtEnd());
}

TEST_F(ConnectionTest, PeerThatVanishesWithARequestInFlightHarmsNobody) {
  StartServer();
  for (int i = 0; i < 20; ++i) {
    TestClient client(port());
    ASSERT_TRUE(client.Send(Post("PutItem", "{\"gone\":true}") + Post("PutItem", "{}")));
    handler_.WaitForWaiting(2);
    client.Reset();
    handler_.Complete(1);
    handler_.Complete(0);
  }
  TestClient survivor(port());
  EXPECT_EQ(survivor.Ask(Post("GetItem", "{}")).status, 200);
}

TEST_F(ConnectionTest, PeerThatVanishesWhileItsAnswerIsWrittenHarmsNobody) {
  StartServer();
  for (int i = 0; i < 20; ++i) {
    TestClient client(port());
    ASSERT_TRUE(client.Send(Post("Scan", "{\"n\":8000000}") + Post("PutItem", "{}")));
    EXPECT_EQ(client.Read(/*head_only=*/true).status, 200);
    client.Reset();
  }
  TestClient survivor(port());
  EXPECT_EQ(survivor.Ask(Post("GetItem", "{}")).status, 200);
}

TEST_F(ConnectionTest, LargeAnswersArriveWhole) {
  StartServer();
  TestClient client(port());
  for (const std::size_t size : {0UL, 1UL, 100'000UL, 16'000'000UL}) {
    EXPECT_EQ(client.Ask(Post("Scan", Numbered(size))).body.size(), size);
  }
}

TEST_F(ConnectionTest, PeerThatDoesNotReadIsNotReadFrom) {
  StartServer({.threads = 1, .output_bytes_max = 100'000});
  TestClient client(port());
  // Each answer exceeds what the kernel buffers; the bound stops the server from making them all.
  std::string requests;
  for (int i = 0; i < 12; ++i) requests += Post("Scan", "{\"n\":10000000}");
  requests += Post("PutItem", "{}");
  ASSERT_TRUE(client.Send(requests));
  TestClient other(port());
  EXPECT_EQ(other.Ask(Post("GetItem", "{}")).status, 200);
  EXPECT_EQ(handler_.WaitingCount(), 0U);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(client.Read().body.size(), 10'000'000U);
  handler_.WaitForWaiting(1);
  handler_.Complete(0);
  EXPECT_EQ(client.Read().body, "{}");
}

TEST_F(ConnectionTest, HandlerThatForgetsARequestCausesAnInternalError) {
  StartServer();
  TestClient client(port());
  const HttpAnswer answer = client.Ask(Post("Query", "{}"));
  EXPECT_EQ(answer.status, 500);
  EXPECT_NE(answer.body.find("InternalServerError"), std::string::npos);
}

TEST_F(ConnectionTest, UpgradesAreIgnored) {
  StartServer();
  TestClient client(port());
  const HttpAnswer answer = client.Ask(
      "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
      "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(client.Ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200);
}

}  // namespace connection_test
}  // namespace stator::server
