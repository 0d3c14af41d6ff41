// Templates of keys: from an item's values to the text, and back.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/keys/derive.h"

namespace stator::model {
namespace {

constexpr std::string_view kShard = "shard";

bool IsDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string Quoted(std::string_view text) { return fmt::format("\"{}\"", text.substr(0, 60)); }

// The plain text of a value as keys write it; nullopt for types that cannot be part of a key.
std::optional<std::string> TextOf(ValueView value) {
  switch (value.type()) {
    case Type::kS:
      return std::string(value.S());
    case Type::kN:
      return value.N();
    case Type::kBool:
      return value.Bool() ? "true" : "false";
    default:
      return std::nullopt;
  }
}

std::string Padded(const std::string& digits, int width) {
  return std::string(static_cast<std::size_t>(width) - digits.size(), '0') + digits;
}

// Whether `text` can be the value of the placeholder.
bool CanStand(const Entity& entity, const TemplatePart& part, std::string_view text) {
  if (text.empty()) return false;
  if (part.padded_digits != 0) {
    return text.size() == static_cast<std::size_t>(part.padded_digits) && IsDigits(text);
  }
  if (part.text == kShard) return IsDigits(text);
  const Attribute* attribute = entity.FindAttribute(part.text);
  if (attribute == nullptr) return true;
  if (!attribute->values.empty() &&
      std::ranges::find(attribute->values, text) == attribute->values.end()) {
    return false;
  }
  return text.find_first_of(attribute->forbidden) == std::string_view::npos;
}

// Tries the parts from `part` on at `from`. Failed starts are remembered, so that hostile texts
// cost no more than parts × length.
class Matcher {
 public:
  Matcher(const Entity& entity, const KeyTemplate& key, std::string_view text)
      : entity_(entity), key_(key), text_(text) {}

  bool Match(std::size_t part, std::size_t from) {
    if (part == key_.parts.size()) return from == text_.size();
    if (failed_.contains({part, from})) return false;
    const TemplatePart& wanted = key_.parts[part];
    const bool matched = wanted.is_placeholder ? MatchPlaceholder(part, from)
                                               : text_.substr(from).starts_with(wanted.text) &&
                                                     Match(part + 1, from + wanted.text.size());
    if (!matched) failed_.insert({part, from});
    return matched;
  }

  std::vector<std::pair<std::string, std::string>> TakeValues() {
    std::ranges::reverse(values_);
    return std::move(values_);
  }

 private:
  bool MatchPlaceholder(std::size_t part, std::size_t from) {
    const TemplatePart& wanted = key_.parts[part];
    const bool is_last = part + 1 == key_.parts.size();
    for (std::size_t end = is_last ? text_.size() : from + 1; end <= text_.size(); ++end) {
      const std::string_view value = text_.substr(from, end - from);
      if (!CanStand(entity_, wanted, value) || !Match(part + 1, end)) continue;
      values_.emplace_back(wanted.text, value);
      return true;
    }
    return false;
  }

  const Entity& entity_;
  const KeyTemplate& key_;
  std::string_view text_;
  std::set<std::pair<std::size_t, std::size_t>> failed_;
  std::vector<std::pair<std::string, std::string>> values_;  // last first
};

}  // namespace

std::string TemplateValueProblem(const Entity& entity, const TemplatePart& part, ValueView value) {
  const std::optional<std::string> text = TextOf(value);
  if (!text)
    return fmt::format("{} is of type {}, which keys cannot hold", part.text,
                       TypeName(value.type()));
  if (text->empty()) return part.text + " is empty, and keys cannot be";
  if (part.padded_digits != 0) {
    if (!IsDigits(*text)) {
      return fmt::format("{} = {} is not a whole number that is not negative", part.text, *text);
    }
    if (text->size() > static_cast<std::size_t>(part.padded_digits)) {
      return fmt::format("{} = {} has more than {} digits", part.text, *text, part.padded_digits);
    }
  }
  const Attribute* attribute = entity.FindAttribute(part.text);
  if (attribute == nullptr) return {};
  const std::size_t bad = text->find_first_of(attribute->forbidden);
  if (bad != std::string::npos) {
    return fmt::format("{} = {} contains '{}', which separates the parts of a key", part.text,
                       Quoted(*text), (*text)[bad]);
  }
  return {};
}

std::expected<std::optional<std::string>, std::string> RenderTemplate(const Entity& entity,
                                                                      const KeyTemplate& key,
                                                                      ItemView item,
                                                                      std::int64_t shard) {
  std::string text;
  for (const TemplatePart& part : key.parts) {
    if (!part.is_placeholder) {
      text += part.text;
      continue;
    }
    if (part.text == kShard) {
      text += std::to_string(shard);
      continue;
    }
    const std::optional<ValueView> value = item.Find(part.text);
    if (!value || value->type() == Type::kNull) return std::nullopt;
    if (std::string problem = TemplateValueProblem(entity, part, *value); !problem.empty()) {
      return std::unexpected(std::move(problem));
    }
    const std::string plain = *TextOf(*value);
    text += part.padded_digits == 0 ? plain : Padded(plain, part.padded_digits);
  }
  return text;
}

std::optional<std::vector<std::pair<std::string, std::string>>> MatchTemplate(
    const Entity& entity, const KeyTemplate& key, std::string_view text) {
  Matcher matcher(entity, key, text);
  if (!matcher.Match(0, 0)) return std::nullopt;
  return matcher.TakeValues();
}

}  // namespace stator::model
