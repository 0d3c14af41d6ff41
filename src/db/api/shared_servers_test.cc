// Operations through two servers of one database.
#include <gtest/gtest.h>

#include <future>
#include <string>
#include <thread>

#include "api/operations.h"
#include "engine/testing/shared_memory_store.h"

namespace stator {
namespace shared_servers_test {

struct Server {
  explicit Server(SharedMemoryRows& rows) {
    std::unique_ptr<SharedMemoryStore> made = rows.MakeStore();
    store = made.get();
    clock = std::make_unique<TurnableClock>(ClockSetting(), [this] { return store->Now(); });
    Result<std::unique_ptr<Engine>> opened =
        Engine::Open(std::move(made), {.region = "us-east-1",
                                       .account = "000000000000",
                                       .clock = clock.get(),
                                       .shared_clock = clock.get()});
    EXPECT_TRUE(opened) << opened.error().message();
    engine = *std::move(opened);
  }

  // The answer, or the error's name.
  template <class Request, class Response>
  std::string Answer(const ApiOperation<Request, Response>& operation, std::string_view body) {
    JsonDocument document;
    EXPECT_TRUE(document.Parse(body)) << body;
    std::promise<Result<std::string>> promise;
    operation.run_json(*engine, Wording::kClassic, document.root(),
                       [&](Result<std::string> result) { promise.set_value(std::move(result)); });
    Result<std::string> answer = promise.get_future().get();
    return answer ? *std::move(answer) : std::string(answer.error().name());
  }

  SharedMemoryStore* store;
  std::unique_ptr<TurnableClock> clock;
  std::unique_ptr<Engine> engine;
};

bool Succeeded(const std::string& answer) { return !answer.ends_with("Exception"); }

bool WaitUntil(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

class SharedServersTest : public ::testing::Test {
 protected:
  static std::string NewTable(const std::string& name, const std::string& more = "") {
    return R"({"TableName":")" + name + R"(","BillingMode":"PAY_PER_REQUEST",)" + more +
           R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
           R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})";
  }
  static std::string Named(const std::string& name) { return R"({"TableName":")" + name + R"("})"; }
  static std::string NewIndex(const std::string& table, const std::string& index) {
    return R"({"TableName":")" + table +
           R"(","AttributeDefinitions":[{"AttributeName":"year","AttributeType":"N"}],)"
           R"("GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":")" +
           index +
           R"(","KeySchema":[{"AttributeName":"year","KeyType":"HASH"}],)"
           R"("Projection":{"ProjectionType":"ALL"}}}]})";
  }
  static std::string NewItem(const std::string& table, int i) {
    return R"({"TableName":")" + table + R"(","Item":{"pk":{"S":")" + std::to_string(i) +
           R"("},"year":{"N":")" + std::to_string(i % 5) + R"("}}})";
  }

  SharedMemoryRows rows_;
  Server a_{rows_};  // the keeper
  Server b_{rows_};
};

TEST_F(SharedServersTest, OneOfTwoCreatesOfANameWins) {
  for (int i = 0; i < 20; ++i) {
    const std::string body = NewTable("Table" + std::to_string(i));
    auto other = std::async(std::launch::async, [&] { return b_.Answer(kCreateTable, body); });
    const std::string one = a_.Answer(kCreateTable, body);
    const std::string two = other.get();
    EXPECT_NE(Succeeded(one), Succeeded(two)) << one << two;
    EXPECT_EQ(Succeeded(one) ? two : one, "ResourceInUseException");
  }
  EXPECT_EQ(a_.Answer(kListTables, "{}"), b_.Answer(kListTables, "{}"));
}

TEST_F(SharedServersTest, OneOfTwoNewIndexesOfATableWins) {
  for (int i = 0; i < 10; ++i) {
    const std::string table = "Table" + std::to_string(i);
    ASSERT_TRUE(Succeeded(a_.Answer(kCreateTable, NewTable(table))));
    auto other = std::async(std::launch::async,
                            [&] { return b_.Answer(kUpdateTable, NewIndex(table, "two")); });
    const std::string one = a_.Answer(kUpdateTable, NewIndex(table, "one"));
    const std::string two = other.get();
    EXPECT_TRUE(Succeeded(one) || Succeeded(two)) << one << two;
    // If the first index was ready by then, the second is fine.
    const std::string& second = Succeeded(one) ? two : one;
    EXPECT_TRUE(Succeeded(second) || second == "LimitExceededException") << second;
  }
}

