// MG04, MG05: changes of a table's indexes.
#include <fmt/format.h>

#include <algorithm>

#include "rules/change_rules.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

void CheckIndexesTogether(const Subject& subject, Findings& findings) {
  for (const Migration& migration : subject.model.migrations) {
    const Table* table = subject.model.FindTable(migration.table);
    const Index* index = table == nullptr ? nullptr : table->FindIndex(migration.index);
    const std::string target = migration.table + "." + migration.index;
    if (index != nullptr && index->local) {
      findings.Add(target, migration.place,
                   "a local index can only be made with its table, and never be removed",
                   "a global index, or a new table");
    }
    if (migration.together.empty()) continue;
    findings.Add(target, migration.place,
                 fmt::format("changes {} in the same UpdateTable, which takes one index a time",
                             List(migration.together)),
                 "a migration for each, one after the other; each waits until the index is ACTIVE");
  }
}

void CheckIndexDroppedInUse(const Subject& subject, Findings& findings) {
  using Order = Migration::Order;
  for (const Migration& migration : subject.model.migrations) {
    if (migration.kind != Migration::Kind::kRemoveIndex) continue;
    const std::string target = migration.table + "." + migration.index;
    std::vector<std::string> readers;
    for (const Pattern& pattern : subject.model.patterns) {
      if (pattern.read.table == migration.table && pattern.read.index == migration.index) {
        readers.push_back(pattern.name);
      }
    }
    if (!readers.empty()) {
      findings.Add(target, migration.place,
                   fmt::format("is removed while {} still {} it", List(readers),
                               readers.size() == 1 ? "reads" : "read"),
                   "move the readers first, then remove the index");
    } else if (migration.order == Order::kWritersFirst) {
      findings.Add(target, migration.place,
                   "writers stop filling it while readers may still ask it",
                   "order: readers_first: readers leave, then writers, then the index goes");
    } else if (migration.order == Order::kUnsaid) {
      findings.Note(target, migration.place, "does not say that the readers leave first",
                    "order: readers_first");
    }
  }
}

}  // namespace

constinit const Rule kIndexesTogether{
    .id = "MG04",
    .title = "more than one index changed at a time",
    .severity = Severity::kError,
    .check = CheckIndexesTogether,
    .lesson =
        "UpdateTable creates or deletes one global index in a call, and while one is being built "
        "no other can be. A deployment that adds two indexes to a live table fails in the middle. "
        "Plan the steps: add one, wait until it is ACTIVE, then the next; `stator apply` does it "
        "in this order. A local index cannot be added later at all.",
    .bad = R"(model: 1
tables:
  notes:
    key: id str
    indexes:
      ByTopic: {pk: topic str, project: all}
      ByOwner: {pk: owner str, project: all}
entities:
  Note:
    table: notes
    attrs: {id: str ulid, topic: str 12, owner: str 12}
    volume: {total: 1000, per: {topic: 10, owner: 10}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  by_topic: {query: notes.ByTopic, of: Note, where: topic = $t, all: true, rate: 5/day}
  by_owner: {query: notes.ByOwner, of: Note, where: owner = $o, all: true, rate: 5/day}
migrations:
  - {add_index: notes.ByTopic, together: [ByOwner]}
)",
    .good = R"(model: 1
tables:
  notes:
    key: id str
    indexes:
      ByTopic: {pk: topic str, project: all}
      ByOwner: {pk: owner str, project: all}
entities:
  Note:
    table: notes
    attrs: {id: str ulid, topic: str 12, owner: str 12}
    volume: {total: 1000, per: {topic: 10, owner: 10}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  by_topic: {query: notes.ByTopic, of: Note, where: topic = $t, all: true, rate: 5/day}
  by_owner: {query: notes.ByOwner, of: Note, where: owner = $o, all: true, rate: 5/day}
migrations:
  - {add_index: notes.ByTopic}
  - {add_index: notes.ByOwner}
)",
};

constinit const Rule kIndexDroppedInUse{
    .id = "MG05",
    .title = "an index removed while patterns use it",
    .severity = Severity::kError,
    .check = CheckIndexDroppedInUse,
    .lesson =
        "To remove an index, the readers leave first, then the writers stop filling its keys, then "
        "the index goes. In another order readers get answers that lack the newest items, or "
        "errors. Waiting a day or two is no proof that nobody reads it; the patterns are.",
    .bad = R"(model: 1
tables:
  notes:
    key: id str
    indexes:
      ByTopic: {pk: topic str, project: all}
entities:
  Note:
    table: notes
    attrs: {id: str ulid, topic: str 12}
    volume: {total: 1000, per: {topic: 10}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  by_topic: {query: notes.ByTopic, of: Note, where: topic = $t, all: true, rate: 5/day}
migrations:
  - {remove_index: notes.ByTopic, order: readers_first}
)",
    .good = R"(model: 1
tables:
  notes:
    key: id str
    indexes:
      ByTopic: {pk: topic str, project: all}
entities:
  Note:
    table: notes
    attrs: {id: str ulid, topic: str 12}
    volume: {total: 1000, per: {topic: 10}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  read: {get: Note, rate: 5/day}
migrations:
  - {remove_index: notes.ByTopic, order: readers_first}
)",
};

}  // namespace stator::model
