// Strings as JSON writes them.
#ifndef STATOR_VALUE_JSON_TEXT_H_
#define STATOR_VALUE_JSON_TEXT_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace stator {

// Appends the text with `"`, `\` and control characters escaped, without quotes around it.
void AppendJsonEscaped(std::string& out, std::string_view utf8);

// Length of the run at the front that needs no escape.
inline std::size_t PlainJsonRun(std::string_view text) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t kEach = 0x0101010101010101;
  constexpr std::uint64_t kHigh = kEach * 0x80;
  std::size_t at = 0;
#ifdef __SSE2__
  for (; at + 16 <= text.size(); at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    // Unsigned: the smaller of a byte and 0x1F is the byte itself only for control characters.
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const int special = _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, backslash)));
    if (special != 0) {
      return at + static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(special)));
    }
  }
#endif
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    // The high bit is set in the lowest byte that is below 0x20, a quote or a backslash; bytes
    // above it may be wrong, which does not matter.
    const std::uint64_t control = (bytes - kEach * 0x20) & ~bytes;
    const std::uint64_t quote_diff = bytes ^ kEach * '"';
    const std::uint64_t backslash_diff = bytes ^ kEach * '\\';
    const std::uint64_t quote = (quote_diff - kEach) & ~quote_diff;
    const std::uint64_t backslash = (backslash_diff - kEach) & ~backslash_diff;
    const std::uint64_t special = (control | quote | backslash) & kHigh;
    if (special != 0) return at + static_cast<std::size_t>(std::countr_zero(special)) / 8;
  }
  for (; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x20 || byte == '"' || byte == '\\') break;
  }
  return at;
}

// Appends `before`, the escaped text and `after`: literals, so that the usual text that needs no
// escape costs one look at the capacity and three copies.
template <std::size_t kBefore, std::size_t kAfter>
inline void AppendJsonText(std::string& out, const char (&before)[kBefore], std::string_view utf8,
                           const char (&after)[kAfter]) {
  if (PlainJsonRun(utf8) != utf8.size()) [[unlikely]] {
    out.append(before, kBefore - 1);
    AppendJsonEscaped(out, utf8);
    out.append(after, kAfter - 1);
    return;
  }
  const std::size_t start = out.size();
  const std::size_t end = start + kBefore - 1 + utf8.size() + kAfter - 1;
  out.resize_and_overwrite(end, [&](char* buffer, std::size_t) {
    char* to = buffer + start;
    std::memcpy(to, before, kBefore - 1);
    to += kBefore - 1;
    if (!utf8.empty()) std::memcpy(to, utf8.data(), utf8.size());
    std::memcpy(to + utf8.size(), after, kAfter - 1);
    return end;
  });
}

}  // namespace stator

#endif  // STATOR_VALUE_JSON_TEXT_H_
