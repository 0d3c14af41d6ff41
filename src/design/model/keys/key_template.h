// How a key attribute is made from others: "ALIAS#{chatId}", "{scheduledFor:013d}#{callId}".
//
//   template    := (text | placeholder)*
//   placeholder := '{' name (':' format)? '}'
//   format      := '0' digits 'd'      a whole number, padded with zeros to that many digits
//               |  'ulid' | 'date' | 'iso_s' | 'iso_ms' | …   how the value is written
//
// {shard} is the number of the shard of a sharded index. '{{' and '}}' are braces.
#ifndef STATOR_MODEL_KEYS_KEY_TEMPLATE_H_
#define STATOR_MODEL_KEYS_KEY_TEMPLATE_H_

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/place.h"
#include "stator/item.h"

namespace stator::model {

struct Entity;

// The placeholder that stands for the number of the shard.
inline constexpr std::string_view kShard = "shard";

struct TemplatePart {
  bool is_placeholder = false;
  std::string text;       // the literal, or the name of the attribute
  std::string format;     // of a placeholder; empty: the value as it is
  int padded_digits = 0;  // of "013d": 13; 0: not padded
};

struct KeyTemplate {
  std::string attribute;  // the attribute that is made
  std::string text;       // as written
  std::vector<TemplatePart> parts;
  Place place;

  // "{name}": the key is the attribute of its own name.
  static KeyTemplate Plain(std::string_view attribute);

  // The text before the first placeholder: "ALIAS#".
  std::string_view Prefix() const;
  // True if the template is one placeholder without a format: the attribute is the source itself.
  bool IsPlain() const;
  // True if the attribute is made from others: not a key that is the attribute of its own name.
  bool IsDerived() const;
  bool Uses(std::string_view attribute_name) const;
  std::vector<std::string> Sources() const;  // names, without {shard}, each once
};

// Reads a template: sets `text` and `parts`; the caller sets the attribute and the place.
std::expected<KeyTemplate, std::string> ReadKeyTemplate(std::string_view text);

// The text of a template for an item, or nullopt if the item lacks an attribute that it needs. The
// error says which value does not fit and why: a number too wide for its padding, a negative one, a
// value that contains a forbidden character, a type that cannot be written that way.
// `shard` is what {shard} becomes.
std::expected<std::optional<std::string>, std::string> RenderTemplate(const Entity& entity,
                                                                      const KeyTemplate& key,
                                                                      ItemView item,
                                                                      std::int64_t shard);

// The other way round: the values of the placeholders in a text made by the template, {shard}
// included; nullopt if the text cannot have been made by it.
std::optional<std::vector<std::pair<std::string, std::string>>> MatchTemplate(
    const Entity& entity, const KeyTemplate& key, std::string_view text);

// The first problem of a value in a template's place; empty: it fits.
std::string TemplateValueProblem(const Entity& entity, const TemplatePart& part, ValueView value);

}  // namespace stator::model

#endif  // STATOR_MODEL_KEYS_KEY_TEMPLATE_H_
