// Threads move amounts between items, by transactions and by single conditional writes, while others
// read all items in transactions: nobody ever sees an amount on its way, and in the end all is there.
//
//   transfers_test [--store memory|rocksdb]
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/oracle/random_values.h"
#include "tests/oracle/test_store.h"

namespace stator::oracle {
namespace {

constexpr std::array kTables = {"Left", "Right"};
constexpr std::size_t kAccounts = 16;  // half of them in each table
constexpr std::int64_t kStartAmount = 100;
constexpr std::int64_t kTotal = kAccounts * kStartAmount;
constexpr std::size_t kWriters = 4;
constexpr std::size_t kReaders = 2;
constexpr std::size_t kWritesPerThread = 1'000;

struct World {
  Database& database;
  bool strict = false;
  std::atomic<std::size_t> writing = kWriters;
  std::atomic<std::int64_t> transfers = 0;  // acknowledged
  std::atomic<std::int64_t> moves = 0;
  std::atomic<std::int64_t> snapshots = 0;
  std::mutex mutex;
  std::string problem;  // the first one

  void Report(std::string what) {
    const std::lock_guard lock(mutex);
    if (problem.empty()) problem = std::move(what);
  }
};

std::string TableOf(std::size_t account) { return kTables[account % kTables.size()]; }
Item KeyOf(std::size_t account) { return Item{{"id", static_cast<std::int64_t>(account)}}; }

// An account holds its money free and reserved. Each write adds one to its version.
TransactUpdate Book(std::size_t account, std::int64_t amount) {
  return {.table_name = TableOf(account),
          .key = KeyOf(account),
          .update_expression = "ADD #f :a, version :one",
          .condition_expression = "#f >= :least",
          .expression_attribute_names = NameMap{{"#f", "free"}},
          .expression_attribute_values =
              ValueMap{{":a", amount}, {":one", 1}, {":least", amount < 0 ? -amount : 0}}};
}

std::int64_t Number(const Item& item, std::string_view name) {
  const std::optional<ValueView> value = item.Find(name);
  return value ? value->AsInt64().value_or(0) : 0;
}

// With strict conflicts somebody else may have the item: then nothing happened.
bool IsConflict(const World& world, const Error& error) {
  if (!world.strict) return false;
  if (error.code() == ErrorCode::kTransactionConflict) return true;
  bool conflict = false;
  for (const CancellationReason& reason : error.cancellation_reasons()) {
    conflict = conflict || reason.code == "TransactionConflict";
  }
  return conflict;
}

class Writer {
 public:
  Writer(World& world, std::size_t number) : world_(world), number_(number), random_(77 + number) {}

  void Work() {
    for (std::size_t i = 0; i < kWritesPerThread; ++i) {
      random_.Chance(70) ? Transfer(i) : MoveWithin();
    }
    --world_.writing;
  }

 private:
  // Takes from one, or two, and gives to another. Sometimes the client asks twice with its token.
  void Transfer(std::size_t i) {
    const std::size_t from = random_.Below(kAccounts);
    const std::size_t to = (from + 1 + random_.Below(kAccounts - 1)) % kAccounts;
    const auto amount = static_cast<std::int64_t>(random_.Below(40));
    TransactWriteItemsRequest request;
    request.transact_items.emplace();
    request.transact_items->push_back({.update = Book(from, -amount)});
    request.transact_items->push_back({.update = Book(to, amount)});
    request.client_request_token = fmt::format("{}-{}-{}", world_.strict, number_, i);
    const Result<TransactWriteItemsResponse> answer = world_.database.TransactWriteItems(request);
    if (answer) {
      ++world_.transfers;
      if (random_.Chance(30)) Repeat(request);
      return;
    }
    const bool poor = answer.error().code() == ErrorCode::kTransactionCanceled &&
                      answer.error().cancellation_reasons()[0].code == "ConditionalCheckFailed";
    if (poor || IsConflict(world_, answer.error())) return;
    world_.Report("TransactWriteItems: " + answer.error().message());
  }

  void Repeat(const TransactWriteItemsRequest& request) {
    const Result<TransactWriteItemsResponse> again = world_.database.TransactWriteItems(request);
    if (again || IsConflict(world_, again.error())) return;
    world_.Report("TransactWriteItems again: " + again.error().message());
  }

  // Reserves some of one account's money, or frees it: a single conditional write.
  void MoveWithin() {
    const std::size_t account = random_.Below(kAccounts);
    const bool reserve = random_.Chance(50);
    const auto amount = static_cast<std::int64_t>(random_.Below(20));
    const Result<UpdateItemResponse> answer = world_.database.UpdateItem(
        {.table_name = TableOf(account),
         .key = KeyOf(account),
         .update_expression = reserve ? "ADD #f :minus, reserved :plus, version :one"
                                      : "ADD #f :plus, reserved :minus, version :one",
         .condition_expression = reserve ? "#f >= :plus" : "reserved >= :plus",
         .expression_attribute_names = NameMap{{"#f", "free"}},
         .expression_attribute_values =
             ValueMap{{":plus", amount}, {":minus", -amount}, {":one", 1}}});
    if (answer) {
      ++world_.moves;
    } else if (answer.error().code() != ErrorCode::kConditionalCheckFailed &&
               !IsConflict(world_, answer.error())) {
      world_.Report("UpdateItem: " + answer.error().message());
    }
  }

