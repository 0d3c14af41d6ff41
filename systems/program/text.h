// Times, days and bytes as text. Times are always in UTC.
#ifndef STATOR_SYSTEMS_PROGRAM_TEXT_H_
#define STATOR_SYSTEMS_PROGRAM_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

#include "stator/clock.h"

namespace stator::systems {

// RFC 3339: 2026-02-28T08:00:00Z, 2026-02-28T09:00:00.5+01:00. Digits after the milliseconds are
// dropped. nullopt for anything else, and outside 1970..9999.
std::optional<TimeMs> ParseTime(std::string_view text);

// 2026-02-28T08:00:00.000Z: always 24 characters, so that the text sorts by time. With other widths
// …00.500Z would sort before …00Z. REQUIRES: within 1970..9999.
std::string SortableTime(TimeMs time);

// The same without milliseconds that are 0: 2026-02-28T08:00:00Z.
std::string ShortTime(TimeMs time);

// True for a day that exists, as 2026-02-28.
bool IsDate(std::string_view text);

std::string Hex(std::string_view bytes);
std::string Base64(std::string_view bytes);
// nullopt if it is not canonical base64 of at most 1,000,000 characters.
std::optional<std::string> FromBase64(std::string_view text);

// Bytes as OpenSSL takes them.
inline const unsigned char* Raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}
inline unsigned char* Raw(std::string& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_TEXT_H_
