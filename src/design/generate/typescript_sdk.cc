// TypeScript with the AWS SDK: types of entities, and a function for each pattern that sends plain requests.
#include <fmt/format.h>

#include <algorithm>

#include "generate/code_plan.h"
#include "generate/generate.h"
#include "generate/typescript.h"
#include "model/names.h"
#include "model/plan/plan.h"

namespace stator::model {
namespace {

constexpr std::string_view kTsRuntime[] = {"typescript_values.ts", "typescript_keys.ts",
                                           "typescript_reads.ts", "typescript_writes.ts",
                                           "typescript_updates.ts"};

// The parameters of one function, by the names that the pattern gives them.
class TsScope {
 public:
  TsScope(const CodeNames& names, const std::vector<CodeParameter>& parameters) : names_(names) {
    NameSet scope = names.Scope();
    for (const CodeParameter& parameter : parameters) {
      variables_[parameter.name] = names.Local(parameter.name, scope);
      std::string type = parameter.is_text ? "string" : "AttributeValue";
      if (parameter.attribute != nullptr) {
        type = TsType(names.Of(*parameter.entity), *parameter.attribute);
      }
      declared_ += fmt::format(", {}: {}", variables_[parameter.name], type);
    }
  }

  const std::string& declared() const { return declared_; }  // ", user: string"

  // A value as DynamoDB has it.
  std::string Value(const CodeValue& value) const {
    const std::string& entity = names_.Of(*value.entity).description;
    if (value.each)
      return fmt::format("askedValue({}, {}, each)", entity, JsonText(value.attribute));
    if (value.operand.kind == Operand::Kind::kParameter) {
      return fmt::format("askedValue({}, {}, {})", entity, JsonText(value.attribute),
                         variables_.at(value.operand.text));
    }
    if (value.operand.kind == Operand::Kind::kNow) {
      return fmt::format("timeValue({}.attributes[{}], timeNow(db) + {} * 1000)", entity,
                         JsonText(value.attribute), value.operand.offset.count());
    }
    return TsLiteral(value.entity->FindAttribute(value.attribute), value.operand);
  }

  std::string Pieces(const std::vector<CodePiece>& pieces) const {
    std::vector<std::string> texts;
    for (const CodePiece& piece : pieces) texts.push_back(Piece(piece));
    return fmt::format("{}", fmt::join(texts, " + "));
  }

  std::string Operand(const CodeOperand& operand) const {
    if (operand.kind == CodeOperand::Kind::kValue) return Value(operand.value);
    if (operand.kind == CodeOperand::Kind::kSeconds) {
      return "{ N: String(Math.floor(timeNow(db) / 1000)) }";
    }
    std::string text = Pieces(operand.pieces);
    if (!operand.at_least.empty()) {
      text = fmt::format("atLeast({}, {})", Pieces(operand.at_least), text);
    }
    if (operand.key_type == Type::kS) return fmt::format("{{ S: {} }}", text);
    return fmt::format("keyValue(\"{}\", {})", TypeName(operand.key_type), text);
  }

  std::string Terms(const Entity& entity, const std::vector<Term>& terms) const {
    std::vector<std::string> texts;
    for (const Term& term : terms) {
      std::vector<std::string> values;
      for (const model::Operand& operand : term.operands) {
        const bool plain = operand.kind == model::Operand::Kind::kNow;
        values.push_back(
            plain ? TsLiteral(nullptr, operand)
                  : Value({.operand = operand, .entity = &entity, .attribute = term.attribute}));
      }
      texts.push_back(fmt::format(
          "{{ attribute: {}, is: {}{} }}", JsonText(term.attribute),
          JsonText(ComparisonText(term.comparison)),
          values.empty() ? "" : fmt::format(", values: [{}]", fmt::join(values, ", "))));
    }
    return fmt::format("[{}]", fmt::join(texts, ", "));
  }

