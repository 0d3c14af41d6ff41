#include "engine/catalog/item_keys.h"

#include <algorithm>

namespace stator {

TableKeyNames::TableKeyNames(const Table& table) {
  bool fits = AddAll(table.keys);
  for (const Index& index : table.indexes) fits = fits && AddAll(index.keys);
  if (!fits) count_ = 0;
}

bool TableKeyNames::AddAll(const KeySchema& keys) {
  const auto add = [this](const KeyAttribute& attribute) { return Add(attribute.name); };
  return std::ranges::all_of(keys.hash, add) && std::ranges::all_of(keys.range, add);
}

bool TableKeyNames::Add(std::string_view name) {
  const auto end = names_.begin() + static_cast<std::ptrdiff_t>(count_);
  const auto at = std::lower_bound(names_.begin(), end, name);
  if (at != end && *at == name) return true;
  if (count_ == kMax) return false;
  std::move_backward(at, end, end + 1);
  *at = name;
  ++count_;
  return true;
}

ItemKeys::ItemKeys(const TableKeyNames& names, ItemView item) : names_(names), item_(item) {
  const std::span<const std::string_view> wanted = names.sorted();
  std::size_t next = 0;
  for (const auto& [name, value] : item) {
    while (next < wanted.size() && wanted[next] < name) ++next;
    if (next == wanted.size()) return;
    if (wanted[next] == name) values_[next++] = value;
  }
}

std::optional<ValueView> ItemKeys::Find(std::string_view name) const {
  const std::span<const std::string_view> names = names_.sorted();
  if (names.empty()) return item_.Find(name);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != name) continue;
    if (values_[i].encoded().empty()) return std::nullopt;
    return values_[i];
  }
  return std::nullopt;
}

}  // namespace stator
