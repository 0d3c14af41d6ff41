// WR01, WR04: writes that leave a derived key as it was.
#include <fmt/format.h>

#include <algorithm>

#include "model/keys/truth.h"
#include "model/plan/request_code.h"
#include "rules/entity_keys.h"
#include "rules/phrases.h"
#include "rules/write_rules.h"

namespace stator::model {
namespace {

// The keys that the code of a write sets or removes, where the model says so: listed, or seen in
// the update expression. Absent: the entity layer writes what is affected.
std::optional<std::vector<std::string>> KeysWritten(const Plan& plan) {
  const WriteDetail& write = plan.pattern->write;
  if (write.derives) return write.derives;
  if (plan.operation != Operation::kUpdateItem) return std::nullopt;
  std::vector<std::string> written = WrittenByCode(*plan.pattern);
  if (written.empty()) return std::nullopt;
  return written;
}

std::vector<std::string> KeysForgotten(const Plan& plan) {
  const auto written = KeysWritten(plan);
  if (!written) return {};
  std::vector<std::string> forgotten;
  for (const std::string& key : plan.derived) {
    if (!Contains(*written, key)) forgotten.push_back(key);
  }
  return forgotten;
}

// The index that the item leaves by this write and that the key belongs to.
const Index* LeftIndex(const Plan& plan, const std::string& key) {
  for (const IndexEffect& effect : plan.effects) {
    if (effect.kind != IndexEffect::Kind::kRemove || !effect.index->sparse) continue;
    const auto keys = KeysOf(*effect.index);
    if (std::ranges::any_of(keys, [&](const KeyAttribute* each) { return each->name == key; })) {
      return effect.index;
    }
  }
  return nullptr;
}

bool IsWrite(const Plan& plan) {
  return plan.pattern->kind == PatternKind::kWrite && plan.entity != nullptr &&
         plan.pattern->write.kind != WriteKind::kDelete;
}

// A key set by hand while its sources stay: it no longer says what they say.
void CheckKeysSetAlone(const Plan& plan, Findings& findings) {
  const WriteDetail& write = plan.pattern->write;
  if (write.kind != WriteKind::kUpdate && write.kind != WriteKind::kMove) return;
  for (const std::string& name : write.sets) {
    if (!IsComputed(*plan.entity, name)) continue;
    const std::vector<std::string> sources = KeySources(*plan.entity, name);
    if (sources.empty()) continue;
    if (std::ranges::any_of(sources, [&](const std::string& source) {
          return Contains(write.sets, source) ||
                 (plan.entity->machine && write.kind == WriteKind::kMove &&
                  source == plan.entity->machine->attribute);
        })) {
      continue;
    }
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("sets {}, which is made from {}, and not {}", name, List(sources),
                             sources.size() == 1 ? "that" : "those"),
                 fmt::format("sets: {}; the key follows", YamlList(sources)));
  }
}

void CheckStaleDerivedKey(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (!IsWrite(plan)) continue;
    CheckKeysSetAlone(plan, findings);
    std::vector<std::string> stale = KeysForgotten(plan);
    std::erase_if(stale, [&](const std::string& key) { return LeftIndex(plan, key) != nullptr; });
    if (stale.empty()) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("changes what {} {} made from, and leaves {} as it was", List(stale),
                             stale.size() == 1 ? "is" : "are", stale.size() == 1 ? "it" : "them"),
                 fmt::format("write {} in the same update (leave `derives` out and the entity "
                             "layer does)",
                             List(stale)));
  }
}

// The attributes that keep the item in an index which it should leave, because each of the index's
// keys is an attribute of its own that nobody takes away.
std::vector<std::string> AttributesThatStay(const Plan& plan, const Index& index) {
  const std::vector<std::string> written = WrittenByCode(*plan.pattern);
  std::vector<std::string> stay;
  for (const KeyAttribute* key : KeysOf(index)) {
    const KeyTemplate* made = plan.entity->FindKey(key->name);
    const bool goes = (made != nullptr && made->IsDerived()) || Contains(written, key->name) ||
                      Contains(plan.pattern->write.removes, key->name) ||
                      Uses(*index.sparse->when, key->name);
    if (goes) return {};
    stay.push_back(key->name);
  }
  return stay;
}

void CheckAttributesLeftover(const Plan& plan, Findings& findings) {
  if (plan.operation != Operation::kUpdateItem) return;
  for (const IndexEffect& effect : plan.effects) {
    if (effect.kind != IndexEffect::Kind::kRemove) continue;
    if (!effect.index->sparse || !effect.index->sparse->when) continue;
    const std::vector<std::string> stay = AttributesThatStay(plan, *effect.index);
    if (stay.empty()) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("makes `{}` false, and {} {}: the item stays in {}",
                             effect.index->sparse->when->text, List(stay),
                             stay.size() == 1 ? "stays" : "stay", effect.index->name),
                 fmt::format("removes: {}; or give {} a key of its own that is made from it",
                             stay.front(), effect.index->name));
    return;
  }
}

