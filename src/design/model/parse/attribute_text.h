// Attributes: `str 12/20 no=# card=50`, `num epoch_s = now+30d`, `counters mon..sun`, `Act opt`.
//
//   attribute := type amount? word* ('=' default)?
//   type      := str | num | bin | bool | map | list | strset | numset | binset
//             |  counter | counters names | a name of `types`
//   names     := name ('|' name)* | mon..sun | jan..dec | number '..' number
//
// docs/model.md lists the words.
#ifndef STATOR_MODEL_PARSE_ATTRIBUTE_TEXT_H_
#define STATOR_MODEL_PARSE_ATTRIBUTE_TEXT_H_

#include <map>
#include <string>
#include <string_view>

#include "model/attribute.h"
#include "model/parse/text_cursor.h"

namespace stator::model {

using NamedTypes = std::map<std::string, Attribute, std::less<>>;

// The name and the place are left to the caller.
Read<Attribute> ReadAttribute(std::string_view text, const NamedTypes& types);

// "str", "num", "bin" … → kS, kN, kB …
std::optional<Type> TypeOfWord(std::string_view word);
// The first word of an attribute's text, which names its type.
std::string_view TypeWord(std::string_view text);
// kEpochSeconds → "epoch_s" …; empty for what has no unit.
std::string_view WordOfUnit(Unit unit);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_ATTRIBUTE_TEXT_H_
