// Python with boto3: dataclasses of entities, and a function for each pattern that sends plain requests.
#include <fmt/format.h>

#include <algorithm>

#include "generate/code_plan.h"
#include "generate/generate.h"
#include "generate/python.h"
#include "model/names.h"
#include "model/plan/plan.h"

namespace stator::model {
namespace {

constexpr std::string_view kPyRuntime[] = {"python_values.py", "python_keys.py", "python_reads.py",
                                           "python_writes.py", "python_updates.py"};

// The parameters of one function, by the names that the pattern gives them.
class PyScope {
 public:
  PyScope(const CodeNames& names, const std::vector<CodeParameter>& parameters)
      : names_(names), scope_(names.Scope()) {
    for (const CodeParameter& parameter : parameters) {
      std::string& variable = variables_[parameter.name];
      variable = names.Local(parameter.name, scope_);
      std::string type = parameter.is_text ? "str" : "AttributeValue";
      if (parameter.attribute != nullptr) {
        type = PyType(names.Of(*parameter.entity), *parameter.attribute);
      }
      Declare(variable, type);
    }
  }

  // Adds a parameter that is passed on under its own name.
  void Declare(const std::string& variable, const std::string& type) {
    declared_ += fmt::format(", {}: {}", variable, type);
    passed_ += fmt::format(", {0}={0}", variable);
  }
  std::string Local(std::string_view name) { return names_.Local(name, scope_); }

  const std::string& declared() const { return declared_; }  // ", user: str"
  const std::string& passed() const { return passed_; }      // ", user=user"

  // A value as DynamoDB has it.
  std::string Value(const CodeValue& value) const {
    const std::string& entity = names_.Of(*value.entity).description;
    const std::string name = JsonText(value.attribute);
    if (value.each) return fmt::format("asked_value({}, {}, each)", entity, name);
    if (value.operand.kind == Operand::Kind::kParameter) {
      return fmt::format("asked_value({}, {}, {})", entity, name,
                         variables_.at(value.operand.text));
    }
    if (value.operand.kind == Operand::Kind::kNow) {
      return fmt::format("time_value({}.attributes.get({}), db.now() + {} * 1000)", entity, name,
                         value.operand.offset.count());
    }
    return PyLiteral(value.entity->FindAttribute(value.attribute), value.operand);
  }

  std::string Pieces(const std::vector<CodePiece>& pieces) const {
    std::vector<std::string> texts;
    for (const CodePiece& piece : pieces) texts.push_back(Piece(piece));
    return fmt::format("{}", fmt::join(texts, " + "));
  }

  std::string Operand(const CodeOperand& operand) const {
    if (operand.kind == CodeOperand::Kind::kValue) return Value(operand.value);
    if (operand.kind == CodeOperand::Kind::kSeconds) return "{\"N\": str(db.now() // 1000)}";
    std::string text = Pieces(operand.pieces);
    if (!operand.at_least.empty()) {
      text = fmt::format("at_least({}, {})", Pieces(operand.at_least), text);
    }
    if (operand.key_type == Type::kS) return fmt::format("{{\"S\": {}}}", text);
    return fmt::format("key_value(\"{}\", {})", TypeName(operand.key_type), text);
  }

  std::string Terms(const Entity& entity, const std::vector<Term>& terms) const {
    std::vector<std::string> texts;
    for (const Term& term : terms) {
      std::vector<std::string> values;
      for (const model::Operand& operand : term.operands) {
        const bool plain = operand.kind == model::Operand::Kind::kNow;
        values.push_back(
            plain ? PyLiteral(nullptr, operand)
                  : Value({.operand = operand, .entity = &entity, .attribute = term.attribute}));
      }
      texts.push_back(fmt::format("Term({}, {}{})", JsonText(term.attribute),
                                  JsonText(ComparisonText(term.comparison)),
                                  values.empty() ? "" : ", " + PyList(values)));
    }
    return PyList(texts);
  }

