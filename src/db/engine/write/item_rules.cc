#include "engine/write/item_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "value/size.h"

namespace stator {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

std::string_view ScalarName(ScalarType type) { return TypeName(AsType(type)); }

bool IsEmptyKey(ValueView value) {
  return (value.type() == Type::kS && value.S().empty()) ||
         (value.type() == Type::kB && value.B().empty());
}

std::string_view EmptyKind(ValueView value) {
  return value.type() == Type::kS ? "string" : "binary";
}

// Indexes by name: of several that a value offends, DynamoDB names the alphabetically first.
std::vector<const Index*> IndexesByName(const Table& table) {
  std::vector<const Index*> indexes;
  for (const Index& index : table.indexes) {
    if (index.is_maintained()) indexes.push_back(&index);
  }
  std::ranges::sort(indexes, {},
                    [](const Index* index) -> const std::string& { return index->name; });
  return indexes;
}

template <class Check>
Result<void> ForEachIndexKey(const Table& table, Check check) {
  for (const Index* index : IndexesByName(table)) {
    for (const auto* attributes : {&index->keys.hash, &index->keys.range}) {
      for (const KeyAttribute& attribute : *attributes) {
        // The table's own keys have been checked as such.
        if (table.keys.Find(attribute.name)) continue;
        RETURN_IF_ERROR(check(*index, attribute));
      }
    }
  }
  return {};
}

Error TypeMismatch(const Index& index, const KeyAttribute& attribute, Type actual) {
  return Error::Validation(fmt::format(
      "{}Type mismatch for Index Key {} Expected: {} Actual: {} IndexName: {}", kInvalid,
      attribute.name, ScalarName(attribute.type), TypeName(actual), index.name));
}

Error UpdatedToEmpty(ValueView value) {
  return Error::Validation(fmt::format(
      "One or more parameter values are not valid. The update expression attempted to update a "
      "secondary index key to a value that is not supported. The AttributeValue for a key "
      "attribute cannot contain an empty {} value.",
      EmptyKind(value)));
}

// Whether the values of these attributes that the item has can be keys together.
bool CanBeKeys(const std::vector<KeyAttribute>& attributes, const ItemKeys& item,
               std::size_t max_bytes) {
  std::size_t bytes = 0;
  for (const KeyAttribute& attribute : attributes) {
    const std::optional<ValueView> value = item.Find(attribute.name);
    if (!value) continue;
    if (!Matches(attribute.type, value->type()) || IsEmptyKey(*value)) return false;
    bytes += KeyValueBytes(*value);
  }
  return bytes <= max_bytes;
}

// Most items have nothing but good keys; which error the others get is found out afterwards.
bool FitsEveryIndex(const Table& table, const ItemKeys& item) {
  return std::ranges::all_of(table.indexes, [&](const Index& index) {
    return !index.is_maintained() || (CanBeKeys(index.keys.hash, item, kMaxPartitionKeyBytes) &&
                                      CanBeKeys(index.keys.range, item, kMaxSortKeyBytes));
  });
}

Result<void> CheckIndexKeySizes(const Table& table, const ItemKeys& item) {
  for (const Index* index : IndexesByName(table)) {
    std::size_t hash_bytes = 0;
    std::size_t range_bytes = 0;
    for (const KeyAttribute& attribute : index->keys.hash) {
      if (const auto value = item.Find(attribute.name)) hash_bytes += KeyValueBytes(*value);
    }
    for (const KeyAttribute& attribute : index->keys.range) {
      if (const auto value = item.Find(attribute.name)) range_bytes += KeyValueBytes(*value);
    }
    if (hash_bytes > kMaxPartitionKeyBytes) {
      return std::unexpected(Error::Validation(
          fmt::format("{}Size of hashkey has exceeded the maximum size limit of{} bytes", kInvalid,
                      kMaxPartitionKeyBytes)));
    }
    if (range_bytes > kMaxSortKeyBytes) {
      return std::unexpected(Error::Validation(
          fmt::format("{}Aggregated size of all range keys has exceeded the size limit of {} bytes",
                      kInvalid, kMaxSortKeyBytes)));
    }
  }
  return {};
}

Result<void> CheckKeys(const std::vector<KeyAttribute>& attributes, std::size_t bytes_max,
                       ItemView item) {
  std::size_t bytes = 0;
  for (const KeyAttribute& attribute : attributes) {
    const std::optional<ValueView> value = item.Find(attribute.name);
    if (!value) {
      return std::unexpected(
          Error::Validation(fmt::format("the key {} is missing in the item", attribute.name)));
    }
    if (!Matches(attribute.type, value->type())) {
      return std::unexpected(Error::Validation(
          fmt::format("the key {} must be of type {}, but is of type {}", attribute.name,
                      TypeName(AsType(attribute.type)), TypeName(value->type()))));
    }
    if (value->type() != Type::kN && KeyValueBytes(*value) == 0) {
      return std::unexpected(Error::Validation(fmt::format("the key {} is empty", attribute.name)));
    }
    bytes += KeyValueBytes(*value);
  }
  if (bytes <= bytes_max) return {};
  return std::unexpected(Error::Validation(
      fmt::format("the key {} has more than {} bytes", attributes.front().name, bytes_max)));
}

}  // namespace

