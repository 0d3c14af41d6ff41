// Reading bytes that are known to be a well-formed encoding (grammar: stator/item.h). Unchecked.
#ifndef STATOR_VALUE_ENCODING_H_
#define STATOR_VALUE_ENCODING_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "stator/item.h"

namespace stator::encoding {

inline constexpr char kString = 'S';
inline constexpr char kNumber = 'N';
inline constexpr char kBinary = 'B';
inline constexpr char kTrue = 'T';
inline constexpr char kFalse = 'F';
inline constexpr char kNull = '0';
inline constexpr char kStringSet = 's';
inline constexpr char kNumberSet = 'n';
inline constexpr char kBinarySet = 'b';
inline constexpr char kList = 'L';
inline constexpr char kMap = 'M';

// Bytes of size:u32.
inline constexpr std::size_t kSizeBytes = 4;

static_assert(std::endian::native == std::endian::little);

inline std::uint32_t ReadSize(const char* bytes) {
  std::uint32_t size;
  std::memcpy(&size, bytes, sizeof size);
  return size;
}

// Splits a varint off the front.
inline std::uint64_t ReadVarint(std::string_view& rest) {
  auto byte = static_cast<unsigned char>(rest.front());
  rest.remove_prefix(1);
  if (byte < 0x80) [[likely]]
    return byte;
  std::uint64_t value = byte & 0x7F;
  for (int shift = 7; byte >= 0x80; shift += 7) {
    byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
  }
  return value;
}

inline std::string_view Take(std::string_view& rest, std::size_t length) {
  const std::string_view taken(rest.data(), length);
  rest.remove_prefix(length);
  return taken;
}

// Splits off length:varint and the bytes it counts.
inline std::string_view ReadBytes(std::string_view& rest) {
  const std::size_t length = ReadVarint(rest);
  return Take(rest, length);
}

// Splits off length:u8 and the number it counts.
inline std::string_view ReadNumber(std::string_view& rest) {
  const auto length = static_cast<unsigned char>(rest.front());
  rest.remove_prefix(1);
  return Take(rest, length);
}

// Splits off one member of a set.
inline std::string_view ReadMember(Type set_type, std::string_view& rest) {
  return set_type == Type::kNS ? ReadNumber(rest) : ReadBytes(rest);
}

inline Type TypeOfTag(char tag) {
  switch (tag) {
    case kString:
      return Type::kS;
    case kNumber:
      return Type::kN;
    case kBinary:
      return Type::kB;
    case kTrue:
    case kFalse:
      return Type::kBool;
    case kStringSet:
      return Type::kSS;
    case kNumberSet:
      return Type::kNS;
    case kBinarySet:
      return Type::kBS;
    case kList:
      return Type::kL;
    case kMap:
      return Type::kM;
    default:
      return Type::kNull;
  }
}

// Length of the encoded value at the front of `bytes`.
inline std::size_t ValueLength(std::string_view bytes) {
  switch (bytes.front()) {
    case kString:
    case kBinary: {
      std::string_view rest = bytes.substr(1);
      const std::size_t length = ReadVarint(rest);
      return bytes.size() - rest.size() + length;
    }
    case kNumber:
      return 2 + static_cast<std::size_t>(static_cast<unsigned char>(bytes[1]));
    case kTrue:
    case kFalse:
    case kNull:
      return 1;
    default:
      return 1 + kSizeBytes + ReadSize(bytes.data() + 1);
  }
}

// Splits one value off the front.
inline ValueView ReadValue(std::string_view& rest) {
  return ValueView(Take(rest, ValueLength(rest)));
}

}  // namespace stator::encoding

#endif  // STATOR_VALUE_ENCODING_H_
