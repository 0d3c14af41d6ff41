// Writing the encoding of stator/item.h through a cursor.
#ifndef STATOR_VALUE_ENCODING_OUTPUT_H_
#define STATOR_VALUE_ENCODING_OUTPUT_H_

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

#include "base/check.h"
#include "value/encoding.h"
#include "value/output_cursor.h"

namespace stator::encoding {

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
  // The length of a number, a byte, is a varint too.
  for (const std::string_view member : members) WriteBytes(out, member);
  EndSized(out, begun);
}

}  // namespace stator::encoding

#endif  // STATOR_VALUE_ENCODING_OUTPUT_H_
