// Two engines, as of two processes, on one store.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <set>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/try.h"
#include "engine/streams/stream_log.h"
#include "engine/testing/shared_engines.h"

namespace stator {
namespace shared_engine_test {

using std::chrono::milliseconds;

TYPED_TEST_SUITE(SharedEngineTest, Databases);

// With processes that can be paused, and a keeper that the test chooses.
class KeeperTest : public SharedEngineTest<MemoryDatabase> {
 protected:
  static SharedMemoryStore& StoreOf(Server& server) {
    return static_cast<SharedMemoryStore&>(*server.store);
  }
  void SetKeeper(Server& server) { database_->rows().SetKeeper(StoreOf(server)); }
};

TYPED_TEST(SharedEngineTest, ATableThatOneCreatesTakesWritesOfTheOtherAtOnce) {
  Server& a = *this->a_;
  Server& b = *this->b_;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "Table" + std::to_string(i);
    ASSERT_TRUE(this->Create(i % 2 == 0 ? a : b, name));
    EXPECT_TRUE((i % 2 == 0 ? b : a).Put(name, Item{{"pk", i}}));
  }
  EXPECT_EQ(a.engine->catalog().Names(), b.engine->catalog().Names());
}

TYPED_TEST(SharedEngineTest, ANameThatBothCreateHasOneWinner) {
  Server& a = *this->a_;
  Server& b = *this->b_;
  for (int i = 0; i < 30; ++i) {
    const std::string name = "Table" + std::to_string(i);
    auto other = std::async(std::launch::async, [&] { return this->Create(b, name); });
    const Result<TablePtr> one = this->Create(a, name);
    const Result<TablePtr> two = other.get();
    ASSERT_NE(one.has_value(), two.has_value()) << i;
    EXPECT_EQ((one ? two : one).error().code(), ErrorCode::kResourceInUse);
    EXPECT_EQ(a.engine->catalog().Find(name)->number, b.engine->catalog().Find(name)->number);
  }
  EXPECT_EQ(a.engine->catalog().size(), 30U);
}

TYPED_TEST(SharedEngineTest, DifferentNamesAtOnceAreAllThere) {
  Server& a = *this->a_;
  Server& b = *this->b_;
  auto other = std::async(std::launch::async, [&] {
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(this->Create(b, "B" + std::to_string(i)));
  });
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(this->Create(a, "A" + std::to_string(i)));
  other.get();
  std::set<TableNumber> numbers;
  for (const TablePtr& table : a.engine->catalog().All()) numbers.insert(table->number);
  EXPECT_EQ(numbers.size(), 40U);
  EXPECT_EQ(a.engine->catalog().Names(), b.engine->catalog().Names());
}

TYPED_TEST(SharedEngineTest, AnIndexThatIsAddedWhileBothWriteHasEveryItem) {
  Server& a = *this->a_;
  Server& b = *this->b_;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "Music" + std::to_string(i);
    ASSERT_TRUE(this->Create(a, name));
    Writing through_a(a, name, 0);
    Writing through_b(b, name, 250);
    EXPECT_TRUE(WaitUntil([&] { return through_a.written() > 200 && through_b.written() > 200; }));
    this->AddIndex(i % 2 == 0 ? a : b, name);
    EXPECT_TRUE(
        WaitUntil([&] { return this->IsIndexActive(a, name) && this->IsIndexActive(b, name); }));
    through_a.Stop();
    through_b.Stop();
    EXPECT_TRUE(through_a.errors().empty());
    EXPECT_TRUE(through_b.errors().empty());
    this->CheckIndex(name);
  }
}

