// Several stores on one database, as servers have them. The contract of every store is tested in
// storage/store_contract_test.cc.
#include <gtest/gtest.h>
#include <libpq-fe.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "storage/postgres/decisions.h"
#include "storage/store.h"
#include "storage/testing/postgres.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

bool Eventually(const std::function<bool()>& holds, seconds at_most = seconds(15)) {
  for (const auto end = std::chrono::steady_clock::now() + at_most;
       std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(milliseconds(5))) {
    if (holds()) return true;
  }
  return holds();
}

class PostgresStoreTest : public ::testing::Test {
 protected:
  PostgresStoreTest() {
    if (!TestPostgresUrl()) return;
    schema_.emplace("sharing" + std::to_string(getpid()) +
                    testing::UnitTest::GetInstance()->current_test_info()->name());
    schema_->Drop();
    schema_.emplace("sharing" + std::to_string(getpid()) +
                    testing::UnitTest::GetInstance()->current_test_info()->name());
  }
  ~PostgresStoreTest() override {
    if (schema_) schema_->Drop();
  }
  void SetUp() override {
    if (!TestPostgresUrl()) GTEST_SKIP() << "STATOR_TEST_POSTGRES names no database";
  }

  std::unique_ptr<Store> Open(const std::string& application = "stator_test") {
    auto store = OpenPostgresStore({.url = schema_->url() + "&application_name=" + application,
                                    .read_connections = 4,
                                    .write_connections = 3});
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }

  // Runs SQL beside the stores; the first value of the answer.
  std::string Sql(const std::string& sql) const {
    PGconn* connection = PQconnectdb(schema_->url().c_str());
    PQsetNoticeProcessor(connection, [](void*, const char*) {}, nullptr);
    PGresult* result = PQexec(connection, sql.c_str());
    const std::string value = PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "";
    PQclear(result);
    PQfinish(connection);
    return value;
  }

  std::optional<TestPostgresSchema> schema_;
};

