// What every store promises: reads, ranges and views. Mutations are in
// store_contract_mutations_test.cc.
#include "storage/testing/store_contract.h"

#include <atomic>
#include <map>
#include <set>
#include <thread>

namespace stator {
namespace store_contract_test {

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, testing::ValuesIn(StoreKinds()),
                         [](const auto& test) { return test.param.name; });

std::vector<std::string> Keys(const Pairs& pairs) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : pairs) keys.push_back(key);
  return keys;
}

TEST_P(StoreContract, ReadsBackWhatWasPut) {
  ASSERT_TRUE(Put(*store_, "key", "value"));
  EXPECT_EQ(Get(*store_, "key"), "value");
}

TEST_P(StoreContract, AbsentKeyIsNotAnError) {
  std::string value = "left over";
  const StorageResult<bool> found = store_->Get("absent", value);
  ASSERT_TRUE(found);
  EXPECT_FALSE(*found);
  EXPECT_EQ(value, "");
}

TEST_P(StoreContract, GetReplacesWhatTheBufferHeld) {
  ASSERT_TRUE(Put(*store_, "key", "short"));
  std::string value = "something longer that was there before";
  ASSERT_TRUE(store_->Get("key", value));
  EXPECT_EQ(value, "short");
}

TEST_P(StoreContract, EmptyValueIsAValue) {
  ASSERT_TRUE(Put(*store_, "key", ""));
  EXPECT_EQ(Get(*store_, "key"), "");
}

TEST_P(StoreContract, DeletedKeyIsGone) {
  ASSERT_TRUE(Put(*store_, "key", "value"));
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) { batch.Delete("key"); }));
  EXPECT_EQ(Get(*store_, "key"), std::nullopt);
  EXPECT_TRUE(ScanAll(*store_).empty());
}

TEST_P(StoreContract, LaterWritesOfABatchWin) {
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) {
    batch.Put("kept", "1");
    batch.Put("kept", "2");
    batch.Put("gone", "1");
    batch.Delete("gone");
    batch.Delete("back");
    batch.Put("back", "3");
  }));
  EXPECT_EQ(ScanAll(*store_), (Pairs{{"back", "3"}, {"kept", "2"}}));
}

TEST_P(StoreContract, KeysSortAsUnsignedBytes) {
  using std::string_literals::operator""s;
  const std::vector<std::string> sorted = {"\0"s,      "\0\0"s,    "\0\x01"s,     "\x01",  "a",
                                           "a\0"s,     "a\0\xff"s, "a\x7f",       "a\x80", "a\xff",
                                           "a\xff\0"s, "b",        "\x7f\xff",    "\x80",  "\xff",
                                           "\xff\0"s,  "\xff\xff", "\xff\xff\xff"};
  ASSERT_TRUE(Apply(*store_, [&](WriteBatch& batch) {
    for (auto key = sorted.rbegin(); key != sorted.rend(); ++key) batch.Put(*key, "v");
  }));
  EXPECT_EQ(Keys(ScanAll(*store_)), sorted);
  EXPECT_EQ(Keys(ScanAll(*store_, {}, Direction::kReverse)),
            std::vector<std::string>(sorted.rbegin(), sorted.rend()));
}

TEST_P(StoreContract, RangeIncludesItsBeginAndExcludesItsEnd) {
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) {
    for (const char* key : {"a", "b", "c", "d", "e"}) batch.Put(key, key);
  }));
  using Keylist = std::vector<std::string>;
  EXPECT_EQ(Keys(ScanAll(*store_, {"b", "d"})), (Keylist{"b", "c"}));
  EXPECT_EQ(Keys(ScanAll(*store_, {"b", "d"}, Direction::kReverse)), (Keylist{"c", "b"}));
  EXPECT_EQ(Keys(ScanAll(*store_, {"aa", "cc"})), (Keylist{"b", "c"}));
  EXPECT_EQ(Keys(ScanAll(*store_, {"aa", "cc"}, Direction::kReverse)), (Keylist{"c", "b"}));
}

TEST_P(StoreContract, RangeWithoutEndGoesToTheLastKey) {
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) {
    for (const char* key : {"a", "b", "\xff\xff\xff\xff"}) batch.Put(key, key);
  }));
  using Keylist = std::vector<std::string>;
  EXPECT_EQ(Keys(ScanAll(*store_, {"b", ""})), (Keylist{"b", "\xff\xff\xff\xff"}));
  EXPECT_EQ(Keys(ScanAll(*store_, {"b", ""}, Direction::kReverse)),
            (Keylist{"\xff\xff\xff\xff", "b"}));
}

TEST_P(StoreContract, EmptyAndInvertedRangesVisitNothing) {
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) {
    for (const char* key : {"a", "b", "c"}) batch.Put(key, key);
  }));
  for (const Direction direction : {Direction::kForward, Direction::kReverse}) {
    EXPECT_TRUE(ScanAll(*store_, {"b", "b"}, direction).empty());
    EXPECT_TRUE(ScanAll(*store_, {"c", "a"}, direction).empty());
    EXPECT_TRUE(ScanAll(*store_, {"x", "z"}, direction).empty());
    EXPECT_TRUE(ScanAll(*store_, {"x", ""}, direction).empty());
  }
}