TEST_F(SharedServersTest, TagsOfBothAreThere) {
  ASSERT_TRUE(Succeeded(a_.Answer(kCreateTable, NewTable("Music"))));
  const auto tag = [](Server& server, const std::string& prefix) {
    for (int i = 0; i < 15; ++i) {
      EXPECT_TRUE(Succeeded(server.Answer(
          kTagResource,
          R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Music","Tags":[{"Key":")" +
              prefix + std::to_string(i) + R"(","Value":"v"}]})")));
    }
  };
  auto other = std::async(std::launch::async, [&] { tag(b_, "b"); });
  tag(a_, "a");
  other.get();
  EXPECT_EQ(a_.engine->catalog().Find("Music")->tags.size(), 30U);
  EXPECT_EQ(b_.engine->catalog().Find("Music")->tags.size(), 30U);
}

TEST_F(SharedServersTest, ATableWithAStreamAndRecoveryIsDeletedThroughAServerThatIsNotTheKeeper) {
  ASSERT_TRUE(Succeeded(b_.Answer(
      kCreateTable,
      NewTable("Music",
               R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},)"))));
  ASSERT_TRUE(Succeeded(b_.Answer(
      kUpdateContinuousBackups,
      R"({"TableName":"Music","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})")));
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(Succeeded((i % 2 == 0 ? a_ : b_).Answer(kPutItem, NewItem("Music", i))));
  }
  // What others have written is counted a moment later.
  for (Server* server : {&a_, &b_}) {
    EXPECT_TRUE(WaitUntil([&] {
      const std::string described = server->Answer(kDescribeTable, Named("Music"));
      return described.find(R"("ItemCount":50)") != std::string::npos;
    }));
  }
  ASSERT_TRUE(Succeeded(b_.Answer(kDeleteTable, Named("Music"))));
  EXPECT_EQ(a_.Answer(kDescribeTable, Named("Music")), "ResourceNotFoundException");
  EXPECT_EQ(a_.Answer(kGetItem, R"({"TableName":"Music","Key":{"pk":{"S":"1"}}})"),
            "ResourceNotFoundException");
  EXPECT_NE(a_.Answer(kListStreams, "{}").find("Music"), std::string::npos);
  const std::string backups = a_.Answer(kListBackups, R"({"BackupType":"SYSTEM"})");
  EXPECT_NE(backups.find("Music$DeletedTableBackup"), std::string::npos) << backups;
  EXPECT_TRUE(WaitUntil([&] { return a_.engine->catalog().Dropped().empty(); }));
  EXPECT_TRUE(Succeeded(b_.Answer(kCreateTable, NewTable("Music"))));
}

TEST_F(SharedServersTest, ItemsExpireThroughTheKeeperWhoeverEnabledIt) {
  ASSERT_TRUE(Succeeded(a_.Answer(kCreateTable, NewTable("Music"))));
  for (int i = 0; i < 150; ++i) {
    ASSERT_TRUE(
        Succeeded(b_.Answer(kPutItem, R"({"TableName":"Music","Item":{"pk":{"S":")" +
                                          std::to_string(i) + R"("},"ttl":{"N":"4000000000"}}})")));
  }
  ASSERT_TRUE(Succeeded(b_.Answer(
      kUpdateTimeToLive,
      R"({"TableName":"Music","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})")));
  EXPECT_TRUE(WaitUntil([&] {
    return b_.Answer(kDescribeTimeToLive, Named("Music")).find("ENABLED") != std::string::npos;
  }));
  ASSERT_TRUE(b_.clock->Set(TimeMs(std::chrono::seconds(4'000'000'100))));
  EXPECT_TRUE(WaitUntil([&] {
    return b_.Answer(kDescribeTable, Named("Music")).find(R"("ItemCount":0)") != std::string::npos;
  }));
}

TEST_F(SharedServersTest, ATokenCountsForAllServers) {
  ASSERT_TRUE(Succeeded(a_.Answer(kCreateTable, NewTable("Music"))));
  const std::string body =
      R"({"ClientRequestToken":"t","TransactItems":[{"Update":{"TableName":"Music",)"
      R"("Key":{"pk":{"S":"1"}},"UpdateExpression":"ADD n :one",)"
      R"("ExpressionAttributeValues":{":one":{"N":"1"}}}}]})";
  EXPECT_TRUE(Succeeded(a_.Answer(kTransactWriteItems, body)));
  EXPECT_TRUE(Succeeded(b_.Answer(kTransactWriteItems, body)));
  EXPECT_NE(b_.Answer(kGetItem, R"({"TableName":"Music","Key":{"pk":{"S":"1"}}})")
                .find(R"("n":{"N":"1"})"),
            std::string::npos);
}

}  // namespace shared_servers_test
}  // namespace stator
