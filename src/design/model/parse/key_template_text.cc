#include "model/parse/key_template_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/try.h"
#include "model/parse/nearest_name.h"

namespace stator::model {
namespace {

constexpr int kMostDigits = 38;
constexpr std::size_t kMostParts = 32;
constexpr std::array<std::string_view, 8> kFormats{"ulid",  "uuid",   "date",  "iso",
                                                   "iso_s", "iso_ms", "lower", "upper"};

Read<TemplatePart> ReadPlaceholder(std::string_view inside, std::string_view text) {
  TemplatePart part{.is_placeholder = true};
  const std::size_t colon = inside.find(':');
  part.text = Trim(inside.substr(0, colon));
  if (part.text.empty() || !std::ranges::all_of(part.text, IsNameCharacter)) {
    return std::unexpected(fmt::format("`{{{}}}` in `{}` must name an attribute", inside, text));
  }
  if (colon == std::string_view::npos) return part;
  part.format = Trim(inside.substr(colon + 1));
  const std::string_view format = part.format;
  if (format.size() >= 3 && format.size() <= 4 && format.front() == '0' && format.back() == 'd' &&
      std::ranges::all_of(format.substr(1, format.size() - 2), IsDigit)) {
    part.padded_digits = static_cast<int>(*ReadNumber(format.substr(1, format.size() - 2)));
    if (part.padded_digits >= 1 && part.padded_digits <= kMostDigits) return part;
  } else if (std::ranges::find(kFormats, format) != kFormats.end()) {
    return part;
  }
  return std::unexpected(
      fmt::format("unknown format `{}` in `{}`; write `013d` (1 to {} digits), or {}", format, text,
                  kMostDigits, NameHint(format, kFormats)));
}

}  // namespace

Read<KeyTemplate> ReadKeyTemplate(std::string_view text) {
  KeyTemplate result;
  result.text = text;
  std::string literal;
  const auto flush = [&] {
    if (!literal.empty()) result.parts.push_back({.text = std::exchange(literal, {})});
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool doubled = at + 1 < text.size() && text[at + 1] == c;
    if ((c == '{' || c == '}') && doubled) {
      literal += c;
      ++at;
    } else if (c == '{') {
      const std::size_t end = text.find('}', at);
      if (end == std::string_view::npos) {
        return std::unexpected(fmt::format("`{}` has a {{ without its }}", text));
      }
      flush();
      ASSIGN_OR_RETURN(TemplatePart part, ReadPlaceholder(text.substr(at + 1, end - at - 1), text));
      result.parts.push_back(std::move(part));
      at = end;
    } else if (c == '}') {
      return std::unexpected(fmt::format("`{}` has a }} without its {{", text));
    } else {
      literal += c;
    }
  }
  flush();
  if (result.parts.size() > kMostParts) {
    return std::unexpected(fmt::format("a key template has at most {} parts", kMostParts));
  }
  if (result.parts.empty()) return std::unexpected("a key template must not be empty");
  return result;
}

}  // namespace stator::model