 private:
  std::string Piece(const CodePiece& piece) const {
    switch (piece.kind) {
      case CodePiece::Kind::kText:
        return JsonText(piece.text);
      case CodePiece::Kind::kShardNumber:
        return "str(shard)";
      case CodePiece::Kind::kHighest:
        return "\"\\U0010ffff\"";
      case CodePiece::Kind::kValue:
        break;
    }
    const CodeValue& value = piece.value;
    const std::string entity = names_.Of(*value.entity).description;
    const std::string name = JsonText(value.attribute);
    const std::string digits = piece.digits == 0 ? "" : fmt::format(", {}", piece.digits);
    if (value.each || value.operand.kind == model::Operand::Kind::kParameter) {
      return fmt::format("key_part({}, {}, {}{})", entity, name,
                         value.each ? "each" : variables_.at(value.operand.text), digits);
    }
    return fmt::format("part_text({}, {}, {}{})", entity, name, Value(value), digits);
  }

  const CodeNames& names_;
  NameSet scope_;
  std::map<std::string, std::string, std::less<>> variables_;
  std::string declared_;
  std::string passed_;
};

void StartPyFunction(const std::string& head, const std::string& about, Lines& out) {
  out.Blank();
  out.Blank();
  out.Open(head);
  if (!about.empty()) out.Add(JsonText(CommentText(about)));
}

std::string PyResultType(const CodeNames& names, const CodeRead& read, const Entity& entity) {
  const EntityNames& of = names.Of(entity);
  return read.partial ? of.partials.at(read.index) : of.type;
}

std::vector<std::string> PyProjected(const EntityNames& names, const CodeRead& read) {
  std::vector<std::string> projected;
  for (const Attribute* attribute : names.attributes) {
    if (Contains(read.projected, attribute->name)) projected.push_back(attribute->name);
  }
  return projected;
}

std::string PyConversion(const CodeNames& names, const CodeRead& read, const Entity& entity) {
  const EntityNames& of = names.Of(entity);
  if (!read.partial) return fmt::format("from_item({}, item)", of.description);
  return fmt::format("from_projection({}, {}, {}, item)", of.description,
                     of.partials.at(read.index), ListText(PyProjected(of, read), JsonText));
}

void WritePyConvert(const CodeNames& names, const CodeRead& read, const std::string& type,
                    Lines& out) {
  out.Open(fmt::format("def convert(entity: AnyEntity, item: Item) -> {}:", type));
  for (std::size_t i = 0; i < read.entities.size(); ++i) {
    const Entity& each = *read.entities[i];
    const std::string made = "return " + PyConversion(names, read, each);
    if (i + 1 == read.entities.size()) {
      out.Add(made);
      continue;
    }
    out.Open(fmt::format("if entity is {}:", names.Of(each).description));
    out.Add(made);
    out.Leave();
  }
  out.Leave();
  out.Blank();
}

void WritePyRequest(const CodeRead& read, const PyScope& scope, Lines& out) {
  out.Add("requests.append(");
  out.Open("    {");
  if (read.index != nullptr)
    out.Add(fmt::format("    \"IndexName\": {},", JsonText(read.index->name)));
  if (!read.key_condition.empty()) {
    out.Add(fmt::format("    \"KeyConditionExpression\": {},", JsonText(read.key_condition)));
  }
  if (!read.filter.empty()) {
    out.Add(fmt::format("    \"FilterExpression\": {},", JsonText(read.filter)));
  }
  std::vector<std::string> aliases;
  for (const auto& [placeholder, attribute] : read.names) {
    aliases.push_back(fmt::format("{}: {}", JsonText(placeholder), JsonText(attribute)));
  }
  if (!aliases.empty()) {
    out.Add(fmt::format("    \"ExpressionAttributeNames\": {{{}}},", fmt::join(aliases, ", ")));
  }
  if (!read.values.empty()) {
    out.Add("    \"ExpressionAttributeValues\": {");
    for (const CodeOperand& value : read.values) {
      out.Add(fmt::format("        {}: {},", JsonText(value.placeholder), scope.Operand(value)));
    }
    out.Add("    },");
  }
  if (!read.key_condition.empty() && read.pattern->read.descending) {
    out.Add("    \"ScanIndexForward\": False,");
  }
  const bool may_be_strong = read.index == nullptr || read.index->local;
  if (read.pattern->read.strong && may_be_strong) out.Add("    \"ConsistentRead\": True,");
  out.Close("    }");
  out.Add(")");
}

void WritePyRequests(const CodeRead& read, const PyScope& scope, Lines& out) {
  out.Add("requests: list[dict[str, Any]] = []");
  if (!read.each.empty()) {
    out.Open(fmt::format("for each in {}:", ListText(read.each, JsonText)));
  }
  if (read.shards > 0) out.Open(fmt::format("for shard in range({}):", read.shards));
  if (read.shard_by) {
    out.Add(fmt::format("shard = shard_of({}, {})", scope.Value(*read.shard_by),
                        read.index->shards->count));
  }
  WritePyRequest(read, scope, out);
  if (read.shards > 0) out.Leave();
  if (!read.each.empty()) out.Leave();
}

void WritePyRead(const CodeNames& names, const CodeRead& read, const std::string& function,
                 const std::string& about, Lines& out) {
  const PyScope scope(names, read.parameters);
  std::vector<std::string> types;
  std::vector<std::string> wanted;
  for (const Entity* entity : read.entities) {
    types.push_back(PyResultType(names, read, *entity));
    wanted.push_back(names.Of(*entity).description);
  }
  const std::string type = fmt::format("{}", fmt::join(types, " | "));
  const bool pages = read.result == CodeRead::Result::kPage;
  const std::string answer = read.result == CodeRead::Result::kCount    ? "int"
                             : read.result == CodeRead::Result::kUnique ? type + " | None"
                             : pages ? fmt::format("Page[{}]", type)
                                     : fmt::format("list[{}]", type);
  StartPyFunction(
      fmt::format("def {}(db: Connection{}{}) -> {}:", function, scope.declared(),
                  pages ? ", *, limit: int | None = None, cursor: str | None = None" : "", answer),
      about, out);
  WritePyConvert(names, read, type, out);
  WritePyRequests(read, scope, out);
  out.Open(fmt::format("read: Read[{}] = Read(", type));
  out.Add(fmt::format("{}, requests, entities, {},", JsonText(read.table->name), PyList(wanted)));
  out.Add(fmt::format("order={}, position={},", ListText(read.order, JsonText),
                      ListText(read.position, JsonText)));
  out.Add(fmt::format("convert=convert, size={}, descending={},", read.size,
                      read.pattern->read.descending ? "True" : "False"));
  if (!read.bounds.empty()) {
    out.Add(fmt::format("bounds={},", scope.Terms(*read.entities.front(), read.bounds)));
  }
  if (read.pattern->read.then_get) {
    const bool sees = read.pattern->read.expired == ReadDetail::Expired::kSee;
    out.Add(fmt::format("then_get={}, strong={},{}", wanted.front(),
                        read.pattern->read.strong ? "True" : "False",
                        sees ? " see_expired=True," : ""));
  }
  out.Close(")");
  switch (read.result) {
    case CodeRead::Result::kCount:
      out.Add("return len(read_all(db, read))");
      break;
    case CodeRead::Result::kUnique:
      out.Add("return read_unique(db, read)");
      break;
    case CodeRead::Result::kPage:
      out.Add("return read_page(db, read, limit, cursor)");
      break;
    default:
      out.Add("return read_all(db, read)");
  }
  out.Leave();
}

void WritePyGet(const CodeNames& names, const CodeRead& read, const std::string& function,
                const std::string& about, Lines& out) {
  const EntityNames& of = names.Of(*read.entities.front());
  const bool many = read.result == CodeRead::Result::kGetMany;
  const std::string key = fmt::format("{} | {}", of.key, of.type);
  StartPyFunction(fmt::format("def {}(db: Connection, {}) -> {}:", function,
                              many ? fmt::format("keys: Iterable[{}]", key) : "key: " + key,
                              many ? fmt::format("list[{}]", of.type) : of.type + " | None"),
                  about, out);
  const bool sees = read.pattern->read.expired == ReadDetail::Expired::kSee;
  out.Add(fmt::format("return {}(db, {}, {}, strong={}{})", many ? "get_items" : "get_item",
                      of.description, many ? "keys" : "key",
                      read.pattern->read.strong ? "True" : "False",
                      sees ? ", see_expired=True" : ""));
  out.Leave();
}

// Declares what the caller sets, and gives the entries of the dictionary: "note": note.
std::vector<std::string> DeclareSets(const EntityNames& of, const CodeWrite& write,
                                     PyScope& scope) {
  std::vector<std::string> entries;
  const auto add = [&](const Attribute& attribute, const std::string& type) {
    const std::string variable = scope.Local(of.fields.at(attribute.name));
    scope.Declare(variable, type);
    entries.push_back(fmt::format("{}: {}", JsonText(attribute.name), variable));
  };
  for (const Attribute* attribute : write.required) add(*attribute, PyType(of, *attribute));
  for (const Attribute* attribute : write.optional) {
    const std::string none = attribute->optional ? " | None" : "";
    add(*attribute, PyType(of, *attribute) + none + " | Unset = UNSET");
  }
  return entries;
}

void WritePyWrite(const CodeNames& names, const PatternNames& pattern, const CodeWrite& write,
                  const std::string& about, Lines& out) {
  const EntityNames& of = names.Of(*write.entity);
  PyScope scope(names, write.parameters);
  const bool whole = write.kind == "create" || write.kind == "put";
  const bool chooses = write.move != nullptr && write.move->to.size() > 1;
  if (write.version) scope.Declare("expected_version", "int");
  if (chooses) scope.Declare("to", "Literal" + ListText(write.move->to, JsonText));
  std::vector<std::string> adds;
  for (const Attribute* attribute : write.adds) {
    const std::string variable = scope.Local("add_" + of.fields.at(attribute->name));
    scope.Declare(variable, PyType(of, *attribute));
    adds.push_back(fmt::format("{}: {}", JsonText(attribute->name), variable));
  }
  const std::vector<std::string> sets = DeclareSets(of, write, scope);
  const std::string first =
      whole ? "item: " + of.type : fmt::format("key: {} | {}", of.key, of.type);
  const std::string rest = scope.declared().empty() ? "" : ", *" + scope.declared();
  StartPyFunction(fmt::format("def {}({}{}) -> Write[{}]:", pattern.write, first, rest, of.type),
                  about, out);
  out.Open("return Write(");
  out.Add(
      fmt::format("\"{}\", {}, {},", write.kind, of.description, whole ? "item=item" : "key=key"));
  if (!sets.empty()) out.Add(fmt::format("set=given({{{}}}),", fmt::join(sets, ", ")));
  if (!adds.empty()) out.Add(fmt::format("add={{{}}},", fmt::join(adds, ", ")));
  if (!write.removes.empty()) out.Add(fmt::format("remove={},", ListText(write.removes, JsonText)));
  if (write.move != nullptr) {
    out.Add(fmt::format("move=Move({}, {}, {}, {}),", JsonText(write.move->name),
                        ListText(write.move->from, JsonText),
                        chooses ? "to" : JsonText(write.move->to.front()),
                        ListText(write.stamps, JsonText)));
  }
  if (write.guard != nullptr) {
    std::vector<std::string> any_of;
    for (const auto& terms : write.guard->any_of)
      any_of.push_back(scope.Terms(*write.entity, terms));
    out.Add(fmt::format("guard={},", PyList(any_of)));
  }
  if (write.version) out.Add("expected_version=expected_version,");
  out.Close(")");
  out.Leave();
  StartPyFunction(
      fmt::format("def {}(db: Connection, {}{}) -> {}:", pattern.function, first, rest, of.type),
      about, out);
  out.Add(fmt::format("return send(db, {}({}{}))", pattern.write, whole ? "item" : "key",
                      scope.passed()));
  out.Leave();
}

void WritePyTransaction(const CodeNames& names, const Model& model, const PatternNames& pattern,
                        Lines& out) {
  NameSet scope = names.Scope();
  std::string declared;
  std::vector<std::string> writes;
  for (const std::string& part : pattern.pattern->parts) {
    const Pattern* of = model.FindPattern(part);
    const Entity* entity = of == nullptr ? nullptr : model.FindEntity(of->entity);
    if (of == nullptr || of->kind != PatternKind::kWrite || entity == nullptr) continue;
    writes.push_back(names.Local(part, scope));
    declared += fmt::format(", {}: Write[{}]", writes.back(), names.Of(*entity).type);
  }
  StartPyFunction(fmt::format("def {}(db: Connection{}) -> None:", pattern.function, declared),
                  pattern.pattern->name + ": all of these writes or none", out);
  out.Add(fmt::format("transact(db, {})", PyList(writes)));
  out.Leave();
}

void WritePyPattern(const CodeNames& names, const Model& model, const PatternNames& pattern,
                    Lines& out) {
  const Pattern& of = *pattern.pattern;
  if (of.kind == PatternKind::kTransaction) {
    WritePyTransaction(names, model, pattern, out);
    return;
  }
  const std::string about = of.name + ": " + PlanText(ResolvePattern(model, of));
  if (of.kind == PatternKind::kWrite) {
    WritePyWrite(names, pattern, PlanCodeWrite(model, of), about, out);
    return;
  }
  const CodeRead read = PlanCodeRead(model, of);
  if (!read.obstacle.empty()) {
    out.Blank();
    out.Add("# " + CommentText(of.name + " has no function: " + read.obstacle));
  } else if (read.result == CodeRead::Result::kGet || read.result == CodeRead::Result::kGetMany) {
    WritePyGet(names, read, pattern.function, about, out);
  } else {
    WritePyRead(names, read, pattern.function, about, out);
  }
}

// Dataclasses of what indexes without all attributes give, where a pattern reads them.
void WritePyPartials(const CodeNames& names, const Model& model, Lines& out) {
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
      WritePyPartial(of, type, fmt::format("What {} has of a {}", read.index->name, entity->name),
                     PyProjected(of, read), out);
    }
  }
}

