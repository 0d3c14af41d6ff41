// What every store promises about mutations. Reads and ranges are in store_contract_test.cc.
#include <algorithm>
#include <atomic>
#include <latch>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "storage/testing/store_contract.h"

namespace stator {
namespace store_contract_mutations_test {

using Verdict = Mutation::Verdict;

class MutationContract : public StoreContract {};

INSTANTIATE_TEST_SUITE_P(Stores, MutationContract, testing::ValuesIn(StoreKinds()),
                         [](const auto& test) { return test.param.name; });

// The records of a log, and a check that they are numbered 1, 2, 3 …
std::vector<std::string> Records(const Store& store, const std::string& log) {
  std::vector<std::string> records;
  const KeyRange range{LogKey(log, 0), LogKey(log, std::numeric_limits<std::uint64_t>::max())};
  for (const auto& [key, record] : ScanAll(store, range)) {
    EXPECT_EQ(key, LogKey(log, records.size() + 1));
    records.push_back(record);
  }
  return records;
}

TEST_P(MutationContract, DecideSeesTheValuesOfItsKeysInOrder) {
  ASSERT_TRUE(Put(*store_, "a", "1"));
  ASSERT_TRUE(Put(*store_, "empty", ""));
  std::vector<std::optional<std::string>> seen;
  ASSERT_TRUE(MutateAndWait(
      *store_, MakeMutation({"absent", "a", "empty", "a"}, [&](Values values, WriteBatch&) {
        for (const auto& value : values) {
          seen.emplace_back(value);
        }
        return Verdict::kCommit;
      })));
  EXPECT_EQ(seen, (std::vector<std::optional<std::string>>{std::nullopt, "1", "", "1"}));
}

TEST_P(MutationContract, EachSeesTheWritesOfThoseQueuedBefore) {
  constexpr int kCount = 1000;
  std::latch done(kCount + 1);
  for (int i = 0; i < kCount; ++i) {
    store_->Mutate(MakeIncrement("counter", [&](const auto& status) {
      EXPECT_TRUE(status);
      done.count_down();
    }));
  }
  std::string seen;
  store_->Mutate(MakeMutation(
      {"counter"},
      [&](Values values, WriteBatch&) {
        seen = values[0].value_or("nothing");
        return Verdict::kAbandon;
      },
      [&](const auto&) { done.count_down(); }));
  done.wait();
  EXPECT_EQ(seen, std::to_string(kCount));
  EXPECT_EQ(Get(*store_, "counter"), std::to_string(kCount));
}

TEST_P(MutationContract, EachSeesTheDeletesOfThoseQueuedBefore) {
  ASSERT_TRUE(Put(*store_, "key", "value"));
  constexpr int kCount = 200;
  std::atomic<int> created = 0;
  std::latch done(kCount);
  for (int i = 0; i < kCount; ++i) {
    store_->Mutate(MakeMutation(
        {"key"},
        [&](Values values, WriteBatch& batch) {
          if (values[0]) {
            batch.Delete("key");
          } else {
            batch.Put("key", "again");
            ++created;
          }
          return Verdict::kCommit;
        },
        [&](const auto&) { done.count_down(); }));
  }
  done.wait();
  EXPECT_EQ(created, kCount / 2);
  EXPECT_EQ(Get(*store_, "key"), "again");
}

TEST_P(MutationContract, AbandonedMutationWritesNothingAndSucceeds) {
  ASSERT_TRUE(Put(*store_, "key", "value"));
  EXPECT_TRUE(MutateAndWait(*store_, MakeMutation({"key"}, [](Values, WriteBatch& batch) {
    batch.Put("key", "other");
    batch.Put("new", "value");
    batch.DeleteRange({});
    batch.Append("log", "record");
    return Verdict::kAbandon;
  })));
  EXPECT_EQ(ScanAll(*store_), (Pairs{{"key", "value"}}));
}

TEST_P(MutationContract, DoneRunsWhenTheWritesAreVisible) {
  std::latch done(1);
  store_->Mutate(MakeWrite([](WriteBatch& batch) { batch.Put("key", "value"); },
                           [&](const auto& status) {
                             EXPECT_TRUE(status);
                             EXPECT_EQ(Get(*store_, "key"), "value");
                             done.count_down();
                           }));
  done.wait();
}

TEST_P(MutationContract, DeleteRangeDeletesFromItsBeginToBeforeItsEnd) {
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) {
    for (const char* key : {"a", "b", "bb", "c", "d"}) batch.Put(key, "v");
  }));
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) { batch.DeleteRange({"b", "c"}); }));
  EXPECT_EQ(ScanAll(*store_), (Pairs{{"a", "v"}, {"c", "v"}, {"d", "v"}}));
  EXPECT_EQ(Get(*store_, "bb"), std::nullopt);
}

