// Plain JSON objects, as lines of logs have them, to items and back: {"CallId": "c1", "ok": false}.
#ifndef STATOR_SYSTEMS_PROGRAM_JSON_LINE_H_
#define STATOR_SYSTEMS_PROGRAM_JSON_LINE_H_

#include <expected>
#include <string>
#include <string_view>

#include "stator/item.h"

namespace stator::systems {

// Text, numbers, true and false, null, lists and objects, nested 32 deep at most.
std::expected<Item, std::string> ItemOfJson(std::string_view json);

// On one line. Sets become lists, binaries base64.
std::string JsonOfItem(ItemView item);
// "text" with quotes and escapes.
std::string JsonText(std::string_view text);

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_JSON_LINE_H_
