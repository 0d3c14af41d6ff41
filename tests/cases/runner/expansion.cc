#include "expansion.h"

#include <charconv>
#include <cstddef>
#include <optional>

namespace stator::cases {
namespace {

constexpr std::size_t kRepeatMax = 5'000'000;

// Takes a text in backquotes from the front of `rest`.
std::optional<std::string_view> TakeQuoted(std::string_view& rest) {
  const auto first = rest.find_first_not_of(' ');
  if (first == std::string_view::npos || rest[first] != '`') return std::nullopt;
  const auto end = rest.find('`', first + 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = rest.substr(first + 1, end - first - 1);
  rest.remove_prefix(end + 1);
  return text;
}

void AppendCounted(std::string& out, std::string_view text, std::size_t count) {
  while (true) {
    const auto at = text.find("$i");
    out += text.substr(0, at);
    if (at == std::string_view::npos) return;
    out += std::to_string(count);
    text.remove_prefix(at + 2);
  }
}

std::expected<std::string, std::string> Repeat(std::string_view arguments) {
  std::size_t times = 0;
  const auto number = std::from_chars(arguments.data(), arguments.data() + arguments.size(), times);
  if (number.ec != std::errc() || times > kRepeatMax) {
    return std::unexpected("repeat needs a number");
  }
  std::string_view rest = arguments.substr(static_cast<std::size_t>(number.ptr - arguments.data()));
  const auto text = TakeQuoted(rest);
  if (!text) return std::unexpected("repeat needs a text in backquotes");
  const std::string_view separator = TakeQuoted(rest).value_or("");
  std::string out;
  for (std::size_t count = 1; count <= times; ++count) {
    if (count > 1) out += separator;
    AppendCounted(out, *text, count);
  }
  return out;
}

// Where the directive that starts at `text` ends: braces between backquotes do not count.
std::size_t FindEnd(std::string_view text) {
  bool quoted = false;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] == '`') quoted = !quoted;
    if (!quoted && text[at] == '}' && text[at + 1] == '}') return at;
  }
  return std::string_view::npos;
}

// What stands between the quotes of the saved text that "text NAME" names.
std::optional<std::string_view> SavedText(std::string_view directive, const SavedValues& saved) {
  constexpr std::string_view kText = "text ";
  if (!directive.starts_with(kText)) return std::nullopt;
  const auto value = saved.find(directive.substr(kText.size()));
  if (value == saved.end() || !value->second.starts_with('"')) return std::nullopt;
  return std::string_view(value->second).substr(1, value->second.size() - 2);
}

}  // namespace

std::expected<std::string, std::string> Expand(std::string_view text, const SavedValues& saved) {
  std::string out;
  while (true) {
    const auto start = text.find("{{");
    out += text.substr(0, start);
    if (start == std::string_view::npos) return out;
    text.remove_prefix(start + 2);
    const auto end = FindEnd(text);
    if (end == std::string_view::npos) return std::unexpected("'{{' without '}}'");
    const std::string_view directive = text.substr(0, end);
    text.remove_prefix(end + 2);
    if (directive.starts_with("repeat ")) {
      auto repeated = Repeat(directive.substr(7));
      if (!repeated) return repeated;
      out += *repeated;
    } else if (const auto value = saved.find(directive); value != saved.end()) {
      out += value->second;
    } else if (const auto inner = SavedText(directive, saved)) {
      out += *inner;
    } else {
      return std::unexpected("nothing is saved as '" + std::string(directive) + "'");
    }
  }
}

}  // namespace stator::cases