TYPED_TEST(SharedEngineTest, ATableThatOneDropsWhileTheOtherWritesLeavesNoRows) {
  Server& a = *this->a_;
  Server& b = *this->b_;
  ASSERT_TRUE(this->Create(a, "Music"));
  const TableNumber number = a.Find("Music")->number;
  Writing through_b(b, "Music", 0);
  EXPECT_TRUE(WaitUntil([&] { return through_b.written() > 300; }));
  const Result<TablePtr> dropped = a.Operate([&]() -> Result<TablePtr> {
    TablePtr table = a.engine->catalog().Find("Music");
    if (Result<void> gone = a.engine->catalog().Drop(table->number); !gone) {
      return std::unexpected(gone.error());
    }
    return table;
  });
  ASSERT_TRUE(dropped);
  EXPECT_FALSE(b.Find("Music"));
  EXPECT_TRUE(WaitUntil([&] { return a.engine->catalog().Dropped().empty(); }));
  EXPECT_TRUE(WaitUntil([&] { return b.engine->catalog().Dropped().empty(); }));
  through_b.Stop();
  EXPECT_EQ(through_b.errors(), std::set<std::string>{"ResourceNotFoundException"});
  EXPECT_TRUE(this->Rows(TableRows(number)).empty());
  const StorageResult<std::vector<Sharing::Sum>> sums =
      a.store->sharing()->Sums(Sharing::Whose::kAll, nullptr);
  ASSERT_TRUE(sums);
  for (const Sharing::Sum& sum : *sums) EXPECT_EQ(sum.items, 0);
}

TEST_F(KeeperTest, ABuildGoesOnWhereTheNextKeeperIs) {
  ASSERT_TRUE(Create(*a_, "Music"));
  for (int i = 0; i < 1500; ++i) {
    ASSERT_TRUE(b_->Put("Music", Item{{"pk", i}, {"year", i % 7}}));
  }
  AddIndex(*b_, "Music");
  Writing through_b(*b_, "Music", 0);
  for (int i = 0; i < 6 && !IsIndexActive(*a_, "Music"); ++i) {
    std::this_thread::sleep_for(milliseconds(10));
    SetKeeper(i % 2 == 0 ? *b_ : *a_);
  }
  EXPECT_TRUE(
      WaitUntil([&] { return IsIndexActive(*a_, "Music") && IsIndexActive(*b_, "Music"); }));
  through_b.Stop();
  CheckIndex("Music");
}

TEST_F(KeeperTest, AKeeperThatWakesAfterAnotherTookOverDoesNoHarm) {
  ASSERT_TRUE(Create(*a_, "Music"));
  for (int i = 0; i < 800; ++i) {
    ASSERT_TRUE(b_->Put("Music", Item{{"pk", i}, {"year", i % 7}}));
  }
  StoreOf(*a_).SetListening(false);  // so that b does not wait for it
  AddIndex(*b_, "Music");
  StoreOf(*a_).SetListening(true);
  std::this_thread::sleep_for(milliseconds(20));
  StoreOf(*a_).Pause();  // somewhere in its build
  SetKeeper(*b_);
  EXPECT_TRUE(WaitUntil([&] { return IsIndexActive(*b_, "Music"); }));
  for (int i = 0; i < 800; i += 2) {
    ASSERT_TRUE(b_->Put("Music", Item{{"pk", i}, {"year", 100 + i % 7}}));
  }
  StoreOf(*a_).Resume();
  EXPECT_TRUE(WaitUntil([&] { return IsIndexActive(*a_, "Music"); }));
  a_->engine->background().WaitUntilIdle();
  CheckIndex("Music");
}

TYPED_TEST(SharedEngineTest, CountsAddUpOverServersAndRestarts) {
  Server& a = *this->a_;
  Server& b = *this->b_;
  ASSERT_TRUE(this->Create(a, "Music"));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(a.Put("Music", Item{{"pk", i}}));
  for (int i = 50; i < 200; ++i) ASSERT_TRUE(b.Put("Music", Item{{"pk", i}}));
  {
    Server c(this->database_->MakeStore());
    for (int i = 150; i < 300; ++i) ASSERT_TRUE(c.Put("Music", Item{{"pk", i}}));
  }
  Server d(this->database_->MakeStore());
  for (Server* server : {&a, &b, &d}) {
    EXPECT_TRUE(WaitUntil([&] {
      EXPECT_TRUE(server->engine->BringCountsUpToDate());
      return server->Find("Music")->counts->all_items() == 300;
    }));
  }
}

