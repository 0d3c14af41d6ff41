// Entities in Python: dataclasses, and the descriptions that the functions work by.
#include "generate/python.h"

#include <fmt/format.h>

#include <algorithm>

#include "generate/table_shape.h"
#include "model/keys/derive.h"
#include "model/keys/key_access.h"
#include "model/names.h"

namespace stator::model {
namespace {

std::string_view PyKind(const Attribute& attribute) {
  switch (attribute.type) {
    case Type::kM:
      return attribute.counters.empty() ? "any" : "counters";
    case Type::kL:
    case Type::kNull:
      return "any";
    default:
      return TypeName(attribute.type);
  }
}

bool IsPySet(const Attribute& attribute) {
  return attribute.type == Type::kSS || attribute.type == Type::kNS || attribute.type == Type::kBS;
}

std::string PyFill(const Attribute& attribute) {
  const DefaultValue& value = *attribute.default_value;
  if (value.kind == DefaultValue::Kind::kNow) return fmt::format("Now({})", value.offset.count());
  if (value.kind == DefaultValue::Kind::kNewId) {
    return fmt::format("NewId(\"{}\")", attribute.unit == Unit::kUuid ? "uuid" : "ulid");
  }
  return PyLiteral(&attribute, {.kind = attribute.type == Type::kBool ? Operand::Kind::kBool
                                                                      : Operand::Kind::kNumber,
                                .text = value.text});
}

std::string PyAttribute(const EntityNames& names, const Attribute& attribute) {
  std::string text =
      fmt::format("{}, \"{}\"", JsonText(names.fields.at(attribute.name)), PyKind(attribute));
  if (IsWholeNumber(attribute)) text += ", whole=True";
  if (IsRequired(*names.entity, attribute)) text += ", required=True";
  if (attribute.nullable) text += ", nullable=True";
  if (!attribute.values.empty()) text += ", values=" + ListText(attribute.values, JsonText);
  if (attribute.range) {
    text += fmt::format(", range=({}, {})", attribute.range->first, attribute.range->second);
  }
  if (!attribute.forbidden.empty()) text += ", forbidden=" + JsonText(attribute.forbidden);
  if (!attribute.normalizers.empty()) {
    text += ", norm=" + ListText(attribute.normalizers, JsonText);
  }
  if (const std::string unit = UnitName(attribute); !unit.empty()) {
    text += fmt::format(", unit=\"{}\"", unit);
  }
  if (attribute.default_value) text += ", fill=" + PyFill(attribute);
  if (attribute.counter) text += ", start={\"N\": \"0\"}";
  if (!attribute.counters.empty()) text += ", start={\"M\": {}}";
  return "Attribute(" + text + ")";
}

std::string PyKeyPart(const TemplatePart& part) {
  if (!part.is_placeholder) return JsonText(part.text);
  if (part.text == kShard) return "Shard()";
  if (part.padded_digits == 0) return fmt::format("Part({})", JsonText(part.text));
  return fmt::format("Part({}, {})", JsonText(part.text), part.padded_digits);
}

std::string PyWhen(const Entity& entity, const Predicate& predicate) {
  std::vector<std::string> any_of;
  for (const std::vector<Term>& terms : predicate.any_of) {
    std::vector<std::string> all_of;
    for (const Term& term : terms) {
      std::vector<std::string> values;
      for (const Operand& operand : term.operands) {
        if (operand.kind == Operand::Kind::kParameter) continue;
        values.push_back(PyLiteral(entity.FindAttribute(term.attribute), operand));
      }
      all_of.push_back(fmt::format("Term({}, {}{})", JsonText(term.attribute),
                                   JsonText(ComparisonText(term.comparison)),
                                   values.empty() ? "" : ", " + PyList(values)));
    }
    any_of.push_back(PyList(all_of));
  }
  return PyList(any_of);
}

void WritePyKey(const Entity& entity, const Table& table, const KeyTemplate& key, Lines& out) {
  std::vector<std::string> parts;
  for (const TemplatePart& part : key.parts) parts.push_back(PyKeyPart(part));
  std::vector<std::string> from;
  for (const std::string& name : DependenciesOf(table, key)) AddOnce(from, name);
  out.Open("DerivedKey(");
  out.Add(fmt::format("{}, \"{}\", {},", JsonText(key.attribute),
                      TypeName(TypeOfKey(table, key.attribute)), PyList(parts)));
  out.Add(fmt::format("made_from={},", ListText(from, JsonText)));
  const Index* index = IndexOfKey(table, key);
  if (index != nullptr && index->sparse && index->sparse->when) {
    out.Add(fmt::format("when={},", PyWhen(entity, *index->sparse->when)));
  }
  if (index != nullptr && index->shards && key.Uses(kShard)) {
    const std::string& by = index->shards->by;
    out.Add(fmt::format("shards={},{}", index->shards->count,
                        by.empty() ? "" : " shard_by=" + JsonText(by) + ","));
  }
  out.Close("),");
}

void WritePyDescription(const EntityNames& names, Lines& out) {
  const Entity& entity = *names.entity;
  const Table& table = *names.table;
  out.Blank();
  out.Blank();
  out.Open(fmt::format("{}: Entity[{}] = Entity(", names.description, names.type));
  out.Add(fmt::format("name={},", JsonText(entity.name)));
  out.Add(fmt::format("table={},", JsonText(table.name)));
  out.Add(fmt::format("make={},", names.type));
  out.Add(fmt::format("partition={},", JsonText(table.partition->name)));
  if (table.sort) out.Add(fmt::format("sort={},", JsonText(table.sort->name)));
  out.Add(fmt::format("key_from={},", ListText(PrimarySources(table, entity), JsonText)));
  out.Open("attributes={");
  for (const Attribute* attribute : names.attributes) {
    out.Add(fmt::format("{}: {},", JsonText(attribute->name), PyAttribute(names, *attribute)));
  }
  out.Close("},");
  out.Open("keys=[");
  for (const KeyTemplate& key : entity.keys) {
    if (key.IsDerived()) WritePyKey(entity, table, key, out);
  }
  out.Close("],");
  std::vector<std::string> unique;
  for (const auto& attributes : entity.unique) unique.push_back(ListText(attributes, JsonText));
  if (!unique.empty()) out.Add(fmt::format("unique={},", PyList(unique)));
  if (!entity.version.empty()) out.Add(fmt::format("version={},", JsonText(entity.version)));
  if (!entity.ttl.empty()) out.Add(fmt::format("ttl={},", JsonText(entity.ttl)));
  if (entity.machine) {
    const Machine& machine = *entity.machine;
    out.Add(fmt::format("machine=Machine({}, {}, {}),", JsonText(machine.attribute),
                        ListText(machine.initial, JsonText), JsonText(machine.stamp)));
  }
  out.Close(")");
}

// " = None" …; empty: callers must give it.
std::string PyDefault(const EntityNames& names, const Attribute& attribute) {
  if (IsPySet(attribute)) return " = field(default_factory=set)";
  if (!attribute.counters.empty()) return " = field(default_factory=dict)";
  if (attribute.optional || attribute.nullable || IsFilledIn(*names.entity, attribute)) {
    return " = None";
  }
  const std::optional<DefaultValue>& value = attribute.default_value;
  if (value && attribute.type == Type::kS) return " = " + JsonText(value->text);
  if (value && attribute.type == Type::kBool) return value->text == "true" ? " = True" : " = False";
  if (value && attribute.type == Type::kN) {
    return IsWholeNumber(attribute) ? " = " + value->text
                                    : fmt::format(" = Decimal({})", JsonText(value->text));
  }
  if (attribute.counter) return " = 0";
  const auto& machine = names.entity->machine;
  if (machine && machine->attribute == attribute.name && machine->initial.size() == 1) {
    return " = " + JsonText(machine->initial.front());
  }
  return "";
}

void WritePyField(const EntityNames& names, const Attribute& attribute, Lines& out) {
  const std::string value = PyDefault(names, attribute);
  std::string note = UnitName(attribute);
  if (IsFilledIn(*names.entity, attribute)) {
    note += (note.empty() ? "" : "; ") + std::string("filled in if absent");
  }
  out.Add(fmt::format("{}: {}{}{}{}", names.fields.at(attribute.name), PyType(names, attribute),
                      value == " = None" ? " | None" : "", value,
                      note.empty() ? "" : "  # " + note));
}

}  // namespace

std::string PyList(const std::vector<std::string>& parts) {
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string PyType(const EntityNames& names, const Attribute& attribute) {
  if (const auto it = names.enums.find(attribute.name); it != names.enums.end()) return it->second;
  switch (attribute.type) {
    case Type::kS:
      return "str";
    case Type::kN:
      return IsWholeNumber(attribute) ? "int" : "Decimal";
    case Type::kB:
      return "bytes";
    case Type::kBool:
      return "bool";
    case Type::kSS:
      return "set[str]";
    case Type::kNS:
      return "set[Decimal]";
    case Type::kBS:
      return "set[bytes]";
    case Type::kM:
      return attribute.counters.empty() ? "AttributeValue" : "dict[str, int]";
    case Type::kL:
    case Type::kNull:
      break;
  }
  return "AttributeValue";
}

std::string PyLiteral(const Attribute* attribute, const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::kNow:
      return fmt::format("Now({})", operand.offset.count());
    case Operand::Kind::kBool:
      return fmt::format("{{\"BOOL\": {}}}", operand.text == "true" ? "True" : "False");
    case Operand::Kind::kNumber:
      if (attribute != nullptr && attribute->type == Type::kN) {
        return fmt::format("{{\"N\": {}}}", JsonText(operand.text));
      }
      break;
    default:
      break;
  }
  return fmt::format("{{\"S\": {}}}", JsonText(operand.text));
}

void WritePyPartial(const EntityNames& names, const std::string& type, const std::string& about,
                    const std::vector<std::string>& attributes, Lines& out) {
  out.Blank();
  out.Blank();
  out.Add("@dataclass(kw_only=True)");
  out.Open(fmt::format("class {}:", type));
  out.Add(JsonText(CommentText(about)));
  for (const std::string& name : attributes) {
    const Attribute* attribute = names.entity->FindAttribute(name);
    if (attribute != nullptr && names.fields.contains(name)) WritePyField(names, *attribute, out);
  }
  out.Leave();
}

void WritePyEntity(const EntityNames& names, Lines& out) {
  const Entity& entity = *names.entity;
  if (!names.enums.empty()) {
    out.Blank();
    out.Blank();
  }
  for (const auto& [attribute, type] : names.enums) {
    out.Add(fmt::format("{} = Literal{}", type,
                        ListText(entity.FindAttribute(attribute)->values, JsonText)));
  }
  std::vector<std::string> all;
  for (const Attribute* attribute : names.attributes) all.push_back(attribute->name);
  WritePyPartial(names, names.type, entity.name, all, out);
  out.Blank();
  out.Blank();
  out.Add("@dataclass(frozen=True)");
  out.Open(fmt::format("class {}:", names.key));
  out.Add(JsonText(CommentText("What names one " + entity.name)));
  for (const std::string& name : PrimarySources(*names.table, entity)) {
    const Attribute* attribute = entity.FindAttribute(name);
    if (attribute == nullptr) continue;
    out.Add(fmt::format("{}: {}", names.fields.at(name), PyType(names, *attribute)));
  }
  out.Leave();
  WritePyDescription(names, out);
}

}  // namespace stator::model
