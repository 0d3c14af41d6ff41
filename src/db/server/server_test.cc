#include "server/server.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "server/listener.h"
#include "server/options.h"
#include "server/testing/test_client.h"

namespace stator::server {
namespace server_test {

class RunningServerTest : public ServerTest {};

TEST_F(RunningServerTest, PortInUseIsRefusedByName) {
  StartServer();
  FakeHandler handler;
  const auto second = Server::Start({.port = port(), .threads = 2}, handler);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().find(std::to_string(port())), std::string::npos);
  EXPECT_NE(second.error().find("--port"), std::string::npos);
}

TEST_F(RunningServerTest, PortIsFreeAgainAfterTheServerHasGone) {
  StartServer();
  const std::uint16_t used = port();
  {
    TestClient client(used);
    EXPECT_EQ(client.Ask(Post("GetItem", "{}", "Connection: close\r\n")).status, 200);
  }
  server_.reset();
  FakeHandler handler;
  EXPECT_TRUE(Server::Start({.port = used, .threads = 2}, handler));
}

TEST_F(RunningServerTest, HostThatIsNoAddressIsRefused) {
  FakeHandler handler;
  const auto server = Server::Start({.host = "example.com", .port = 0}, handler);
  ASSERT_FALSE(server);
  EXPECT_NE(server.error().find("--host"), std::string::npos);
}

TEST_F(RunningServerTest, UrlNamesTheActualPort) {
  StartServer();
  EXPECT_EQ(server_->url(), "http://127.0.0.1:" + std::to_string(port()));
  EXPECT_EQ(server_->thread_count(), 2U);
}

TEST(Loopback, OnlyThisMachinesAddressesAreLoopback) {
  for (const char* host : {"127.0.0.1", "127.8.9.10", "::1", "localhost"}) {
    EXPECT_TRUE(IsLoopbackHost(host)) << host;
  }
  for (const char* host : {"0.0.0.0", "::", "10.0.0.1", "example.com", "", "::ffff:127.0.0.1"}) {
    EXPECT_FALSE(IsLoopbackHost(host)) << host;
  }
}

TEST_F(RunningServerTest, StoppingFinishesWhatIsInFlightAndClosesWhatIsIdle) {
  StartServer({.linger_timeout = std::chrono::milliseconds(20)});
  TestClient idle(port());
  EXPECT_EQ(idle.Ask(Post("GetItem", "{}")).status, 200);
  TestClient busy(port());
  ASSERT_TRUE(busy.Send(Post("PutItem", "{\"n\":1}")));
  handler_.WaitForWaiting(1);
  server_->RequestStop();
  EXPECT_TRUE(idle.AtEnd());
  handler_.Complete(0);
  const HttpAnswer last = busy.Read();
  EXPECT_EQ(last.body, "{\"n\":1}");
  EXPECT_EQ(last.headers.at("connection"), "close");
  EXPECT_TRUE(busy.AtEnd());
  server_->Wait();
  EXPECT_FALSE(TestClient(port()).connected());
}

TEST_F(RunningServerTest, StoppingFinishesARequestThatIsPartlyRead) {
  StartServer({.linger_timeout = std::chrono::milliseconds(20)});
  TestClient client(port());
  const std::string request = Post("GetItem", "{\"n\":1}");
  EXPECT_EQ(client.Ask(Post("GetItem", "{}") + request.substr(0, 20)).status, 200);
  server_->RequestStop();
  ASSERT_TRUE(client.Send(std::string_view(request).substr(20)));
  EXPECT_EQ(client.Read().body, "{\"n\":1}");
  EXPECT_TRUE(client.AtEnd());
  server_->Wait();
}

TEST_F(RunningServerTest, StoppingDoesNotWaitForEver) {
  StartServer({.stop_timeout = std::chrono::milliseconds(30)});
  TestClient client(port());
  ASSERT_TRUE(client.Send(Post("PutItem", "{}")));
  handler_.WaitForWaiting(1);
  server_->RequestStop();
  server_->RequestStop();
  server_->Wait();
  EXPECT_TRUE(client.AtEnd());
  handler_.Complete(0);  // after the loops have ended
}

TEST_F(RunningServerTest, RequestMayCompleteAfterTheServerWasDestroyed) {
  StartServer({.stop_timeout = std::chrono::milliseconds(10)});
  TestClient client(port());
  ASSERT_TRUE(client.Send(Post("PutItem", "{}")));
  handler_.WaitForWaiting(1);
  server_.reset();
  handler_.Complete(0);
  EXPECT_TRUE(client.AtEnd());
}

TEST_F(RunningServerTest, HundredsOfIdleConnectionsAreServed) {
  StartServer();
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 400; ++i) clients.push_back(std::make_unique<TestClient>(port()));
  for (const auto& client : clients) {
    ASSERT_EQ(client->Ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200);
  }
}

TEST_F(RunningServerTest, MetricsCountByOperationAndOutcome) {
  StartServer();
  TestClient client(port());
  for (int i = 0; i < 3; ++i) client.Ask(Post("GetItem", "{}"));
  client.Ask(Post("GetItem", ""));
  for (const char* unknown : {"A", "B", "C"}) client.Ask(Post(unknown, "{}"));
  const HttpAnswer answer = client.Ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(answer.headers.at("content-type").starts_with("text/plain; version=0.0.4"));
  for (const std::string_view line :
       {R"(stator_requests_total{operation="GetItem",outcome="ok"} 3)",
        R"(stator_requests_total{operation="GetItem",outcome="SerializationException"} 1)",
        R"(stator_requests_total{operation="unknown",outcome="UnknownOperationException"} 3)",
        R"(stator_request_duration_seconds_count{operation="GetItem"} 4)",
        R"(stator_request_duration_seconds_bucket{operation="GetItem",le="+Inf"} 4)",
        "stator_connections 1", "stator_tables 3", "stator_store_commits_total 11",
        "stator_store_mutations_total 22", "stator_store_syncs_total 5",
        "stator_partiql_scans_total 7", "process_resident_memory_bytes",
        "stator_received_bytes_total", "stator_build_info{version="}) {
    EXPECT_NE(answer.body.find(line), std::string::npos) << line << "\n" << answer.body;
  }
}

TEST_F(RunningServerTest, MetricsMayBeReadWhileOthersCount) {
  StartServer();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      TestClient client(port());
      for (int i = 0; i < 50; ++i) {
        const std::string request = t == 0 ? "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                           : Post("Scan", "{\"n\":10}");
        EXPECT_EQ(client.Ask(request).status, 200);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Version, IsThatOfTheBuild) {
  std::ifstream file(STATOR_SOURCE_DIR "/CMakeLists.txt");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find("project(stator VERSION " + std::string(kVersion) + " "),
            std::string::npos);
}

}  // namespace server_test
}  // namespace stator::server
