// ItemKeys: the key attributes of an item, of its table and of every index, found in one walk.
//
//   const TableKeyNames names(table);
//   const ItemKeys keys(names, item);
//   keys.Find("pk")   → as item.Find("pk"), for every key attribute of the table or of an index
#ifndef STATOR_ENGINE_CATALOG_ITEM_KEYS_H_
#define STATOR_ENGINE_CATALOG_ITEM_KEYS_H_

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "engine/catalog/table.h"
#include "stator/item.h"

namespace stator {

// The names of all key attributes of a table and its indexes. REQUIRES: the table outlives it.
class TableKeyNames {
 public:
  static constexpr std::size_t kMax = 16;

  explicit TableKeyNames(const Table& table);

  // Ascending. Empty if there are more than kMax: then items are searched for each.
  std::span<const std::string_view> sorted() const { return {names_.data(), count_}; }

 private:
  bool AddAll(const KeySchema& keys);
  bool Add(std::string_view name);

  std::array<std::string_view, kMax> names_;
  std::size_t count_ = 0;
};

// REQUIRES: the names and the item's bytes outlive it.
class ItemKeys {
 public:
  ItemKeys(const TableKeyNames& names, ItemView item);

  ItemView item() const { return item_; }
  // REQUIRES: a key attribute of the table or of an index.
  std::optional<ValueView> Find(std::string_view name) const;

 private:
  const TableKeyNames& names_;
  ItemView item_;
  std::array<ValueView, TableKeyNames::kMax> values_;  // by the position of the name; empty: absent
};

}  // namespace stator

#endif  // STATOR_ENGINE_CATALOG_ITEM_KEYS_H_
