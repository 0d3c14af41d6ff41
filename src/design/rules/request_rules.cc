// WR07, WR09: requests that DynamoDB refuses for what they name.
#include <fmt/format.h>

#include <algorithm>

#include "model/names.h"
#include "model/plan/request_code.h"
#include "model/plan/request_members.h"
#include "rules/phrases.h"
#include "rules/write_rules.h"

namespace stator::model {
namespace {

// Whether every item of the entity has the attribute from its first write on.
bool IsAlwaysThere(const Model& model, const Entity& entity, const std::string& name) {
  const Attribute* attribute = entity.FindAttribute(name);
  if (attribute == nullptr || attribute->optional) return false;
  bool created = false;
  for (const Pattern& pattern : model.patterns) {
    if (pattern.kind != PatternKind::kWrite || pattern.entity != entity.name) continue;
    const WriteKind kind = pattern.write.kind;
    if (kind != WriteKind::kCreate && kind != WriteKind::kPut) continue;
    // A create that lists nothing writes all attributes.
    if (!pattern.write.sets.empty() && !Contains(pattern.write.sets, name)) return false;
    created = true;
  }
  return created;
}

void CheckMissingParent(const Subject& subject, Findings& findings) {
  for (const Pattern& pattern : subject.model.patterns) {
    const Entity* entity = subject.model.FindEntity(pattern.entity);
    if (entity == nullptr) continue;
    for (const Code& code : pattern.code) {
      std::vector<std::string> missing;
      for (const Update::Target& target : ReadCode(code).targets) {
        const std::string& parent = target.path[0].name;
        if (target.path.size() < 2 || target.action == Update::Action::kRemove) continue;
        if (IsAlwaysThere(subject.model, *entity, parent)) continue;
        if (!Contains(RequiredByCode(code), parent)) AddOnce(missing, parent);
      }
      if (missing.empty()) continue;
      findings.Add(pattern.name, code.place,
                   fmt::format("writes into {}, which may not be there: \"The document path "
                               "provided in the update expression is invalid for update\"",
                               List(missing)),
                   fmt::format("condition: attribute_exists({}), and a create with the map when it "
                               "fails; or flat attributes",
                               missing.front()));
    }
  }
}

std::string_view ApiOf(const Code& code, const Plan& plan) {
  if (!code.api.empty()) return ApiName(code.api);
  return plan.resolved() ? ApiName(OperationName(plan.operation)) : std::string_view();
}

bool IsLegacy(const std::string& member) {
  static const std::vector<std::string> kLegacy = {
      "AttributesToGet", "AttributeUpdates", "ConditionalOperator", "Expected",
      "KeyConditions",   "QueryFilter",      "ScanFilter"};
  return Contains(kLegacy, member);
}

void CheckMembers(const Pattern& pattern, const Code& code, std::string_view api,
                  Findings& findings) {
  const std::span<const std::string_view> members = MembersOf(api);
  std::vector<std::string> given = MembersGiven(code);
  for (const std::string& member : given) {
    if (std::ranges::find(members, member) != members.end()) continue;
    const std::string_view near = NearestName(member, members);
    std::string fix = near.empty() ? fmt::format("leave {} out", member)
                                   : fmt::format("{} instead of {}", near, member);
    if (member == "Key" && api == "PutItem") fix = "the key is part of Item";
    findings.Add(pattern.name, code.place, fmt::format("{} has no member {}", api, member), fix);
  }
  const auto legacy = std::ranges::find_if(given, IsLegacy);
  const auto modern = std::ranges::find_if(
      given, [](const std::string& member) { return member.ends_with("Expression"); });
  if (legacy != given.end() && modern != given.end()) {
    findings.Add(pattern.name, code.place,
                 fmt::format("{} and {} cannot stand in one request", *legacy, *modern),
                 fmt::format("leave {} out", *legacy));
  }
}

void CheckForeignMember(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    for (const Code& code : plan.pattern->code) {
      const std::string_view api = ApiOf(code, plan);
      if (!api.empty()) {
        CheckMembers(*plan.pattern, code, api, findings);
      } else if (!code.api.empty()) {
        findings.Add(plan.pattern->name, code.place,
                     fmt::format("there is no operation {}", code.api),
                     NameHint(code.api, ApiNames()));
      }
    }
  }
}

}  // namespace

constinit const Rule kMissingParent{
    .id = "WR07",
    .title = "an update inside a map that may not be there",
    .severity = Severity::kError,
    .check = CheckMissingParent,
    .lesson =
        "SET or ADD on a nested path works when every step above its end exists. When the map is "
        "missing, because the item is new or was written before the map was invented, the whole "
        "update fails: \"The document path provided in the update expression is invalid for "
        "update\". Create items with their maps; and update under attribute_exists(map), with a "
        "create when that fails. ADD on a nested path is fine once the parent is there.",
    .bad = R"(model: 1
tables:
  habits: {key: id str}
entities:
  Habit:
    table: habits
    attrs: {id: str 20, days: counters mon..sun opt}
    volume: {total: 1000}
patterns:
  add: {write: Habit.create, guard: not_exists, rate: 1/day}
  count:
    write: Habit.update
    adds: [days]
    guard: exists
    rate: 10/day
    code: {update: "ADD days.#d :one", condition: attribute_exists(id), names: {"#d": mon}, values: {":one": num}}
  read: {get: Habit, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  habits: {key: id str}
entities:
  Habit:
    table: habits
    attrs: {id: str 20, days: counters mon..sun opt}
    volume: {total: 1000}
patterns:
  add: {write: Habit.create, guard: not_exists, rate: 1/day}
  count:
    write: Habit.update
    adds: [days]
    guard: exists
    rate: 10/day
    code: {update: "ADD days.#d :one", condition: attribute_exists(days), names: {"#d": mon}, values: {":one": num}}
  read: {get: Habit, rate: 10/day}
)",
};

constinit const Rule kForeignMember{
    .id = "WR09",
    .title = "a parameter that the operation does not have",
    .severity = Severity::kError,
    .check = CheckForeignMember,
    .lesson =
        "Operations look alike and differ: PutItem has no Key, because the key is in the Item; "
        "GetItem has no FilterExpression; BatchWriteItem has no conditions at all. Some clients "
        "drop what they do not know, and then a condition that everybody relies on was never sent.",
    .bad = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 9/day, code: {api: PutItem, condition: attribute_not_exists(id), with: [TableName, Key, Item]}}
  read: {get: Job, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 9/day, code: {api: PutItem, condition: attribute_not_exists(id), with: [TableName, Item]}}
  read: {get: Job, rate: 10/day}
)",
};

}  // namespace stator::model
