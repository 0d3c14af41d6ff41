#include "engine/history/past.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/history/history.h"
#include "engine/testing/engine_writes.h"

namespace stator {
namespace past_test {

using std::chrono::milliseconds;
using Items = std::map<std::string, std::string>;  // encoded items by what follows the row prefix

constexpr std::int64_t kStartMs = 1'769'860'800'000;

class HistoryTest : public ::testing::Test {
 protected:
  HistoryTest() {
    std::unique_ptr<Store> store = OpenMemoryStore();
    store_ = store.get();
    Result<std::unique_ptr<Engine>> opened =
        Engine::Open(std::move(store), {"eu-west-1", "1", &clock_});
    EXPECT_TRUE(opened);
    engine_ = *std::move(opened);
    Table table;
    table.name = "Music";
    table.keys.hash = {{"pk", ScalarType::kN}};
    table.attribute_definitions = {{"pk", ScalarType::kN}};
    number_ = (*engine_->catalog().Add(std::move(table)))->number;
  }

  TablePtr Current() { return engine_->catalog().FindByNumber(number_); }
  void Enable(std::optional<std::int64_t> days = std::nullopt) {
    ASSERT_TRUE(engine_->recovery().EnableHistory(number_, days));
  }

  void Write(ItemWrite write) { MustWrite(*engine_, std::move(write)); }
  void Put(int pk, int value) {
    Write({.table = Current(), .item = Item{{"pk", pk}, {"v", value}}});
  }
  void Delete(int pk) {
    Write({.kind = ItemWrite::Kind::kDelete, .table = Current(), .item = Item{{"pk", pk}}});
  }

  // The items as they are.
  Items Now() {
    Items items;
    EXPECT_TRUE(store_->Scan(IndexRows(number_, 0), Direction::kForward,
                             [&](std::string_view key, std::string_view item) {
                               items[std::string(key.substr(kRowPrefixBytes))] = item;
                               return true;
                             }));
    return items;
  }

  std::size_t RecordCount() {
    std::size_t count = 0;
    EXPECT_TRUE(store_->Scan(HistoryRows(number_), Direction::kForward,
                             [&](std::string_view, std::string_view) { return ++count > 0; }));
    return count;
  }

  std::unique_ptr<Checkpoint> MakeCheckpoint() {
    EXPECT_TRUE(store_->MakeCheckpoint("test"));
    return store_->OpenCheckpoint("test").value();
  }

  // A walk that is started again after every few items.
  Items At(const Checkpoint& source, TimeMs at, std::size_t memory_bytes = UndoMap::kMemoryBytes) {
    Items items;
    std::string last;
    std::string cursor;
    for (bool more = true; more;) {
      PastItems past(source, number_, at, cursor, memory_bytes);
      int visited = 0;
      while (more && visited < 7) {
        const Result<bool> step = past.Step([&](std::string_view key, ItemView item) {
          EXPECT_LT(last, key) << "not in order, or twice";
          last = key;
          items[last] = item.encoded();
          return ++visited % 3 != 0;
        });
        EXPECT_TRUE(step) << step.error().message();
        more = step.value_or(false);
      }
      cursor = past.cursor();
    }
    return items;
  }

  // Applies the changes up to `to` to `items`, the state at `from`.
  Items Replayed(const Checkpoint& source, TimeMs from, TimeMs to, Items items,
                 std::size_t memory_bytes) {
    std::string last;
    PastChanges changes(source, number_, from, to, {}, memory_bytes);
    for (bool more = true; more;) {
      const Result<bool> step = changes.Step([&](const PastChanges::Change& change) {
        EXPECT_LT(last, change.key) << "not in order, or twice";
        last = change.key;
        const auto old = items.find(last);
        EXPECT_EQ(change.before.has_value(), old != items.end());
        if (change.before) {
          EXPECT_EQ(change.before->encoded(), old->second);
        }
        EXPECT_TRUE(change.any.Find("pk"));
        EXPECT_GT(change.time, from);
        EXPECT_LE(change.time, to);
        items.erase(last);
        if (change.after) items[last] = change.after->encoded();
        return items.size() % 2 == 0;
      });
      EXPECT_TRUE(step) << step.error().message();
      more = step.value_or(false);
    }
    return items;
  }

