// Requests that take long, wait for a disk or are too many: where they run, and how they end.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <latch>
#include <string>
#include <thread>

#include "database/workers.h"
#include "stator/database.h"

namespace stator {
namespace long_requests_test {

constexpr std::string_view kCreateTable = R"({
    "TableName": "Long", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}]})";

// 300 KB of text in which the searched text is nowhere, a few characters before every end.
Item LargeItem(const std::string& key) { return {{"k", key}, {"text", std::string(300'000, 'a')}}; }

std::string Repeated(std::string_view part, std::string_view between, int times) {
  std::string text(part);
  for (int i = 1; i < times; ++i) text.append(between).append(part);
  return text;
}

// Searches the text as often as an expression may.
std::string HeavyExpression() { return Repeated("contains(#t,:x)", " OR ", 140); }
constexpr std::string_view kHeavyNames = R"("ExpressionAttributeNames":{"#t":"text"},)"
                                         R"("ExpressionAttributeValues":{":x":{"S":"aaaaab"}})";

std::unique_ptr<Database> OpenTable(DatabaseOptions options, int items) {
  Result<std::unique_ptr<Database>> db = Database::Open(std::move(options));
  EXPECT_TRUE(db) << db.error().message();
  EXPECT_TRUE((*db)->Execute("CreateTable", kCreateTable));
  for (int i = 0; i < items; ++i) {
    EXPECT_TRUE((*db)->PutItem({.table_name = "Long", .item = LargeItem(std::to_string(i))}));
  }
  return *std::move(db);
}

struct Outcome {
  Database::Answer answer;
  bool on_this_thread = false;
};

Outcome RunAsync(Database& db, std::string_view operation, const std::string& json,
                 const std::atomic<bool>* unwanted = nullptr) {
  const std::string padded = json + std::string(Database::kPadding, '\0');
  std::promise<Outcome> done;
  db.ExecuteAsync(
      operation, std::string_view(padded).substr(0, json.size()),
      [&done, caller = std::this_thread::get_id()](Database::Answer answer) {
        done.set_value({std::move(answer), std::this_thread::get_id() == caller});
      },
      unwanted);
  return done.get_future().get();
}

TEST(LongRequests, ShortReadsStayOnTheCallersThreadAndLongOnesDoNot) {
  const auto db = OpenTable({}, 10);
  ASSERT_TRUE(db->PutItem({.table_name = "Long", .item = Item{{"k", "small"}}}));
  const Outcome small =
      RunAsync(*db, "GetItem", R"({"TableName":"Long","Key":{"k":{"S":"small"}}})");
  EXPECT_TRUE(small.on_this_thread);
  EXPECT_EQ(small.answer.body, R"({"Item":{"k":{"S":"small"}}})");

  const Outcome large = RunAsync(*db, "GetItem", R"({"TableName":"Long","Key":{"k":{"S":"1"}}})");
  EXPECT_FALSE(large.on_this_thread);
  EXPECT_EQ(large.answer.http_status, 200);
  EXPECT_GT(large.answer.body.size(), 300'000U);

  const Outcome scan = RunAsync(*db, "Scan", R"({"TableName":"Long"})");
  EXPECT_FALSE(scan.on_this_thread);
  EXPECT_EQ(scan.answer.http_status, 200);
}

TEST(LongRequests, AnswersAreTheSameWhereverARequestRuns) {
  const auto db = OpenTable({}, 3);
  for (const char* json :
       {R"({"TableName":"Long"})", R"({"TableName":"Long","Limit":2})",
        R"({"TableName":"Long","Select":"COUNT","ReturnConsumedCapacity":"TOTAL"})"}) {
    EXPECT_EQ(RunAsync(*db, "Scan", json).answer.body, db->Execute("Scan", json).value()) << json;
  }
}

TEST(LongRequests, ALargeBodyIsReadElsewhere) {
  const auto db = OpenTable({}, 0);
  const std::string json = R"({"TableName":"Long","Item":{"k":{"S":"a"},"text":{"S":")" +
                           std::string(100'000, 'x') + R"("}}})";
  const Outcome put = RunAsync(*db, "PutItem", json);
  EXPECT_EQ(put.answer.http_status, 200) << put.answer.body;
  EXPECT_FALSE(put.on_this_thread);
}

TEST(LongRequests, UnitsOfARequestThatWasTriedTwiceCountOnce) {
  const auto db = OpenTable({.count_units = true}, 3);
  const double before = db->GetStats().consumed_units.at(0).reads;
  RunAsync(*db, "Scan", R"({"TableName":"Long"})");
  const double counted = db->GetStats().consumed_units.at(0).reads - before;
  // 900 KB, eventually consistent.
  EXPECT_NEAR(counted, 110, 2);
}

TEST(LongRequests, APageThatTakesTooLongEndsEarly) {
  const auto db = OpenTable({.request_time = std::chrono::milliseconds(1)}, 4);
  const std::string scan = R"({"TableName":"Long","FilterExpression":")" + HeavyExpression() +
                           R"(",)" + std::string(kHeavyNames) + "}";
  const Outcome page = RunAsync(*db, "Scan", scan);
  EXPECT_EQ(page.answer.http_status, 200) << page.answer.body;
  EXPECT_NE(page.answer.body.find(R"("ScannedCount":1,"LastEvaluatedKey")"), std::string::npos)
      << page.answer.body;
}

TEST(LongRequests, AWriteThatTakesTooLongIsRefusedAndWritesNothing) {
  const auto db = OpenTable({.write_time = std::chrono::milliseconds(1)}, 1);
  const std::string put = R"({"TableName":"Long","Item":{"k":{"S":"0"}},"ConditionExpression":")" +
                          HeavyExpression() + R"(",)" + std::string(kHeavyNames) + "}";
  const Result<std::string> refused = db->Execute("PutItem", put);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().name(), "RequestLimitExceeded");
  const auto stored = db->GetItem({.table_name = "Long", .key = Item{{"k", "0"}}});
  EXPECT_EQ(stored.value().item, LargeItem("0"));
  EXPECT_TRUE(db->PutItem({.table_name = "Long", .item = Item{{"k", "0"}}}));
}