Result<void> CheckPutIndexKeys(const Table& table, ItemView whole_item) {
  if (table.indexes.empty()) return {};
  const TableKeyNames names(table);
  const ItemKeys item(names, whole_item);
  if (FitsEveryIndex(table, item)) return {};
  RETURN_IF_ERROR(ForEachIndexKey(
      table, [&](const Index& index, const KeyAttribute& attribute) -> Result<void> {
        const std::optional<ValueView> value = item.Find(attribute.name);
        if (!value || Matches(attribute.type, value->type())) return {};
        return std::unexpected(TypeMismatch(index, attribute, value->type()));
      }));
  RETURN_IF_ERROR(ForEachIndexKey(
      table, [&](const Index& index, const KeyAttribute& attribute) -> Result<void> {
        const std::optional<ValueView> value = item.Find(attribute.name);
        if (!value || !IsEmptyKey(*value)) return {};
        return std::unexpected(Error::Validation(fmt::format(
            "One or more parameter values are not valid. A value specified for a secondary index "
            "key is not supported. The AttributeValue for a key attribute cannot contain an empty "
            "{} value. IndexName: {}, IndexKey: {}",
            EmptyKind(*value), index.name, attribute.name)));
      }));
  return CheckIndexKeySizes(table, item);
}

Result<void> CheckStaticIndexKeys(const Table& table, const Update& update) {
  if (table.indexes.empty()) return {};
  return ForEachIndexKey(table,
                         [&](const Index& index, const KeyAttribute& attribute) -> Result<void> {
                           const Update::Target* target = update.TargetIn(attribute.name);
                           if (target == nullptr || target->path.size() != 1) return {};
                           if (target->action == Update::Action::kRemove ||
                               target->action == Update::Action::kDelete || !target->constant) {
                             return {};
                           }
                           const ValueView value = target->constant->view();
                           if (!Matches(attribute.type, value.type())) {
                             return std::unexpected(TypeMismatch(index, attribute, value.type()));
                           }
                           if (IsEmptyKey(value)) return std::unexpected(UpdatedToEmpty(value));
                           return {};
                         });
}

Result<void> CheckUpdatedIndexKeys(const Table& table, const Update& update, ItemView whole_item) {
  if (table.indexes.empty()) return {};
  const TableKeyNames names(table);
  const ItemKeys after(names, whole_item);
  if (FitsEveryIndex(table, after)) return {};
  RETURN_IF_ERROR(
      ForEachIndexKey(table, [&](const Index&, const KeyAttribute& attribute) -> Result<void> {
        if (update.TargetIn(attribute.name) == nullptr) return {};
        const std::optional<ValueView> value = after.Find(attribute.name);
        if (!value) return {};
        if (!Matches(attribute.type, value->type())) {
          return std::unexpected(Error::Validation(
              "The update expression attempted to update the secondary index key to unsupported "
              "type"));
        }
        if (IsEmptyKey(*value)) return std::unexpected(UpdatedToEmpty(*value));
        return {};
      }));
  return CheckIndexKeySizes(table, after);
}

Error UpdateTooLarge() {
  return Error::Validation("Item size to update has exceeded the maximum allowed size");
}

Result<void> CheckWholeItem(const Table& table, ItemView item) {
  if (IsTooLarge(item)) {
    return std::unexpected(Error::Validation("Item size has exceeded the maximum allowed size"));
  }
  RETURN_IF_ERROR(CheckKeys(table.keys.hash, kMaxPartitionKeyBytes, item));
  RETURN_IF_ERROR(CheckKeys(table.keys.range, kMaxSortKeyBytes, item));
  return CheckPutIndexKeys(table, item);
}

}  // namespace stator
