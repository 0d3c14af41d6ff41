#include "generate/electrodb_attributes.h"

#include <fmt/format.h>

#include "generate/code_plan.h"
#include "generate/text.h"

namespace stator::model {

std::string ElectroType(const Attribute& attribute) {
  switch (attribute.type) {
    case Type::kS:
      if (attribute.values.empty()) return "type: \"string\"";
      return fmt::format("type: {} as const", ListText(attribute.values, JsonText));
    case Type::kN:
      return "type: \"number\"";
    case Type::kBool:
      return "type: \"boolean\"";
    case Type::kSS:
      return "type: \"set\", items: \"string\"";
    case Type::kNS:
      return "type: \"set\", items: \"number\"";
    default:
      break;
  }
  if (attribute.counters.empty()) return "type: \"any\"";
  std::string members;
  for (const std::string& name : attribute.counters) {
    members +=
        fmt::format("{}{}: {{ type: \"number\" }}", members.empty() ? "" : ", ", JsonText(name));
  }
  return fmt::format("type: \"map\", properties: {{ {} }}", members);
}

std::string ElectroNow(const Attribute& attribute, std::int64_t offset_seconds) {
  const std::string unit = UnitName(attribute);
  return attribute.type == Type::kN
             ? fmt::format("timeNumber(db, \"{}\", {})",
                           unit == "epoch_ms" ? "epoch_ms" : "epoch_s", offset_seconds)
             : fmt::format("timeText(db, \"{}\", {})", unit.empty() ? "iso_ms" : unit,
                           offset_seconds);
}

std::string ElectroDefault(const Entity& entity, const Attribute& attribute) {
  if (attribute.name == entity.version) return "1";
  if (entity.machine && attribute.name == entity.machine->stamp) {
    return "() => " + ElectroNow(attribute, 0);
  }
  if (entity.machine && attribute.name == entity.machine->attribute) {
    const auto& initial = entity.machine->initial;
    return initial.size() == 1 ? JsonText(initial.front()) : "";
  }
  if (!attribute.default_value) {
    if (attribute.counter) return "0";
    return attribute.counters.empty() ? "" : "() => ({})";
  }
  const DefaultValue& value = *attribute.default_value;
  if (value.kind == DefaultValue::Kind::kNow) {
    return "() => " + ElectroNow(attribute, value.offset.count());
  }
  if (value.kind == DefaultValue::Kind::kNewId) {
    return fmt::format("() => newId(db, \"{}\")", attribute.unit == Unit::kUuid ? "uuid" : "ulid");
  }
  return attribute.type == Type::kS ? JsonText(value.text) : value.text;
}

}  // namespace stator::model