void CheckSparseKeyLeftover(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (!IsWrite(plan)) continue;
    CheckAttributesLeftover(plan, findings);
    std::vector<std::string> left;
    const Index* index = nullptr;
    for (const std::string& key : KeysForgotten(plan)) {
      const Index* leaves = LeftIndex(plan, key);
      if (leaves == nullptr) continue;
      index = leaves;
      left.push_back(key);
    }
    if (left.empty()) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("makes `{}` false and does not remove {}: the item stays in {}",
                             index->sparse->when ? index->sparse->when->text : "its condition",
                             List(left), index->name),
                 fmt::format("REMOVE {}", List(left)));
  }
}

}  // namespace

constinit const Rule kStaleDerivedKey{
    .id = "WR01",
    .title = "a write changes an attribute but not the key that is made from it",
    .severity = Severity::kError,
    .check = CheckStaleDerivedKey,
    .lesson =
        "A key such as userStatus = userId#status is a copy. A write that changes the status and "
        "not the copy leaves the item in the index under its old status, where readers find it, "
        "and not under the new one, where they look. Both must be set in one update, under one "
        "condition. The entity layer computes every derived key of a partial update.",
    .bad = R"(model: 1
tables:
  calls:
    key: userId str, id str
    indexes:
      ByStatus: {pk: userStatus str, project: all}
entities:
  Call:
    table: calls
    keys: {userStatus: "{userId}#{status}"}
    attrs: {userId: str 12 no=#, id: str ulid, status: str 9 enum=SCHEDULED|COMPLETED}
    volume: {total: 1000, per: {userId: 20, userId+status: 10}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  complete: {write: Call.update, sets: [status], derives: [], guard: exists, rate: 10/day}
  list: {query: calls.ByStatus, of: Call, where: "userId = $u, status = $s", all: true, rate: 9/day}
)",
    .good = R"(model: 1
tables:
  calls:
    key: userId str, id str
    indexes:
      ByStatus: {pk: userStatus str, project: all}
entities:
  Call:
    table: calls
    keys: {userStatus: "{userId}#{status}"}
    attrs: {userId: str 12 no=#, id: str ulid, status: str 9 enum=SCHEDULED|COMPLETED}
    volume: {total: 1000, per: {userId: 20, userId+status: 10}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  complete: {write: Call.update, sets: [status], derives: [userStatus], guard: exists, rate: 10/day}
  list: {query: calls.ByStatus, of: Call, where: "userId = $u, status = $s", all: true, rate: 9/day}
)",
};

constinit const Rule kSparseKeyLeftover{
    .id = "WR04",
    .title = "a sparse key is not removed when its condition turns false",
    .severity = Severity::kError,
    .check = CheckSparseKeyLeftover,
    .lesson =
        "An item is in a sparse index for as long as it has the index's key attributes. The write "
        "that makes the condition false must remove them in the same update. Setting them to NULL "
        "or to an empty text is refused, and leaving them keeps the item in the index, where it is "
        "processed again and again.",
    .bad = R"(model: 1
tables:
  calls:
    key: id str
    indexes:
      Pending: {pk: pendingPk str, sk: pendingSk str, project: keys, sparse: {when: status <> SUCCESS, share: 1%}}
entities:
  Call:
    table: calls
    keys: {pendingPk: "STATUS#{status}", pendingSk: "{at}#{id}"}
    attrs: {id: str ulid, at: str iso_s}
    volume: {total: 1000, per: {status: 100}}
    machine:
      attr: status
      initial: PENDING
      states: {PENDING: dwell 1d, SUCCESS: end}
      moves: {succeed: PENDING -> SUCCESS}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  succeed: {write: Call.succeed, derives: [], rate: 10/day}
  pending: {query: calls.Pending, of: Call, where: status = PENDING, needs: [id], page: 25, rate: 9/day}
)",
    .good = R"(model: 1
tables:
  calls:
    key: id str
    indexes:
      Pending: {pk: pendingPk str, sk: pendingSk str, project: keys, sparse: {when: status <> SUCCESS, share: 1%}}
entities:
  Call:
    table: calls
    keys: {pendingPk: "STATUS#{status}", pendingSk: "{at}#{id}"}
    attrs: {id: str ulid, at: str iso_s}
    volume: {total: 1000, per: {status: 100}}
    machine:
      attr: status
      initial: PENDING
      states: {PENDING: dwell 1d, SUCCESS: end}
      moves: {succeed: PENDING -> SUCCESS}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  succeed: {write: Call.succeed, derives: [pendingPk, pendingSk], rate: 10/day}
  pending: {query: calls.Pending, of: Call, where: status = PENDING, needs: [id], page: 25, rate: 9/day}
)",
};

}  // namespace stator::model
