// Integers whose byte order is their order.
#ifndef STATOR_ENGINE_CATALOG_BIG_ENDIAN_H_
#define STATOR_ENGINE_CATALOG_BIG_ENDIAN_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace stator {

// The lowest `bytes` bytes of the value.
inline void AppendBigEndian(std::string& out, std::uint64_t value, int bytes) {
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>((value >> shift) & 0xFF));
  }
}

// REQUIRES: at most eight bytes.
inline std::uint64_t ReadBigEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

}  // namespace stator

#endif  // STATOR_ENGINE_CATALOG_BIG_ENDIAN_H_
