// WR01–WR05, WR14: do writes keep derived keys right, and do they make sure of what they assume?
#include <fmt/format.h>

#include <algorithm>

#include "model/keys/truth.h"
#include "model/plan/request_code.h"
#include "rules/checks.h"
#include "rules/entity_keys.h"

namespace stator::model {

// ---- WR01, WR04: writes that leave a derived key as it was

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

// A key that is set while its sources stay as they are does not match them any more.
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

// The attributes that keep the item in an index that it should leave: every key of the index is a
// plain attribute, and the write removes none of them.
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

}  // namespace

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

// ---- WR02, WR03, WR05, WR14: what a write must make sure of

namespace {

bool IsWriteOf(const Pattern& pattern, const Entity& entity) {
  return pattern.kind == PatternKind::kWrite && pattern.entity == entity.name;
}

bool Creates(const Pattern& pattern) {
  return pattern.write.kind == WriteKind::kCreate || pattern.write.kind == WriteKind::kPut;
}

// Whether some pattern puts items of the entity. If none does, their first update creates them.
bool IsPut(const Model& model, const Entity& entity) {
  return std::ranges::any_of(model.patterns, [&](const Pattern& pattern) {
    return IsWriteOf(pattern, entity) && Creates(pattern);
  });
}

bool CodeHasCondition(const Pattern& pattern) {
  return std::ranges::any_of(pattern.code,
                             [](const Code& code) { return !code.condition.empty(); });
}

bool IsGuarded(const Plan& plan) {
  switch (plan.pattern->write.guard) {
    case Guard::kExists:
    case Guard::kVersion:
    case Guard::kCondition:
      return true;
    case Guard::kNone:
    case Guard::kNotExists:
      return false;
    case Guard::kUnsaid:
      return !plan.condition.empty() || CodeHasCondition(*plan.pattern);
  }
  return false;
}

// Whether part of the key is new each time, so that no second create can have the same one.
bool HasFreshKey(const Model& model, const Entity& entity) {
  const Table* table = model.FindTable(entity.table);
  if (table == nullptr) return false;
  return std::ranges::any_of(SourcesOf(entity, KeysOf(*table)), [&](const std::string& name) {
    const Attribute* attribute = entity.FindAttribute(name);
    if (attribute == nullptr) return false;
    return attribute->unit == Unit::kUlid || attribute->unit == Unit::kUuid ||
           (attribute->default_value &&
            attribute->default_value->kind == DefaultValue::Kind::kNewId);
  });
}

// Whether the read asks for items that have been in this state for some time.
bool FindsLeftIn(const Pattern& read, const Machine& machine, std::string_view state) {
  const std::vector<Term>& where = read.read.where;
  const bool in_state = std::ranges::any_of(where, [&](const Term& term) {
    return term.attribute == machine.attribute && term.comparison == Comparison::kEqual &&
           term.operands.size() == 1 && term.operands[0].text == state;
  });
  return in_state && std::ranges::any_of(where, [&](const Term& term) {
           return term.attribute == machine.stamp && (term.comparison == Comparison::kLess ||
                                                      term.comparison == Comparison::kLessOrEqual);
         });
}

// An item that was never picked up stays in its first state. It is safe if a read finds it there
// and a move makes it available again.
bool IsPickedUpLater(const Model& model, const Pattern& create) {
  const Entity* entity = model.FindEntity(create.entity);
  if (entity == nullptr || !entity->machine || entity->machine->stamp.empty()) return false;
  const Machine& machine = *entity->machine;
  return std::ranges::any_of(machine.initial, [&](const std::string& state) {
    const bool requeued = std::ranges::any_of(machine.moves, [&](const Move& move) {
      return Contains(move.from, state) && Contains(move.to, state);
    });
    return requeued && std::ranges::any_of(model.patterns, [&](const Pattern& pattern) {
             return pattern.kind == PatternKind::kQuery && FindsLeftIn(pattern, machine, state);
           });
  });
}

}  // namespace

void CheckUnguardedUpdate(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    const Pattern& pattern = *plan.pattern;
    if (pattern.kind != PatternKind::kWrite || !plan.resolved()) continue;
    if (pattern.write.kind != WriteKind::kUpdate && pattern.write.kind != WriteKind::kMove)
      continue;
    if (IsGuarded(plan) || !IsPut(subject.model, *plan.entity)) continue;
    findings.Add(pattern.name, pattern.place,
                 fmt::format("updates {} without asking whether it exists: a deleted or expired "
                             "item comes back with these attributes only",
                             plan.entity->name),
                 "guard: exists");
  }
}

void CheckUnguardedCreate(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    const Pattern& pattern = *plan.pattern;
    if (pattern.kind != PatternKind::kWrite || !plan.resolved()) continue;
    if (pattern.write.kind != WriteKind::kCreate) continue;
    const Guard guard = pattern.write.guard;
    const bool unguarded =
        guard == Guard::kNone || guard == Guard::kExists ||
        (guard == Guard::kUnsaid && plan.condition.empty() && !CodeHasCondition(pattern));
    if (!unguarded || HasFreshKey(subject.model, *plan.entity)) continue;
    findings.Add(pattern.name, pattern.place,
                 fmt::format("creates {} without attribute_not_exists: a retry or a second writer "
                             "replaces the item that is there",
                             plan.entity->name),
                 "guard: not_exists");
  }
}

void CheckLostUpdate(const Subject& subject, Findings& findings) {
  using ReadFirst = WriteDetail::ReadFirst;
  for (const Pattern& pattern : subject.model.patterns) {
    if (pattern.kind != PatternKind::kWrite) continue;
    const WriteDetail& write = pattern.write;
    if (write.read_first == ReadFirst::kNo) continue;
    if (write.guard == Guard::kVersion || write.guard == Guard::kCondition) continue;
    if (write.read_first == ReadFirst::kStrong) {
      findings.Note(pattern.name, pattern.place,
                    "reads, computes and writes back: of two at the same time one is lost",
                    "version: an attribute of the entity, and guard: version");
      continue;
    }
    findings.Add(
        pattern.name, pattern.place,
        fmt::format("reads a value that may be old, and writes back what it computed: updates in "
                    "between are lost{}",
                    Creates(pattern) ? ", and so is every attribute that it does not know" : ""),
        "guard: version, or let DynamoDB compute (ADD, SET a = a + :n)");
  }
}

void CheckSendWithoutOutbox(const Subject& subject, Findings& findings) {
  for (const Pattern& pattern : subject.model.patterns) {
    if (pattern.write.sends.empty() || pattern.write.outbox) continue;
    if (IsPickedUpLater(subject.model, pattern)) continue;
    findings.Add(pattern.name, pattern.place,
                 fmt::format("writes, then sends to {}: a crash in between leaves an item that "
                             "nobody is told of, and a retry finds it there and sends nothing",
                             pattern.write.sends),
                 "outbox: true (send from the stream, or from an item of the same transaction), or "
                 "a query for what stays in its first state too long, and a move that renews it");
  }
}

}  // namespace stator::model
