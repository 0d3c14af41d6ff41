// Item size in bytes as DynamoDB counts it (behaviour.md §6.2).
#ifndef STATOR_VALUE_SIZE_H_
#define STATOR_VALUE_SIZE_H_

#include <cstddef>

#include "stator/item.h"

namespace stator {

inline constexpr std::size_t kMaxItemBytes = 400 * 1024;

// The size of an item is at most this many times the length of its encoding. The worst case is a
// list of NULL and booleans: each counts two bytes and is encoded in one.
inline constexpr std::size_t kMaxSizePerEncodedByte = 2;

std::size_t ValueSizeBytes(ValueView value);
std::size_t ItemSizeBytes(ItemView item);
// Whether the item is larger than allowed. Small items are not counted.
inline bool IsTooLarge(ItemView item) {
  return item.encoded().size() > kMaxItemBytes / kMaxSizePerEncodedByte &&
         ItemSizeBytes(item) > kMaxItemBytes;
}
// Bytes of one attribute: name and value.
std::size_t AttributeSizeBytes(std::string_view name, ValueView value);

}  // namespace stator

#endif  // STATOR_VALUE_SIZE_H_