TYPED_TEST(SharedEngineTest, AClockThatOneTurnsIsTurnedForAll) {
  Server& a = *this->a_;
  Server& b = *this->b_;
  std::atomic<int> turns_seen = 0;
  const TurnSubscription subscription = b.clock->OnTurn([&] { ++turns_seen; });
  ASSERT_TRUE(a.clock->Advance(std::chrono::days(31)));
  EXPECT_EQ(b.clock->Read().offset, std::chrono::days(31));
  EXPECT_EQ(turns_seen, 1);

  auto other = std::async(std::launch::async, [&] {
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(b.clock->Advance(std::chrono::hours(1)));
  });
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(a.clock->Advance(std::chrono::hours(1)));
  other.get();
  EXPECT_EQ(a.clock->Read().offset, std::chrono::days(31) + std::chrono::hours(40));
  EXPECT_EQ(b.clock->Read().offset, std::chrono::days(31) + std::chrono::hours(40));

  Server c(this->database_->MakeStore());
  EXPECT_EQ(c.clock->Read().offset, std::chrono::days(31) + std::chrono::hours(40));
  c.clock->Reset();
  EXPECT_EQ(a.clock->Read().mode, ClockMode::kSystem);
}

TEST(SharedClockTest, TheFirstFixedClockIsThatOfAll) {
  MemoryDatabase database;
  const TimeMs time = TimeFromMs(1'769'860'800'000);
  Server a(database.MakeStore(), {}, ClockSetting::FixedAt(time));
  Server b(database.MakeStore());
  EXPECT_EQ(b.clock->Now(), time);
  ASSERT_TRUE(b.clock->Set(time + std::chrono::hours(1)));
  EXPECT_EQ(a.clock->Now(), time + std::chrono::hours(1));
}

TEST_F(KeeperTest, AServerThatIsNotCurrentLooksBeforeItSaysWhatThereIs) {
  StoreOf(*b_).SetListening(false);
  ASSERT_TRUE(Create(*a_, "Music"));
  EXPECT_FALSE(b_->engine->catalog().Find("Music"));
  EXPECT_TRUE(b_->Find("Music"));

  ASSERT_TRUE(a_->Operate([&]() -> Result<TablePtr> {
    TablePtr table = a_->engine->catalog().Find("Music");
    RETURN_IF_ERROR(a_->engine->catalog().Drop(table->number));
    return table;
  }));
  EXPECT_TRUE(b_->engine->catalog().Find("Music"));
  EXPECT_FALSE(b_->Find("Music"));
}

// A table with a stream whose shards are replaced every few records.
template <class Database>
class SharedStreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Database::IsThere()) GTEST_SKIP() << "there is no PostgreSQL";
    database_ = std::make_unique<Database>();
    a_ = std::make_unique<Server>(database_->MakeStore(), ShardLimits{.records = 40});
    b_ = std::make_unique<Server>(database_->MakeStore(), ShardLimits{.records = 40});
    const auto create = [&]() -> Result<TablePtr> {
      Engine& engine = *a_->engine;
      Table table = NewTable("Songs");
      Stream stream =
          BeginStream(engine.streams(), StreamViewType::kNewImage, a_->clock->Now(), table);
      stream_ = stream.number;
      ASSIGN_OR_RETURN(TablePtr added,
                       engine.catalog().Add(std::move(table), StreamCatalog::RowsOfNew(stream)));
      stream.table = added->number;
      RETURN_IF_ERROR(engine.FollowStream(std::move(stream)));
      return added;
    };
    ASSERT_TRUE(a_->Operate(create));
  }

  std::unique_ptr<Database> database_;
  std::unique_ptr<Server> a_;
  std::unique_ptr<Server> b_;
  StreamNumber stream_ = 0;
};
TYPED_TEST_SUITE(SharedStreamTest, Databases);

