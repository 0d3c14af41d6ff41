#include "engine/catalog/item_keys.h"

#include <gtest/gtest.h>

namespace stator {
namespace item_keys_test {

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

}  // namespace item_keys_test
}  // namespace stator
