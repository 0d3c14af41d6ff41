// Patterns as C++ functions: their parameters, and the calls of the entity layer.
#include <fmt/format.h>

#include <algorithm>

#include "generate/cpp_entity.h"
#include "generate/table_shape.h"
#include "generate/text.h"

namespace stator::model {
namespace {

struct Parameter {
  std::string key;   // "c": what the pattern calls it
  std::string name;  // its C++ name
  std::string type;
};

const CppEntity* FindEntity(const std::vector<CppEntity>& entities, std::string_view name) {
  const auto it = std::ranges::find_if(
      entities, [&](const CppEntity& entity) { return entity.entity->name == name; });
  return it == entities.end() ? nullptr : &*it;
}

class Parameters {
 public:
  Parameters(const Model& model, const std::vector<CppEntity>& entities, const Pattern& pattern)
      : model_(model), entities_(entities), pattern_(pattern) {}

  void Add(const std::string& key, const std::string& entity, const std::string& attribute,
           const std::string& declared_type) {
    if (std::ranges::count(found_, key, &Parameter::key) > 0) return;
    found_.push_back(
        {key, names_.Add(CppName(SnakeName(key))), TypeOf(entity, attribute, declared_type)});
  }

  void Add(const std::vector<Term>& terms) {
    for (const Term& term : terms) {
      for (const Operand& operand : term.operands) {
        if (operand.kind != Operand::Kind::kParameter) continue;
        Add(operand.text, term.entity, term.attribute, operand.declared_type);
      }
    }
  }

  void Add(const std::optional<Predicate>& predicate) {
    if (!predicate) return;
    for (const std::vector<Term>& terms : predicate->any_of) Add(terms);
  }

  const std::vector<Parameter>& found() const { return found_; }

 private:
  std::string TypeOf(const std::string& entity, const std::string& attribute,
                     const std::string& declared_type) const {
    if (declared_type == "str") return "std::string_view";
    if (declared_type == "num") return "const stator::Decimal&";
    for (const CppEntity& candidate : entities_) {
      if (!entity.empty() && candidate.entity->name != entity) continue;
      if (entity.empty() && !pattern_.entity.empty() && candidate.entity->name != pattern_.entity) {
        continue;
      }
      if (pattern_.kind != PatternKind::kGet && candidate.entity->table != pattern_.read.table) {
        continue;
      }
      if (const CppField* field = candidate.FindField(attribute)) return field->ParameterType();
    }
    return KeyType(attribute);
  }

  // A parameter compared with a key that a template makes holds the whole key, as the table has it.
  std::string KeyType(const std::string& attribute) const {
    if (const Table* table = model_.FindTable(pattern_.read.table)) {
      for (const KeyAttribute& key : AttributeDefinitionsOf(*table)) {
        if (key.name == attribute && key.type == Type::kS) return "std::string_view";
      }
    }
    return "const stator::AttributeValue&";
  }

