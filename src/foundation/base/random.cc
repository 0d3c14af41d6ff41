#include "base/random.h"

#include <sys/random.h>

#include <cerrno>
#include <string_view>

#include "base/check.h"

namespace stator {

std::string RandomBytes(std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t filled = 0;
  while (filled < count) {
    const ssize_t got = getrandom(bytes.data() + filled, count - filled, 0);
    // Only a signal may interrupt it: the kernel's generator has no other way to fail.
    STATOR_CHECK(got > 0 || errno == EINTR);
    if (got > 0) filled += static_cast<std::size_t>(got);
  }
  return bytes;
}

std::string RandomUuid() {
  std::string bytes = RandomBytes(16);
  bytes[6] = static_cast<char>((bytes[6] & 0x0F) | 0x40);  // version 4
  bytes[8] = static_cast<char>((bytes[8] & 0x3F) | 0x80);  // the RFC's variant
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(36);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text.push_back('-');
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 0x0F]);
  }
  return text;
}

}  // namespace stator
