// Item size in bytes as DynamoDB counts it (behaviour.md §6.2).
#ifndef STATOR_VALUE_SIZE_H_
#define STATOR_VALUE_SIZE_H_

#include <cstddef>

#include "stator/item.h"

namespace stator {

inline constexpr std::size_t kMaxItemBytes = 400 * 1024;

std::size_t ValueSizeBytes(ValueView value);
std::size_t ItemSizeBytes(ItemView item);
// Bytes of one attribute: name and value.
std::size_t AttributeSizeBytes(std::string_view name, ValueView value);

}  // namespace stator

#endif  // STATOR_VALUE_SIZE_H_
