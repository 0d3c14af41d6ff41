#include "systems/program/values.h"

#include <cstdlib>

namespace stator::systems {
namespace {

std::optional<ValueView> FindOfType(ItemView item, std::string_view name, Type type) {
  const auto value = item.Find(name);
  return value && value->type() == type ? value : std::nullopt;
}

}  // namespace

std::string TextOf(ItemView item, std::string_view name) {
  const auto value = FindOfType(item, name, Type::kS);
  return value ? std::string(value->S()) : std::string();
}

std::int64_t NumberOf(ItemView item, std::string_view name) {
  const auto value = FindOfType(item, name, Type::kN);
  return value ? value->AsInt64().value_or(0) : 0;
}

double RealOf(ItemView item, std::string_view name) {
  const auto value = FindOfType(item, name, Type::kN);
  return value ? std::strtod(value->N().c_str(), nullptr) : 0;
}

std::set<std::string> SetOf(ItemView item, std::string_view name) {
  std::set<std::string> members;
  const auto value = FindOfType(item, name, Type::kSS);
  if (!value) return members;
  for (const std::string_view member : value->Set().Members()) members.emplace(member);
  return members;
}

AttributeValue SetValue(const std::set<std::string>& members) {
  return AttributeValue::StringSet({members.begin(), members.end()});
}

std::int64_t MillisecondsOf(TimeMs time) { return time.time_since_epoch().count(); }

std::int64_t SecondsOf(TimeMs time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

}  // namespace stator::systems
