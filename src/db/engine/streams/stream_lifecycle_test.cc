#include "engine/streams/stream_lifecycle.h"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/streams/stream_log.h"
#include "engine/streams/stream_page.h"
#include "engine/testing/borrowed_store.h"
#include "engine/testing/engine_writes.h"

namespace stator {
namespace stream_lifecycle_test {

using std::chrono::hours;

class StreamKeeperTest : public ::testing::Test {
 protected:
  StreamKeeperTest() { Open(); }

  void Open(ShardLimits limits = {}) {
    engine_.reset();
    Result<std::unique_ptr<Engine>> opened =
        Engine::Open(std::make_unique<BorrowedStore>(*store_),
                     {.region = "r", .account = "1", .clock = &clock_, .shard_limits = limits});
    ASSERT_TRUE(opened) << opened.error().message();
    engine_ = *std::move(opened);
    engine_->background().WaitUntilIdle();
  }

  // Runs on the background thread, where tables are changed, while the keeper rests.
  void InBackground(const std::function<void()>& work) {
    engine_->background().WaitUntilIdle();
    std::promise<void> done;
    engine_->background().Post([&] {
      work();
      done.set_value();
    });
    done.get_future().wait();
  }

  void CreateTable(BillingMode mode = BillingMode::kProvisioned) {
    InBackground([&] {
      Table table;
      table.name = "Songs";
      table.arn = "arn:Songs";
      table.keys.hash = {{"pk", ScalarType::kN}};
      table.billing_mode = mode;
      Stream stream =
          BeginStream(engine_->streams(), StreamViewType::kNewImage, clock_.Now(), table);
      const Result<TablePtr> added =
          engine_->catalog().Add(std::move(table), StreamCatalog::RowsOfNew(stream));
      ASSERT_TRUE(added);
      stream.table = (*added)->number;
      number_ = stream.number;
      ASSERT_TRUE(engine_->FollowStream(std::move(stream)));
    });
  }

  void EndTheStream() {
    InBackground([&] {
      std::optional<Stream> ended;
      RawRows rows;
      ASSERT_TRUE(engine_->catalog().Change(
          Current()->number,
          [&](Table& table) -> Result<void> {
            ended = EndStream(engine_->streams(), clock_.Now(), table);
            rows = StreamCatalog::RowsOf(*ended);
            return {};
          },
          rows));
      ASSERT_TRUE(engine_->FollowStream(*std::move(ended)));
    });
  }

  TablePtr Current() { return engine_->catalog().Find("Songs"); }
  StreamPtr TheStream() { return engine_->streams().Find(number_); }

  void Put(int pk, int value = 0) {
    MustWrite(*engine_, {.table = Current(), .item = Item{{"pk", pk}, {"value", value}}});
  }
  void Pass(std::chrono::milliseconds time) {
    clock_.Advance(time);
    engine_->background().WakeDuties();
    engine_->background().WaitUntilIdle();
  }

  std::uint64_t FirstStored(ShardNumber shard) {
    return *ShardLog(*store_, number_, shard).First();
  }
  std::uint64_t LastStored(ShardNumber shard) { return *ShardLog(*store_, number_, shard).Last(); }

  Result<StreamPage> Read(ShardNumber shard, std::uint64_t position) {
    const StreamPtr stream = TheStream();
    return ReadStreamPage(*store_, {.stream = *stream,
                                    .shard = *stream->FindShard(shard),
                                    .position = position,
                                    .now = clock_.Now()});
  }

