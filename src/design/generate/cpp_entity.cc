#include "generate/cpp_entity.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "generate/code_plan.h"
#include "generate/table_shape.h"
#include "generate/text.h"

namespace stator::model {
namespace {

const std::set<std::string_view> kKeywords = {
    "alignas",   "alignof",   "and",       "asm",      "auto",     "bitand",   "bitor",   "bool",
    "break",     "case",      "catch",     "char",     "class",    "compl",    "concept", "const",
    "consteval", "constexpr", "constinit", "continue", "decltype", "default",  "delete",  "do",
    "double",    "else",      "enum",      "explicit", "export",   "extern",   "false",   "float",
    "for",       "friend",    "goto",      "if",       "inline",   "int",      "long",    "mutable",
    "namespace", "new",       "noexcept",  "not",      "nullptr",  "operator", "or",      "private",
    "protected", "public",    "register",  "requires", "return",   "short",    "signed",  "sizeof",
    "static",    "struct",    "switch",    "template", "this",     "throw",    "true",    "try",
    "typedef",   "typeid",    "typename",  "union",    "unsigned", "using",    "virtual", "void",
    "volatile",  "while",     "xor",       "std",      "stator"};

bool IsWhole(const Attribute& attribute) {
  return attribute.counter || attribute.unit == Unit::kInteger ||
         attribute.unit == Unit::kEpochSeconds || attribute.unit == Unit::kEpochMilliseconds;
}

std::string TypeOf(const Attribute& attribute) {
  switch (attribute.type) {
    case Type::kS:
      return "std::string";
    case Type::kN:
      return IsWhole(attribute) ? "std::int64_t" : "stator::Decimal";
    case Type::kB:
      return "stator::Bytes";
    case Type::kBool:
      return "bool";
    case Type::kSS:
      return "std::vector<std::string>";
    case Type::kNS:
      return "std::vector<stator::Decimal>";
    case Type::kBS:
      return "std::vector<stator::Bytes>";
    case Type::kM:
      return attribute.counters.empty() ? "stator::AttributeValue" : "stator::typed::Counters";
    case Type::kL:
    case Type::kNull:
      return "stator::AttributeValue";
  }
  return "stator::AttributeValue";
}

std::string UnitNote(const Attribute& attribute) {
  switch (attribute.unit) {
    case Unit::kEpochSeconds:
      return "epoch seconds";
    case Unit::kEpochMilliseconds:
      return "epoch milliseconds";
    case Unit::kDate:
      return "2026-02-28";
    case Unit::kIsoSeconds:
      return "2026-02-28T08:00:00Z";
    case Unit::kIsoMilliseconds:
      return "2026-02-28T08:00:00.000Z";
    case Unit::kIsoTime:
      return "ISO 8601";
    case Unit::kUlid:
      return "ULID";
    case Unit::kUuid:
      return "UUID";
    default:
      return "";
  }
}

bool IsDigits(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.size() <= 18 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string LiteralDefault(const Attribute& attribute) {
  if (!attribute.default_value) return "";
  const DefaultValue& value = *attribute.default_value;
  return value.kind == DefaultValue::Kind::kLiteral ? value.text : "";
}

CppEnum MakeEnum(const std::string& entity, const Attribute& attribute, NameSet& type_names) {
  CppEnum out;
  out.name = type_names.Add(entity + PascalName(attribute.name));
  NameSet constants;
  for (const std::string& value : attribute.values) {
    out.constants.emplace_back(constants.Add("k" + PascalName(value)), value);
  }
  return out;
}

std::string EnumInitializer(const Entity& entity, const Attribute& attribute,
                            const CppEnum& values) {
  std::string wanted = LiteralDefault(attribute);
  if (entity.machine && entity.machine->attribute == attribute.name &&
      !entity.machine->initial.empty()) {
    wanted = entity.machine->initial[0];
  }
  const auto it =
      std::ranges::find(values.constants, wanted, &std::pair<std::string, std::string>::second);
  const auto& constant = it == values.constants.end() ? values.constants.front() : *it;
  return " = " + values.name + "::" + constant.first;
}

std::string Initializer(const Attribute& attribute, const std::string& type) {
  const std::string value = LiteralDefault(attribute);
  if (type == "std::int64_t") return IsDigits(value) ? " = " + value : " = 0";
  if (type == "bool") return value == "true" ? " = true" : " = false";
  if (value.empty()) return "";
  if (type == "std::string") return " = " + CppText(value);
  if (type == "stator::Decimal") return "{std::string(" + CppText(value) + ")}";
  return "";
}

}  // namespace

std::string CppName(std::string name) {
  if (kKeywords.contains(name)) name += '_';
  return name;
}

std::string CppField::Declaration() const {
  const std::string full = optional ? "std::optional<" + type + ">" : type;
  return full + " " + name + (optional ? "" : initializer) + ";";
}

std::string CppField::ParameterType() const {
  if (type == "std::string") return "std::string_view";
  const bool by_reference = type.starts_with("stator::") || type.starts_with("std::vector") ||
                            type.starts_with("std::map");
  return by_reference ? "const " + type + "&" : type;
}

std::string CppField::RequiredValue() const {
  return optional ? fmt::format("{}.value_or({}{{}})", name, type) : name;
}

const CppField* CppEntity::FindField(std::string_view attribute) const {
  const auto it = std::ranges::find_if(
      fields, [&](const CppField& field) { return field.attribute->name == attribute; });
  return it == fields.end() ? nullptr : &*it;
}

CppEntity MakeCppEntity(const Model& model, const Entity& entity, NameSet& type_names) {
  CppEntity out;
  out.entity = &entity;
  out.table = model.FindTable(entity.table);
  out.name = type_names.Add(CppName(PascalName(entity.name)));
  NameSet field_names;
  for (const Attribute& attribute : entity.attributes) {
    if (IsDerived(entity, attribute.name)) continue;
    CppField field;
    field.attribute = &attribute;
    field.name = field_names.Add(CppName(SnakeName(attribute.name)));
    field.note = UnitNote(attribute);
    field.type = TypeOf(attribute);
    field.initializer = Initializer(attribute, field.type);
    if (attribute.type == Type::kS && !attribute.values.empty()) {
      out.enums.push_back(MakeEnum(out.name, attribute, type_names));
      field.type = out.enums.back().name;
      field.initializer = EnumInitializer(entity, attribute, out.enums.back());
    }
    const bool filled_in = IsFilledIn(entity, attribute);
    if (filled_in)
      field.note += (field.note.empty() ? "" : "; ") + std::string("filled in if absent");
    const bool is_set = field.type.starts_with("std::vector");
    field.optional = (attribute.optional || attribute.nullable || filled_in) && !is_set;
    out.fields.push_back(std::move(field));
  }
  return out;
}

}  // namespace stator::model