LanguageNaming PyNaming() {
  LanguageNaming naming{
      .variable = SnakeName,
      .description_suffix = "_entity",
      .write_suffix = "_write",
      .reserved = {"False",  "None",    "True",  "and",      "as",     "assert", "async",  "await",
                   "break",  "case",    "class", "continue", "def",    "del",    "elif",   "else",
                   "except", "finally", "for",   "from",     "global", "if",     "import", "in",
                   "is",     "lambda",  "match", "nonlocal", "not",    "or",     "pass",   "raise",
                   "return", "try",     "type",  "while",    "with",   "yield",  "self",   "field",
                   "int",    "str",     "bool",  "bytes",    "set",    "dict",   "list"},
      .taken = {"Any",          "Callable",    "Context",    "Decimal",
                "Exception",    "Generic",     "Iterable",   "Literal",
                "Mapping",      "NoReturn",    "Protocol",   "Sequence",
                "TypeVar",      "Union",       "ValueError", "ArithmeticError",
                "all",          "annotations", "any",        "bool",
                "bytearray",    "bytes",       "dataclass",  "datetime",
                "dict",         "entities",    "enumerate",  "field",
                "float",        "format",      "frozenset",  "getattr",
                "int",          "isinstance",  "iter",       "json",
                "len",          "list",        "map",        "max",
                "min",          "next",        "property",   "random",
                "range",        "re",          "set",        "sorted",
                "staticmethod", "str",         "sum",        "super",
                "time",         "timezone",    "tuple",      "type",
                "unicodedata",  "urllib",      "zip"},
      .locals = {"db",   "limit", "cursor", "convert", "entity", "item",    "requests",
                 "each", "shard", "read",   "key",     "keys",   "to",      "expected_version",
                 "str",  "range", "len",    "list",    "dict",   "entities"}};
  for (const std::string_view file : kPyRuntime) {
    for (const std::string& name : DefinedNames(RuntimeText(file), {"def ", "class ", ""})) {
      naming.taken.insert(name);
      naming.locals.insert(name);
    }
  }
  return naming;
}

}  // namespace

std::string GeneratePython(const Model& model, const GenerateOptions&) {
  const LanguageNaming naming = PyNaming();
  const CodeNames names(model, naming);
  Lines out(4);
  out.Add("# Made by `stator generate python`: change the model, not this file.");
  if (!model.title.empty()) out.Add("# " + CommentText(model.title));
  out.Add("#");
  out.Add(
      "# What all functions share comes first; below are a dataclass for each entity and a "
      "function for each");
  out.Add("# access pattern.");
  for (const std::string_view file : kPyRuntime) {
    if (file != kPyRuntime[0]) out.Raw("\n\n");
    out.Raw(RuntimeText(file));
  }
  out.Raw("\n\n# ---- the model\n");
  for (const EntityNames& entity : names.entities()) WritePyEntity(entity, out);
  std::vector<std::string> descriptions;
  for (const EntityNames& entity : names.entities()) descriptions.push_back(entity.description);
  out.Blank();
  out.Blank();
  out.Add(fmt::format("entities: list[AnyEntity] = {}", PyList(descriptions)));
  WritePyPartials(names, model, out);
  for (const PatternNames& pattern : names.patterns()) WritePyPattern(names, model, pattern, out);
  return out.Take();
}

}  // namespace stator::model
