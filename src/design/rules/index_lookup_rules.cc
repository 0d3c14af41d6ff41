// IX11: lookups that take one item where an index may hold several.
#include <fmt/format.h>

#include <algorithm>

#include "rules/entity_keys.h"
#include "rules/index_rules.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

bool Determines(const Entity& entity, const std::vector<std::string>& known) {
  const auto is_known = [&](const std::string& name) {
    return std::ranges::find(known, name) != known.end();
  };
  const auto is_new_id = [&](const std::string& name) {
    const Attribute* attribute = entity.FindAttribute(name);
    return attribute != nullptr && attribute->default_value &&
           attribute->default_value->kind == DefaultValue::Kind::kNewId;
  };
  return std::ranges::any_of(known, is_new_id) ||
         std::ranges::any_of(entity.unique, [&](const std::vector<std::string>& names) {
           return std::ranges::all_of(names, is_known);
         });
}

// The source attributes that the read binds to one value.
std::vector<std::string> BoundSources(const Plan& plan, const Entity& entity) {
  std::vector<std::string> known;
  for (const Term& term : plan.pattern->read.where) {
    if (term.comparison != Comparison::kEqual) continue;
    for (std::string& source : KeySources(entity, term.attribute)) {
      known.push_back(std::move(source));
    }
  }
  return known;
}

bool Identifies(const Table& table, const Entity& entity, const std::vector<std::string>& known) {
  if (Determines(entity, known)) return true;
  const std::vector<std::string> sources = SourcesOf(entity, KeysOf(table));
  return !sources.empty() && std::ranges::all_of(sources, [&](const std::string& name) {
    return std::ranges::find(known, name) != known.end();
  });
}

void CheckAssumedUniqueness(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (!plan.pattern->read.unique || plan.index == nullptr || plan.entity == nullptr) continue;
    const std::vector<std::string> known = BoundSources(plan, *plan.entity);
    if (Identifies(*plan.table, *plan.entity, known)) continue;
    findings.Add(
        plan.pattern->name, plan.pattern->place,
        fmt::format("takes the one {} with its {}, but {} keeps as many as there are: nothing "
                    "makes {} unique",
                    plan.entity->name, List(known), plan.index->name, List(known)),
        fmt::format("unique: {} in {}, kept by a sentinel item in the same transaction",
                    YamlList(known), plan.entity->name));
  }
}

}  // namespace

constinit const Rule kAssumedUniqueness{
    .id = "IX11",
    .title = "a lookup through an index assumes that its key is unique",
    .severity = Severity::kError,
    .check = CheckAssumedUniqueness,
    .lesson =
        "Only the primary key of a table is unique. An index takes any number of items with the "
        "same key, so `attribute_not_exists` on the primary key does not keep a second item with "
        "the same callId out: a lookup by callId then finds two, and code that takes the first is "
        "right by chance. Uniqueness of another attribute needs an item of its own whose key is "
        "that value, put in the same transaction under `attribute_not_exists`.",
    .bad = R"(model: 1
tables:
  calls:
    key: userId str, sk str
    indexes:
      byCallId: {pk: callId str, project: all}
entities:
  Call:
    table: calls
    keys: {sk: "{at:013d}#{callId}"}
    attrs: {userId: str 12, callId: str 26, at: num epoch_ms}
    volume: {total: 1000, per: {userId: 20/50, callId: 1}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  by_id: {query: calls.byCallId, of: Call, where: callId = $id, unique: true, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  calls:
    key: userId str, sk str
    indexes:
      byCallId: {pk: callId str, project: all}
entities:
  Call:
    table: calls
    keys: {sk: "{at:013d}#{callId}"}
    attrs: {userId: str 12, callId: str 26, at: num epoch_ms}
    unique: [callId]
    volume: {total: 1000, per: {userId: 20/50, callId: 1}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  by_id: {query: calls.byCallId, of: Call, where: callId = $id, unique: true, rate: 10/day}
)",
};

}  // namespace stator::model
