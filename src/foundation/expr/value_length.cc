#include "expr/value_length.h"

namespace stator {
namespace {

// One unit for each character, two for those outside the basic plane: their UTF-8 form has four
// bytes.
std::size_t Utf16Units(std::string_view utf8) {
  std::size_t units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0) != 0x80;
    units += byte >= 0xF0;
  }
  return units;
}

}  // namespace

std::optional<std::size_t> ValueLength(ValueView value) {
  switch (value.type()) {
    case Type::kS:
      return Utf16Units(value.S());
    case Type::kB:
      return value.B().size();
    case Type::kSS:
    case Type::kNS:
    case Type::kBS:
      return value.Set().size();
    case Type::kL:
      return value.List().size();
    case Type::kM:
      return value.Map().size();
    default:
      return std::nullopt;
  }
}

}  // namespace stator
