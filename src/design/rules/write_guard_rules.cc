// WR02, WR03, WR05, WR14: what a write must make sure of.
#include <fmt/format.h>

#include <algorithm>

#include "rules/entity_keys.h"
#include "rules/phrases.h"
#include "rules/write_rules.h"

namespace stator::model {
namespace {

bool IsWriteOf(const Pattern& pattern, const Entity& entity) {
  return pattern.kind == PatternKind::kWrite && pattern.entity == entity.name;
}

bool Creates(const Pattern& pattern) {
  return pattern.write.kind == WriteKind::kCreate || pattern.write.kind == WriteKind::kPut;
}

// Some pattern puts items of the entity. If none does, they are born by their first update.
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

// A key that no second create can have: part of it is new each time.
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

// True if the read asks for items that have been in this state for some time.
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

// What was never picked up stays in the state in which it was made. It is safe if a read finds it
// there and a move makes it available anew.
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

}  // namespace

constinit const Rule kUnguardedUpdate{
    .id = "WR02",
    .title = "an update that does not ask whether the item exists",
    .severity = Severity::kWarning,
    .check = CheckUnguardedUpdate,
    .lesson =
        "UpdateItem creates the item when there is none. An update of an item that was deleted or "
        "has expired brings it back as a stump: the key and the attributes of the update, nothing "
        "else, and no reader expects that. `attribute_exists` on the key makes it a failure that "
        "the caller can see. Items that are born by their first update need no such guard.",
    .bad = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, note: str 50}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  annotate: {write: Job.update, sets: [note], guard: none, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, note: str 50}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  annotate: {write: Job.update, sets: [note], guard: exists, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
};

constinit const Rule kUnguardedCreate{
    .id = "WR03",
    .title = "a create that replaces what is there",
    .severity = Severity::kWarning,
    .check = CheckUnguardedCreate,
    .lesson =
        "PutItem replaces an item of the same key without a word. A create that is repeated, by a "
        "retry or by a second worker, resets the item's state and drops what was added since. "
        "`attribute_not_exists` on one key attribute is enough: a condition looks at the one item "
        "with that key. A key with a new id in it cannot meet another.",
    .bad = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, note: str 50}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: none, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, note: str 50}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
};

constinit const Rule kLostUpdate{
    .id = "WR05",
    .title = "read, change and write back, without a version",
    .severity = Severity::kError,
    .check = CheckLostUpdate,
    .lesson =
        "Two workers read a count of 5, both write 6, and one event is lost. An eventual read "
        "makes it likely even without a second worker: it may be older than one's own last write. "
        "And a PutItem of what was read drops every attribute that the code does not know. Let "
        "DynamoDB compute (ADD, SET n = n + :one), or write under the condition that the version "
        "is still the one that was read.",
    .bad = R"(model: 1
tables:
  habits: {key: "user str, activity str"}
entities:
  Habit:
    table: habits
    attrs: {user: str 12, activity: str 12, average: num 8}
    volume: {total: 1000, per: {user: 20}}
patterns:
  learn: {write: Habit.put, read_first: eventual, rate: 10/day}
  read: {get: Habit, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  habits: {key: "user str, activity str"}
entities:
  Habit:
    table: habits
    attrs: {user: str 12, activity: str 12, average: num 8, version: num int}
    version: version
    volume: {total: 1000, per: {user: 20}}
patterns:
  learn: {write: Habit.put, read_first: eventual, guard: version, rate: 10/day}
  read: {get: Habit, rate: 10/day}
)",
};

constinit const Rule kSendWithoutOutbox{
    .id = "WR14",
    .title = "a write and a message that can part",
    .severity = Severity::kWarning,
    .check = CheckSendWithoutOutbox,
    .lesson =
        "A write to the table and a message to a queue are two steps. When the program dies "
        "between them the item is there and nobody knows; and because the create is conditional, "
        "the retry finds the item and skips the message. Send from the table's stream, or put the "
        "message as an item into the same transaction and send it from there: an outbox. Or "
        "look for items that stay in their first state too long, and put them back.",
    .bad = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20}
    volume: {total: 1000}
patterns:
  enqueue: {write: Job.create, guard: not_exists, sends: downloads, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs: {key: id str, stream: new_image}
entities:
  Job:
    table: jobs
    attrs: {id: str 20}
    volume: {total: 1000}
patterns:
  enqueue: {write: Job.create, guard: not_exists, sends: downloads, outbox: true, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
};

}  // namespace stator::model
