// One client for many threads, and servers that come and go.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/client_endpoint/twins.h"

namespace stator::testing {
namespace sharing_test {

TEST(Sharing, ManyThreadsUseFewConnections) {
  ServedDatabase served;
  auto client = *Client::Open({.endpoint = served.url(), .max_connections = 2});
  std::atomic<int> answers = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 50; ++n) answers += client->ListTables({}).has_value() ? 1 : 0;
    });
  }
  threads.clear();
  EXPECT_EQ(answers, 400);
}

TEST(Sharing, AServerThatClosedAKeptConnectionIsAskedAgain) {
  auto database = ServedDatabase::OpenDatabase();
  server::DatabaseHandler handler(*database);
  auto server = *server::Server::Start({.port = 0, .threads = 1}, handler);
  const std::uint16_t port = server->port();
  auto client = *Client::Open({.endpoint = server->url(), .max_attempts = 1});
  ASSERT_TRUE(client->ListTables({}));
  server.reset();
  server = *server::Server::Start({.port = port, .threads = 1}, handler);
  EXPECT_TRUE(client->ListTables({}));
}

TEST(Sharing, NobodyThereIsAnErrorThatSaysSo) {
  std::string url;
  {
    url = ServedDatabase().url();
  }
  auto client = *Client::Open({.endpoint = url, .max_attempts = 1});
  const auto answer = client->ListTables({});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), ErrorCode::kNoAnswer);
  EXPECT_NE(answer.error().message().find("cannot connect"), std::string::npos);
}

}  // namespace sharing_test
}  // namespace stator::testing
