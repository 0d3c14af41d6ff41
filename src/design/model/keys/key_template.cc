#include "model/keys/key_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "base/try.h"
#include "model/model.h"
#include "model/names.h"
#include "model/parse/text_cursor.h"

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
class TemplateMatcher {
 public:
  TemplateMatcher(const Entity& entity, const KeyTemplate& key, std::string_view text)
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

KeyTemplate KeyTemplate::Plain(std::string_view attribute) {
  KeyTemplate plain;
  plain.attribute = attribute;
  plain.text = fmt::format("{{{}}}", attribute);
  plain.parts.push_back({.is_placeholder = true, .text = plain.attribute});
  return plain;
}

std::string_view KeyTemplate::Prefix() const {
  if (parts.empty() || parts.front().is_placeholder) return {};
  return parts.front().text;
}

bool KeyTemplate::IsPlain() const {
  return parts.size() == 1 && parts.front().is_placeholder && parts.front().format.empty() &&
         parts.front().text != kShard;
}

bool KeyTemplate::IsDerived() const { return !IsPlain() || parts.front().text != attribute; }

bool KeyTemplate::Uses(std::string_view attribute_name) const {
  return std::ranges::any_of(parts, [&](const TemplatePart& part) {
    return part.is_placeholder && part.text == attribute_name;
  });
}

std::vector<std::string> KeyTemplate::Sources() const {
  std::vector<std::string> names;
  for (const TemplatePart& part : parts) {
    if (!part.is_placeholder || part.text == kShard) continue;
    if (std::ranges::find(names, part.text) == names.end()) names.push_back(part.text);
  }
  return names;
}

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
  TemplateMatcher matcher(entity, key, text);
  if (!matcher.Match(0, 0)) return std::nullopt;
  return matcher.TakeValues();
}

}  // namespace stator::model
