// All rules, family by family.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "rules/families.h"
#include "rules/rules.h"

namespace stator::model {
namespace {

// Check itself reports it: whether an acceptance matches is known after every other rule has run.
void CheckNothing([[maybe_unused]] const Subject& subject, [[maybe_unused]] Findings& findings) {}

constexpr std::array kAcceptanceRules = {Rule{
    .id = "AC01",
    .title = "an acceptance matches no finding",
    .severity = Severity::kError,
    .check = CheckNothing,
    .lesson =
        "`accept:` silences a finding for a reason that somebody wrote down. When the design has "
        "changed and the finding is gone, the acceptance would silence the next one of its kind, "
        "which nobody has looked at. So it must go with the finding.",
    .bad = R"(model: 1
tables:
  notes: {key: "owner str, id str"}
entities:
  Note:
    table: notes
    attrs: {owner: str 20, id: str ulid, body: str 200}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  read: {get: Note, rate: 10/day}
accept:
  AP02@read: it used to be a scan
)",
    .good = R"(model: 1
tables:
  notes: {key: "owner str, id str"}
entities:
  Note:
    table: notes
    attrs: {owner: str 20, id: str ulid, body: str 200}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  read: {get: Note, rate: 10/day}
)",
}};

std::vector<Rule> Collect() {
  std::vector<Rule> all;
  for (const std::span<const Rule> family :
       {AccessPatternRules(), ReadRules(), ReadShapeRules(), KeyRules(), TableKeyRules(),
        KeyUseRules(), IndexRules(), WriteRules(), TimeToLiveRules(), HotPartitionRules(),
        StateMachineRules(), CostRules(), MigrationRules(), InfrastructureRules(),
        std::span<const Rule>(kAcceptanceRules)}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

}  // namespace

std::span<const Rule> AllRules() {
  static const std::vector<Rule> kAll = Collect();
  return kAll;
}

const Rule* FindRule(std::string_view id) {
  const std::span<const Rule> all = AllRules();
  const auto it = std::ranges::find(all, id, &Rule::id);
  return it == all.end() ? nullptr : &*it;
}

}  // namespace stator::model
