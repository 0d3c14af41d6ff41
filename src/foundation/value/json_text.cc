#include "value/json_text.h"

#include <array>

namespace stator {
namespace {

// The character behind the backslash for a byte that needs an escape; u is followed by four digits.
constexpr std::array<char, 256> kEscapes = [] {
  std::array<char, 256> table{};
  for (std::size_t i = 0; i < 0x20; ++i) table[i] = 'u';
  table['\b'] = 'b';
  table['\f'] = 'f';
  table['\n'] = 'n';
  table['\r'] = 'r';
  table['\t'] = 't';
  table['"'] = '"';
  table['\\'] = '\\';
  return table;
}();

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::size_t kMaxEscape = 6;

char* WriteEscape(char* to, unsigned char byte) {
  const char escape = kEscapes[byte];
  *to++ = '\\';
  *to++ = escape;
  if (escape == 'u') {
    *to++ = '0';
    *to++ = '0';
    *to++ = kHex[byte >> 4];
    *to++ = kHex[byte & 0xF];
  }
  return to;
}

}  // namespace

void json_text_internal::WriteEscaped(OutputCursor& out, std::string_view utf8) {
  while (!utf8.empty()) {
    char* to = out.Room(kMaxEscape + utf8.size());
    to = WriteEscape(to, static_cast<unsigned char>(utf8.front()));
    utf8.remove_prefix(1);
    const std::size_t run = CopyPlainRun(to, utf8);
    utf8.remove_prefix(run);
    out.MoveTo(to + run);
  }
}

void AppendJsonEscaped(std::string& out, std::string_view utf8) {
  OutputCursor cursor(out);
  WriteJsonText(cursor, "", utf8, "");
}

}  // namespace stator
