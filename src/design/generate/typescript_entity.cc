// Entities in TypeScript: their types, and the descriptions that the functions work by.
#include <fmt/format.h>

#include <algorithm>

#include "generate/table_shape.h"
#include "generate/typescript.h"
#include "model/keys/derive.h"
#include "model/keys/key_access.h"
#include "model/names.h"

namespace stator::model {
namespace {

bool IsIdentifier(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  };
  return !name.empty() && letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::string_view TsKind(const Attribute& attribute) {
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

std::string TsOperands(const Entity& entity, const Term& term) {
  std::vector<std::string> values;
  for (const Operand& operand : term.operands) {
    if (operand.kind != Operand::Kind::kParameter) {
      values.push_back(TsLiteral(entity.FindAttribute(term.attribute), operand));
    }
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

// When an item has the keys of a sparse index.
std::string TsWhen(const Entity& entity, const Predicate& predicate) {
  std::vector<std::string> any_of;
  for (const std::vector<Term>& terms : predicate.any_of) {
    std::vector<std::string> all_of;
    for (const Term& term : terms) {
      const std::string values = TsOperands(entity, term);
      all_of.push_back(fmt::format("{{ attribute: {}, is: {}{} }}", JsonText(term.attribute),
                                   JsonText(ComparisonText(term.comparison)),
                                   values.empty() ? "" : ", values: [" + values + "]"));
    }
    any_of.push_back(fmt::format("[{}]", fmt::join(all_of, ", ")));
  }
  return fmt::format("[{}]", fmt::join(any_of, ", "));
}

std::string TsFill(const Attribute& attribute) {
  const DefaultValue& value = *attribute.default_value;
  if (value.kind == DefaultValue::Kind::kNow)
    return fmt::format("{{ now: {} }}", value.offset.count());
  if (value.kind == DefaultValue::Kind::kNewId) {
    return fmt::format("{{ id: \"{}\" }}", attribute.unit == Unit::kUuid ? "uuid" : "ulid");
  }
  return TsLiteral(&attribute, {.kind = attribute.type == Type::kBool ? Operand::Kind::kBool
                                                                      : Operand::Kind::kNumber,
                                .text = value.text});
}

std::string TsAttribute(const Entity& entity, const Attribute& attribute) {
  std::string text = fmt::format("type: \"{}\"", TsKind(attribute));
  if (IsWholeNumber(attribute)) text += ", whole: true";
  if (IsRequired(entity, attribute)) text += ", required: true";
  if (attribute.nullable) text += ", nullable: true";
  if (!attribute.values.empty()) text += ", values: " + ListText(attribute.values, JsonText);
  if (attribute.range) {
    text += fmt::format(", range: [{}, {}]", attribute.range->first, attribute.range->second);
  }
  if (!attribute.forbidden.empty()) text += ", forbidden: " + JsonText(attribute.forbidden);
  if (!attribute.normalizers.empty()) {
    text += ", norm: " + ListText(attribute.normalizers, JsonText);
  }
  if (const std::string unit = UnitName(attribute); !unit.empty()) {
    text += fmt::format(", unit: \"{}\"", unit);
  }
  if (attribute.default_value) text += ", fill: " + TsFill(attribute);
  if (attribute.counter) text += ", start: { N: \"0\" }";
  if (!attribute.counters.empty()) text += ", start: { M: {} }";
  return "{ " + text + " }";
}

std::string TsKeyPart(const TemplatePart& part) {
  if (!part.is_placeholder) return JsonText(part.text);
  if (part.text == kShard) return "{ shard: true }";
  const std::string digits =
      part.padded_digits == 0 ? "" : fmt::format(", digits: {}", part.padded_digits);
  return fmt::format("{{ of: {}{} }}", JsonText(part.text), digits);
}

void WriteTsKey(const Entity& entity, const Table& table, const KeyTemplate& key, Lines& out) {
  std::vector<std::string> parts;
  for (const TemplatePart& part : key.parts) parts.push_back(TsKeyPart(part));
  std::vector<std::string> from;
  for (const std::string& name : DependenciesOf(table, key)) AddOnce(from, name);
  out.Open("{");
  out.Add(fmt::format("name: {}, type: \"{}\",", JsonText(key.attribute),
                      TypeName(TypeOfKey(table, key.attribute))));
  out.Add(fmt::format("parts: [{}],", fmt::join(parts, ", ")));
  out.Add(fmt::format("from: {},", ListText(from, JsonText)));
  const Index* index = IndexOfKey(table, key);
  if (index != nullptr && index->sparse && index->sparse->when) {
    out.Add(fmt::format("when: {},", TsWhen(entity, *index->sparse->when)));
  }
  if (index != nullptr && index->shards && key.Uses(kShard)) {
    const std::string& by = index->shards->by;
    out.Add(fmt::format("shards: {{ count: {}{} }},", index->shards->count,
                        by.empty() ? "" : ", by: " + JsonText(by)));
  }
  out.Close("},");
}

void WriteTsDescription(const EntityNames& names, Lines& out) {
  const Entity& entity = *names.entity;
  const Table& table = *names.table;
  out.Blank();
  out.Open(fmt::format("export const {}: Entity<{}> = {{", names.description, names.type));
  out.Add(fmt::format("name: {},", JsonText(entity.name)));
  out.Add(fmt::format("table: {},", JsonText(table.name)));
  out.Add(fmt::format("partition: {},", JsonText(table.partition->name)));
  if (table.sort) out.Add(fmt::format("sort: {},", JsonText(table.sort->name)));
  out.Add(fmt::format("keyFrom: {},", ListText(PrimarySources(table, entity), JsonText)));
  out.Open("attributes: {");
  for (const Attribute* attribute : names.attributes) {
    // In brackets, names that every object has mean nothing special.
    const bool inherited = IsInheritedName(attribute->name);
    const std::string name =
        inherited ? "[" + JsonText(attribute->name) + "]" : TsProperty(attribute->name);
    out.Add(fmt::format("{}: {}{},", name, TsAttribute(entity, *attribute),
                        inherited ? " as Attribute" : ""));
  }
  out.Close("},");
  out.Open("keys: [");
  for (const KeyTemplate& key : entity.keys) {
    if (key.IsDerived()) WriteTsKey(entity, table, key, out);
  }
  out.Close("],");
  std::vector<std::string> unique;
  for (const auto& attributes : entity.unique) unique.push_back(ListText(attributes, JsonText));
  out.Add(fmt::format("unique: [{}],", fmt::join(unique, ", ")));
  if (!entity.version.empty()) out.Add(fmt::format("version: {},", JsonText(entity.version)));
  if (!entity.ttl.empty()) out.Add(fmt::format("ttl: {},", JsonText(entity.ttl)));
  if (entity.machine) {
    const Machine& machine = *entity.machine;
    out.Add(fmt::format("machine: {{ attribute: {}, initial: {}{} }},", JsonText(machine.attribute),
                        ListText(machine.initial, JsonText),
                        machine.stamp.empty() ? "" : ", stamp: " + JsonText(machine.stamp)));
  }
  out.Close("};");
}

std::string TsNote(const EntityNames& names, const Attribute& attribute) {
  std::string note = UnitName(attribute);
  if (IsFilledIn(*names.entity, attribute)) {
    note += (note.empty() ? "" : "; ") + std::string("filled in if absent");
  }
  return note;
}

}  // namespace

std::set<std::string> TypeScriptReserved() {
  return {"abstract", "any",      "arguments",  "as",      "async",     "await",      "boolean",
          "break",    "case",     "catch",      "class",   "const",     "continue",   "debugger",
          "declare",  "default",  "delete",     "do",      "else",      "enum",       "eval",
          "export",   "extends",  "false",      "finally", "for",       "from",       "function",
          "get",      "if",       "implements", "import",  "in",        "instanceof", "interface",
          "is",       "keyof",    "let",        "module",  "namespace", "never",      "new",
          "null",     "number",   "object",     "of",      "package",   "private",    "protected",
          "public",   "readonly", "require",    "return",  "set",       "static",     "string",
          "super",    "switch",   "symbol",     "this",    "throw",     "true",       "try",
          "type",     "typeof",   "undefined",  "unique",  "unknown",   "var",        "void",
          "while",    "with",     "yield"};
}

std::set<std::string> TypeScriptGlobals() {
  return {"Array",
          "BigInt",
          "Date",
          "Error",
          "Infinity",
          "Iterable",
          "JSON",
          "Map",
          "Math",
          "NaN",
          "Number",
          "Object",
          "Omit",
          "Parameters",
          "Partial",
          "Pick",
          "Promise",
          "Readonly",
          "Record",
          "RegExp",
          "Required",
          "Set",
          "String",
          "Symbol",
          "TextEncoder",
          "Uint8Array",
          "decodeURIComponent",
          "encodeURIComponent",
          "setTimeout",
          "entities",
          "BatchGetItemCommand",
          "DeleteItemCommand",
          "DynamoDBClient",
          "GetItemCommand",
          "PutItemCommand",
          "QueryCommand",
          "ScanCommand",
          "TransactWriteItemsCommand",
          "UpdateItemCommand",
          "AttributeValue",
          "QueryCommandInput",
          "TransactWriteItem"};
}

bool IsInheritedName(std::string_view name) {
  static const std::set<std::string_view> kInherited = {
      "__defineGetter__", "__defineSetter__", "__lookupGetter__",
      "__lookupSetter__", "__proto__",        "constructor",
      "hasOwnProperty",   "isPrototypeOf",    "propertyIsEnumerable",
      "toLocaleString",   "toString",         "valueOf"};
  return kInherited.contains(name);
}

std::string TsProperty(std::string_view name) {
  return IsIdentifier(name) ? std::string(name) : JsonText(name);
}

std::string TsUnion(const std::vector<std::string>& texts) {
  return texts.empty() ? "never" : Joined(texts, " | ", JsonText);
}

std::string TsComment(std::string_view text) {
  std::string line = CommentText(text);
  for (std::size_t at = 0; (at = line.find("*/", at)) != std::string::npos;)
    line.insert(at + 1, " ");
  return "/** " + line + " */";
}

std::string TsType(const EntityNames& names, const Attribute& attribute) {
  if (const auto it = names.enums.find(attribute.name); it != names.enums.end()) return it->second;
  switch (attribute.type) {
    case Type::kS:
      return "string";
    case Type::kN:
      return IsWholeNumber(attribute) ? "number" : "Decimal";
    case Type::kB:
      return "Uint8Array";
    case Type::kBool:
      return "boolean";
    case Type::kSS:
      return "Set<string>";
    case Type::kNS:
      return "Set<Decimal>";
    case Type::kBS:
      return "Uint8Array[]";
    case Type::kM:
      if (attribute.counters.empty()) return "AttributeValue";
      return fmt::format("Partial<Record<{}, number>>", TsUnion(attribute.counters));
    case Type::kL:
    case Type::kNull:
      break;
  }
  return "AttributeValue";
}

bool TsMayLack(const EntityNames& names, const Attribute& attribute) {
  const bool is_set =
      attribute.type == Type::kSS || attribute.type == Type::kNS || attribute.type == Type::kBS;
  if (is_set || Contains(PrimarySources(*names.table, *names.entity), attribute.name)) return false;
  return attribute.optional || attribute.nullable || IsFilledIn(*names.entity, attribute);
}

std::string TsLiteral(const Attribute* attribute, const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::kNow:
      return fmt::format("{{ now: {} }}", operand.offset.count());
    case Operand::Kind::kBool:
      return fmt::format("{{ BOOL: {} }}", operand.text == "true" ? "true" : "false");
    case Operand::Kind::kNumber:
      if (attribute != nullptr && attribute->type == Type::kN) {
        return fmt::format("{{ N: {} }}", JsonText(operand.text));
      }
      break;
    default:
      break;
  }
  return fmt::format("{{ S: {} }}", JsonText(operand.text));
}

void WriteTsEntity(const EntityNames& names, Lines& out) {
  for (const auto& [attribute, type] : names.enums) {
    out.Blank();
    out.Add(fmt::format("export type {} = {};", type,
                        TsUnion(names.entity->FindAttribute(attribute)->values)));
  }
  out.Blank();
  out.Open(fmt::format("export interface {} {{", names.type));
  std::vector<std::string> given;  // what a caller may leave out though every item has it
  for (const Attribute* attribute : names.attributes) {
    if (const std::string note = TsNote(names, *attribute); !note.empty()) out.Add(TsComment(note));
    const bool may_lack = TsMayLack(names, *attribute);
    out.Add(fmt::format("{}{}: {}{};", TsProperty(attribute->name), may_lack ? "?" : "",
                        TsType(names, *attribute), attribute->nullable ? " | null" : ""));
    if (!may_lack && !IsRequired(*names.entity, *attribute)) given.push_back(attribute->name);
  }
  out.Close("}");
  if (given.empty()) {
    out.Add(fmt::format("export type {} = {};", names.created, names.type));
  } else {
    out.Add(fmt::format("export type {0} = Omit<{1}, {2}> & Partial<Pick<{1}, {2}>>;",
                        names.created, names.type, TsUnion(given)));
  }
  out.Add(fmt::format("export type {} = Pick<{}, {}>;", names.key, names.type,
                      TsUnion(PrimarySources(*names.table, *names.entity))));
  WriteTsDescription(names, out);
}

}  // namespace stator::model