TYPED_TEST(SharedStreamTest, ShardsThatAreReplacedWhileBothWriteHoldEveryRecordOnce) {
  Server& a = *this->a_;
  Server& b = *this->b_;
  const StreamNumber number = this->stream_;
  const auto has_shards = [&](std::size_t count) {
    return WaitUntil([&] {
      const StreamPtr stream = b.engine->streams().Find(number);
      return stream && stream->shards.size() > count;
    });
  };
  Writing through_a(a, "Songs", 0);
  Writing through_b(b, "Songs", 1000);
  EXPECT_TRUE(has_shards(8));
  // Another process becomes the keeper; on PostgreSQL they see to that themselves.
  if constexpr (std::is_same_v<TypeParam, MemoryDatabase>) {
    this->database_->rows().SetKeeper(static_cast<SharedMemoryStore&>(*b.store));
  }
  EXPECT_TRUE(has_shards(20));
  through_a.Stop();
  through_b.Stop();
  EXPECT_TRUE(through_a.errors().empty());
  EXPECT_TRUE(through_b.errors().empty());
  EXPECT_TRUE(WaitUntil(
      [&] { return !HasShardsToClose(*a.engine->streams().Find(number), a.engine->catalog()); }));
  ASSERT_TRUE(b.store->sharing()->CatchUp());

  const StreamPtr stream = a.engine->streams().Find(number);
  const TablePtr table = a.Find("Songs");
  EXPECT_EQ(EncodeStream(*stream), EncodeStream(*b.engine->streams().Find(number)));
  std::uint64_t records = 0;
  std::set<std::pair<std::string, std::string>> seen;  // of one key each version is written once
  for (const StreamShard& shard : stream->shards) {
    std::uint64_t last = 0;
    ASSERT_TRUE(ShardLog(*a.store, number, shard.number)
                    .Visit(0, [&](std::uint64_t at, std::string_view bytes) {
                      EXPECT_EQ(at, last + 1);
                      last = at;
                      ++records;
                      const std::optional<RecordView> record = DecodeRecord(bytes);
                      EXPECT_TRUE(record);
                      seen.emplace(record->keys.encoded(), record->new_image->encoded());
                      return true;
                    }));
    const bool is_open = std::ranges::find(table->stream->shards, shard.number,
                                           &OpenShard::number) != table->stream->shards.end();
    EXPECT_EQ(shard.end.has_value(), !is_open);
    if (shard.end) {
      EXPECT_EQ(shard.end->last_number, last);
    }
  }
  EXPECT_EQ(records, static_cast<std::uint64_t>(through_a.written() + through_b.written()));
  EXPECT_EQ(seen.size(), records);
}

TEST_F(KeeperTest, ABackupOfOneIsRestoredByTheKeeperAndCountedByAll) {
  ASSERT_TRUE(Create(*a_, "Music"));
  for (int i = 0; i < 600; ++i) {
    ASSERT_TRUE((i % 2 == 0 ? a_ : b_)->Put("Music", Item{{"pk", i}, {"year", i % 7}}));
  }
  const Result<BackupPtr> backup = b_->Operate([&] {
    return b_->engine->recovery().MakeBackup(*b_->Find("Music"), "nightly", BackupType::kUser);
  });
  ASSERT_TRUE(backup) << backup.error().message();
  EXPECT_TRUE(a_->engine->recovery().backups().Find((*backup)->id));
  const Result<TablePtr> restored =
      b_->Operate([&] { return b_->engine->recovery().RestoreBackup(**backup, NewTable("Copy")); });
  ASSERT_TRUE(restored) << restored.error().message();
  for (int i = 0; i < 4; ++i) {
    std::this_thread::sleep_for(milliseconds(3));
    SetKeeper(i % 2 == 0 ? *b_ : *a_);
  }
  EXPECT_TRUE(WaitUntil([&] { return a_->Find("Copy") && b_->Find("Copy"); }));
  EXPECT_EQ(Rows(IndexRows((*restored)->number, 0)).size(), 600U);
  for (Server* server : {a_.get(), b_.get()}) {
    EXPECT_TRUE(WaitUntil([&] {
      EXPECT_TRUE(server->engine->BringCountsUpToDate());
      return server->Find("Copy")->counts->all_items() == 600;
    }));
  }
}

}  // namespace shared_engine_test
}  // namespace stator
