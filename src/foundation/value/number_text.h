// Numbers from text to their encoding and back, written through a pointer.
#ifndef STATOR_VALUE_NUMBER_TEXT_H_
#define STATOR_VALUE_NUMBER_TEXT_H_

#include <cstddef>
#include <expected>
#include <string_view>

#include "base/wording.h"
#include "value/number.h"

namespace stator {

// The longest text has 170 bytes; what lies behind a text inside this room is left undefined.
inline constexpr std::size_t kNumberTextRoom = 256;

// Writes what AppendNumberText appends, and returns the end of the text.
// REQUIRES: `encoded` is a well-formed encoding, and kNumberTextRoom bytes may be written at `to`.
char* WriteNumberText(char* to, std::string_view encoded);

// No encoding is longer.
inline constexpr std::size_t kMaxNumberEncoding = 22;

// Writes the encoding of what Number::Parse reads, and returns its end.
// REQUIRES: kMaxNumberEncoding bytes may be written at `to`.
std::expected<char*, NumberProblem> EncodeNumber(char* to, std::string_view text, Wording wording);

}  // namespace stator

#endif  // STATOR_VALUE_NUMBER_TEXT_H_