 private:
  std::string Piece(const CodePiece& piece) const {
    switch (piece.kind) {
      case CodePiece::Kind::kText:
        return JsonText(piece.text);
      case CodePiece::Kind::kShardNumber:
        return "String(shard)";
      case CodePiece::Kind::kHighest:
        return "\"\\u{10ffff}\"";
      case CodePiece::Kind::kValue:
        break;
    }
    const CodeValue& value = piece.value;
    const std::string entity = names_.Of(*value.entity).description;
    const std::string name = JsonText(value.attribute);
    const std::string digits = piece.digits == 0 ? "" : fmt::format(", {}", piece.digits);
    if (value.each || value.operand.kind == model::Operand::Kind::kParameter) {
      return fmt::format("keyPart({}, {}, {}{})", entity, name,
                         value.each ? "each" : variables_.at(value.operand.text), digits);
    }
    return fmt::format("partText({}, {}, {}{})", entity, name, Value(value), digits);
  }

  const CodeNames& names_;
  std::map<std::string, std::string, std::less<>> variables_;
  std::string declared_;
};

std::string TsResultType(const CodeNames& names, const CodeRead& read, const Entity& entity) {
  const EntityNames& of = names.Of(entity);
  return read.partial ? of.partials.at(read.index) : of.type;
}

// What a read gives: one type, or for several entities an object that says which it is.
std::string TsItemType(const CodeNames& names, const CodeRead& read) {
  if (read.entities.size() == 1) return TsResultType(names, read, *read.entities.front());
  std::vector<std::string> types;
  for (const Entity* entity : read.entities) {
    types.push_back(fmt::format("{{ entity: {}; item: {} }}", JsonText(entity->name),
                                TsResultType(names, read, *entity)));
  }
  return fmt::format("{}", fmt::join(types, " | "));
}

std::vector<std::string> Projected(const EntityNames& names, const CodeRead& read) {
  std::vector<std::string> projected;
  for (const Attribute* attribute : names.attributes) {
    if (Contains(read.projected, attribute->name)) projected.push_back(attribute->name);
  }
  return projected;
}

std::string TsConversion(const CodeNames& names, const CodeRead& read, const Entity& entity) {
  const std::string only =
      read.partial ? ", " + ListText(Projected(names.Of(entity), read), JsonText) : "";
  return fmt::format("fromItem<{}>(entity, item{})", TsResultType(names, read, entity), only);
}

void WriteTsFrom(const CodeNames& names, const CodeRead& read, Lines& out) {
  if (read.entities.size() == 1) {
    out.Add(fmt::format("from: (entity, item) => {},",
                        TsConversion(names, read, *read.entities.front())));
    return;
  }
  out.Open("from: (entity, item) => {");
  for (std::size_t i = 0; i < read.entities.size(); ++i) {
    const Entity& each = *read.entities[i];
    const std::string made = fmt::format("return {{ entity: {}, item: {} }};", JsonText(each.name),
                                         TsConversion(names, read, each));
    const bool last = i + 1 == read.entities.size();
    out.Add(last ? made : fmt::format("if (entity === {}) {}", names.Of(each).description, made));
  }
  out.Close("},");
}

void WriteTsRequest(const CodeRead& read, const TsScope& scope, Lines& out) {
  out.Open("requests.push({");
  if (read.index != nullptr) out.Add(fmt::format("IndexName: {},", JsonText(read.index->name)));
  if (!read.key_condition.empty()) {
    out.Add(fmt::format("KeyConditionExpression: {},", JsonText(read.key_condition)));
  }
  if (!read.filter.empty()) out.Add(fmt::format("FilterExpression: {},", JsonText(read.filter)));
  std::vector<std::string> aliases;
  for (const auto& [placeholder, attribute] : read.names) {
    aliases.push_back(fmt::format("{}: {}", JsonText(placeholder), JsonText(attribute)));
  }
  if (!aliases.empty()) {
    out.Add(fmt::format("ExpressionAttributeNames: {{ {} }},", fmt::join(aliases, ", ")));
  }
  if (!read.values.empty()) {
    out.Open("ExpressionAttributeValues: {");
    for (const CodeOperand& value : read.values) {
      out.Add(fmt::format("{}: {},", JsonText(value.placeholder), scope.Operand(value)));
    }
    out.Close("},");
  }
  if (!read.key_condition.empty() && read.pattern->read.descending) {
    out.Add("ScanIndexForward: false,");
  }
  const bool may_be_strong = read.index == nullptr || read.index->local;
  if (read.pattern->read.strong && may_be_strong) out.Add("ConsistentRead: true,");
  out.Close("});");
}

void WriteTsRequests(const CodeRead& read, const TsScope& scope, const std::string& type,
                     Lines& out) {
  out.Add(fmt::format("const requests: Read<{}>[\"requests\"] = [];", type));
  if (!read.each.empty()) {
    out.Open(fmt::format("for (const each of {}) {{", ListText(read.each, JsonText)));
  }
  if (read.shards > 0)
    out.Open(fmt::format("for (let shard = 0; shard < {}; ++shard) {{", read.shards));
  if (read.shard_by) {
    out.Add(fmt::format("const shard = shardOf({}, {});", scope.Value(*read.shard_by),
                        read.index->shards->count));
  }
  WriteTsRequest(read, scope, out);
  if (read.shards > 0) out.Close("}");
  if (!read.each.empty()) out.Close("}");
}

void WriteTsRead(const CodeNames& names, const CodeRead& read, const std::string& function,
                 Lines& out) {
  const TsScope scope(names, read.parameters);
  const std::string type = TsItemType(names, read);
  const bool pages = read.result == CodeRead::Result::kPage;
  const std::string answer = read.result == CodeRead::Result::kCount    ? "number"
                             : read.result == CodeRead::Result::kUnique ? type + " | undefined"
                             : pages                    ? fmt::format("Page<{}>", type)
                             : read.entities.size() > 1 ? fmt::format("({})[]", type)
                                                        : type + "[]";
  out.Open(fmt::format("export async function {}(db: Connection{}{}): Promise<{}> {{", function,
                       scope.declared(), pages ? ", options: PageOptions = {}" : "", answer));
  WriteTsRequests(read, scope, type, out);
  out.Open(fmt::format("const read: Read<{}> = {{", type));
  std::vector<std::string> wanted;
  for (const Entity* entity : read.entities) wanted.push_back(names.Of(*entity).description);
  out.Add(fmt::format("table: {}, requests, entities, wanted: [{}],", JsonText(read.table->name),
                      fmt::join(wanted, ", ")));
  out.Add(fmt::format("order: {}, position: {},", ListText(read.order, JsonText),
                      ListText(read.position, JsonText)));
  out.Add(fmt::format("descending: {}, size: {},", read.pattern->read.descending, read.size));
  if (!read.bounds.empty()) {
    out.Add(fmt::format("bounds: [{}],", scope.Terms(*read.entities.front(), read.bounds)));
  }
  if (read.pattern->read.then_get) {
    const bool sees = read.pattern->read.expired == ReadDetail::Expired::kSee;
    out.Add(fmt::format("thenGet: {{ entity: {}, strong: {}{} }},", wanted.front(),
                        read.pattern->read.strong, sees ? ", seeExpired: true" : ""));
  }
  WriteTsFrom(names, read, out);
  out.Close("};");
  switch (read.result) {
    case CodeRead::Result::kCount:
      out.Add("return (await readAll(db, read)).length;");
      break;
    case CodeRead::Result::kUnique:
      out.Add("return readUnique(db, read);");
      break;
    case CodeRead::Result::kPage:
      out.Add("return readPage(db, read, options);");
      break;
    default:
      out.Add("return readAll(db, read);");
  }
  out.Close("}");
}

void WriteTsGet(const CodeNames& names, const CodeRead& read, const std::string& function,
                Lines& out) {
  const EntityNames& of = names.Of(*read.entities.front());
  const bool many = read.result == CodeRead::Result::kGetMany;
  out.Open(fmt::format("export async function {}(db: Connection, {}: {}{}): Promise<{}> {{",
                       function, many ? "keys" : "key", many ? "readonly " + of.key + "[]" : of.key,
                       "", many ? of.type + "[]" : of.type + " | undefined"));
  const bool sees = read.pattern->read.expired == ReadDetail::Expired::kSee;
  out.Add(fmt::format("return {}(db, {}, {}, {{ strong: {}{} }});", many ? "getItems" : "getItem",
                      of.description, many ? "keys" : "key", read.pattern->read.strong,
                      sees ? ", seeExpired: true" : ""));
  out.Close("}");
}

std::string TsPick(const EntityNames& of, const std::vector<const Attribute*>& attributes) {
  std::vector<std::string> names;
  for (const Attribute* attribute : attributes) names.push_back(attribute->name);
  return fmt::format("Pick<{}, {}>", of.type, TsUnion(names));
}

std::string TsSetType(const EntityNames& of, const CodeWrite& write) {
  std::vector<std::string> parts;
  if (!write.required.empty()) parts.push_back("Required<" + TsPick(of, write.required) + ">");
  if (!write.optional.empty()) parts.push_back("Partial<" + TsPick(of, write.optional) + ">");
  return fmt::format("{}", fmt::join(parts, " & "));
}

void WriteTsWrite(const CodeNames& names, const PatternNames& pattern, const CodeWrite& write,
                  Lines& out) {
  const EntityNames& of = names.Of(*write.entity);
  const TsScope scope(names, write.parameters);
  const bool whole = write.kind == "create" || write.kind == "put";
  const bool sets = !write.required.empty() || !write.optional.empty();
  std::string declared = whole ? "item: " + of.created : "key: " + of.key;
  if (sets) declared += ", set: " + TsSetType(of, write);
  if (!write.adds.empty()) declared += ", add: Required<" + TsPick(of, write.adds) + ">";
  const bool chooses = write.move != nullptr && write.move->to.size() > 1;
  if (chooses) declared += ", to: " + TsUnion(write.move->to);
  if (write.version) declared += ", expectedVersion: number";
  declared += scope.declared();
  out.Open(fmt::format("export function {}({}): Write<{}> {{", pattern.write, declared, of.type));
  out.Open("return {");
  out.Add(fmt::format("kind: \"{}\", entity: {}, {}{}{}{},", write.kind, of.description,
                      whole ? "item" : "key", sets ? ", set" : "",
                      write.adds.empty() ? "" : ", add", write.version ? ", expectedVersion" : ""));
  if (!write.removes.empty()) {
    out.Add(fmt::format("remove: {},", ListText(write.removes, JsonText)));
  }
  if (write.move != nullptr) {
    out.Add(fmt::format("move: {{ name: {}, from: {}, to{}, stamps: {} }},",
                        JsonText(write.move->name), ListText(write.move->from, JsonText),
                        chooses ? "" : ": " + JsonText(write.move->to.front()),
                        ListText(write.stamps, JsonText)));
  }
  if (write.guard != nullptr) {
    std::vector<std::string> any_of;
    for (const auto& terms : write.guard->any_of)
      any_of.push_back(scope.Terms(*write.entity, terms));
    out.Add(fmt::format("guard: [{}],", fmt::join(any_of, ", ")));
  }
  out.Close("};");
  out.Close("}");
  out.Open(
      fmt::format("export async function {}(db: Connection, ...given: Parameters<typeof {}>): "
                  "Promise<{}> {{",
                  pattern.function, pattern.write, of.type));
  out.Add(fmt::format("return send(db, {}(...given));", pattern.write));
  out.Close("}");
}

void WriteTsTransaction(const CodeNames& names, const Model& model, const PatternNames& pattern,
                        Lines& out) {
  NameSet scope = names.Scope();
  std::string declared;
  std::vector<std::string> writes;
  for (const std::string& part : pattern.pattern->parts) {
    const Pattern* of = model.FindPattern(part);
    const Entity* entity = of == nullptr ? nullptr : model.FindEntity(of->entity);
    if (of == nullptr || of->kind != PatternKind::kWrite || entity == nullptr) continue;
    writes.push_back(names.Local(part, scope));
    declared += fmt::format(", {}: Write<{}>", writes.back(), names.Of(*entity).type);
  }
  out.Open(fmt::format("export async function {}(db: Connection{}): Promise<void> {{",
                       pattern.function, declared));
  out.Add(fmt::format("await transact(db, [{}]);", fmt::join(writes, ", ")));
  out.Close("}");
}

void WriteTsPattern(const CodeNames& names, const Model& model, const PatternNames& pattern,
                    Lines& out) {
  const Pattern& of = *pattern.pattern;
  out.Blank();
  if (of.kind == PatternKind::kWrite || of.kind == PatternKind::kTransaction) {
    if (of.kind == PatternKind::kTransaction) {
      out.Add(TsComment(of.name + ": all of these writes or none"));
      WriteTsTransaction(names, model, pattern, out);
      return;
    }
    out.Add(TsComment(of.name + ": " + PlanText(ResolvePattern(model, of))));
    WriteTsWrite(names, pattern, PlanCodeWrite(model, of), out);
    return;
  }
  const CodeRead read = PlanCodeRead(model, of);
  if (!read.obstacle.empty()) {
    out.Add("// " + CommentText(of.name + " has no function: " + read.obstacle));
    return;
  }
  out.Add(TsComment(of.name + ": " + PlanText(ResolvePattern(model, of))));
  const bool gets =
      read.result == CodeRead::Result::kGet || read.result == CodeRead::Result::kGetMany;
  if (gets) {
    WriteTsGet(names, read, pattern.function, out);
  } else {
    WriteTsRead(names, read, pattern.function, out);
  }
}

// Types of what indexes without all attributes give, where a pattern reads them.
void WriteTsPartials(const CodeNames& names, const Model& model, Lines& out) {
  std::vector<std::string> written;
  for (const Pattern& pattern : model.patterns) {
    if (pattern.kind != PatternKind::kQuery && pattern.kind != PatternKind::kGet) continue;
    const CodeRead read = PlanCodeRead(model, pattern);
    if (!read.partial) continue;
    for (const Entity* entity : read.entities) {
      const EntityNames& of = names.Of(*entity);
      const std::string& type = of.partials.at(read.index);
      if (Contains(written, type)) continue;
      written.push_back(type);
      out.Blank();
      out.Add(TsComment(fmt::format("What {} has of a {}", read.index->name, entity->name)));
      out.Add(fmt::format("export type {} = Pick<{}, {}>;", type, of.type,
                          TsUnion(Projected(of, read))));
    }
  }
}

LanguageNaming TsNaming() {
  LanguageNaming naming{
      .variable = CamelName,
      .description_suffix = "Entity",
      .write_suffix = "Write",
      .reserved = TypeScriptReserved(),
      .taken = TypeScriptGlobals(),
      .locals = {"db", "options", "requests", "read", "shard", "each", "entity", "item", "key",
                 "keys", "set", "add", "to", "expectedVersion", "given"}};
  for (const std::string_view file : kTsRuntime) {
    for (const std::string& name : DefinedNames(
             RuntimeText(file), {"export function ", "export async function ", "export class ",
                                 "export interface ", "export type ", "function ",
                                 "async function ", "class ", "interface ", "type ", "const "})) {
      naming.taken.insert(name);
    }
  }
  naming.locals.insert(naming.taken.begin(), naming.taken.end());
  return naming;
}

}  // namespace

std::string GenerateTypeScriptSdk(const Model& model) {
  const LanguageNaming naming = TsNaming();
  const CodeNames names(model, naming);
  Lines out;
  out.Add("// Made by `stator generate typescript`: change the model, not this file.");
  if (!model.title.empty()) out.Add("// " + CommentText(model.title));
  out.Add("//");
  out.Add(
      "// A type for each entity and a function for each access pattern; what they share stands "
      "below them.");
  for (const EntityNames& entity : names.entities()) WriteTsEntity(entity, out);
  out.Blank();
  std::vector<std::string> descriptions;
  for (const EntityNames& entity : names.entities()) descriptions.push_back(entity.description);
  out.Add(fmt::format("export const entities: readonly AnyEntity[] = [{}];",
                      fmt::join(descriptions, ", ")));
  WriteTsPartials(names, model, out);
  for (const PatternNames& pattern : names.patterns()) WriteTsPattern(names, model, pattern, out);
  for (const std::string_view file : kTsRuntime) {
    out.Blank();
    out.Raw(RuntimeText(file));
  }
  return out.Take();
}

}  // namespace stator::model
