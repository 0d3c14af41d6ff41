#include "server/memory_budget.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <thread>

#include "server/testing/test_client.h"

namespace stator::server {
namespace memory_budget_test {

std::string KeyOf(const char* address) {
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  if (inet_pton(AF_INET, address, &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    return PeerKey(reinterpret_cast<const sockaddr&>(v4));
  }
  EXPECT_EQ(inet_pton(AF_INET6, address, &v6.sin6_addr), 1) << address;
  v6.sin6_family = AF_INET6;
  return PeerKey(reinterpret_cast<const sockaddr&>(v6));
}

TEST(PeerKey, ANetworkOfV6AddressesIsOnePeer) {
  EXPECT_EQ(KeyOf("2001:db8::1"), KeyOf("2001:db8::2:3"));
  EXPECT_NE(KeyOf("2001:db8::1"), KeyOf("2001:db8:0:1::1"));
  EXPECT_NE(KeyOf("10.0.0.1"), KeyOf("10.0.0.2"));
  EXPECT_EQ(KeyOf("10.0.0.1"), KeyOf("::ffff:10.0.0.1"));
}

TEST(DecodedBytes, ManySmallValuesTakeMoreThanALargeOne) {
  EXPECT_EQ(DecodedBytes(R"("xxxxxxxx")"), 20U);
  EXPECT_GT(DecodedBytes("[1,1,1,1,1]"), 400U);
}

MemoryCharge Join(MemoryBudget& budget, const char* peer, MemoryUse use) {
  return {budget.Connect(peer), use};
}

std::shared_ptr<MemoryBudget> MakeBudget() {
  return std::make_shared<MemoryBudget>(
      MemoryBudget::Limits{.bytes = 250, .bytes_per_peer = 120, .connections_per_peer = 5});
}

TEST(MemoryBudget, APeerHasItsShareAndAnotherPeerHasItsOwn) {
  constexpr MemoryUse kUse = MemoryUse::kAnswer;
  const auto budget = MakeBudget();
  MemoryCharge a = Join(*budget, "a", kUse);
  MemoryCharge also_a = Join(*budget, "a", kUse);
  MemoryCharge b = Join(*budget, "b", kUse);
  EXPECT_TRUE(a.TrySet(60, kUse));
  EXPECT_FALSE(also_a.TrySet(61, kUse));
  EXPECT_EQ(also_a.bytes(), 0U);
  EXPECT_TRUE(also_a.TrySet(60, kUse));
  EXPECT_TRUE(b.TrySet(100, kUse));
  a.Set(10);
  EXPECT_TRUE(also_a.TrySet(90, kUse));
  EXPECT_EQ(budget->bytes(), 200U);
  also_a = {};
  EXPECT_EQ(budget->bytes(), 110U);
}

TEST(MemoryBudget, WhatExceedsAShareIsAllowedOneAtATimeWithinTheWhole) {
  constexpr MemoryUse kUse = MemoryUse::kBody;
  const auto budget = MakeBudget();
  MemoryCharge a = Join(*budget, "a", kUse);
  MemoryCharge also_a = Join(*budget, "a", kUse);
  EXPECT_TRUE(a.TrySet(150, kUse));
  EXPECT_FALSE(also_a.TrySet(1, kUse));
  EXPECT_FALSE(a.TrySet(251, kUse));
  EXPECT_EQ(a.peer()->Most(), 250U);
  EXPECT_TRUE(a.TrySet(250, kUse));
  MemoryCharge b = Join(*budget, "b", kUse);
  EXPECT_FALSE(b.TrySet(1, kUse));
}

TEST(MemoryBudget, RequestsLeaveAPartToAnswers) {
  const auto budget = MakeBudget();
  MemoryCharge body = Join(*budget, "a", MemoryUse::kBody);
  MemoryCharge other = Join(*budget, "a", MemoryUse::kBody);
  MemoryCharge answer = Join(*budget, "a", MemoryUse::kAnswer);
  EXPECT_TRUE(body.TrySet(70, MemoryUse::kBody));
  EXPECT_FALSE(other.TrySet(11, MemoryUse::kBody));
  EXPECT_TRUE(answer.TrySet(50, MemoryUse::kAnswer));
}

// Otherwise bodies that are read and wait for each other's memory would wait forever.
TEST(MemoryBudget, OneWorkGoesOnWhateverBodiesWait) {
  const auto budget = MakeBudget();
  MemoryCharge bodies = Join(*budget, "a", MemoryUse::kBody);
  bodies.Set(80);
  MemoryCharge work = Join(*budget, "a", MemoryUse::kWork);
  MemoryCharge more_work = Join(*budget, "a", MemoryUse::kWork);
  EXPECT_TRUE(work.TrySet(100, MemoryUse::kWork));
  EXPECT_FALSE(more_work.TrySet(20, MemoryUse::kWork));
  work = {};
  EXPECT_TRUE(more_work.TrySet(20, MemoryUse::kWork));
}

TEST(MemoryBudget, ConnectionsOfAPeerAreCounted) {
  const auto budget = std::make_shared<MemoryBudget>(
      MemoryBudget::Limits{.bytes = 1, .bytes_per_peer = 1, .connections_per_peer = 2});
  std::shared_ptr<PeerMemory> first = budget->Connect("a");
  std::shared_ptr<PeerMemory> second = budget->Connect("a");
  EXPECT_EQ(first, second);
  EXPECT_EQ(budget->Connect("a"), nullptr);
  EXPECT_NE(budget->Connect("b"), nullptr);
  MemoryBudget::Disconnect(*first);
  EXPECT_NE(budget->Connect("a"), nullptr);
}

class MemoryTest : public ServerTest {
 protected:
  static std::string LargeBody() { return "\"" + std::string(300'000, 'x') + "\""; }
};

TEST_F(MemoryTest, ABodyWaitsUntilOthersOfItsPeerAreAnswered) {
  StartServer({.memory_per_peer = 1'000'000});
  TestClient first(port());
  TestClient second(port());
  ASSERT_TRUE(first.Send(Post("PutItem", LargeBody())));
  handler_.WaitForWaiting(1);
  std::thread sender([&] { EXPECT_TRUE(second.Send(Post("PutItem", LargeBody()))); });
  // What is small is answered meanwhile.
  EXPECT_EQ(TestClient(port()).Ask(Post("GetItem", "{}")).status, 200);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(handler_.WaitingCount(), 1U);
  handler_.CompleteNext();
  EXPECT_EQ(first.Read().body, LargeBody());
  handler_.CompleteNext();
  EXPECT_EQ(second.Read().body, LargeBody());
  sender.join();
}

TEST_F(MemoryTest, ABodyThatHasWaitedTooLongIsRefusedUnread) {
  StartServer({.memory_per_peer = 1'000'000, .memory_timeout = std::chrono::milliseconds(50)});
  TestClient first(port());
  ASSERT_TRUE(first.Send(Post("PutItem", LargeBody())));
  handler_.WaitForWaiting(1);
  TestClient second(port());
  const std::string request = Post("PutItem", LargeBody());
  ASSERT_TRUE(second.Send(request.substr(0, 1000)));
  const HttpAnswer answer = second.Read();
  EXPECT_EQ(answer.status, 503);
  EXPECT_NE(answer.body.find("ServiceUnavailable"), std::string::npos);
  EXPECT_NE(answer.body.find("--memory-per-peer"), std::string::npos);
  EXPECT_EQ(answer.headers.at("connection"), "close");
  handler_.CompleteNext();
  EXPECT_EQ(first.Read().status, 200);
}

TEST_F(MemoryTest, ABodyThatNeverFitsIsTooLarge) {
  StartServer({.memory_limit = 200'000});
  EXPECT_EQ(TestClient(port()).Ask(Post("GetItem", LargeBody())).status, 413);
  StartServer({.memory_limit = 400'000});  // decoded it is thought to need more
  EXPECT_EQ(TestClient(port()).Ask(Post("GetItem", LargeBody())).status, 200);
  EXPECT_EQ(TestClient(port()).Ask(Post("GetItem", "{}")).status, 200);
}

TEST_F(MemoryTest, WhatAVanishedPeerHasSentIsCountedUntilItIsDone) {
  StartServer({.memory_per_peer = 1'000'000, .memory_timeout = std::chrono::milliseconds(50)});
  {
    TestClient first(port());
    ASSERT_TRUE(first.Send(Post("PutItem", LargeBody())));
    handler_.WaitForWaiting(1);
    first.Reset();
  }
  TestClient second(port());
  second.Send(Post("GetItem", LargeBody()));
  EXPECT_EQ(second.Read().status, 503);
  handler_.CompleteNext();
  HttpAnswer answer;
  for (int i = 0; i < 100 && answer.status != 200; ++i) {
    answer = TestClient(port()).Ask(Post("GetItem", LargeBody()));
  }
  EXPECT_EQ(answer.status, 200);
}

TEST_F(MemoryTest, WhoDoesNotReadGetsNoFurtherLongAnswers) {
  StartServer({.memory_per_peer = 30'000'000, .memory_timeout = std::chrono::milliseconds(50)});
  TestClient reader(port());
  EXPECT_EQ(reader.Ask(Post("Scan", R"({"n":12000000})")).body.size(), 12'000'000U);
  // When it has another answer, the memory of the first was given back.
  EXPECT_EQ(reader.Ask(Post("GetItem", "{}")).status, 200);
  TestClient idle(port());
  ASSERT_TRUE(idle.Send(Post("Scan", R"({"n":26000000})")));
  HttpAnswer answer;
  for (int i = 0; i < 100 && answer.status != 503; ++i) {
    answer = TestClient(port()).Ask(Post("Scan", R"({"n":12000000})"));
  }
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(TestClient(port()).Ask(Post("GetItem", "{}")).status, 200);
  EXPECT_EQ(idle.Read().body.size(), 26'000'000U);
}

TEST_F(MemoryTest, ConnectionsOfOnePeerAreBounded) {
  StartServer({.connections_per_peer = 2});
  TestClient first(port());
  TestClient second(port());
  EXPECT_EQ(first.Ask(Post("GetItem", "{}")).status, 200);
  EXPECT_EQ(second.Ask(Post("GetItem", "{}")).status, 200);
  EXPECT_EQ(TestClient(port()).Read().status, 503);
  first.Reset();
  HttpAnswer answer;
  for (int i = 0; i < 100 && answer.status != 200; ++i) {
    answer = TestClient(port()).Ask(Post("GetItem", "{}"));
  }
  EXPECT_EQ(answer.status, 200);
}

}  // namespace memory_budget_test
}  // namespace stator::server
