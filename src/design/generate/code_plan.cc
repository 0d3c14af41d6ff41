#include "generate/code_plan.h"

#include <algorithm>

#include "generate/table_shape.h"
#include "model/keys/key_access.h"
#include "model/names.h"
#include "model/parse/attribute_text.h"

namespace stator::model {
namespace {

bool IsTime(const Attribute& attribute) {
  const std::string unit = UnitName(attribute);
  return !unit.empty() && unit != "ulid" && unit != "uuid";
}

void AddSets(const Entity& entity, const std::vector<std::string>& names,
             std::vector<const Attribute*>& out) {
  for (const std::string& name : names) {
    const Attribute* attribute = entity.FindAttribute(name);
    if (attribute == nullptr || IsDerived(entity, name) || name == entity.version) continue;
    if (std::ranges::find(out, attribute) == out.end()) out.push_back(attribute);
  }
}

void PlanMove(const Entity& entity, CodeWrite& write) {
  const Machine& machine = *entity.machine;
  write.kind = "update";
  write.move = machine.FindMove(write.pattern->write.move);
  if (write.move == nullptr) return;
  if (write.move->stamps && !machine.stamp.empty()) write.stamps.push_back(machine.stamp);
  for (const std::string& name : write.move->sets) {
    const Attribute* attribute = entity.FindAttribute(name);
    if (attribute == nullptr) continue;
    if (IsTime(*attribute)) {
      AddOnce(write.stamps, name);
      AddSets(entity, {name}, write.optional);
    } else {
      AddSets(entity, {name}, write.required);
    }
  }
}

}  // namespace

void AddParameters(const Table& table, const Entity& entity, const std::vector<Term>& terms,
                   std::vector<CodeParameter>& parameters) {
  for (const Term& term : terms) {
    for (const Operand& operand : term.operands) {
      const auto same = [&](const CodeParameter& known) { return known.name == operand.text; };
      if (operand.kind != Operand::Kind::kParameter || std::ranges::any_of(parameters, same)) {
        continue;
      }
      CodeParameter parameter{.name = operand.text, .entity = &entity};
      if (!IsDerived(entity, term.attribute)) {
        parameter.attribute = entity.FindAttribute(term.attribute);
      }
      parameter.is_text =
          operand.declared_type == "str" || TypeOfKey(table, term.attribute) == Type::kS;
      parameters.push_back(parameter);
    }
  }
}

std::vector<std::string> PrimarySources(const Table& table, const Entity& entity) {
  std::vector<std::string> sources;
  for (const KeyElement& element : KeySchemaOf(table)) {
    const KeyTemplate made = BaseTemplateFor(entity, element.attribute.name);
    for (const std::string& source : made.Sources()) AddOnce(sources, source);
  }
  return sources;
}

bool IsWholeNumber(const Attribute& attribute) {
  return attribute.type == Type::kN &&
         (attribute.counter || attribute.unit == Unit::kInteger ||
          attribute.unit == Unit::kEpochSeconds || attribute.unit == Unit::kEpochMilliseconds);
}

bool IsFilledIn(const Entity& entity, const Attribute& attribute) {
  if (attribute.default_value && attribute.default_value->kind != DefaultValue::Kind::kLiteral) {
    return true;
  }
  return attribute.name == entity.version ||
         (entity.machine && attribute.name == entity.machine->stamp);
}

bool IsRequired(const Entity& entity, const Attribute& attribute) {
  const bool has_value = attribute.default_value || attribute.counter ||
                         !attribute.counters.empty() || IsFilledIn(entity, attribute) ||
                         (entity.machine && attribute.name == entity.machine->attribute);
  return !has_value && !attribute.optional && !attribute.nullable && !attribute.implicit;
}

std::string UnitName(const Attribute& attribute) {
  if (attribute.unit == Unit::kInteger) return {};
  // A time of any width is written with milliseconds.
  const bool is_any_time = attribute.unit == Unit::kIsoTime;
  return std::string(WordOfUnit(is_any_time ? Unit::kIsoMilliseconds : attribute.unit));
}

CodeWrite PlanCodeWrite(const Model& model, const Pattern& pattern) {
  const Entity& entity = *model.FindEntity(pattern.entity);
  CodeWrite write{.pattern = &pattern, .entity = &entity};
  const WriteDetail& detail = pattern.write;
  switch (detail.kind) {
    case WriteKind::kCreate:
      write.kind = "create";
      return write;
    case WriteKind::kPut:
      write.kind = "put";
      break;
    case WriteKind::kDelete:
      write.kind = "delete";
      break;
    case WriteKind::kRekey:
      write.kind = "rekey";
      break;
    case WriteKind::kUpdate:
      write.kind = detail.guard == Guard::kNone ? "upsert" : "update";
      break;
    case WriteKind::kMove:
      if (entity.machine) PlanMove(entity, write);
      break;
  }
  if (write.kind != "put" && write.kind != "delete") {
    AddSets(entity, detail.sets, write.optional);
    AddSets(entity, detail.adds, write.adds);
    write.removes = detail.removes;
    const auto stated = [&](const Attribute* attribute) {
      return Contains(write.removes, attribute->name) ||
             std::ranges::find(write.required, attribute) != write.required.end();
    };
    std::erase_if(write.optional, stated);
  }
  write.version = detail.guard == Guard::kVersion && !entity.version.empty();
  if (detail.guard == Guard::kCondition && detail.condition) {
    write.guard = &*detail.condition;
    for (const std::vector<Term>& terms : write.guard->any_of) {
      AddParameters(*model.FindTable(entity.table), entity, terms, write.parameters);
    }
  }
  return write;
}

}  // namespace stator::model