TEST_P(MutationContract, DeleteRangeWithoutEndDeletesToTheLastKey) {
  const std::string last(100, '\xff');
  ASSERT_TRUE(Put(*store_, "a", "v"));
  ASSERT_TRUE(Put(*store_, last, "v"));
  ASSERT_TRUE(Apply(*store_, [&](WriteBatch& batch) {
    batch.Put(last + "\xff", "of the same batch");
    batch.DeleteRange({"b", ""});
    batch.Put("c", "later in the same batch");
  }));
  EXPECT_EQ(ScanAll(*store_), (Pairs{{"a", "v"}, {"c", "later in the same batch"}}));
}

TEST_P(MutationContract, DeleteRangeDeletesManyKeysAsItDoesFew) {
  const std::string last(100, '\xff');
  ASSERT_TRUE(Put(*store_, "a", "v"));
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) {
    for (int i = 0; i < 3000; ++i) batch.Put("key" + std::to_string(i), "v");
  }));
  for (const std::string end : {"kez", ""}) {
    ASSERT_TRUE(Apply(*store_, [&](WriteBatch& batch) {
      batch.Put("key of the same batch", "v");
      if (end.empty()) batch.Put(last, "of the same batch");
      batch.DeleteRange({"key", end});
      batch.Put("key0", "later in the same batch");
    }));
    EXPECT_EQ(ScanAll(*store_), (Pairs{{"a", "v"}, {"key0", "later in the same batch"}}));
    ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) {
      for (int i = 0; i < 3000; ++i) batch.Put("key" + std::to_string(i), "v");
    }));
  }
}

TEST_P(MutationContract, DeleteRangeOfNothingDoesNothing) {
  ASSERT_TRUE(Put(*store_, "b", "v"));
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) {
    batch.DeleteRange({"b", "b"});
    batch.DeleteRange({"c", "a"});
    batch.DeleteRange({"x", ""});
  }));
  EXPECT_EQ(ScanAll(*store_), (Pairs{{"b", "v"}}));
}

TEST_P(MutationContract, AppendNumbersEveryLogFromOne) {
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) {
    batch.Append("x", "x1");
    batch.Append("y", "y1");
    batch.Append("x", "x2");
  }));
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) { batch.Append("x", "x3"); }));
  EXPECT_EQ(Records(*store_, "x"), (std::vector<std::string>{"x1", "x2", "x3"}));
  EXPECT_EQ(Records(*store_, "y"), (std::vector<std::string>{"y1"}));
}

TEST_P(MutationContract, AppendContinuesBehindRecordsThatAreThere) {
  using std::string_literals::operator""s;
  ASSERT_TRUE(Put(*store_, LogKey("log", 7), "seventh"));
  // Keys of other lengths in the same range are not records of the log.
  ASSERT_TRUE(Put(*store_, LogKey("log", 8) + "x", "something else"));
  ASSERT_TRUE(Put(*store_, "log\xff"s, "something else"));
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) { batch.Append("log", "eighth"); }));
  EXPECT_EQ(Get(*store_, LogKey("log", 8)), "eighth");
}

