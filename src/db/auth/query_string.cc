#include "auth/query_string.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stator {
namespace {

struct Parameter {
  std::string_view name;
  std::string_view value;
};

// Cuts the first parameter off. REQUIRES: there is one.
Parameter TakeParameter(std::string_view& query) {
  const std::size_t end = std::min(query.find('&'), query.size());
  const std::string_view part = query.substr(0, end);
  query.remove_prefix(std::min(end + 1, query.size()));
  const std::size_t equals = std::min(part.find('='), part.size());
  return {part.substr(0, equals), part.substr(std::min(equals + 1, part.size()))};
}

// -1: no digit.
int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '~';
}

std::string PercentEncoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (IsUnreserved(c)) {
      out.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
    }
  }
  return out;
}

std::string Canonical(std::string_view text) { return PercentEncoded(PercentDecoded(text)); }

}  // namespace

std::optional<std::string_view> FindQueryParameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const Parameter parameter = TakeParameter(query);
    if (parameter.name == name) return parameter.value;
  }
  return std::nullopt;
}

std::string PercentDecoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool has_digits = text[i] == '%' && i + 2 < text.size() && HexValue(text[i + 1]) >= 0 &&
                            HexValue(text[i + 2]) >= 0;
    if (!has_digits) {
      out.push_back(text[i]);
      continue;
    }
    out.push_back(static_cast<char>((HexValue(text[i + 1]) << 4) | HexValue(text[i + 2])));
    i += 2;
  }
  return out;
}

std::string CanonicalQuery(std::string_view query, std::string_view left_out) {
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!query.empty()) {
    const Parameter parameter = TakeParameter(query);
    if (parameter.name.empty() && parameter.value.empty()) continue;  // "a=1&&b=2"
    if (!left_out.empty() && parameter.name == left_out) continue;
    parameters.emplace_back(Canonical(parameter.name), Canonical(parameter.value));
  }
  std::ranges::sort(parameters);
  std::string out;
  for (const auto& [name, value] : parameters) {
    if (!out.empty()) out.push_back('&');
    out.append(name).append("=").append(value);
  }
  return out;
}

}  // namespace stator
