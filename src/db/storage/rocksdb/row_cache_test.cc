#include "storage/rocksdb/row_cache.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>

namespace stator {
namespace row_cache_test {

constexpr std::size_t kCapacityBytes = std::size_t{4} << 20;

Write PutOf(std::string_view key, std::string_view value) {
  return {Write::Kind::kPut, key, value};
}
Write DeleteOf(std::string_view key) { return {Write::Kind::kDelete, key, {}}; }

class RowCacheTest : public ::testing::Test {
 protected:
  std::optional<std::string> Found(std::string_view key) {
    std::string value;
    if (cache_.Find(key, value)) return std::nullopt;
    return value;
  }
  RowCache::Miss MissOf(std::string_view key) {
    std::string value;
    const std::optional<RowCache::Miss> miss = cache_.Find(key, value);
    EXPECT_TRUE(miss);
    return miss.value_or(RowCache::Miss{});
  }
  void Bring(std::string_view key, std::string_view value) { cache_.Keep(MissOf(key), key, value); }
  void Commit(const Write& write) {
    cache_.BeginCommit({&write, 1});
    cache_.EndCommit({&write, 1});
  }

  RowCache cache_{kCapacityBytes};
};

TEST_F(RowCacheTest, ARowThatWasBroughtIsFound) {
  EXPECT_EQ(Found("key"), std::nullopt);
  Bring("key", "value");
  EXPECT_EQ(Found("key"), "value");
  EXPECT_EQ(Found("other"), std::nullopt);
}

TEST_F(RowCacheTest, AWriteChangesTheRowsThatAreHereAndBringsNone) {
  Bring("key", "old");
  Commit(PutOf("key", "new"));
  Commit(PutOf("other", "new"));
  EXPECT_EQ(Found("key"), "new");
  EXPECT_EQ(Found("other"), std::nullopt);
}

TEST_F(RowCacheTest, ADeletedRowIsGone) {
  Bring("key", "old");
  Commit(DeleteOf("key"));
  EXPECT_EQ(Found("key"), std::nullopt);
}

TEST_F(RowCacheTest, ADeletedRangeTakesEveryRowWithIt) {
  Bring("key", "value");
  Commit({Write::Kind::kDeleteRange, "a", "z"});
  EXPECT_EQ(Found("key"), std::nullopt);
  Bring("key", "again");
  EXPECT_EQ(Found("key"), "again");
}

TEST_F(RowCacheTest, OfTwoWritesOfACommitTheLastCounts) {
  Bring("key", "old");
  const std::array writes = {PutOf("key", "first"), PutOf("key", "last")};
  cache_.BeginCommit(writes);
  cache_.EndCommit(writes);
  EXPECT_EQ(Found("key"), "last");
}

TEST_F(RowCacheTest, ARowIsHiddenWhileItIsWritten) {
  Bring("key", "old");
  const Write write = PutOf("key", "new");
  cache_.BeginCommit({&write, 1});
  EXPECT_EQ(Found("key"), std::nullopt);
  Bring("key", "perhaps old");
  EXPECT_EQ(Found("key"), std::nullopt);
  cache_.EndCommit({&write, 1});
  EXPECT_EQ(Found("key"), "new");
}

TEST_F(RowCacheTest, ARowThatWasReadBeforeAWriteIsNotKeptAfterIt) {
  const RowCache::Miss miss = MissOf("key");
  Commit(PutOf("key", "new"));
  cache_.Keep(miss, "key", "old");
  EXPECT_EQ(Found("key"), std::nullopt);
}

TEST_F(RowCacheTest, StaysWithinItsBytesAndSparesTheRowsInUse) {
  Bring("used", "value");
  const std::string value(1000, 'v');
  for (int i = 0; i < 20'000; ++i) {
    Bring("key" + std::to_string(i), value);
    EXPECT_EQ(Found("used"), "value");
  }
  EXPECT_LE(cache_.UsedBytes(), kCapacityBytes);
  EXPECT_GT(cache_.UsedBytes(), kCapacityBytes / 2);
  EXPECT_EQ(Found("key0"), std::nullopt);
}

TEST_F(RowCacheTest, RowsGrowWithinItsBytes) {
  for (int i = 0; i < 3000; ++i) Bring("key" + std::to_string(i), "small");
  const std::string large(10'000, 'v');
  for (int i = 0; i < 3000; ++i) Commit(PutOf("key" + std::to_string(i), large));
  EXPECT_LE(cache_.UsedBytes(), kCapacityBytes);
}

TEST_F(RowCacheTest, ARowThatWouldPushAllOthersOutIsNotKept) {
  const std::string huge(kCapacityBytes / 16, 'v');
  Bring("key", huge);
  EXPECT_EQ(Found("key"), std::nullopt);
  Bring("key", "small");
  Commit(PutOf("key", huge));
  EXPECT_EQ(Found("key"), std::nullopt);
  EXPECT_EQ(cache_.UsedBytes(), 0U);
}

TEST(RowCache, WithoutBytesKeepsNothing) {
  RowCache cache(0);
  std::string value;
  const std::optional<RowCache::Miss> miss = cache.Find("key", value);
  ASSERT_TRUE(miss);
  cache.Keep(*miss, "key", "value");
  EXPECT_TRUE(cache.Find("key", value));
}

}  // namespace row_cache_test
}  // namespace stator
