// Eight threads on the same items: every increment counts once, and every index equals the
// projection of its table in the end.
//
//   concurrency_test [--store memory|rocksdb]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/oracle/checker.h"
#include "tests/oracle/invariants.h"
#include "tests/oracle/random_values.h"
#include "tests/oracle/test_store.h"
#include "tests/oracle/translate.h"

namespace stator::oracle {
namespace {

constexpr std::size_t kThreads = 8;
constexpr std::size_t kOperationsPerThread = 2'000;
constexpr std::size_t kSharedItems = 24;

Key SharedKey(std::size_t number) {
  const std::string partition(1, static_cast<char>('a' + number % 3));
  return {partition, Value::N(std::to_string(number))};
}

// What the threads know together.
struct World {
  Database& database;
  // Increments that were acknowledged, by shared item.
  std::array<std::atomic<std::int64_t>, kSharedItems> acknowledged{};
  std::mutex mutex;
  std::string problem;  // the first one

  void Report(std::string what) {
    const std::lock_guard lock(mutex);
    if (problem.empty()) problem = std::move(what);
  }
};

class Worker {
 public:
  Worker(World& world, std::size_t number)
      : world_(world), number_(number), random_(1000 + number), seen_(kSharedItems, 0) {}

  void Work() {
    for (std::size_t i = 0; i < kOperationsPerThread; ++i) {
      const std::size_t item = random_.Below(kSharedItems);
      const std::size_t dice = random_.Below(100);
      if (dice < 40) {
        Increment(item, false);
      } else if (dice < 50) {
        Increment(item, true);
      } else if (dice < 70) {
        MoveIndexKeys(item);
      } else if (dice < 80) {
        LeaveIndexes(item);
      } else if (dice < 88) {
        ReadCounter(item);
      } else if (dice < 94) {
        ReadSparseIndex();
      } else {
        WriteOwnItems();
      }
    }
  }

 private:
  UpdateItemRequest UpdateOf(std::size_t item, const char* expression) const {
    UpdateItemRequest request;
    request.table_name = kTableName;
    request.key = ToLibrary(AsAttributes(SharedKey(item)));
    request.update_expression = expression;
    return request;
  }

  void Expect(const Result<UpdateItemResponse>& answer) {
    if (!answer) world_.Report("UpdateItem: " + answer.error().message());
  }

  // `conditional` increments only items that are flagged.
  void Increment(std::size_t item, bool conditional) {
    UpdateItemRequest request = UpdateOf(item, "ADD #n :one");
    request.expression_attribute_names = NameMap{{"#n", "count"}};
    request.expression_attribute_values = ValueMap{{":one", 1}};
    request.return_values = ReturnValues::kUpdatedNew;
    if (conditional) {
      request.condition_expression = "flag = :on";
      request.expression_attribute_values->emplace_back(":on", "on");
    }
    const Result<UpdateItemResponse> answer = world_.database.UpdateItem(request);
    if (!answer) {
      if (conditional && answer.error().code() == ErrorCode::kConditionalCheckFailed) return;
      return Expect(answer);
    }
    ++world_.acknowledged[item];
    Saw(item, answer->attributes);
  }

  // A counter only grows.
  void Saw(std::size_t item, const std::optional<Item>& attributes) {
    const std::optional<ValueView> count = attributes ? attributes->Find("count") : std::nullopt;
    const std::int64_t now = count ? count->AsInt64().value_or(-1) : -1;
    if (now <= seen_[item]) {
      world_.Report(fmt::format("count of {} went from {} to {}", item, seen_[item], now));
    }
    seen_[item] = now;
  }

  void MoveIndexKeys(std::size_t item) {
    UpdateItemRequest request =
        UpdateOf(item, "SET flag = :f, color = :c, score = :s, #z = :z, #b = :b");
    request.expression_attribute_names = NameMap{{"#z", "zone"}, {"#b", "blob"}};
    request.expression_attribute_values = ValueMap{
        {":f", random_.Chance(50) ? "on" : "off"},
        {":c", random_.Chance(50) ? "red" : "blue"},
        {":s", static_cast<std::int64_t>(random_.Below(5))},
        {":z", random_.Chance(50) ? "north" : "south"},
        {":b", AttributeValue::Binary(std::string(1, static_cast<char>(random_.Below(4))))}};
    Expect(world_.database.UpdateItem(request));
  }

  void LeaveIndexes(std::size_t item) {
    UpdateItemRequest request = UpdateOf(item, "REMOVE flag, #b");
    request.expression_attribute_names = NameMap{{"#b", "blob"}};
    Expect(world_.database.UpdateItem(request));
  }

  // All that was acknowledged before a consistent read is in it.
  void ReadCounter(std::size_t item) {
    const std::int64_t before = world_.acknowledged[item];
    const Result<GetItemResponse> answer =
        world_.database.GetItem({.table_name = kTableName,
                                 .key = ToLibrary(AsAttributes(SharedKey(item))),
                                 .consistent_read = true});
    if (!answer) return world_.Report("GetItem: " + answer.error().message());
    const std::optional<ValueView> count =
        answer->item ? answer->item->Find("count") : std::nullopt;
    const std::int64_t now = count ? count->AsInt64().value_or(-1) : 0;
    if (now < before) {
      world_.Report(fmt::format("{} acknowledged increments of {}, {} read", before, item, now));
    }
  }

