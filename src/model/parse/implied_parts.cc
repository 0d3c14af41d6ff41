#include "model/parse/implied_parts.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/parse/attribute_size.h"
#include "model/parse/nearest_name.h"

namespace stator::model {
namespace {

// The type that the table or one of its indexes gives to the name.
Type KeyTypeOf(const Table* table, std::string_view name) {
  if (table == nullptr) return Type::kS;
  if (table->partition && table->partition->name == name) return table->partition->type;
  if (table->sort && table->sort->name == name) return table->sort->type;
  for (const Index& index : table->indexes) {
    for (const KeyAttribute& key : index.partition) {
      if (key.name == name) return key.type;
    }
    for (const KeyAttribute& key : index.sort) {
      if (key.name == name) return key.type;
    }
  }
  return Type::kS;
}

void AddAttribute(Entity& entity, Attribute attribute, Place place) {
  attribute.implicit = true;
  attribute.place = place;
  SetDefaultSize(attribute);
  entity.attributes.push_back(std::move(attribute));
}

// One letter from a name that is declared: more probably a slip than another attribute.
bool IsSlip(Problems& problems, const Entity& entity, std::string_view name, Place place) {
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.implicit || name.size() < 5 || EditDistance(name, attribute.name) != 1) continue;
    problems.Add(place, fmt::format("unknown attribute `{}` of {}", name, entity.name),
                 fmt::format("did you mean `{}`?", attribute.name));
    return true;
  }
  return false;
}

Attribute SourceOf(const TemplatePart& part, const Table* table, bool plain) {
  static constexpr std::pair<std::string_view, Unit> kFormats[] = {
      {"ulid", Unit::kUlid},   {"uuid", Unit::kUuid},        {"date", Unit::kDate},
      {"iso", Unit::kIsoTime}, {"iso_s", Unit::kIsoSeconds}, {"iso_ms", Unit::kIsoMilliseconds},
  };
  Attribute source{.name = part.text};
  if (plain) source.type = KeyTypeOf(table, part.text);
  for (const auto& [format, unit] : kFormats) {
    if (part.format == format) source.unit = unit;
  }
  if (part.padded_digits > 0) {
    source.type = Type::kN;
    source.unit = Unit::kInteger;
  }
  return source;
}

void AddMachineAttributes(Problems& problems, const Table* table, Entity& entity) {
  if (!entity.machine) return;
  const Machine& machine = *entity.machine;
  std::vector<std::string> states;
  for (const State& state : machine.states) states.push_back(state.name);
  bool declared = false;
  for (Attribute& attribute : entity.attributes) {
    if (attribute.name != machine.attribute) continue;
    declared = true;
    if (!attribute.values.empty() || attribute.type != Type::kS) continue;
    attribute.values = states;
    if (!attribute.size_stated) SetDefaultSize(attribute);
  }
  if (!declared && !machine.attribute.empty()) {
    AddAttribute(entity, {.name = machine.attribute, .values = std::move(states)}, machine.place);
  }
  const auto add = [&](const std::string& name, Place place, bool optional) {
    if (name.empty() || entity.FindAttribute(name) != nullptr) return;
    if (IsSlip(problems, entity, name, place)) return;
    AddAttribute(entity, {.name = name, .type = KeyTypeOf(table, name), .optional = optional},
                 place);
  };
  add(machine.stamp, machine.place, false);
  for (const Move& move : machine.moves) {
    for (const std::string& name : move.sets) add(name, move.place, true);
  }
}

void AddNamedAttributes(Problems& problems, Entity& entity) {
  const auto add = [&](const std::string& name, Unit unit) {
    if (name.empty() || entity.FindAttribute(name) != nullptr) return;
    if (IsSlip(problems, entity, name, entity.place)) return;
    AddAttribute(entity, {.name = name, .type = Type::kN, .unit = unit}, entity.place);
  };
  add(entity.version, Unit::kInteger);
  add(entity.ttl, Unit::kEpochSeconds);
}

void AddPlainKey(Entity& entity, const KeyAttribute& key) {
  if (entity.FindKey(key.name) != nullptr) return;
  KeyTemplate plain{.attribute = key.name, .text = fmt::format("{{{}}}", key.name)};
  plain.parts.push_back({.is_placeholder = true, .text = key.name});
  plain.place = entity.place;
  entity.keys.push_back(std::move(plain));
}

void AddPlainKeys(const Table& table, Entity& entity) {
  if (table.partition) AddPlainKey(entity, *table.partition);
  if (table.sort) AddPlainKey(entity, *table.sort);
  const auto add = [&](const std::vector<KeyAttribute>& keys) {
    for (const KeyAttribute& key : keys) {
      if (entity.FindAttribute(key.name) != nullptr) AddPlainKey(entity, key);
    }
  };
  for (const Index& index : table.indexes) {
    add(index.partition);
    add(index.sort);
  }
}

void AddSources(Problems& problems, const Table* table, Entity& entity) {
  for (const KeyTemplate& key : entity.keys) {
    for (const TemplatePart& part : key.parts) {
      if (!part.is_placeholder || part.text == "shard") continue;
      if (entity.FindAttribute(part.text) != nullptr) continue;
      if (IsSlip(problems, entity, part.text, key.place)) continue;
      AddAttribute(entity, SourceOf(part, table, key.IsPlain()), key.place);
    }
  }
}

void SetTimeToLive(const Table* table, Entity& entity) {
  if (entity.ttl == "none") {
    entity.ttl.clear();
  } else if (entity.ttl.empty() && table != nullptr && !table->ttl.empty() &&
             entity.FindAttribute(table->ttl) != nullptr) {
    entity.ttl = table->ttl;
  }
}

}  // namespace

void AddImpliedParts(Problems& problems, Model& model) {
  for (Entity& entity : model.entities) {
    const Table* table = model.FindTable(entity.table);
    SetTimeToLive(table, entity);
    AddMachineAttributes(problems, table, entity);
    AddNamedAttributes(problems, entity);
    if (table != nullptr) AddPlainKeys(*table, entity);
    AddSources(problems, table, entity);
  }
}

}  // namespace stator::model
