// The words of the wire for every enumeration of the public headers, and the spelling of each set in messages.
#ifndef STATOR_WIRE_ENUM_TEXT_H_
#define STATOR_WIRE_ENUM_TEXT_H_

#include <optional>
#include <string_view>

#include "stator/expression.h"
#include "stator/operations.h"
#include "stator/recovery.h"
#include "stator/streams.h"
#include "stator/table_operations.h"
#include "stator/time_to_live.h"
#include "stator/transfer_operations.h"

namespace stator {

// Instantiated in enum_text.cc for every enumeration of the public headers.
template <class E>
std::optional<E> EnumFromText(std::string_view text);
template <class E>
std::string_view EnumText(E value);
// "[INDEXES, TOTAL, NONE]": DynamoDB's own order (behaviour.md §2.1).
template <class E>
std::string_view EnumSet();

}  // namespace stator

#endif  // STATOR_WIRE_ENUM_TEXT_H_
