// Item size in bytes as DynamoDB counts it (behaviour.md §6.2).
#ifndef STATOR_VALUE_SIZE_H_
#define STATOR_VALUE_SIZE_H_

#include <cstddef>

#include "stator/item.h"

namespace stator {

inline constexpr std::size_t kMaxItemBytes = 400 * 1024;

// What an item counts is at most this many times as long as its encoding. The worst are lists of
// NULL and booleans, which count two for each and encode it in one byte.
inline constexpr std::size_t kMaxSizePerEncodedByte = 2;

std::size_t ValueSizeBytes(ValueView value);
std::size_t ItemSizeBytes(ItemView item);
// Whether the item is larger than an item may be. Small ones need no counting.
inline bool IsTooLarge(ItemView item) {
  return item.encoded().size() > kMaxItemBytes / kMaxSizePerEncodedByte &&
         ItemSizeBytes(item) > kMaxItemBytes;
}
// Bytes of one attribute: name and value.
std::size_t AttributeSizeBytes(std::string_view name, ValueView value);

}  // namespace stator

#endif  // STATOR_VALUE_SIZE_H_