TEST_P(StoreContract, VisitorStopsTheScan) {
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) {
    for (int i = 0; i < 100; ++i) batch.Put("key" + std::to_string(i), "v");
  }));
  for (const Direction direction : {Direction::kForward, Direction::kReverse}) {
    int visited = 0;
    ASSERT_TRUE(store_->Scan({}, direction,
                             [&](std::string_view, std::string_view) { return ++visited < 3; }));
    EXPECT_EQ(visited, 3);
  }
}

TEST_P(StoreContract, VisitorMayReadTheStore) {
  ASSERT_TRUE(Put(*store_, "a", "1"));
  std::optional<std::string> seen;
  ASSERT_TRUE(store_->Scan({}, Direction::kForward, [&](std::string_view key, std::string_view) {
    seen = Get(*store_, key);
    return true;
  }));
  EXPECT_EQ(seen, "1");
}

TEST_P(StoreContract, SnapshotDoesNotSeeLaterCommits) {
  ASSERT_TRUE(Put(*store_, "a", "old"));
  ASSERT_TRUE(Put(*store_, "b", "old"));
  const std::unique_ptr<ReadView> view = store_->Snapshot();
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) {
    batch.Put("a", "new");
    batch.Delete("b");
    batch.Put("c", "new");
  }));
  EXPECT_EQ(ScanAll(*store_, {}, Direction::kForward, view.get()),
            (Pairs{{"a", "old"}, {"b", "old"}}));
  EXPECT_EQ(ScanAll(*store_, {}, Direction::kReverse, view.get()),
            (Pairs{{"b", "old"}, {"a", "old"}}));
  EXPECT_EQ(ScanAll(*store_), (Pairs{{"a", "new"}, {"c", "new"}}));
}

TEST_P(StoreContract, MultiGetAnswersInTheOrderOfItsKeys) {
  ASSERT_TRUE(Put(*store_, "a", "1"));
  ASSERT_TRUE(Put(*store_, "b", "2"));
  const std::vector<std::string> keys = {"b", "absent", "a", "b"};
  const auto values = store_->MultiGet(keys);
  ASSERT_TRUE(values);
  EXPECT_EQ(*values, (std::vector<std::optional<std::string>>{"2", std::nullopt, "1", "2"}));
  EXPECT_TRUE(store_->MultiGet({})->empty());
}

// While a writer moves all keys from one value to the next in single commits, every read of several
// keys must find them equal.
TEST_P(StoreContract, ReadsOfSeveralKeysAreOneView) {
  const std::vector<std::string> keys = {"a", "b", "c", "d", "e", "f"};
  const auto put_all = [&](int value) {
    return Apply(*store_, [&keys, value](WriteBatch& batch) {
      for (const std::string& key : keys) batch.Put(key, std::to_string(value));
    });
  };
  ASSERT_TRUE(put_all(0));
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int value = 1; !stop; ++value) EXPECT_TRUE(put_all(value));
  });
  for (int i = 0; i < 300; ++i) {
    const auto values = store_->MultiGet(keys);
    ASSERT_TRUE(values);
    EXPECT_EQ(std::set(values->begin(), values->end()).size(), 1U);

    std::set<std::string> scanned;
    const Direction direction = i % 2 == 0 ? Direction::kForward : Direction::kReverse;
    for (const auto& [key, value] : ScanAll(*store_, {}, direction)) scanned.insert(value);
    EXPECT_EQ(scanned.size(), 1U);
  }
  stop = true;
  writer.join();
}

TEST_P(StoreContract, KeepsLargeValues) {
  const std::string large(1 << 20, 'x');
  ASSERT_TRUE(Apply(*store_, [&](WriteBatch& batch) {
    for (int i = 0; i < 3; ++i) batch.Put("large" + std::to_string(i), large);
  }));
  EXPECT_EQ(Get(*store_, "large1"), large);
  EXPECT_EQ(ScanAll(*store_).size(), 3U);
}

TEST_P(StoreContract, KeepsManyKeysInOrder) {
  std::map<std::string, std::string> expected;
  for (int commit = 0; commit < 20; ++commit) {
    ASSERT_TRUE(Apply(*store_, [&](WriteBatch& batch) {
      for (int i = 0; i < 1000; ++i) {
        const int number = (commit * 1000 + i) * 7919 % 20011;
        batch.Put("key" + std::to_string(number), std::to_string(i));
        expected["key" + std::to_string(number)] = std::to_string(i);
      }
    }));
  }
  EXPECT_EQ(ScanAll(*store_), Pairs(expected.begin(), expected.end()));
  EXPECT_EQ(ScanAll(*store_, {}, Direction::kReverse), Pairs(expected.rbegin(), expected.rend()));
}

TEST_P(StoreContract, ApproximateBytesGrowWithTheRange) {
  const std::string value(1000, 'v');
  ASSERT_TRUE(Apply(*store_, [&](WriteBatch& batch) {
    for (int i = 0; i < 1000; ++i) batch.Put("key" + std::to_string(i), value);
  }));
  // RocksDB guesses from a few places of what is still in memory.
  EXPECT_GT(store_->ApproximateBytes({}), 100'000U);
  EXPECT_EQ(store_->ApproximateBytes({"x", "y"}), 0U);
}

}  // namespace store_contract_test
}  // namespace stator