  ManualClock clock_{TimeMs(std::chrono::milliseconds(1'769'860'800'000))};
  std::unique_ptr<Store> store_ = OpenMemoryStore();
  std::unique_ptr<Engine> engine_;
  StreamNumber number_ = 0;
};

TEST_F(StreamKeeperTest, AShardIsFollowedByOneChildAfterFourHours) {
  CreateTable();
  Put(1);
  Put(2);
  Pass(hours(4) - std::chrono::milliseconds(1));
  ASSERT_EQ(TheStream()->shards.size(), 1U);
  Pass(std::chrono::milliseconds(1));
  const StreamPtr stream = TheStream();
  ASSERT_EQ(stream->shards.size(), 2U);
  const StreamShard& parent = stream->shards[0];
  const StreamShard& child = stream->shards[1];
  ASSERT_TRUE(parent.end);
  EXPECT_EQ(parent.end->last_number, 2U);
  EXPECT_FALSE(child.end);
  EXPECT_EQ(child.ParentId(), parent.Id());
  ASSERT_EQ(Current()->stream->shards.size(), 1U);
  EXPECT_EQ(Current()->stream->shards[0].number, child.number);
  Put(3);
  EXPECT_EQ(LastStored(parent.number), 2U);
  EXPECT_EQ(LastStored(child.number), 1U);
}

TEST_F(StreamKeeperTest, AnOnDemandTableBeginsWithFourShardsOfEqualRanges) {
  CreateTable(BillingMode::kPayPerRequest);
  const std::vector<OpenShard>& shards = Current()->stream->shards;
  ASSERT_EQ(shards.size(), 4U);
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ(shards[i].first_hash, i << 62);
}

TEST_F(StreamKeeperTest, AShardThatHasGrownIsFollowedByItsHalves) {
  Open({.records = 10});
  CreateTable();
  for (int i = 0; i < 10; ++i) Put(i);
  Pass(std::chrono::milliseconds(1));
  const StreamPtr stream = TheStream();
  ASSERT_EQ(stream->shards.size(), 3U);
  EXPECT_EQ(stream->shards[0].end->last_number, 10U);
  EXPECT_EQ(stream->shards[1].ParentId(), stream->shards[0].Id());
  EXPECT_EQ(stream->shards[2].ParentId(), stream->shards[0].Id());
  const std::vector<OpenShard>& open = Current()->stream->shards;
  ASSERT_EQ(open.size(), 2U);
  EXPECT_EQ(open[0].first_hash, 0U);
  EXPECT_EQ(open[1].first_hash, std::uint64_t{1} << 63);
  // The halves have not grown yet.
  Pass(std::chrono::milliseconds(1));
  EXPECT_EQ(TheStream()->shards.size(), 3U);
}

TEST_F(StreamKeeperTest, BytesCountAsGrowthToo) {
  Open({.bytes = 100});
  CreateTable();
  for (int i = 0; i < 5; ++i) Put(i);
  Pass(std::chrono::milliseconds(1));
  EXPECT_EQ(Current()->stream->shards.size(), 2U);
}

TEST_F(StreamKeeperTest, GrowthSurvivesARestart) {
  CreateTable();
  for (int i = 0; i < 6; ++i) Put(i);
  Open({.records = 8});
  EXPECT_EQ(Current()->stream->shards[0].growth->items, 6);
  EXPECT_GT(Current()->stream->shards[0].growth->bytes, 0);
  Put(6);
  Put(7);
  Pass(std::chrono::milliseconds(1));
  EXPECT_EQ(Current()->stream->shards.size(), 2U);
}

TEST_F(StreamKeeperTest, RecordsAreTrimmedAfterADayButTheNewestOfAnOpenShardHoldsTheCount) {
  Open({.age = hours(1000)});
  CreateTable();
  for (int i = 0; i < 2500; ++i) Put(i);
  Pass(hours(1));
  Put(1, 1);
  Pass(hours(23) - std::chrono::milliseconds(1));
  EXPECT_EQ(FirstStored(1), 1U);
  Pass(std::chrono::milliseconds(1));
  EXPECT_EQ(FirstStored(1), 2501U);
  Pass(hours(1));
  EXPECT_EQ(FirstStored(1), 2501U);
  // It cannot be read any more, and the next record gets the next number.
  EXPECT_TRUE(Read(1, kTrimHorizon)->records.empty());
  EXPECT_EQ(Read(1, 2501).error().code(), ErrorCode::kTrimmedDataAccess);
  Put(1, 2);
  EXPECT_EQ(LastStored(1), 2502U);
  ASSERT_EQ(Read(1, kTrimHorizon)->records.size(), 1U);
}

TEST_F(StreamKeeperTest, WhatIsTooOldCannotBeReadEvenBeforeItIsTrimmed) {
  Open({.age = hours(1000)});
  CreateTable();
  for (int i = 0; i < 9; ++i) Put(i);
  clock_.Advance(hours(12));
  for (int i = 0; i < 9; ++i) Put(i, 1);
  clock_.Advance(hours(12));
  const Result<StreamPage> page = Read(1, kTrimHorizon);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->records.size(), 9U);
  EXPECT_EQ(page->next, 19U);
  EXPECT_EQ(Read(1, 9).error().code(), ErrorCode::kTrimmedDataAccess);
  EXPECT_TRUE(Read(1, 10));
}

TEST_F(StreamKeeperTest, AClosedShardIsForgottenWithItsLastRecord) {
  CreateTable();
  Put(1);
  Pass(hours(4));
  ASSERT_EQ(TheStream()->shards.size(), 2U);
  Pass(hours(20));
  EXPECT_EQ(FirstStored(1), 0U);
  // All its records are gone, but it is listed until a day has passed since it was closed.
  ASSERT_NE(TheStream()->FindShard(1), nullptr);
  EXPECT_TRUE(Read(1, kTrimHorizon)->records.empty());
  EXPECT_TRUE(Read(1, kTrimHorizon)->is_end);
  EXPECT_EQ(Read(1, 1).error().code(), ErrorCode::kTrimmedDataAccess);
  Pass(hours(4));
  EXPECT_EQ(TheStream()->FindShard(1), nullptr);
  // The child still names its parent.
  EXPECT_TRUE(TheStream()->shards[0].ParentId());
}

TEST_F(StreamKeeperTest, AStreamThatEndedIsForgottenAfterADay) {
  CreateTable();
  Put(1);
  EndTheStream();
  EXPECT_EQ(TheStream()->status(), StreamStatus::kDisabled);
  EXPECT_EQ(TheStream()->shards[0].end->last_number, 1U);
  EXPECT_EQ(Read(1, kTrimHorizon)->records.size(), 1U);
  Put(2);  // leaves no record
  EXPECT_EQ(LastStored(1), 1U);
  Pass(hours(24) - std::chrono::milliseconds(1));
  EXPECT_NE(TheStream(), nullptr);
  Pass(std::chrono::milliseconds(1));
  EXPECT_EQ(TheStream(), nullptr);
  EXPECT_EQ(FirstStored(1), 0U);
  EXPECT_EQ(engine_->streams().RecordsWritten(), 1);
  Open();
  EXPECT_TRUE(engine_->streams().empty());
  EXPECT_EQ(engine_->streams().next_number(), number_ + 1);
}

TEST_F(StreamKeeperTest, WhatACrashCutOffIsFinishedAtTheNextStart) {
  CreateTable();
  Put(1);
  // The first step of a replacement, as it is stored in one commit; the second never comes.
  InBackground([&] {
    TableStream writers = *Current()->stream;
    const Stream changed =
        ReplaceShards(*TheStream(), {ShardSuccession::kChildren}, clock_.Now(), writers);
    ASSERT_TRUE(engine_->catalog().Change(
        Current()->number,
        [&](Table& table) -> Result<void> {
          table.stream = writers;
          return {};
        },
        StreamCatalog::RowsOf(changed)));
  });
  Open();
  const StreamPtr stream = TheStream();
  ASSERT_EQ(stream->shards.size(), 3U);
  ASSERT_TRUE(stream->shards[0].end);
  EXPECT_EQ(stream->shards[0].end->last_number, 1U);
  EXPECT_FALSE(stream->shards[1].end);
  EXPECT_FALSE(stream->shards[2].end);
  EXPECT_EQ(stream->table, Current()->number);
}

TEST_F(StreamKeeperTest, AStreamsRowThatDoesNotFitItsTableIsReportedAndNotSkipped) {
  CreateTable();
  InBackground([&] {
    Stream damaged = *TheStream();
    damaged.shards.clear();
    ASSERT_TRUE(engine_->streams().Change(damaged.number, [&](Stream& stream) -> Result<bool> {
      stream = damaged;
      return true;
    }));
  });
  engine_.reset();
  const Result<std::unique_ptr<Engine>> opened = Engine::Open(
      std::make_unique<BorrowedStore>(*store_), {.region = "r", .account = "1", .clock = &clock_});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::kInternalServerError);
}

