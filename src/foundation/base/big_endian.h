// Unsigned integers as bytes whose order is that of the integers.
#ifndef STATOR_BASE_BIG_ENDIAN_H_
#define STATOR_BASE_BIG_ENDIAN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stator {

// Appends the lowest `bytes` bytes of the value.
inline void AppendBigEndian(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t left = bytes; left-- > 0;) out.push_back(static_cast<char>(value >> (8 * left)));
}

inline std::string BigEndian(std::uint64_t value, std::size_t bytes) {
  std::string text;
  AppendBigEndian(text, value, bytes);
  return text;
}

// REQUIRES: at most eight bytes.
inline std::uint64_t ReadBigEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

// Reads an integer of `bytes` bytes and removes it from the front. REQUIRES: that many are there.
inline std::uint64_t TakeBigEndian(std::string_view& from, std::size_t bytes) {
  const std::uint64_t value = ReadBigEndian(from.substr(0, bytes));
  from.remove_prefix(bytes);
  return value;
}

}  // namespace stator

#endif  // STATOR_BASE_BIG_ENDIAN_H_
