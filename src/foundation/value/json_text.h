// Strings as JSON writes them.
#ifndef STATOR_VALUE_JSON_TEXT_H_
#define STATOR_VALUE_JSON_TEXT_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "value/output_cursor.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace stator {

// Appends the text with `"`, `\` and control characters escaped, without quotes around it.
void AppendJsonEscaped(std::string& out, std::string_view utf8);

namespace json_text_internal {

inline constexpr std::size_t kBlock = 16;

// How many of 16 bytes, in memory order, come before the first that needs an escape.
#ifdef __SSE2__
inline std::size_t PlainBytes(__m128i bytes) {
  // Flipping bit 1 turns a quote (0x22) into 0x20 and maps control characters among themselves:
  // exactly these are at most 0x20 afterwards, and for those the unsigned minimum with 0x20 is the
  // byte itself.
  const __m128i turned = _mm_xor_si128(bytes, _mm_set1_epi8(0x02));
  const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(turned, _mm_set1_epi8(0x20)), turned);
  const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  const auto special = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(low, backslash)));
  return special == 0 ? kBlock : static_cast<std::size_t>(std::countr_zero(special));
}

inline std::size_t PlainBytes(std::uint64_t low, std::uint64_t high) {
  return PlainBytes(
      _mm_set_epi64x(static_cast<std::int64_t>(high), static_cast<std::int64_t>(low)));
}
#else
// The same for eight bytes.
inline std::size_t PlainBytes(std::uint64_t bytes) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t kEach = 0x0101010101010101;
  // Sets the high bit of the lowest byte that is below 0x20, a quote or a backslash. A borrow may
  // also set it in bytes above that one, which does not matter.
  const std::uint64_t control = (bytes - kEach * 0x20) & ~bytes;
  const std::uint64_t quote_diff = bytes ^ kEach * '"';
  const std::uint64_t backslash_diff = bytes ^ kEach * '\\';
  const std::uint64_t quote = (quote_diff - kEach) & ~quote_diff;
  const std::uint64_t backslash = (backslash_diff - kEach) & ~backslash_diff;
  const std::uint64_t special = (control | quote | backslash) & kEach * 0x80;
  return static_cast<std::size_t>(std::countr_zero(special)) / 8;
}

inline std::size_t PlainBytes(std::uint64_t low, std::uint64_t high) {
  const std::size_t plain = PlainBytes(low);
  return plain == 8 ? 8 + PlainBytes(high) : plain;
}
#endif

// Copies a block, and returns how many of its bytes come before the first that needs an escape.
inline std::size_t CopyBlock(char* to, const char* from) {
#ifdef __SSE2__
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  return PlainBytes(bytes);
#else
  std::uint64_t words[2];
  std::memcpy(words, from, sizeof words);
  std::memcpy(to, words, sizeof words);
  return PlainBytes(words[0], words[1]);
#endif
}

template <class Word>
Word Copy(char* to, const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  std::memcpy(to, &word, sizeof word);
  return word;
}

// CopyPlainRun of less than a block. Two words that may overlap cover it, three bytes a tiny one.
inline std::size_t CopyShortPlainRun(char* to, std::string_view text) {
  const char* const from = text.data();
  const std::size_t size = text.size();
  if (size == 0) return 0;
  constexpr std::uint64_t kSpaces = 0x2020202020202020;
  std::uint64_t first;
  std::uint64_t last = kSpaces;
  if (size >= 8) {
    first = Copy<std::uint64_t>(to, from);
    last = Copy<std::uint64_t>(to + size - 8, from + size - 8);
  } else if (size >= 4) {
    first = Copy<std::uint32_t>(to, from);
    first |= std::uint64_t{Copy<std::uint32_t>(to + size - 4, from + size - 4)} << 32;
  } else {
    first = kSpaces << 24 | Copy<std::uint8_t>(to, from);
    first |= std::uint64_t{Copy<std::uint8_t>(to + size / 2, from + size / 2)} << 8;
    first |= std::uint64_t{Copy<std::uint8_t>(to + size - 1, from + size - 1)} << 16;
  }
  if (PlainBytes(first, last) == kBlock) [[likely]]
    return size;
  std::size_t at = 0;
  while (PlainBytes(kSpaces << 8 | static_cast<unsigned char>(from[at]), kSpaces) == kBlock) ++at;
  return at;
}

// Writes text that starts with a byte that needs an escape.
void WriteEscaped(OutputCursor& out, std::string_view utf8);

}  // namespace json_text_internal

// Copies the text as far as it needs no escape, and returns how far. REQUIRES: text.size() bytes
// may be written at `to`; those behind the run are left undefined.
inline std::size_t CopyPlainRun(char* to, std::string_view text) {
  using namespace json_text_internal;  // NOLINT
  if (text.size() < kBlock) return CopyShortPlainRun(to, text);
  // The last block may overlap the one before it.
  const std::size_t last = text.size() - kBlock;
  for (std::size_t at = 0; at < last; at += kBlock) {
    const std::size_t plain = CopyBlock(to + at, text.data() + at);
    if (plain != kBlock) [[unlikely]]
      return at + plain;
  }
  return last + CopyBlock(to + last, text.data() + last);
}

// Writes `before`, the escaped text and `after`, which end in a zero byte that is not written.
template <std::size_t kBefore, std::size_t kAfter>
inline void WriteJsonText(OutputCursor& out, const char (&before)[kBefore], std::string_view utf8,
                          const char (&after)[kAfter]) {
  char* to = out.Room(kBefore - 1 + utf8.size() + kAfter - 1);
  std::memcpy(to, before, kBefore - 1);
  to += kBefore - 1;
  const std::size_t run = CopyPlainRun(to, utf8);
  to += run;
  if (run != utf8.size()) [[unlikely]] {
    out.MoveTo(to);
    json_text_internal::WriteEscaped(out, utf8.substr(run));
    to = out.Room(kAfter - 1);
  }
  std::memcpy(to, after, kAfter - 1);
  out.MoveTo(to + kAfter - 1);
}

}  // namespace stator

#endif  // STATOR_VALUE_JSON_TEXT_H_
