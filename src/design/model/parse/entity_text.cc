#include "model/parse/entity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "model/names.h"
#include "model/parse/quantity_text.h"

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

Read<std::vector<std::string>> StateNames(std::string_view text, std::string_view line) {
  std::vector<std::string> names;
  for (const std::string_view name : SplitText(text, '|')) {
    if (name.empty()) return std::unexpected(fmt::format("`{}` lacks the name of a state", line));
    names.emplace_back(name);
  }
  return names;
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

Read<State> ReadState(std::string_view text) {
  State state;
  for (std::string_view part : SplitText(text, ',')) {
    if (part == "end") {
      state.end = true;
    } else if (part.starts_with("dwell ")) {
      ASSIGN_OR_RETURN(state.dwell, ReadDuration(Trim(part.substr(6))));
    } else if (!part.empty()) {
      return std::unexpected(fmt::format("`{}` must be `end` or `dwell DURATION`", text));
    }
  }
  return state;
}

Read<Move> ReadMove(std::string_view text, std::string_view stamp) {
  Move move;
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) {
    return std::unexpected(fmt::format("`{}` must be `FROM -> TO`", text));
  }
  const std::string_view from = Trim(text.substr(0, arrow));
  if (from != "*") {
    ASSIGN_OR_RETURN(move.from, StateNames(from, text));
  }
  std::string_view rest = text.substr(arrow + 2);
  // Signs stand after a space, so that the name of a state may hold a '-'.
  std::vector<std::string_view> words = SplitWords(rest);
  std::string to;
  for (const std::string_view word : words) {
    const bool sign = word.front() == '+' || word.front() == '-';
    if (!sign) {
      to += word;
    } else if (word.size() == 1) {
      return std::unexpected(fmt::format("`{}` has a sign without an attribute", text));
    } else if (word.front() == '+') {
      move.sets.emplace_back(word.substr(1));
    } else if (word.substr(1) == stamp) {
      move.stamps = false;
    } else {
      return std::unexpected(fmt::format("`{}`: only the stamp can be left out, and `{}` is not it",
                                         text, word.substr(1)));
    }
  }
  ASSIGN_OR_RETURN(move.to, StateNames(to, text));
  return move;
}

}  // namespace stator::model