TEST_F(PostgresStoreTest, ConcurrentIncrementsOfTwoStoresAddUp) {
  const std::unique_ptr<Store> one = Open();
  const std::unique_ptr<Store> two = Open();
  constexpr int kPerThread = 100;
  std::vector<std::thread> threads;
  for (Store* store : {one.get(), two.get(), one.get(), two.get()}) {
    threads.emplace_back([store] {
      for (int i = 0; i < kPerThread; ++i) {
        EXPECT_TRUE(MutateAndWait(*store, MakeIncrement("counter" + std::to_string(i % 3))));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int sum = 0;
  for (int i = 0; i < 3; ++i) sum += std::stoi(*Get(*one, "counter" + std::to_string(i)));
  EXPECT_EQ(sum, 4 * kPerThread);
}

TEST_F(PostgresStoreTest, AKeyThatMustNotExistHasOneWinner) {
  const std::unique_ptr<Store> one = Open();
  const std::unique_ptr<Store> two = Open();
  std::atomic<int> winners = 0;
  constexpr int kKeys = 100;
  std::vector<std::thread> threads;
  for (Store* store : {one.get(), two.get()}) {
    threads.emplace_back([&, store] {
      for (int i = 0; i < kKeys; ++i) {
        const std::string key = "new" + std::to_string(i);
        bool won = false;
        EXPECT_TRUE(
            MutateAndWait(*store, MakeMutation({key}, [&](Values values, WriteBatch& batch) {
              won = !values[0];
              if (!won) return Mutation::Verdict::kAbandon;
              batch.Put(key, "mine");
              return Mutation::Verdict::kCommit;
            })));
        winners += won ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(winners, kKeys);
}

// Each takes a seat if the other's is free: without a lock on what does not exist, both would.
TEST_F(PostgresStoreTest, AWriteThatRestsOnAnAbsenceIsRefusedIfItEnds) {
  const std::unique_ptr<Store> one = Open();
  const std::unique_ptr<Store> two = Open();
  constexpr int kRounds = 100;
  const auto take = [](Store& store, const std::string& mine, const std::string& other) {
    EXPECT_TRUE(
        MutateAndWait(store, MakeMutation({mine, other}, [=](Values values, WriteBatch& batch) {
                        if (values[1]) return Mutation::Verdict::kAbandon;
                        batch.Put(mine, "taken");
                        return Mutation::Verdict::kCommit;
                      })));
  };
  for (int i = 0; i < kRounds; ++i) {
    const std::string a = "a" + std::to_string(i);
    const std::string b = "b" + std::to_string(i);
    std::thread first([&] { take(*one, a, b); });
    std::thread second([&] { take(*two, b, a); });
    first.join();
    second.join();
    EXPECT_NE(Get(*one, a).has_value(), Get(*one, b).has_value()) << i;
  }
}

TEST_F(PostgresStoreTest, LogsOfTwoStoresHaveNoGap) {
  const std::unique_ptr<Store> one = Open();
  const std::unique_ptr<Store> two = Open();
  std::vector<std::thread> threads;
  for (Store* store : {one.get(), two.get()}) {
    threads.emplace_back([store] {
      for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(Apply(*store, [](WriteBatch& batch) {
          batch.Append("log", "a");
          batch.Append("log", "b");
        }));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Pairs records = ScanAll(*one);
  ASSERT_EQ(records.size(), 400U);
  for (std::uint64_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(records[i].first, LogKey("log", i + 1));
    EXPECT_EQ(records[i].second, i % 2 == 0 ? "a" : "b");
  }
}

TEST_F(PostgresStoreTest, ALogThatWasCopiedGoesOn) {
  const std::unique_ptr<Store> store = Open();
  ASSERT_TRUE(Put(*store, LogKey("log", 41), "copied"));
  ASSERT_TRUE(Apply(*store, [](WriteBatch& batch) { batch.Append("log", "new"); }));
  EXPECT_EQ(Get(*store, LogKey("log", 42)), "new");
}

// No process decides by an older edition than the newest that is committed.
TEST_F(PostgresStoreTest, WhatIsAnnouncedIsLearntBeforeAnythingIsDecided) {
  const std::unique_ptr<Store> one = Open();
  const std::unique_ptr<Store> two = Open();
  struct Known {
    std::atomic<int> version = 0;
  } known_one;
  Known known_two;
  const auto learn = [](Store& store, Known& known) {
    return [&store, &known](std::span<const std::string> keys) -> StorageResult<void> {
      for (const std::string& key : keys) {
        std::string value;
        if (key == "version" && store.Get(key, value)) known.version = std::stoi(value);
      }
      return {};
    };
  };
  ASSERT_TRUE(one->sharing()->StartLearning(learn(*one, known_one)));
  ASSERT_TRUE(two->sharing()->StartLearning(learn(*two, known_two)));
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::atomic<int> writes = 0;
  std::vector<std::thread> writers;
  for (auto [store, known] : {std::pair(one.get(), &known_one), std::pair(two.get(), &known_two)}) {
    writers.emplace_back([&, store, known] {
      while (!stop) {
        // The version that is stored and the one that is known belong together.
        EXPECT_TRUE(
            MutateAndWait(*store, MakeMutation({"version"}, [&](Values values, WriteBatch& batch) {
              const int stored = values[0] ? std::stoi(std::string(*values[0])) : 0;
              if (stored > known->version) ++wrong;
              batch.Put("row" + std::to_string(writes % 10), "x");
              return Mutation::Verdict::kCommit;
            })));
        ++writes;
      }
    });
  }
  for (int version = 1; version <= 30; ++version) {
    EXPECT_TRUE(Apply(version % 2 == 0 ? *one : *two, [&](WriteBatch& batch) {
      batch.Put("version", std::to_string(version));
      batch.Announce();
    }));
    EXPECT_TRUE((version % 2 == 0 ? one : two)->sharing()->WaitUntilAllKnow());
    EXPECT_EQ(known_one.version, version);
    EXPECT_EQ(known_two.version, version);
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(writes, 30);
  EXPECT_EQ(one->sharing()->Edition(), two->sharing()->Edition());
}

TEST_F(PostgresStoreTest, AnnouncementsOfTwoStoresDoNotDeadlock) {
  const std::unique_ptr<Store> one = Open();
  const std::unique_ptr<Store> two = Open();
  const auto began = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (Store* store : {one.get(), two.get(), one.get(), two.get()}) {
    threads.emplace_back([store] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(Apply(*store, [&](WriteBatch& batch) {
          batch.Put("row" + std::to_string(i), "x");
          batch.Announce();
        }));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LT(std::chrono::steady_clock::now() - began, seconds(15));
  EXPECT_TRUE(one->sharing()->CatchUp());
  EXPECT_EQ(Sql("SELECT count(*) FROM stator_editions"),
            std::to_string(one->sharing()->Edition() - 1));
}

TEST_F(PostgresStoreTest, OneIsTheKeeperAndAnotherTakesOver) {
  std::unique_ptr<Store> one = Open();
  ASSERT_TRUE(Eventually([&] { return one->sharing()->IsKeeper(); }));
  const std::unique_ptr<Store> two = Open();
  std::this_thread::sleep_for(milliseconds(1'000));
  EXPECT_FALSE(two->sharing()->IsKeeper());
  one.reset();
  EXPECT_TRUE(Eventually([&] { return two->sharing()->IsKeeper(); }));
}

TEST_F(PostgresStoreTest, AKeeperWithoutALeaseFindsOutBeforeItCommits) {
  const std::unique_ptr<Store> one = Open();
  ASSERT_TRUE(Eventually([&] { return one->sharing()->IsKeeper(); }));
  ASSERT_TRUE(Put(*one, "row", "x"));
  // As if it had been away.
  Sql("UPDATE stator_edition SET n = n + 1; INSERT INTO stator_editions SELECT n, '' FROM "
      "stator_edition; UPDATE stator_writers SET edition = (SELECT n FROM stator_edition); UPDATE "
      "stator_keeper SET server = 7, until = now() + interval '1 minute'");
  bool is_keeper = true;
  EXPECT_TRUE(MutateAndWait(*one, MakeMutation({"row"}, [&](Values, WriteBatch&) {
    is_keeper = one->sharing()->IsKeeper();
    return Mutation::Verdict::kAbandon;
  })));
  EXPECT_FALSE(is_keeper);
}

TEST_F(PostgresStoreTest, SumsAddUpOverStoresAndLives) {
  std::unique_ptr<Store> one = Open();
  const std::unique_ptr<Store> two = Open();
  const auto add = [](Store& store, std::int64_t items) {
    EXPECT_TRUE(Apply(store, [&](WriteBatch& batch) { batch.Add("sum", items, 10 * items); }));
  };
  const auto sum = [](Store& store, Sharing::Whose whose) {
    const auto sums = store.sharing()->Sums(whose, nullptr);
    EXPECT_TRUE(sums);
    for (const Sharing::Sum& found : *sums) {
      if (found.name == "sum") return std::pair(found.items, found.bytes);
    }
    return std::pair<std::int64_t, std::int64_t>(0, 0);
  };
  add(*one, 3);
  add(*two, 4);
  add(*one, -1);
  using Pair = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(sum(*one, Sharing::Whose::kAll), Pair(6, 60));
  EXPECT_EQ(sum(*one, Sharing::Whose::kElsewhere), Pair(4, 40));
  EXPECT_EQ(sum(*two, Sharing::Whose::kElsewhere), Pair(2, 20));
  one.reset();
  one = Open();  // takes the rows of the one before
  EXPECT_EQ(sum(*one, Sharing::Whose::kElsewhere), Pair(6, 60));
  add(*one, 1);
  EXPECT_EQ(sum(*one, Sharing::Whose::kElsewhere), Pair(6, 60));
  EXPECT_EQ(sum(*two, Sharing::Whose::kAll), Pair(7, 70));
}

TEST_F(PostgresStoreTest, TimeIsTheDatabasesAndLaterForLaterCommits) {
  const std::unique_ptr<Store> one = Open();
  const std::unique_ptr<Store> two = Open();
  for (int i = 0; i < 50; ++i) {
    Store& store = i % 2 == 0 ? *one : *two;
    EXPECT_TRUE(MutateAndWait(store, MakeMutation({"time"}, [&](Values values, WriteBatch& batch) {
                                const std::int64_t now =
                                    store.sharing()->Now().time_since_epoch().count();
                                EXPECT_GE(now, values[0] ? std::stoll(std::string(*values[0])) : 0);
                                batch.Put("time", std::to_string(now));
                                return Mutation::Verdict::kCommit;
                              })));
  }
  const auto ahead = std::stoll(*Get(*one, "time")) -
                     std::stoll(Sql("SELECT (extract(epoch from clock_timestamp())*1000)::bigint"));
  EXPECT_LE(ahead, 0);
  EXPECT_GT(ahead, -5'000);
}

// Connections are cut at any moment, also while a commit is on its way: every increment that is
// acknowledged is there, and none twice.
TEST_F(PostgresStoreTest, LostConnectionsLoseNothingAndDoNothingTwice) {
  const std::unique_ptr<Store> store = Open("stator_cut");
  std::atomic<bool> stop = false;
  std::thread cutter([&] {
    while (!stop) {
      Sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = "
          "'stator_cut' AND random() < 0.5");
      std::this_thread::sleep_for(milliseconds(7));
    }
  });
  constexpr int kThreads = 4;
  std::atomic<int> done[kThreads] = {};
  std::atomic<int> unknown = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 60; ++i) {
        const auto status = MutateAndWait(*store, MakeIncrement("c" + std::to_string(t)));
        if (status) ++done[t];
        if (!status) ++unknown;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  stop = true;
  cutter.join();
  EXPECT_EQ(unknown, 0);
  for (int t = 0; t < kThreads; ++t) {
    std::optional<std::string> value;
    EXPECT_TRUE(Eventually([&] {
      value = Get(*store, "c" + std::to_string(t));
      return value && !value->starts_with("error");
    }));
    EXPECT_EQ(value, std::to_string(done[t]));
  }
  EXPECT_GT(store->GetStats().looked_up_rounds + store->GetStats().retried_rounds, 0U);
}

TEST_F(PostgresStoreTest, ALockedRowHoldsUpOnlyWhoWantsIt) {
  const std::unique_ptr<Store> store = Open();
  ASSERT_TRUE(Put(*store, "locked", "x"));
  PGconn* holder = PQconnectdb(schema_->url().c_str());
  PQclear(PQexec(holder, "BEGIN"));
  PQclear(PQexec(holder, "SELECT 1 FROM stator_kv WHERE key = 'locked' FOR UPDATE"));
  std::atomic<bool> refused = false;
  store->Mutate(MakeMutation(
      {"locked"},
      [](Values, WriteBatch& batch) {
        batch.Put("locked", "y");
        return Mutation::Verdict::kCommit;
      },
      [&](const StorageResult<void>& status) { refused = !status; }));
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 50; ++i) {
    EXPECT_TRUE(MutateAndWait(*store, MakeIncrement("free" + std::to_string(i % 5))));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, seconds(5));
  EXPECT_TRUE(Eventually([&] { return refused.load(); }));
  PQclear(PQexec(holder, "ROLLBACK"));
  PQfinish(holder);
  EXPECT_TRUE(Put(*store, "locked", "z"));
}

TEST_F(PostgresStoreTest, LargeRowsAndBatches) {
  const std::unique_ptr<Store> store = Open();
  const std::string value(std::size_t{400} << 10, 'v');
  ASSERT_TRUE(Apply(*store, [&](WriteBatch& batch) {
    for (int i = 0; i < 25; ++i) batch.Put("large" + std::to_string(100 + i), value);
  }));
  const std::string key(3'500, 'k');
  ASSERT_TRUE(Apply(*store, [&](WriteBatch& batch) { batch.Put(key, "long key"); }));
  EXPECT_EQ(Get(*store, key), "long key");
  EXPECT_EQ(ScanAll(*store, {"large", "large~"}).size(), 25U);
  EXPECT_EQ(Get(*store, "large124"), value);
}

TEST_F(PostgresStoreTest, RefusesWhatIsNotItsOwn) {
  Sql("CREATE TABLE stator_kv (something int)");
  const auto foreign = OpenPostgresStore({.url = schema_->url()});
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().kind, StorageError::Kind::kForeign);
  EXPECT_NE(foreign.error().message.find("belong to something else"), std::string::npos);
  EXPECT_EQ(Sql("SELECT count(*) FROM information_schema.tables WHERE table_schema = "
                "current_schema()"),
            "1");
}

TEST_F(PostgresStoreTest, RefusesANewerFormat) {
  Open();
  Sql("UPDATE stator_meta SET format = 9, oldest = 8");
  const auto newer = OpenPostgresStore({.url = schema_->url()});
  ASSERT_FALSE(newer);
  EXPECT_NE(newer.error().message.find("Use a newer stator"), std::string::npos);
  // A newer format that still goes with ours.
  Sql("UPDATE stator_meta SET format = 2, oldest = 1");
  EXPECT_TRUE(OpenPostgresStore({.url = schema_->url()}));
}

}  // namespace
}  // namespace stator
