#include "model/generate/cpp_pattern.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/generate/quote.h"
#include "model/generate/table_shape.h"
#include "model/generate/template_text.h"

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

  // A key that is made by templates is asked for as it stands in the table.
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

void WriteFunction(const std::string& name, std::string_view verb, const Pattern& pattern,
                   const std::vector<Parameter>& parameters, Lines& out) {
  std::string declared;
  for (const Parameter& parameter : parameters) {
    declared += fmt::format(", {} {}", parameter.type, parameter.name);
  }
  out.Blank();
  out.Add("template <class Entities>");
  out.Open(fmt::format("auto {}(Entities& entities{}) {{", name, declared));
  if (parameters.empty()) {
    out.Add(fmt::format("return entities.{}({}, stator::Item());", verb, CppText(pattern.name)));
  } else {
    out.Add("stator::Item parameters;");
    for (const Parameter& parameter : parameters) {
      out.Add(fmt::format("stator::typed::Put(parameters, {}, {});", CppText(parameter.key),
                          parameter.name));
    }
    out.Add(fmt::format("return entities.{}({}, parameters);", verb, CppText(pattern.name)));
  }
  out.Close("}");
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
    WriteFunction(name, "Get", pattern, parameters.found(), out);
    return;
  }
  parameters.Add(pattern.read.where);
  parameters.Add(pattern.read.filter);
  WriteFunction(name, "Query", pattern, parameters.found(), out);
}

std::string_view VerbOf(WriteKind kind) {
  switch (kind) {
    case WriteKind::kCreate:
      return "Create";
    case WriteKind::kPut:
      return "Put";
    case WriteKind::kDelete:
      return "Delete";
    case WriteKind::kMove:
      return "Move";
    case WriteKind::kRekey:
      return "Rekey";
    case WriteKind::kUpdate:
      break;
  }
  return "Update";
}

// Creates and puts take the whole entity, deletes its key, everything else its key and the changes.
void WriteWrite(const CppEntity& entity, const Pattern& pattern, const std::string& name,
                Lines& out) {
  const std::string_view verb = VerbOf(pattern.write.kind);
  const WriteKind kind = pattern.write.kind;
  out.Blank();
  out.Add("template <class Entities>");
  if (kind == WriteKind::kCreate || kind == WriteKind::kPut) {
    out.Open(fmt::format("auto {}(Entities& entities, const {}& item) {{", name, entity.name));
    out.Add(fmt::format("return entities.{}({}, item.ToItem());", verb, CppText(pattern.name)));
  } else if (kind == WriteKind::kDelete) {
    out.Open(fmt::format("auto {}(Entities& entities, const {}& item) {{", name, entity.name));
    out.Add(fmt::format("return entities.{}({}, item.Identity());", verb, CppText(pattern.name)));
  } else {
    out.Open(
        fmt::format("auto {}(Entities& entities, const {}& item, "
                    "const stator::Item& changes = {{}}) {{",
                    name, entity.name));
    out.Add(fmt::format("return entities.{}({}, item.Identity(), changes);", verb,
                        CppText(pattern.name)));
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
