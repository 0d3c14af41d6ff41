// Items as plain JSON objects, as in the lines of a log: {"CallId": "c1", "ok": false}.
#ifndef STATOR_SYSTEMS_PROGRAM_JSON_LINE_H_
#define STATOR_SYSTEMS_PROGRAM_JSON_LINE_H_

#include <string>
#include <string_view>

#include "stator/item.h"
#include "systems/program/fallible.h"

namespace stator::systems {

// Text, numbers, true, false, null, lists and objects, nested at most 32 deep. The error says what
// is wrong with the text.
Fallible<Item> ItemOfJson(std::string_view json);

// On one line. Sets become arrays, binaries base64.
std::string JsonOfItem(ItemView item);
// The text in quotes, escaped.
std::string JsonText(std::string_view text);

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_JSON_LINE_H_