  void MakeHistory(std::map<TimeMs, Items>& states) {
    std::mt19937 random(42);
    for (int round = 0; round < 60; ++round) {
      // Several changes in a millisecond, or a change and a long rest.
      for (auto writes = random() % 12; writes > 0; --writes) {
        const int pk = static_cast<int>(random() % 40);
        if (random() % 3 == 0) {
          Delete(pk);
        } else {
          Put(pk, static_cast<int>(random() % 1000));
        }
        if (random() % 4 == 0) clock_.Advance(milliseconds(1));
      }
      states[clock_.Now()] = Now();
      clock_.Advance(milliseconds(1 + random() % 5'000));
    }
  }

  ManualClock clock_{TimeMs(milliseconds(kStartMs))};
  std::unique_ptr<Engine> engine_;
  Store* store_ = nullptr;
  TableNumber number_ = 0;
};

TEST_F(HistoryTest, ATableWithoutRecoveryKeepsNone) {
  Put(1, 1);
  Delete(1);
  EXPECT_EQ(RecordCount(), 0U);
}

TEST_F(HistoryTest, EveryStateOfThePastComesBack) {
  for (int pk = 0; pk < 20; ++pk) Put(pk, -pk);
  Enable();
  std::map<TimeMs, Items> states;
  states[clock_.Now()] = Now();
  clock_.Advance(milliseconds(10));
  MakeHistory(states);
  const std::unique_ptr<Checkpoint> source = MakeCheckpoint();
  for (int pk = 0; pk < 40; ++pk) Put(pk, 12345);  // later than the checkpoint
  for (const auto& [at, items] : states) {
    EXPECT_EQ(At(*source, at), items) << at.time_since_epoch().count() - kStartMs;
  }
}

TEST_F(HistoryTest, LittleMemoryMakesMoreWalksAndTheSameAnswer) {
  for (int pk = 0; pk < 20; ++pk) Put(pk, -pk);
  Enable();
  std::map<TimeMs, Items> states;
  MakeHistory(states);
  const std::unique_ptr<Checkpoint> source = MakeCheckpoint();
  for (const std::size_t memory_bytes : {1U, 1'000U, 3'000U}) {
    for (const auto& [at, items] : states) EXPECT_EQ(At(*source, at, memory_bytes), items);
  }
}

TEST_F(HistoryTest, WithoutATimeTheItemsAreAsInTheSource) {
  Enable();
  Put(1, 1);
  clock_.Advance(milliseconds(5));
  Put(2, 2);
  const std::unique_ptr<Checkpoint> source = MakeCheckpoint();
  PastItems past(*source, number_, std::nullopt);
  Items items;
  for (bool more = true; more;) {
    more = *past.Step([&](std::string_view key, ItemView item) {
      items[std::string(key)] = item.encoded();
      return true;
    });
  }
  EXPECT_EQ(items, Now());
  EXPECT_EQ(items.size(), 2U);
}

TEST_F(HistoryTest, ATurnedBackClockLeavesStatesThatWere) {
  Enable();
  Put(1, 1);
  clock_.Advance(milliseconds(1'000));
  Put(1, 2);
  clock_.Advance(milliseconds(-500));
  Put(1, 3);
  const Items after_third = Now();
  clock_.Advance(milliseconds(100));
  Put(1, 4);
  const std::unique_ptr<Checkpoint> source = MakeCheckpoint();
  // The last change up to that time is the third.
  EXPECT_EQ(At(*source, TimeMs(milliseconds(kStartMs + 550))), after_third);
}

TEST_F(HistoryTest, ChangesBetweenTwoTimesHaveBothImages) {
  for (int pk = 0; pk < 20; ++pk) Put(pk, -pk);
  Enable();
  std::map<TimeMs, Items> states;
  states[clock_.Now()] = Now();
  clock_.Advance(milliseconds(10));
  MakeHistory(states);
  const std::unique_ptr<Checkpoint> source = MakeCheckpoint();
  const std::vector<std::pair<TimeMs, Items>> instants(states.begin(), states.end());
  for (std::size_t i = 0; i < instants.size(); i += 7) {
    for (std::size_t j = i; j < instants.size(); j += 5) {
      const auto& [from, before] = instants[i];
      const auto& [to, after] = instants[j];
      EXPECT_EQ(Replayed(*source, from, to, before, UndoMap::kMemoryBytes), after);
      EXPECT_EQ(Replayed(*source, from, to, before, /*memory_bytes=*/700), after);
    }
  }
}

TEST_F(HistoryTest, AnItemThatCameAndWentStillShowsItsKey) {
  Enable();
  const TimeMs from = clock_.Now();
  clock_.Advance(milliseconds(10));
  Put(7, 1);
  Delete(7);
  const TimeMs to = clock_.Now();
  clock_.Advance(milliseconds(10));
  Put(7, 2);
  const std::unique_ptr<Checkpoint> source = MakeCheckpoint();
  PastChanges changes(*source, number_, from, to);
  int seen = 0;
  for (bool more = true; more;) {
    more = *changes.Step([&](const PastChanges::Change& change) {
      EXPECT_FALSE(change.before || change.after);
      EXPECT_EQ(change.any.Find("pk")->N(), "7");
      EXPECT_EQ(change.time, to);
      ++seen;
      return true;
    });
  }
  EXPECT_EQ(seen, 1);
}

TEST_F(HistoryTest, WritesOfOneCommitHaveOneTime) {
  // Advances whenever it is read.
  class RestlessClock final : public Clock {
   public:
    TimeMs Now() const override { return TimeMs(milliseconds(++now_ms_)); }
    TurnSubscription OnTurn(std::function<void()>) const override { return nullptr; }

   private:
    mutable std::atomic<std::int64_t> now_ms_ = kStartMs;
  };
  const RestlessClock clock;
  std::unique_ptr<Store> store = OpenMemoryStore();
  const Store& view = *store;
  const auto engine = Engine::Open(std::move(store), {"eu-west-1", "1", &clock}).value();
  Table table;
  table.name = "Music";
  table.keys.hash = {{"pk", ScalarType::kN}};
  table.recovery.emplace();
  const TablePtr music = engine->catalog().Add(std::move(table)).value();
  std::vector<ItemWrite> writes;
  for (int pk = 0; pk < 10; ++pk) writes.push_back({.table = music, .item = Item{{"pk", pk}}});
  ASSERT_TRUE(WriteAndWait(*engine, std::move(writes)));
  std::vector<TimeMs> times;
  ASSERT_TRUE(view.Scan(HistoryRows(music->number), Direction::kForward,
                        [&](std::string_view, std::string_view record) {
                          times.push_back(DecodeHistoryRecord(record)->time);
                          return true;
                        }));
  EXPECT_EQ(times, std::vector<TimeMs>(10, times.front()));
}

TEST_F(HistoryTest, DamageIsReported) {
  Enable();
  Put(1, 1);
  class Damage final : public Mutation {
   public:
    explicit Damage(std::string key) : key_(std::move(key)) {}
    std::span<const std::string> Keys() const override { return {}; }
    Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
      batch.Put(key_, "not a record");
      return Verdict::kCommit;
    }
    void Done(StorageResult<void>) override {}

   private:
    std::string key_;
  };
  ASSERT_TRUE(MutateAndWait(*store_, std::make_unique<Damage>(LogKey(HistoryLog(number_), 1))));
  const std::unique_ptr<Checkpoint> source = MakeCheckpoint();
  PastItems past(*source, number_, TimeMs());
  const Result<bool> step = past.Step([](std::string_view, ItemView) { return true; });
  ASSERT_FALSE(step);
  EXPECT_EQ(step.error().message(), "record 1 in the history of table number 1 is damaged");
}

TEST_F(HistoryTest, RestorableTimesAreWholeSecondsWithinThePeriod) {
  const PointInTimeRecovery recovery{.enabled_ms = kStartMs + 700, .days = 2};
  const TimeMs enabled{milliseconds(kStartMs)};
  const auto early = RestorableTimesOf(recovery, enabled + milliseconds(900));
  EXPECT_EQ(early.earliest, enabled);
  EXPECT_EQ(early.latest, enabled);
  const auto late = RestorableTimesOf(recovery, enabled + std::chrono::days(5) + milliseconds(1));
  EXPECT_EQ(late.earliest, enabled + std::chrono::days(3));
  EXPECT_EQ(late.latest, enabled + std::chrono::days(5));
}

TEST_F(HistoryTest, OldRecordsAreForgottenAndTheNewestIsKept) {
  Enable(1);
  for (int i = 0; i < 10; ++i) Put(1, i);
  clock_.Advance(std::chrono::hours(12));
  for (int i = 0; i < 5; ++i) Put(1, 100 + i);
  EXPECT_EQ(RecordCount(), 15U);

  clock_.Advance(std::chrono::hours(12) + std::chrono::minutes(1));
  engine_->background().WakeDuties();
  engine_->background().WaitUntilIdle();
  EXPECT_EQ(RecordCount(), 5U);

  clock_.Advance(std::chrono::hours(100));
  engine_->background().WakeDuties();
  engine_->background().WaitUntilIdle();
  EXPECT_EQ(RecordCount(), 1U);
  Put(1, 200);
  EXPECT_EQ(RecordCount(), 2U);
}

TEST_F(HistoryTest, DisablingForgetsAll) {
  Enable();
  for (int i = 0; i < 10; ++i) Put(i, i);
  ASSERT_TRUE(engine_->recovery().DisableHistory(number_));
  EXPECT_EQ(RecordCount(), 0U);
  Put(1, 5);
  EXPECT_EQ(RecordCount(), 0U);
  clock_.Advance(milliseconds(1'000));
  Enable();
  const Items then = Now();
  clock_.Advance(milliseconds(1'000));
  Put(2, 6);
  EXPECT_EQ(At(*MakeCheckpoint(), clock_.Now() - milliseconds(500)), then);
}

TEST_F(HistoryTest, ALongerPeriodDoesNotBringBackWhatWasForgotten) {
  Enable(1);
  clock_.Advance(std::chrono::days(5));
  Enable(35);
  EXPECT_EQ(RestorableTimesOf(*Current()->recovery, clock_.Now()).earliest,
            clock_.Now() - std::chrono::days(1));
}

}  // namespace past_test
}  // namespace stator