TEST_P(MutationContract, AbandonedAppendsLeaveNoGap) {
  std::latch done(300);
  std::vector<std::string> expected;
  for (int i = 0; i < 300; ++i) {
    const bool is_kept = i % 3 != 0;
    if (is_kept) expected.push_back(std::to_string(i));
    store_->Mutate(MakeMutation(
        {},
        [i, is_kept](Values, WriteBatch& batch) {
          batch.Append("log", std::to_string(i));
          return is_kept ? Verdict::kCommit : Verdict::kAbandon;
        },
        [&](const auto&) { done.count_down(); }));
  }
  done.wait();
  std::vector<std::string> records = Records(*store_, "log");
  if (store_->sharing() != nullptr) {
    // Without a key in common they are decided in any order.
    std::ranges::sort(records);
    std::ranges::sort(expected);
  }
  EXPECT_EQ(records, expected);
}

TEST_P(MutationContract, ThreadsLoseNoUpdateAndLeaveNoGap) {
  constexpr int kThreads = 8;
  constexpr int kEach = 50;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        const std::string own = "counter" + std::to_string(t);
        const auto mutation = [own](Values values, WriteBatch& batch) {
          const int shared = values[0] ? std::stoi(std::string(*values[0])) : 0;
          const int mine = values[1] ? std::stoi(std::string(*values[1])) : 0;
          batch.Append("log", "discarded or kept with the rest");
          if (shared % 7 == 6 && mine % 2 == 1) {
            batch.Append("log", "a second one");
          }
          batch.Put("counter", std::to_string(shared + 1));
          batch.Put(own, std::to_string(mine + 1));
          return Verdict::kCommit;
        };
        const auto abandoned = [](Values, WriteBatch& batch) {
          batch.Append("log", "never");
          return Verdict::kAbandon;
        };
        EXPECT_TRUE(MutateAndWait(*store_, MakeMutation({"counter", own}, mutation)));
        EXPECT_TRUE(MutateAndWait(*store_, MakeMutation({}, abandoned)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Get(*store_, "counter"), std::to_string(kThreads * kEach));
  for (int t = 0; t < kThreads; ++t) {
    EXPECT_EQ(Get(*store_, "counter" + std::to_string(t)), std::to_string(kEach));
  }
  EXPECT_GE(Records(*store_, "log").size(), std::size_t{kThreads * kEach});
}

TEST_P(MutationContract, DoneRunsExactlyOnce) {
  constexpr int kThreads = 4;
  constexpr int kEach = 500;
  std::vector<std::atomic<int>> calls(kThreads * kEach);
  {
    const std::unique_ptr<Store> store = std::move(store_);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kEach; ++i) {
          const auto index = static_cast<std::size_t>(t * kEach + i);
          store->Mutate(
              MakeIncrement("n" + std::to_string(i % 10), [&calls, index](const auto& status) {
                EXPECT_TRUE(status);
                ++calls[index];
              }));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  for (const std::atomic<int>& count : calls) ASSERT_EQ(count, 1);
}

TEST_P(MutationContract, DestructionCommitsWhatIsQueued) {
  std::atomic<int> succeeded = 0;
  for (int i = 0; i < 2000; ++i) {
    store_->Mutate(MakeIncrement("counter", [&](const auto& status) {
      if (status) ++succeeded;
    }));
  }
  store_.reset();
  EXPECT_EQ(succeeded, 2000);
}

TEST_P(MutationContract, MutationIsDestroyedBeforeMutateAndWaitReturns) {
  auto token = std::make_shared<int>(1);
  ASSERT_TRUE(MutateAndWait(*store_, MakeWrite([token](WriteBatch&) {})));
  EXPECT_EQ(token.use_count(), 1);
}

TEST_P(MutationContract, StatsCountCommitsAndTheirMutations) {
  ASSERT_TRUE(Put(*store_, "a", "1"));
  ASSERT_TRUE(Put(*store_, "a", "2"));
  ASSERT_TRUE(MutateAndWait(
      *store_, MakeMutation({}, [](Values, WriteBatch&) { return Verdict::kAbandon; })));
  const Store::Stats stats = store_->GetStats();
  EXPECT_EQ(stats.mutations, 2U);
  EXPECT_EQ(stats.commits, 2U);
}

}  // namespace store_contract_mutations_test
}  // namespace stator