TEST(LongRequests, AnUnwantedRequestEndsSoon) {
  const auto db = OpenTable({}, 10);
  const std::atomic<bool> unwanted = true;
  const Outcome page = RunAsync(*db, "Scan", R"({"TableName":"Long"})", &unwanted);
  EXPECT_NE(page.answer.body.find(R"("ScannedCount":1,"LastEvaluatedKey")"), std::string::npos);
}

// Files that the system has forgotten are read on another thread. Where the file system cannot tell,
// they are too.
TEST(LongRequests, AReadFromTheDiskIsAnsweredAlike) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("stator-long-requests-" + std::to_string(getpid()));
  {
    // Opened again, so that nothing is in its caches.
    OpenTable({.directory = directory.string()}, 100).reset();
    Result<std::unique_ptr<Database>> db =
        Database::Open({.directory = directory.string(), .cache_bytes = 1 << 20});
    ASSERT_TRUE(db);
    for (const auto& file : std::filesystem::recursive_directory_iterator(directory)) {
      const int fd = open(file.path().c_str(), O_RDONLY);
      posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
      close(fd);
    }
    for (int i = 0; i < 100; ++i) {
      const std::string key = R"({"TableName":"Long","Key":{"k":{"S":")" + std::to_string(i) +
                              R"("}},)"
                              R"("ProjectionExpression":"k"})";
      const Outcome found = RunAsync(**db, "GetItem", key);
      EXPECT_EQ(found.answer.body, R"({"Item":{"k":{"S":")" + std::to_string(i) + R"("}}})");
    }
  }
  std::filesystem::remove_all(directory);
}

TEST(Workers, TooManyTasksAreRefusedAtOnce) {
  std::latch begun(1);
  std::latch end(1);
  std::atomic<int> refused = 0;
  std::atomic<int> done = 0;
  {
    Workers workers({.queued_max = 2, .wait = std::chrono::minutes(1)});
    const auto task = [&](Workers::Turn turn) {
      if (turn == Workers::Turn::kRefuse) ++refused;
      if (turn == Workers::Turn::kWork) {
        begun.wait();
        end.wait();
        ++done;
      }
    };
    begun.count_down();
    for (int i = 0; i < 1000; ++i) workers.Post(Workers::Lane::kLong, task);
    EXPECT_GT(refused, 0);
    end.count_down();
  }
  EXPECT_LT(refused, 1000);
}

TEST(Workers, ATaskThatHasWaitedTooLongIsRefused) {
  std::promise<Workers::Turn> turn;
  Workers workers({.queued_max = 10, .wait = std::chrono::milliseconds(-1)});
  workers.Post(Workers::Lane::kPoint, [&](Workers::Turn given) { turn.set_value(given); });
  EXPECT_EQ(turn.get_future().get(), Workers::Turn::kRefuse);
}

TEST(Workers, TasksThatHaveNotBegunAreToldToStop) {
  std::latch end(1);
  std::atomic<int> stopped = 0;
  std::atomic<int> begun = 0;
  std::thread opener;
  {
    Workers workers({});
    for (int i = 0; i < 500; ++i) {
      workers.Post(Workers::Lane::kLong, [&](Workers::Turn turn) {
        if (turn == Workers::Turn::kStop) {
          ++stopped;
        } else {
          ++begun;
          end.wait();
        }
      });
    }
    opener = std::thread([&] {
      while (stopped == 0) std::this_thread::yield();
      end.count_down();
    });
  }
  opener.join();
  EXPECT_EQ(stopped + begun, 500);
  EXPECT_GT(stopped, 0);
}

}  // namespace long_requests_test
}  // namespace stator