  const Model& model_;
  const std::vector<CppEntity>& entities_;
  const Pattern& pattern_;
  NameSet names_{{"entities", "parameters"}};
  std::vector<Parameter> found_;
};

// What a get must know: `by`, or else the sources of the primary key.
std::vector<std::string> KnownAttributes(const Model& model, const Pattern& pattern,
                                         const Entity& entity) {
  if (!pattern.by.empty()) return pattern.by;
  std::vector<std::string> names;
  const Table* table = model.FindTable(entity.table);
  if (table == nullptr) return names;
  for (const KeyElement& element : KeySchemaOf(*table)) {
    const KeyTemplate* key = entity.FindKey(element.attribute.name);
    std::vector<std::string> sources;
    if (key == nullptr) {
      sources.push_back(element.attribute.name);
    } else {
      for (const TemplatePart& part : key->parts) {
        if (part.is_placeholder && part.text != "shard") sources.push_back(part.text);
      }
    }
    for (const std::string& source : sources) {
      if (std::ranges::count(names, source) == 0) names.push_back(source);
    }
  }
  return names;
}

// The parameters as a list of pairs: {{"user", stator::typed::ToValue(user)}}.
std::string ParameterList(const std::vector<Parameter>& parameters) {
  std::vector<std::string> pairs;
  for (const Parameter& parameter : parameters) {
    pairs.push_back(
        fmt::format("{{{}, stator::typed::ToValue({})}}", CppText(parameter.key), parameter.name));
  }
  return fmt::format("{{{}}}", fmt::join(pairs, ", "));
}

std::string Declared(const std::vector<Parameter>& parameters) {
  std::string declared;
  for (const Parameter& parameter : parameters) {
    declared += fmt::format(", {} {}", parameter.type, parameter.name);
  }
  return declared;
}

void WriteGet(const std::string& name, const std::string& type, const Pattern& pattern,
              const std::vector<Parameter>& parameters, Lines& out) {
  out.Blank();
  out.Open(
      fmt::format("inline stator::EntityResult<std::optional<{}>> {}("
                  "stator::Entities& entities{}) {{",
                  type, name, Declared(parameters)));
  out.Add(fmt::format("return stator::typed::First<{}>(entities, {}, {});", type,
                      CppText(pattern.name), ParameterList(parameters)));
  out.Close("}");
}

// `type` is empty when the pattern may give several entities.
void WriteQuery(const std::string& name, const std::string& type, const Pattern& pattern,
                const std::vector<Parameter>& parameters, Lines& out) {
  const std::string page =
      type.empty() ? "stator::Page" : fmt::format("stator::TypedPage<{}>", type);
  out.Blank();
  out.Open(
      fmt::format("inline stator::EntityResult<{}> {}(stator::Entities& entities{}, "
                  "const stator::PageOptions& options = {{}}) {{",
                  page, name, Declared(parameters)));
  if (type.empty()) {
    out.Add(fmt::format("return entities.Query({}, {}, options);", CppText(pattern.name),
                        ParameterList(parameters)));
  } else {
    out.Add(fmt::format("return stator::typed::Query<{}>(entities, {}, {}, options);", type,
                        CppText(pattern.name), ParameterList(parameters)));
  }
  out.Close("}");
}

// The struct that a read gives; empty when it may give several entities.
std::string ResultType(const std::vector<CppEntity>& entities, const Pattern& pattern) {
  if (!pattern.entities.empty()) return {};
  std::string wanted = pattern.entity;
  for (const Term& term : pattern.read.where) {
    if (wanted.empty()) wanted = term.entity;
  }
  const CppEntity* only = nullptr;
  for (const CppEntity& candidate : entities) {
    if (!wanted.empty()) {
      if (candidate.entity->name == wanted) return candidate.name;
      continue;
    }
    if (candidate.entity->table != pattern.read.table) continue;
    if (only != nullptr) return {};
    only = &candidate;
  }
  return only == nullptr ? std::string() : only->name;
}

void WriteRead(const Model& model, const std::vector<CppEntity>& entities, const Pattern& pattern,
               const std::string& name, Lines& out) {
  Parameters parameters(model, entities, pattern);
  if (pattern.kind == PatternKind::kGet) {
    const Entity* entity = model.FindEntity(pattern.entity);
    if (entity == nullptr) return;
    for (const std::string& known : KnownAttributes(model, pattern, *entity)) {
      parameters.Add(known, pattern.entity, known, "");
    }
    const std::string type = ResultType(entities, pattern);
    if (!type.empty()) WriteGet(name, type, pattern, parameters.found(), out);
    return;
  }
  parameters.Add(pattern.read.where);
  parameters.Add(pattern.read.filter);
  // An index without all attributes gives items from which no struct can be made.
  const Table* table = model.FindTable(pattern.read.table);
  const Index* index = table == nullptr ? nullptr : table->FindIndex(pattern.read.index);
  const bool whole = index == nullptr || index->projection.kind == Projection::Kind::kAll ||
                     pattern.read.then_get.has_value();
  WriteQuery(name, whole ? ResultType(entities, pattern) : std::string(), pattern,
             parameters.found(), out);
}

// Creates and puts take the whole entity, deletes its key, everything else its key and the changes.
void WriteWrite(const CppEntity& entity, const Pattern& pattern, const std::string& name,
                Lines& out) {
  const WriteKind kind = pattern.write.kind;
  const std::string head = fmt::format(
      "inline stator::EntityResult<{0}> {1}(stator::Entities& "
      "entities, const {0}& item",
      entity.name, name);
  const std::string options = "const stator::WriteOptions& options = {}";
  const std::string stored = fmt::format("stator::typed::FromStored<{}>", entity.name);
  out.Blank();
  switch (kind) {
    case WriteKind::kCreate:
      out.Open(head + ") {");
      out.Add(fmt::format("return {}(entities.Create({}::kEntity, item.ToItem()));", stored,
                          entity.name));
      break;
    case WriteKind::kPut:
      out.Open(head + ") {");
      out.Add("return stator::typed::Put(entities, item);");
      break;
    case WriteKind::kDelete:
      out.Open(fmt::format("{}, {}) {{", head, options));
      out.Add(fmt::format("return {}(entities.Delete({}::kEntity, item.Identity(), options));",
                          stored, entity.name));
      break;
    case WriteKind::kMove:
      out.Open(
          fmt::format("{}, const stator::Change& change = {{}}, std::string_view to = {{}}, "
                      "{}) {{",
                      head, options));
      out.Add(
          fmt::format("return {}(entities.Move({}::kEntity, item.Identity(), {}, change, to, "
                      "options));",
                      stored, entity.name, CppText(pattern.write.move)));
      break;
    case WriteKind::kRekey:
    case WriteKind::kUpdate:
      out.Open(fmt::format("{}, const stator::Change& change, {}) {{", head, options));
      out.Add(fmt::format("return {}(entities.{}({}::kEntity, item.Identity(), change, options));",
                          stored, kind == WriteKind::kRekey ? "Rekey" : "Update", entity.name));
      break;
  }
  out.Close("}");
}

}  // namespace

void WriteCppPatterns(const Model& model, const std::vector<CppEntity>& entities, NameSet& names,
                      Lines& out) {
  for (const Pattern& pattern : model.patterns) {
    const std::string name = names.Add(PascalName(pattern.name));
    if (pattern.kind == PatternKind::kGet || pattern.kind == PatternKind::kQuery) {
      WriteRead(model, entities, pattern, name, out);
    } else if (pattern.kind == PatternKind::kWrite) {
      const CppEntity* entity = FindEntity(entities, pattern.entity);
      if (entity != nullptr) WriteWrite(*entity, pattern, name, out);
    }
  }
}

}  // namespace stator::model
