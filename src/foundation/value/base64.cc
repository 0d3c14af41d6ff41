#include "value/base64.h"

#include <array>
#include <cstring>

namespace stator {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kBad = 0xFF;

constexpr std::array<std::uint8_t, 256> kSextets = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(kBad);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return table;
}();

// Two characters for twelve bits.
constexpr std::array<std::array<char, 2>, 4096> kPairs = [] {
  std::array<std::array<char, 2>, 4096> table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = {kAlphabet[i >> 6], kAlphabet[i & 63]};
  return table;
}();

std::uint32_t Byte(const char* at) { return static_cast<unsigned char>(*at); }
std::uint32_t Sextet(const char* at) { return kSextets[static_cast<unsigned char>(*at)]; }

std::size_t PaddingOf(std::string_view text) {
  if (!text.ends_with('=')) return 0;
  return text.ends_with("==") ? 2 : 1;
}

void EncodeTail(std::string_view tail, char* to) {
  const std::uint32_t bits =
      Byte(tail.data()) << 16 | (tail.size() == 2 ? Byte(tail.data() + 1) << 8 : 0);
  *to++ = kAlphabet[bits >> 18];
  *to++ = kAlphabet[bits >> 12 & 63];
  *to++ = tail.size() == 2 ? kAlphabet[bits >> 6 & 63] : '=';
  *to = '=';
}

// Padding in the wrong place is reported as a wrong last character. REQUIRES: a character that does
// not belong where it is.
Base64Status StatusOfBad(std::string_view text) {
  return FirstBadBase64Character(text) == "=" ? Base64Status::kBadLastBits
                                              : Base64Status::kBadCharacter;
}

// Decodes the last, padded group. REQUIRES: one or two characters of padding.
Base64Status DecodeTail(const char* from, std::size_t padding, char* to) {
  const std::uint32_t third = padding == 1 ? Sextet(from + 2) : 0;
  if (((Sextet(from) | Sextet(from + 1) | third) & 0x80) != 0) return StatusOfBad({from, 4});
  const std::uint32_t bits = Sextet(from) << 18 | Sextet(from + 1) << 12 | third << 6;
  const std::uint32_t unused = padding == 1 ? 0xFF : 0xFFFF;
  if ((bits & unused) != 0) return Base64Status::kBadLastBits;
  *to++ = static_cast<char>(bits >> 16);
  if (padding == 1) *to = static_cast<char>(bits >> 8);
  return Base64Status::kOk;
}

}  // namespace

void WriteBase64(char* to, std::string_view bytes) {
  const char* from = bytes.data();
  for (const char* end = from + bytes.size() / 3 * 3; from != end; from += 3, to += 4) {
    const std::uint32_t bits = Byte(from) << 16 | Byte(from + 1) << 8 | Byte(from + 2);
    std::memcpy(to, kPairs[bits >> 12].data(), 2);
    std::memcpy(to + 2, kPairs[bits & 0xFFF].data(), 2);
  }
  const std::size_t tail = bytes.size() % 3;
  if (tail != 0) EncodeTail({from, tail}, to);
}

void AppendBase64(std::string& out, std::string_view bytes) {
  const std::size_t before = out.size();
  const std::size_t after = before + Base64Length(bytes.size());
  // The operation's own size argument may be the grown capacity (libstdc++ 12): it is not used.
  out.resize_and_overwrite(after, [&](char* buffer, std::size_t) {
    WriteBase64(buffer + before, bytes);
    return after;
  });
}

std::size_t Base64DecodedLength(std::string_view text) {
  if (text.size() < 4) return 0;
  return text.size() / 4 * 3 - PaddingOf(text);
}

Base64Status DecodeBase64(char* to, std::string_view text) {
  if (text.size() % 4 != 0) return Base64Status::kBadLength;
  if (text.empty()) return Base64Status::kOk;
  const std::size_t padding = PaddingOf(text);
  const std::size_t whole = padding == 0 ? text.size() : text.size() - 4;
  std::uint32_t bad = 0;
  const char* from = text.data();
  for (const char* end = from + whole; from != end; from += 4, to += 3) {
    const std::uint32_t a = Sextet(from), b = Sextet(from + 1), c = Sextet(from + 2),
                        d = Sextet(from + 3);
    bad |= a | b | c | d;
    const std::uint32_t bits = a << 18 | b << 12 | c << 6 | d;
    to[0] = static_cast<char>(bits >> 16);
    to[1] = static_cast<char>(bits >> 8);
    to[2] = static_cast<char>(bits);
  }
  if ((bad & 0x80) != 0) return StatusOfBad(text);
  return padding == 0 ? Base64Status::kOk : DecodeTail(from, padding, to);
}

Base64Status AppendBase64Decoded(std::string& out, std::string_view text) {
  const std::size_t before = out.size();
  const std::size_t after = before + Base64DecodedLength(text);
  Base64Status status = Base64Status::kOk;
  out.resize_and_overwrite(after, [&](char* buffer, std::size_t) {
    status = DecodeBase64(buffer + before, text);
    return status == Base64Status::kOk ? after : before;
  });
  return status;
}

std::string_view FirstBadBase64Character(std::string_view text) {
  const std::string_view unpadded = text.substr(0, text.size() - PaddingOf(text));
  const std::size_t bad = unpadded.find_first_not_of(kAlphabet);
  if (bad == std::string_view::npos) return {};
  std::size_t end = bad + 1;
  while (end < unpadded.size() && (Byte(unpadded.data() + end) & 0xC0) == 0x80) ++end;
  return unpadded.substr(bad, end - bad);
}

}  // namespace stator
