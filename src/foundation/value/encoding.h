// Reads and writes the encoding of stator/item.h. Reading is unchecked: the bytes must be well
// formed.
#ifndef STATOR_VALUE_ENCODING_H_
#define STATOR_VALUE_ENCODING_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

#include "base/check.h"
#include "stator/item.h"
#include "value/output_cursor.h"

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

// The Read functions split what they read off the front of the bytes at `at`. They are always
// inlined: every request runs through them, and a large batch of sources would use up the budget of
// the inliner.

[[gnu::always_inline]] inline std::uint64_t ReadVarint(const char*& at) {
  auto byte = static_cast<unsigned char>(*at++);
  if (byte < 0x80) [[likely]]
    return byte;
  std::uint64_t value = byte & 0x7F;
  for (int shift = 7; byte >= 0x80; shift += 7) {
    byte = static_cast<unsigned char>(*at++);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
  }
  return value;
}

[[gnu::always_inline]] inline std::string_view Take(const char*& at, std::size_t length) {
  const std::string_view taken(at, length);
  at += length;
  return taken;
}

// length:varint and the bytes it counts.
[[gnu::always_inline]] inline std::string_view ReadBytes(const char*& at) {
  const std::size_t length = ReadVarint(at);
  return Take(at, length);
}

// length:u8 and the number it counts.
[[gnu::always_inline]] inline std::string_view ReadNumber(const char*& at) {
  const std::size_t length = static_cast<unsigned char>(*at++);
  return Take(at, length);
}

// One member of a set.
inline std::string_view ReadMember(Type set_type, const char*& at) {
  return set_type == Type::kNS ? ReadNumber(at) : ReadBytes(at);
}

// Orders two names. The first byte decides nearly always. REQUIRES: neither is empty.
inline int CompareNames(std::string_view a, std::string_view b) {
  const int difference =
      static_cast<unsigned char>(a.front()) - static_cast<unsigned char>(b.front());
  return difference != 0 ? difference : a.compare(b);
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

// REQUIRES: a set type.
inline char SetTag(Type type) {
  switch (type) {
    case Type::kSS:
      return kStringSet;
    case Type::kNS:
      return kNumberSet;
    default:
      return kBinarySet;
  }
}

// The end of the encoded value that begins at `at`.
inline const char* ValueEnd(const char* at) {
  switch (*at++) {
    case kString:
    case kBinary: {
      const std::size_t length = ReadVarint(at);
      return at + length;
    }
    case kNumber:
      return at + 1 + static_cast<unsigned char>(*at);
    case kTrue:
    case kFalse:
    case kNull:
      return at;
    default:
      return at + kSizeBytes + ReadSize(at);
  }
}

inline ValueView ReadValue(const char*& at) {
  const char* const begin = at;
  at = ValueEnd(begin);
  return ValueView({begin, at});
}

// The Write functions append through a cursor.

inline constexpr std::size_t kMaxVarintBytes = 10;

// Exact for short lengths, so that a short text stays within a short string.
inline std::size_t VarintRoom(std::uint64_t value) { return value < 0x80 ? 1 : kMaxVarintBytes; }

inline char* WriteVarint(char* to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
  *to++ = static_cast<char>(value);
  return to;
}

inline void WriteTag(OutputCursor& out, char tag) {
  char* const to = out.Room(1);
  *to = tag;
  out.MoveTo(to + 1);
}

inline void WriteCount(OutputCursor& out, std::size_t count) {
  out.MoveTo(WriteVarint(out.Room(VarintRoom(count)), count));
}

// length:varint and the bytes.
inline void WriteBytes(OutputCursor& out, std::string_view bytes) {
  char* const to = WriteVarint(out.Room(VarintRoom(bytes.size()) + bytes.size()), bytes.size());
  out.MoveTo(CopyBytes(to, bytes));
}

inline void WriteString(OutputCursor& out, std::string_view text) {
  char* to = out.Room(1 + VarintRoom(text.size()) + text.size());
  *to++ = kString;
  out.MoveTo(CopyBytes(WriteVarint(to, text.size()), text));
}

// Leaves room for size:u32, which EndSized fills in.
inline std::size_t BeginSized(OutputCursor& out, char tag) {
  char* const to = out.Room(1 + kSizeBytes);
  *to = tag;
  out.MoveTo(to + 1 + kSizeBytes);
  return out.size();
}

inline void EndSized(OutputCursor& out, std::size_t begun) {
  const std::size_t size = out.size() - begun;
  STATOR_CHECK(size <= std::numeric_limits<std::uint32_t>::max());
  const auto size32 = static_cast<std::uint32_t>(size);
  std::memcpy(out.At(begun) - kSizeBytes, &size32, sizeof size32);
}

// A set from its members as they are encoded. REQUIRES: sorted, distinct.
inline void WriteSet(OutputCursor& out, Type type, std::span<const std::string_view> members) {
  const std::size_t begun = BeginSized(out, SetTag(type));
  WriteCount(out, members.size());
  // The length byte of a number is a varint, too.
  for (const std::string_view member : members) WriteBytes(out, member);
  EndSized(out, begun);
}

}  // namespace stator::encoding

#endif  // STATOR_VALUE_ENCODING_H_
