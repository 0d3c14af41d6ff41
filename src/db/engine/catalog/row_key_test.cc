#include "engine/catalog/row_key.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "base/big_endian.h"

namespace stator {
namespace row_key_test {

KeyHasher TestHasher() {
  std::array<char, KeyHasher::kSecretBytes> secret{};
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<char>(i * 37 + 11);
  return KeyHasher(secret);
}

Table TestTable() {
  Table table;
  table.number = 7;
  table.keys = {.hash = {{"pk", ScalarType::kS}}, .range = {{"sk", ScalarType::kN}}};
  return table;
}

Index TestIndex() {
  Index index{.number = 2, .name = "byState", .global = true};
  index.keys = {.hash = {{"state", ScalarType::kS}}, .range = {{"at", ScalarType::kS}}};
  return index;
}

TEST(RowKey, ItemsOfOnePartitionSortByTheirNumericSortKey) {
  const KeyHasher hasher = TestHasher();
  const Table table = TestTable();
  const auto row = [&](std::string_view number) {
    return ItemRowKey(hasher, table,
                      Item{{"pk", "p"}, {"sk", AttributeValue::Number(number)}}.view());
  };
  const std::vector<std::string> ascending = {row("-1e100"), row("-2.5"), row("-2"), row("0"),
                                              row("0.001"),  row("9"),    row("10"), row("1e100")};
  EXPECT_TRUE(std::ranges::is_sorted(ascending));
  EXPECT_EQ(row("10"), row("1e1"));
}

TEST(RowKey, EveryRowLiesInItsTableItsIndexAndOneSegment) {
  const KeyHasher hasher = TestHasher();
  const Table table = TestTable();
  EXPECT_TRUE(rc::check([&](const std::string& partition, std::uint16_t some) {
    const std::uint64_t total = some % 1000 + 1;
    const std::string row = ItemRowKey(
        hasher, table, Item{{"pk", AttributeValue::Binary(partition)}, {"sk", 1}}.view());
    const auto contains = [&](const KeyRange& rows) { return rows.begin <= row && row < rows.end; };
    RC_ASSERT(contains(TableRows(7)));
    RC_ASSERT(contains(IndexRows(7, 0)));
    RC_ASSERT(!contains(IndexRows(7, 1)));
    RC_ASSERT(!contains(TableRows(8)));
    std::uint64_t segments = 0;
    for (std::uint64_t segment = 0; segment < total; ++segment) {
      if (contains(SegmentRows(7, 0, segment, total))) ++segments;
    }
    RC_ASSERT(segments == 1U);
  }));
}

TEST(RowKey, SegmentsMeetWithoutAGap) {
  for (std::uint64_t total : {1U, 2U, 3U, 7U, 1'000'000U}) {
    EXPECT_EQ(SegmentRows(1, 0, 0, total).begin, IndexRows(1, 0).begin);
    EXPECT_EQ(SegmentRows(1, 0, total - 1, total).end, IndexRows(1, 0).end);
    for (std::uint64_t segment = 0; segment + 1 < std::min<std::uint64_t>(total, 50); ++segment) {
      EXPECT_EQ(SegmentRows(1, 0, segment, total).end, SegmentRows(1, 0, segment + 1, total).begin);
    }
  }
}

TEST(EntryRowKey, IsAbsentUnlessEveryKeyAttributeCanBeAKey) {
  const KeyHasher hasher = TestHasher();
  const Table table = TestTable();
  const Index index = TestIndex();
  const auto has_entry = [&](AttributeValue state, AttributeValue at) {
    const Item item{{"pk", "p"}, {"sk", 1}, {"state", state}, {"at", at}};
    return EntryRowKey(hasher, table, index, item.view()).has_value();
  };
  EXPECT_TRUE(has_entry("OPEN", "2026"));
  EXPECT_FALSE(has_entry(5, "2026"));
  EXPECT_FALSE(has_entry("OPEN", AttributeValue::Null()));
  EXPECT_FALSE(has_entry("", "2026"));
  EXPECT_FALSE(has_entry(std::string(2049, 'x'), "2026"));
  EXPECT_FALSE(has_entry("OPEN", std::string(1025, 'x')));
  EXPECT_FALSE(
      EntryRowKey(hasher, table, index, Item{{"pk", "p"}, {"sk", 1}, {"state", "OPEN"}}.view())
          .has_value());
}

TEST(EntryRowKey, TellsItemsWithEqualIndexKeysApart) {
  const KeyHasher hasher = TestHasher();
  const Table table = TestTable();
  const Index index = TestIndex();
  const auto entry = [&](int sort_key) {
    const Item item{{"pk", "p"}, {"sk", sort_key}, {"state", "OPEN"}, {"at", "2026"}};
    return EntryRowKey(hasher, table, index, item.view());
  };
  EXPECT_NE(entry(1), entry(2));
  EXPECT_EQ(entry(1), entry(1));
}

Table TableWithIndexes(int count) {
  Table table;
  table.keys = {.hash = {{"pk", ScalarType::kS}}, .range = {{"sk", ScalarType::kN}}};
  for (int i = 0; i < count; ++i) {
    Index index{.global = true};
    index.keys = {.hash = {{"hash" + std::to_string(i), ScalarType::kS}},
                  .range = {{"sk", ScalarType::kN}}};
    table.indexes.push_back(std::move(index));
  }
  return table;
}

TEST(ItemKeys, AreThoseOfTheTableAndOfEveryIndex) {
  const Item item{{"a", 1}, {"hash0", "h"}, {"hash2", "i"}, {"pk", "p"}, {"sk", 2}, {"z", 3}};
  for (const int index_count : {0, 1, 3, 30}) {
    const Table table = TableWithIndexes(index_count);
    const TableKeyNames names(table);
    const ItemKeys keys(names, item.view());
    for (const char* name : {"pk", "sk"}) EXPECT_EQ(keys.Find(name), item.Find(name)) << name;
    for (int i = 0; i < index_count; ++i) {
      const std::string name = "hash" + std::to_string(i);
      EXPECT_EQ(keys.Find(name), item.Find(name)) << name;
    }
  }
}

TEST(ItemKeys, OfAnEmptyItemAreAbsent) {
  const Table table = TableWithIndexes(1);
  const TableKeyNames names(table);
  EXPECT_EQ(ItemKeys(names, ItemView()).Find("pk"), std::nullopt);
}

TEST(TableKeyNames, NameEveryAttributeOnceInOrder) {
  const Table table = TableWithIndexes(2);
  const TableKeyNames names(table);
  const std::vector<std::string_view> expected = {"hash0", "hash1", "pk", "sk"};
  EXPECT_TRUE(std::ranges::equal(names.sorted(), expected));
}

TEST(PartOf, IsThatOfThePartitionForItemsAndEntriesOfLocalIndexes) {
  const KeyHasher hasher = TestHasher();
  const Table table = TestTable();
  Index local{.number = 3, .name = "byTime", .global = false};
  local.keys = {.hash = {{"pk", ScalarType::kS}}, .range = {{"at", ScalarType::kS}}};
  std::set<std::int64_t> parts;
  for (int i = 0; i < 300; ++i) {
    const Item item{{"pk", std::to_string(i)}, {"sk", i}, {"at", "x"}, {"state", "one"}};
    const Item other{{"pk", std::to_string(i)}, {"sk", -i - 1}};
    const std::int64_t part = PartOf(ItemRowKey(hasher, table, item.view()));
    EXPECT_EQ(part, PartOf(ItemRowKey(hasher, table, other.view())));
    EXPECT_EQ(part, PartOf(*EntryRowKey(hasher, table, local, item.view())));
    EXPECT_LT(part, kParts);
    EXPECT_GE(part, 0);
    parts.insert(part);
  }
  EXPECT_GT(parts.size(), 200U);
}

TEST(PartOf, IsOneForALogATokenAndTheExpiryRowsOfATable) {
  const auto log = [](char space, std::string name) { return space + std::move(name); };
  const std::string shard = log(kStreamSpace, BigEndian(1, 4) + BigEndian(2, 8));
  EXPECT_EQ(PartOf(LogKey(shard, 1)), PartOf(LogKey(shard, 1000)));
  EXPECT_EQ(PartOf(LogKey(shard, 1)), PartOf(shard));
  EXPECT_NE(PartOf(shard), PartOf(log(kStreamSpace, BigEndian(1, 4) + BigEndian(3, 8))));
  const std::string history = log(kHistorySpace, BigEndian(7, 4));
  EXPECT_EQ(PartOf(LogKey(history, 1)), PartOf(LogKey(history, 9)));
  EXPECT_NE(PartOf(history), PartOf(log(kHistorySpace, BigEndian(8, 4))));
  const std::string expiry = log(kExpirySpace, BigEndian(7, 4));
  EXPECT_EQ(PartOf(expiry + BigEndian(5, 8)), PartOf(expiry + BigEndian(1 << 30, 8) + "hash"));
  const std::string token(16, '\x5a');
  EXPECT_EQ(PartOf(std::string{kTokenSpace, 1} + token),
            PartOf(std::string{kTokenSpace, 2} + BigEndian(1234, 8) + token));
}

TEST(PartOf, IsZeroForTheCatalogAndForWhatIsNoKey) {
  EXPECT_EQ(PartOf(std::string(1, kCatalogSpace) + "table"), 0);
  for (int space = 0; space < 8; ++space) {
    for (std::size_t size = 0; size < 40; ++size) {
      const std::int64_t part =
          PartOf(std::string(1, static_cast<char>(space)) + std::string(size, 'x'));
      EXPECT_TRUE(part >= 0 && part < kParts);
    }
  }
  EXPECT_EQ(PartOf(""), 0);
}

}  // namespace row_key_test
}  // namespace stator
