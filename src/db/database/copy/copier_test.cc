#include "database/copy/copier.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>

#include "database/copy/copied_rows.h"
#include "engine/catalog/row_key.h"
#include "engine/check/stored_catalog.h"
#include "engine/engine.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace copier_test {

using Model = std::map<std::string, std::string>;

std::unique_ptr<Store> StoreOf(const Model& rows) {
  auto store = OpenMemoryStore();
  EXPECT_TRUE(Apply(*store, [&](WriteBatch& batch) {
    for (const auto& [key, value] : rows) batch.Put(key, value);
  }));
  return store;
}

Model RowsIn(const Store& store) {
  Model rows;
  EXPECT_TRUE(
      store.Scan({}, Direction::kForward, [&](std::string_view key, std::string_view value) {
        rows.emplace(key, value);
        return true;
      }));
  return rows;
}

Model Database(int rows) {
  Model database = {{kSecretRow, "the secret of one database"}};
  for (int i = 0; i < rows; ++i) {
    database["\x06" + std::to_string(1'000'000 + i)] = std::string(100, 'v');
  }
  return database;
}

StorageResult<CopyReport> Copy(const Model& from, Store& to) {
  const auto source = MakeCopySource(StoreOf(from));
  const CopyOptions options{.from = "the source", .to = "the target"};
  return Copier(*source, to, options, nullptr).Run();
}

TEST(Copier, MakesAnEmptyTargetEqualToItsSource) {
  const Model rows = Database(100'000);
  const auto target = OpenMemoryStore();
  const auto report = Copy(rows, *target);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(RowsIn(*target), rows);
  EXPECT_EQ(report->rows, rows.size());
  EXPECT_FALSE(report->was_resumed);
}

TEST(Copier, GoesOnFromAnyStateOfAnUnfinishedCopy) {
  const Model rows = Database(60'000);
  std::mt19937 random(7);
  for (int round = 0; round < 5; ++round) {
    // Rows before the cursor, some rows behind it, and a source that has changed since.
    const auto target = OpenMemoryStore();
    Model copied = rows;
    for (auto at = copied.begin(); at != copied.end();) {
      const auto dice = random() % 100;
      if (dice < 2) at->second = "old";
      at = dice == 3 ? copied.erase(at) : std::next(at);
    }
    copied
        ["\x06"
         "deleted since"] = "x";
    const std::size_t kept = random() % copied.size();
    copied.erase(std::next(copied.begin(), static_cast<std::ptrdiff_t>(kept)), copied.end());
    ASSERT_TRUE(Apply(*target, [&](WriteBatch& batch) {
      for (const auto& [key, value] : copied) batch.Put(key, value);
    }));
    const std::string identity = *IdentityOf(*RowsOf(*StoreOf(rows), nullptr), "");
    std::string cursor;
    if (kept > 0) {
      cursor = std::next(copied.begin(), static_cast<std::ptrdiff_t>(random() % kept))->first;
    }
    ASSERT_TRUE(
        CopyTarget(*target).Save({.source = identity, .from = "the source", .cursor = cursor}));
    const auto report = Copy(rows, *target);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->was_resumed);
    EXPECT_EQ(RowsIn(*target), rows);
  }
}

TEST(Copier, RefusesATargetThatHoldsSomethingElse) {
  const auto target = StoreOf({{"\x06", "x"}});
  EXPECT_NE(Copy(Database(1), *target).error().message.find("not empty"), std::string::npos);
  const auto other = OpenMemoryStore();
  ASSERT_TRUE(CopyTarget(*other).Save({.source = "another", .from = "elsewhere"}));
  EXPECT_NE(Copy(Database(1), *other).error().message.find("elsewhere"), std::string::npos);
}

TEST(Copier, AnEngineDoesNotOpenAnUnfinishedCopy) {
  auto target = OpenMemoryStore();
  ASSERT_TRUE(CopyTarget(*target).Save({.source = "a database", .from = "elsewhere"}));
  const auto engine = Engine::Open(std::move(target), {});
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().message().find("unfinished copy"), std::string::npos);
}

TEST(Comparison, FindsARowThatDiffersAndOneThatIsMissing) {
  const Model rows = Database(1'000);
  Model other = rows;
  other
      ["\x06"
       "1000500"] = "different";
  Model fewer = rows;
  fewer.erase(
      "\x06"
      "1000500");
  const auto compare = [&](const Model& target) {
    const auto left = StoreOf(rows);
    const auto right = StoreOf(target);
    Comparison comparison;
    while (*comparison.Step(*RowsOf(*left, nullptr), *RowsOf(*right, nullptr))) {
    }
    return comparison;
  };
  EXPECT_TRUE(compare(rows).differences().empty());
  EXPECT_EQ(compare(rows).Spaces().back().source, compare(rows).Spaces().back().target);
  EXPECT_EQ(compare(other).differences().size(), 1);
  EXPECT_EQ(compare(fewer).differences().size(), 1);
  EXPECT_NE(compare(other).Spaces().back().source, compare(other).Spaces().back().target);
}

}  // namespace copier_test
}  // namespace stator
