// SerializationExceptions: JSON of another shape than the one expected (behaviour.md §1.7).
#ifndef STATOR_VALUE_SHAPE_ERROR_H_
#define STATOR_VALUE_SHAPE_ERROR_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "stator/error.h"
#include "value/base64.h"
#include "value/json.h"

namespace stator {

// REQUIRES: `json` has another kind than the expected one, and is not null.
Error NotAString(JsonValue json);
// `type` is the Java class in messages: Integer, Long.
Error NotANumber(JsonValue json, std::string_view type);
Error NotABoolean(JsonValue json);
Error NotABlob(JsonValue json);
Error NotAList(JsonValue json);
// `value_type` is the full Java name of the values.
Error NotAMapOf(JsonValue json, std::string_view value_type);
Error NotAMapOfAttributeValues(JsonValue json);

// What an attribute value is in the request: an element of a list or a value of a map, or a member
// of a structure.
enum class ValuePlace : std::uint8_t { kElement, kMember };
Error NotAnAttributeValue(JsonValue json, ValuePlace place);

// REQUIRES: `status` is not kOk.
Error NotBase64(Base64Status status, std::string_view text);

// Booleans may be sent as text: true, 1, yes, false, 0, no in any case.
std::optional<bool> BooleanFromText(std::string_view text);

}  // namespace stator

#endif  // STATOR_VALUE_SHAPE_ERROR_H_