  World& world_;
  const std::size_t number_;
  Random random_;
};

struct Snapshot {
  std::int64_t total = 0;
  std::int64_t versions = 0;
};

Result<Snapshot> ReadAll(Database& database) {
  TransactGetItemsRequest request;
  request.transact_items.emplace();
  for (std::size_t account = 0; account < kAccounts; ++account) {
    request.transact_items->push_back(
        {.get = TransactGet{.table_name = TableOf(account), .key = KeyOf(account)}});
  }
  Result<TransactGetItemsResponse> answer = database.TransactGetItems(request);
  if (!answer) return std::unexpected(std::move(answer).error());
  Snapshot snapshot;
  for (const std::optional<Item>& item : answer->responses) {
    if (!item) continue;
    snapshot.total += Number(*item, "free") + Number(*item, "reserved");
    snapshot.versions += Number(*item, "version");
  }
  return snapshot;
}

// Snapshots come in the order of time: what was acknowledged before one is in it.
void ReadWhileOthersWrite(World& world) {
  std::int64_t seen = 0;
  while (world.writing > 0) {
    const std::int64_t acknowledged = 2 * world.transfers + world.moves;
    const Result<Snapshot> snapshot = ReadAll(world.database);
    if (!snapshot) {
      if (IsConflict(world, snapshot.error())) continue;
      return world.Report("TransactGetItems: " + snapshot.error().message());
    }
    ++world.snapshots;
    if (snapshot->total != kTotal) {
      return world.Report(fmt::format("a reader saw {} of {}", snapshot->total, kTotal));
    }
    if (snapshot->versions < seen || snapshot->versions < acknowledged) {
      return world.Report(fmt::format("{} writes, after {} seen and {} acknowledged",
                                      snapshot->versions, seen, acknowledged));
    }
    seen = snapshot->versions;
  }
}

std::string CreateAccounts(Database& database) {
  for (const char* table : kTables) {
    const Result<CreateTableResponse> created = database.CreateTable(
        {.attribute_definitions = {{{.attribute_name = "id", .attribute_type = ScalarType::kN}}},
         .table_name = table,
         .key_schema = {{{.attribute_name = "id", .key_type = KeyType::kHash}}},
         .billing_mode = BillingMode::kPayPerRequest});
    if (!created) return "CreateTable: " + created.error().message();
  }
  database.WaitForBackgroundWork();
  TransactWriteItemsRequest request;
  request.transact_items.emplace();
  for (std::size_t account = 0; account < kAccounts; ++account) {
    Item item = KeyOf(account);
    item.Set("free", kStartAmount);
    item.Set("reserved", 0);
    request.transact_items->push_back(
        {.put = TransactPut{.table_name = TableOf(account), .item = std::move(item)}});
  }
  const Result<TransactWriteItemsResponse> written = database.TransactWriteItems(request);
  return written ? "" : "TransactWriteItems: " + written.error().message();
}

std::string Test(const std::string& kind, bool strict) {
  TestStore store(kind, strict);
  if (!store.database()) return store.problem();
  World world{.database = *store.database(), .strict = strict};
  if (std::string problem = CreateAccounts(world.database); !problem.empty()) return problem;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kWriters; ++i) {
    threads.emplace_back([&world, i] { Writer(world, i).Work(); });
  }
  for (std::size_t i = 0; i < kReaders; ++i) {
    threads.emplace_back([&world] { ReadWhileOthersWrite(world); });
  }
  for (std::thread& thread : threads) thread.join();
  if (!world.problem.empty()) return world.problem;

  const Result<Snapshot> end = ReadAll(world.database);
  if (!end) return "TransactGetItems: " + end.error().message();
  if (end->total != kTotal) return fmt::format("{} of {} are left", end->total, kTotal);
  const std::int64_t acknowledged = 2 * world.transfers + world.moves;
  if (end->versions != acknowledged) {
    return fmt::format("{} writes for {} acknowledged ones", end->versions, acknowledged);
  }
  fmt::print("{}{}: {} transfers, {} moves, {} snapshots\n", kind, strict ? " strict" : "",
             world.transfers.load(), world.moves.load(), world.snapshots.load());
  return world.transfers > 0 && world.moves > 0 && world.snapshots > 0 ? "" : "nothing happened";
}

int Main(int count, char** arguments) {
  const bool chosen = count == 3 && std::string_view(arguments[1]) == "--store";
  if (count != 1 && !chosen) {
    fmt::print("usage: transfers_test [--store memory|rocksdb]\n");
    return 2;
  }
  for (const bool strict : {false, true}) {
    const std::string problem = Test(chosen ? arguments[2] : "memory", strict);
    if (problem.empty()) continue;
    fmt::print("FAILED{}: {}\n", strict ? " with strict conflicts" : "", problem);
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace stator::oracle

int main(int count, char** arguments) { return stator::oracle::Main(count, arguments); }
