#include "chart/projection_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "generate/table_shape.h"

namespace stator::model {
namespace {

// More than this share of the attributes: a copy of everything is simpler and hardly larger.
constexpr double kMost = 2.0 / 3;

struct Needs {
  bool everything = false;
  std::vector<std::string> attributes;  // in the order in which they are met
};

void Add(const std::string& name, const std::set<std::string>& keys, Needs& needs) {
  if (keys.contains(name) || std::ranges::count(needs.attributes, name) > 0) return;
  needs.attributes.push_back(name);
}

void AddTerms(const std::vector<Term>& terms, const std::set<std::string>& keys, Needs& needs) {
  for (const Term& term : terms) Add(term.attribute, keys, needs);
}

void AddPlan(const Plan& plan, const std::set<std::string>& keys, Needs& needs) {
  const ReadDetail& read = plan.pattern->read;
  AddTerms(plan.residue, keys, needs);
  if (read.filter) {
    for (const std::vector<Term>& terms : read.filter->any_of) AddTerms(terms, keys, needs);
  }
  if (read.count || read.count_by_length || read.then_get) return;
  if (read.needs.empty()) needs.everything = true;
  for (const std::string& name : read.needs) Add(name, keys, needs);
}

// Keys of the table and of the index are always there.
std::set<std::string> KeysOf(const Table& table, const Index& index) {
  std::set<std::string> keys;
  for (const KeyElement& element : KeySchemaOf(table)) keys.insert(element.attribute.name);
  for (const KeyElement& element : KeySchemaOf(table, index)) keys.insert(element.attribute.name);
  return keys;
}

std::size_t CountAttributes(const Model& model, const Table& table,
                            const std::set<std::string>& keys) {
  std::set<std::string> names;
  for (const Entity* entity : model.EntitiesOf(table)) {
    for (const Attribute& attribute : entity->attributes) {
      if (!keys.contains(attribute.name)) names.insert(attribute.name);
    }
  }
  return names.size();
}

}  // namespace

ProjectionChoice ChooseProjection(const Model& model, const std::vector<Plan>& plans,
                                  const Table& table, const Index& index) {
  ProjectionChoice choice;
  const std::set<std::string> keys = KeysOf(table, index);
  Needs needs;
  for (const Plan& plan : plans) {
    if (plan.index != &index || plan.pattern == nullptr) continue;
    choice.used = true;
    AddPlan(plan, keys, needs);
  }
  Projection& projection = choice.projection;
  projection.kind = Projection::Kind::kKeysOnly;
  if (!choice.used) {
    choice.reason = "no pattern reads it";
  } else if (needs.everything) {
    projection.kind = Projection::Kind::kAll;
    choice.reason = "a pattern needs whole items";
  } else if (needs.attributes.empty()) {
    choice.reason = "patterns need keys only";
  } else {
    const std::size_t all = CountAttributes(model, table, keys);
    choice.reason = fmt::format("patterns need {} of {} attributes that are not keys",
                                needs.attributes.size(), std::max(all, needs.attributes.size()));
    const bool most =
        static_cast<double>(needs.attributes.size()) > kMost * static_cast<double>(all);
    projection.kind = most ? Projection::Kind::kAll : Projection::Kind::kInclude;
    if (!most) projection.attributes = needs.attributes;
  }
  return choice;
}

std::string ProjectionText(const Projection& projection) {
  std::string out(ProjectionName(projection));
  if (projection.kind != Projection::Kind::kInclude) return out;
  for (std::size_t i = 0; i < projection.attributes.size(); ++i) {
    out += (i == 0 ? " " : ", ") + projection.attributes[i];
  }
  return out;
}

}  // namespace stator::model
