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

#include <string>
#include <string_view>
#include <vector>

#include "model/place.h"

namespace stator::model {

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

  // The text before the first placeholder: "ALIAS#".
  std::string_view Prefix() const;
  // True if the template is one placeholder without a format: the attribute is the source itself.
  bool IsPlain() const;
  // True if the attribute is made from others: not a key that is the attribute of its own name.
  bool IsDerived() const;
  bool Uses(std::string_view attribute_name) const;
  std::vector<std::string> Sources() const;  // names, without {shard}, each once
};

}  // namespace stator::model

#endif  // STATOR_MODEL_KEYS_KEY_TEMPLATE_H_
