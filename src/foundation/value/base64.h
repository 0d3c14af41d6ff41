// Base64 with the standard alphabet and padding, strict in both directions.
#ifndef STATOR_VALUE_BASE64_H_
#define STATOR_VALUE_BASE64_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stator {

enum class Base64Status : std::uint8_t {
  kOk,
  kBadLength,     // not a multiple of four characters
  kBadCharacter,  // outside the alphabet
  kBadLastBits,   // unused bits of the last character are set, or padding is not at the end
};

void AppendBase64(std::string& out, std::string_view bytes);

constexpr std::size_t Base64Length(std::size_t bytes) { return (bytes + 2) / 3 * 4; }
// Writes Base64Length(bytes.size()) characters.
void WriteBase64(char* to, std::string_view bytes);

// How many bytes the text encodes if it is well formed.
std::size_t Base64DecodedLength(std::string_view text);

// Writes the bytes, Base64DecodedLength of them if kOk is returned and never more.
// REQUIRES: that many may be written at `to`.
Base64Status DecodeBase64(char* to, std::string_view text);
// Appends the bytes; leaves `out` as it was unless kOk is returned.
Base64Status AppendBase64Decoded(std::string& out, std::string_view text);

// The first character (a whole UTF-8 sequence) that made the text kBadCharacter.
std::string_view FirstBadBase64Character(std::string_view text);

}  // namespace stator

#endif  // STATOR_VALUE_BASE64_H_