  // One page shows one moment: each item at most once.
  void ReadSparseIndex() {
    QueryRequest request;
    request.table_name = kTableName;
    request.index_name = "g_sparse";
    request.key_condition_expression = "flag = :on";
    request.expression_attribute_values = ValueMap{{":on", "on"}};
    const Result<QueryResponse> answer = world_.database.Query(request);
    if (!answer) return world_.Report("Query: " + answer.error().message());
    std::vector<Key> keys;
    for (std::size_t i = 0; i < answer->items->size(); ++i) {
      const Attributes entry = FromLibrary((*answer->items)[i]);
      if (!(*Find(entry, "flag") == Value::S("on"))) world_.Report("an entry of another partition");
      keys.push_back(KeyOf(entry));
    }
    std::sort(keys.begin(), keys.end());
    if (std::ranges::adjacent_find(keys) != keys.end()) world_.Report("an item twice in an index");
  }

  // Items that only this thread writes come and go.
  void WriteOwnItems() {
    std::vector<WriteRequest> writes;
    for (int i = 0; i < 5; ++i) {
      Attributes item = AsAttributes({fmt::format("own{}", number_), Value::N(std::to_string(i))});
      if (random_.Chance(40)) {
        writes.push_back({.delete_key = ToLibrary(item)});
        continue;
      }
      item["color"] = Value::S("red");
      item["title"] = Value::S(fmt::format("t{}", random_.Below(4)));
      item["score"] = Value::N(std::to_string(random_.Below(4)));
      writes.push_back({.put_item = ToLibrary(item)});
    }
    const Result<BatchWriteItemResponse> answer = world_.database.BatchWriteItem(
        {.request_items = BatchWriteMap{{kTableName, std::move(writes)}}});
    if (!answer) world_.Report("BatchWriteItem: " + answer.error().message());
  }

  World& world_;
  const std::size_t number_;
  Random random_;
  std::vector<std::int64_t> seen_;  // the last count that this thread saw, by shared item
};

// Adds and drops an index again and again while the workers write.
void RunWorkers(World& world, LateIndex& late_index) {
  std::atomic<std::size_t> working = kThreads;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&world, &working, i] {
      Worker(world, i).Work();
      --working;
    });
  }
  while (working > 0) {
    late_index.Change();
    late_index.Settle();
  }
  for (std::thread& thread : threads) thread.join();
  if (late_index.state() == LateIndex::State::kAbsent) late_index.Change();
  late_index.Settle();
}

// The items as the table has them.
std::string Adopt(Database& database, ReferenceTable& reference) {
  std::optional<Item> start;
  do {
    ScanRequest request;
    request.table_name = kTableName;
    request.consistent_read = true;
    request.exclusive_start_key = start;
    const Result<ScanResponse> page = database.Scan(request);
    if (!page) return "Scan: " + page.error().message();
    for (std::size_t i = 0; i < page->items->size(); ++i) {
      reference.Adopt(FromLibrary((*page->items)[i]));
    }
    start = page->last_evaluated_key;
  } while (start);
  return {};
}

std::string CompareTotals(const World& world, const ReferenceTable& reference) {
  for (std::size_t i = 0; i < kSharedItems; ++i) {
    const Attributes* item = reference.Find(SharedKey(i));
    const Value* count = item ? Find(*item, "count") : nullptr;
    const std::string stored = count ? count->number.Text() : "0";
    const std::string expected = std::to_string(world.acknowledged[i]);
    if (stored != expected) {
      return fmt::format("item {} counts {}, {} increments were acknowledged", i, stored, expected);
    }
  }
  return {};
}

std::string Test(const std::string& kind) {
  TestStore store(kind);
  if (!store.database()) return store.problem();
  Database& database = *store.database();
  if (std::string problem = CreateTestTable(database); !problem.empty()) return problem;

  World world{.database = database};
  LateIndex late_index(database);
  RunWorkers(world, late_index);
  if (!world.problem.empty()) return world.problem;
  if (late_index.state() != LateIndex::State::kActive) return late_index.problem();

  ReferenceTable reference;
  reference.schema().SetLateIndex(true);
  if (std::string problem = Adopt(database, reference); !problem.empty()) return problem;
  if (std::string problem = CompareTotals(world, reference); !problem.empty()) return problem;
  if (const Verdict verdict = CheckInvariants(database, reference)) return verdict->what;
  const Verdict verdict = CheckStream(database, reference);
  return verdict ? verdict->what : "";
}

int Main(int count, char** arguments) {
  const bool chosen = count == 3 && std::string_view(arguments[1]) == "--store";
  if (count != 1 && !chosen) {
    fmt::print("usage: concurrency_test [--store memory|rocksdb]\n");
    return 2;
  }
  const std::string problem = Test(chosen ? arguments[2] : "memory");
  if (problem.empty()) return 0;
  fmt::print("FAILED: {}\n", problem);
  return 1;
}

}  // namespace
}  // namespace stator::oracle

int main(int count, char** arguments) { return stator::oracle::Main(count, arguments); }
