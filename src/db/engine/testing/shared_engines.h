// For tests: engines as of several processes on one store, in memory or on PostgreSQL.
#ifndef STATOR_ENGINE_TESTING_SHARED_ENGINES_H_
#define STATOR_ENGINE_TESTING_SHARED_ENGINES_H_

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/sharing/scope.h"
#include "engine/testing/engine_writes.h"
#include "engine/testing/shared_memory_store.h"
#include "storage/testing/postgres.h"
#include "value/size.h"

namespace stator::shared_engine_test {

// What the servers share.
class MemoryDatabase {
 public:
  static bool IsThere() { return true; }
  std::unique_ptr<Store> MakeStore() { return rows_.MakeStore(); }
  SharedMemoryRows& rows() { return rows_; }

 private:
  SharedMemoryRows rows_;
};

class PostgresDatabase {
 public:
  static bool IsThere() { return TestPostgresUrl().has_value(); }
  std::unique_ptr<Store> MakeStore() {
    return OpenPostgresForTest(name_, {.write_connections = 2, .part_of = &PartOf});
  }

 private:
  const std::string name_ = RandomBytes(8);
};

// A process: its store, its clock and its engine.
struct Server {
  explicit Server(std::unique_ptr<Store> made, ShardLimits limits = {},
                  const ClockSetting& setting = {}) {
    store = made.get();
    const Sharing* const sharing = made->sharing();
    clock = std::make_unique<TurnableClock>(setting, [sharing] { return sharing->Now(); });
    Result<std::unique_ptr<Engine>> opened =
        Engine::Open(std::move(made), {.region = "r",
                                       .account = "1",
                                       .clock = clock.get(),
                                       .shared_clock = clock.get(),
                                       .shard_limits = limits});
    EXPECT_TRUE(opened) << opened.error().message();
    engine = *std::move(opened);
  }

  // Runs as an operation does, on the background thread.
  template <class Run>
  auto Operate(Run run) {
    std::promise<decltype(run())> done;
    engine->background().Post([&] { done.set_value(RunOnNewestCatalog(*engine->sharing(), run)); });
    return done.get_future().get();
  }

  TablePtr Find(std::string_view name) {
    Result<TablePtr> found = engine->FindTable(name);
    return found ? *found : nullptr;
  }
  Result<std::vector<WriteOutcome>> Put(std::string_view name, Item item) {
    ItemWrite write{.kind = ItemWrite::Kind::kPut, .table = Find(name), .item = std::move(item)};
    if (!write.table) return std::unexpected(Error::ResourceNotFound());
    std::vector<ItemWrite> writes;
    writes.push_back(std::move(write));
    return WriteAndWait(*engine, std::move(writes));
  }

  Store* store;
  std::unique_ptr<TurnableClock> clock;
  std::unique_ptr<Engine> engine;
};

inline bool WaitUntil(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

inline Table NewTable(std::string name) {
  Table table;
  table.name = std::move(name);
  table.arn = "arn:" + table.name;
  table.id = "id-" + table.name;
  table.keys.hash = {{"pk", ScalarType::kN}};
  table.attribute_definitions = {{"pk", ScalarType::kN}};
  return table;
}

template <class Database>
class SharedEngineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Database::IsThere()) GTEST_SKIP() << "there is no PostgreSQL";
    database_ = std::make_unique<Database>();
    a_ = std::make_unique<Server>(database_->MakeStore());  // the keeper
    b_ = std::make_unique<Server>(database_->MakeStore());
  }

  // As CreateTable does it.
  static Result<TablePtr> Create(Server& server, const std::string& name) {
    return server.Operate([&]() -> Result<TablePtr> {
      if (server.engine->catalog().Find(name)) {
        return std::unexpected(Error::ResourceInUse("it is there"));
      }
      return server.engine->catalog().Add(NewTable(name));
    });
  }
  // As UpdateTable does it.
  static void AddIndex(Server& server, const std::string& name) {
    const TablePtr table = server.Find(name);
    IndexNumber number = 0;
    const Result<TablePtr> changed = server.Operate([&] {
      return server.engine->catalog().Change(table->number, [&](Table& copy) -> Result<void> {
        Index index;
        index.number = number = copy.next_index_number++;
        index.name = "by-year";
        index.global = true;
        index.keys.hash = {{"year", ScalarType::kN}};
        index.projection = ProjectionType::kAll;
        index.status = IndexStatus::kCreating;
        index.backfilling = false;
        CompleteIndex(copy.keys, index);
        copy.indexes.push_back(std::move(index));
        return {};
      });
    });
    ASSERT_TRUE(changed) << changed.error().message();
    server.engine->StartBackfill(table->number, number);
  }
  static bool IsIndexActive(Server& server, const std::string& name) {
    const TablePtr table = server.engine->catalog().Find(name);
    return table && !table->indexes.empty() &&
           table->indexes.front().status == IndexStatus::kActive;
  }

  std::map<std::string, std::string> Rows(const KeyRange& range) {
    std::map<std::string, std::string> rows;
    EXPECT_TRUE(a_->store->Scan(range, Direction::kForward,
                                [&](std::string_view key, std::string_view row) {
                                  rows.emplace(key, row);
                                  return true;
                                }));
    return rows;
  }

  // Every item has its entry, there are no others, and both servers count them.
  void CheckIndex(const std::string& name) {
    const TablePtr table = a_->engine->catalog().Find(name);
    ASSERT_TRUE(table);
    const Index& index = table->indexes.front();
    std::map<std::string, std::string> expected;
    std::int64_t bytes = 0;
    for (const auto& [key, item] : Rows(IndexRows(table->number, 0))) {
      const auto entry = EntryRowKey(a_->engine->hasher(), *table, index, ItemView(item));
      if (!entry) continue;
      expected[*entry] = item;
      bytes += static_cast<std::int64_t>(ItemSizeBytes(ItemView(item)));
    }
    EXPECT_EQ(Rows(IndexRows(table->number, index.number)), expected);
    for (const auto& server : {a_.get(), b_.get()}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(250));
      ASSERT_TRUE(server->engine->BringCountsUpToDate());
      const TablePtr shown = server->engine->catalog().Find(name);
      EXPECT_EQ(shown->indexes.front().counts->all_items(), std::ssize(expected));
      EXPECT_EQ(shown->indexes.front().counts->all_bytes(), bytes);
    }
  }

  std::unique_ptr<Database> database_;
  std::unique_ptr<Server> a_;
  std::unique_ptr<Server> b_;
};

using Databases = ::testing::Types<MemoryDatabase, PostgresDatabase>;
// Writes through a server, over and over, until it is stopped.
class Writing {
 public:
  Writing(Server& server, std::string table, int first)
      : thread_([this, &server, table = std::move(table), first] {
          for (int i = 0; !stop_; ++i) {
            const int pk = first + i % 500;
            const auto written = server.Put(table, Item{{"pk", pk}, {"year", i % 7}, {"n", i}});
            if (written) {
              ++written_;
            } else {
              errors_.emplace(written.error().name());
            }
          }
        }) {}
  ~Writing() { Stop(); }
  void Stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  int written() const { return written_; }
  // Names of errors. REQUIRES: stopped.
  const std::set<std::string>& errors() const { return errors_; }

 private:
  std::atomic<bool> stop_ = false;
  std::atomic<int> written_ = 0;
  std::set<std::string> errors_;
  std::thread thread_;
};

}  // namespace stator::shared_engine_test

#endif  // STATOR_ENGINE_TESTING_SHARED_ENGINES_H_
