// Items: their values as programs read and write them, and items as plain JSON objects, as in the
// lines of a log: {"CallId": "c1", "ok": false}.
#ifndef STATOR_SYSTEMS_PROGRAM_ITEMS_H_
#define STATOR_SYSTEMS_PROGRAM_ITEMS_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "stator/clock.h"
#include "stator/item.h"
#include "systems/program/fallible.h"

namespace stator::systems {

// An attribute that is missing or of another type is empty or 0.
std::string TextOf(ItemView item, std::string_view name);
std::int64_t NumberOf(ItemView item, std::string_view name);
double RealOf(ItemView item, std::string_view name);
std::set<std::string> SetOf(ItemView item, std::string_view name);

inline std::string TextOf(const Item& item, std::string_view name) {
  return TextOf(item.view(), name);
}
inline std::int64_t NumberOf(const Item& item, std::string_view name) {
  return NumberOf(item.view(), name);
}
inline std::set<std::string> SetOf(const Item& item, std::string_view name) {
  return SetOf(item.view(), name);
}

// REQUIRES: members is not empty; DynamoDB has no empty sets.
AttributeValue SetValue(const std::set<std::string>& members);

std::int64_t MillisecondsOf(TimeMs time);  // since the epoch
std::int64_t SecondsOf(TimeMs time);       // since the epoch, rounded down

// Text, numbers, true, false, null, lists and objects, nested at most 32 deep. The error says what
// is wrong with the text.
Fallible<Item> ItemOfJson(std::string_view json);

// On one line. Sets become arrays, binaries base64.
std::string JsonOfItem(ItemView item);
// The text in quotes, escaped.
std::string JsonText(std::string_view text);

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_ITEMS_H_