TEST_F(StreamKeeperTest, TwoStreamsOfOneMomentHaveDifferentLabels) {
  CreateTable();
  const std::string first = *Current()->latest_stream_label;
  EXPECT_EQ(first, "2026-01-31T12:00:00.000");
  EndTheStream();
  InBackground([&] {
    std::optional<Stream> begun;
    RawRows rows;
    ASSERT_TRUE(engine_->catalog().Change(
        Current()->number,
        [&](Table& table) -> Result<void> {
          begun = BeginStream(engine_->streams(), StreamViewType::kKeysOnly, clock_.Now(), table);
          rows = StreamCatalog::RowsOfNew(*begun);
          return {};
        },
        rows));
    ASSERT_TRUE(engine_->FollowStream(*std::move(begun)));
  });
  EXPECT_EQ(Current()->latest_stream_label, "2026-01-31T12:00:00.001");
  EXPECT_EQ(engine_->streams().All().size(), 2U);
}

TEST_F(StreamKeeperTest, RangesAreHalvedUntilOneHashIsLeft) {
  Stream stream;
  stream.next_shard = 4;
  stream.shards = {{.number = 1}, {.number = 2}, {.number = 3}};
  TableStream writers;
  writers.shards.push_back({.number = 1, .first_hash = 0});
  writers.shards.push_back({.number = 2, .first_hash = 1});
  writers.shards.push_back({.number = 3, .first_hash = 3});
  const std::vector<ShardSuccession> all(3, ShardSuccession::kChildren);
  const Stream changed = ReplaceShards(stream, all, clock_.Now(), writers);
  std::vector<std::uint64_t> hashes;
  for (const OpenShard& shard : writers.shards) hashes.push_back(shard.first_hash);
  // A range of one hash gets one child; a range of 2^64 − 3 hashes can be halved.
  EXPECT_EQ(hashes, (std::vector<std::uint64_t>{0, 1, 2, 3, (std::uint64_t{1} << 63) + 1}));
  EXPECT_EQ(changed.shards.size(), 3U + 5U);
}

}  // namespace stream_lifecycle_test
}  // namespace stator
