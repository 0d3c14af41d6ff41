#include "auth/header_fields.h"

#include <algorithm>

namespace stator {

char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool SameHeaderName(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::ranges::equal(a, b, {}, LowerAscii, LowerAscii);
}

std::string_view TrimBlanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string Utf8OfHeader(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out.push_back(c);
    } else {
      out.push_back(static_cast<char>(0xc0 | (byte >> 6)));
      out.push_back(static_cast<char>(0x80 | (byte & 0x3f)));
    }
  }
  return out;
}

std::optional<std::string_view> FindHeader(const SignedRequest& request, std::string_view name) {
  for (const HeaderField& header : request.headers) {
    if (SameHeaderName(header.name, name)) return header.value;
  }
  return std::nullopt;
}

}  // namespace stator
