// What the function size() says of a value.
#ifndef STATOR_EXPR_VALUE_LENGTH_H_
#define STATOR_EXPR_VALUE_LENGTH_H_

#include <cstddef>
#include <optional>

#include "stator/item.h"

namespace stator {

// S: UTF-16 code units; B: bytes; sets, lists, maps: how many members. Other types have no length.
std::optional<std::size_t> ValueLength(ValueView value);

}  // namespace stator

#endif  // STATOR_EXPR_VALUE_LENGTH_H_
