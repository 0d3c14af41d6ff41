#include "engine/write/item_rules.h"

#include <fmt/format.h>

#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/write/index_key_rules.h"
#include "value/size.h"

namespace stator {
namespace {

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

Result<void> CheckWholeItem(const Table& table, ItemView item) {
  if (IsTooLarge(item)) {
    return std::unexpected(Error::Validation("Item size has exceeded the maximum allowed size"));
  }
  RETURN_IF_ERROR(CheckKeys(table.keys.hash, kMaxPartitionKeyBytes, item));
  RETURN_IF_ERROR(CheckKeys(table.keys.range, kMaxSortKeyBytes, item));
  return CheckPutIndexKeys(table, item);
}

}  // namespace stator
