// Values of stored items, as programs read and write them.
#ifndef STATOR_SYSTEMS_PROGRAM_VALUES_H_
#define STATOR_SYSTEMS_PROGRAM_VALUES_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "stator/clock.h"
#include "stator/item.h"

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

// REQUIRES: members is not empty; DynamoDB has no empty sets.
AttributeValue SetValue(const std::set<std::string>& members);

std::int64_t MillisecondsOf(TimeMs time);  // since the epoch
std::int64_t SecondsOf(TimeMs time);       // since the epoch, rounded down

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_VALUES_H_
