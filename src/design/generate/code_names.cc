#include "generate/code_names.h"

#include <algorithm>

#include "base/check.h"
#include "generate/table_shape.h"

namespace stator::model {
namespace {

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

CodeNames::CodeNames(const Model& model, const LanguageNaming& naming)
    : naming_(naming), taken_(naming.taken), locals_(naming.locals) {
  for (const Entity& entity : model.entities) {
    if (model.FindTable(entity.table) != nullptr) AddEntity(model, entity);
  }
  for (const Pattern& pattern : model.patterns) {
    PatternNames names{.pattern = &pattern};
    names.function = taken_.Add(Free(naming_.variable(pattern.name)));
    if (pattern.kind == PatternKind::kWrite) {
      names.write = taken_.Add(naming_.variable(pattern.name) + naming_.write_suffix);
    }
    patterns_.push_back(std::move(names));
  }
}

void CodeNames::AddEntity(const Model& model, const Entity& entity) {
  EntityNames names{.entity = &entity, .table = model.FindTable(entity.table)};
  names.type = taken_.Add(PascalName(entity.name));
  names.created = taken_.Add("New" + names.type);
  names.key = taken_.Add(names.type + "Key");
  names.description = taken_.Add(naming_.variable(entity.name) + naming_.description_suffix);
  NameSet fields;
  for (const Attribute& attribute : entity.attributes) {
    if (IsDerived(entity, attribute.name)) continue;
    names.attributes.push_back(&attribute);
    names.fields[attribute.name] = fields.Add(Free(naming_.variable(attribute.name)));
    if (attribute.type == Type::kS && !attribute.values.empty()) {
      names.enums[attribute.name] = taken_.Add(names.type + PascalName(attribute.name));
    }
  }
  for (const Index& index : names.table->indexes) {
    if (index.projection.kind == Projection::Kind::kAll) continue;
    names.partials[&index] = taken_.Add(names.type + "In" + PascalName(index.name));
  }
  locals_.insert(names.description);
  entities_.push_back(std::move(names));
}

std::string CodeNames::Free(std::string name) const {
  if (naming_.reserved.contains(name)) name += '_';
  return name;
}

const EntityNames& CodeNames::Of(const Entity& entity) const {
  const auto it = std::ranges::find(entities_, &entity, &EntityNames::entity);
  STATOR_CHECK(it != entities_.end());
  return *it;
}

const PatternNames* CodeNames::FindPattern(std::string_view name) const {
  const auto it = std::ranges::find_if(
      patterns_, [&](const PatternNames& each) { return each.pattern->name == name; });
  return it == patterns_.end() ? nullptr : &*it;
}

std::string CodeNames::Local(std::string_view name, NameSet& scope) const {
  return scope.Add(Free(naming_.variable(name)));
}

std::set<std::string> DefinedNames(std::string_view source,
                                   const std::vector<std::string_view>& beginnings) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = std::min(source.find('\n', at), source.size());
    const std::string_view line = source.substr(at, end - at);
    at = end + 1;
    for (const std::string_view beginning : beginnings) {
      if (!line.starts_with(beginning)) continue;
      const std::string_view rest = line.substr(beginning.size());
      const auto* stop = std::ranges::find_if_not(rest, IsWordCharacter);
      const auto length = static_cast<std::size_t>(stop - rest.begin());
      if (length > 0) names.emplace(rest.substr(0, length));
    }
  }
  return names;
}

}  // namespace stator::model
