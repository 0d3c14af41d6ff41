// MG01, MG02, MG03: how existing items come into a new index.
#include <fmt/format.h>

#include <algorithm>

#include "rules/change_rules.h"
#include "rules/entity_keys.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

bool Fills(const Migration& migration) {
  return migration.kind == Migration::Kind::kBackfill || !migration.attributes.empty();
}

std::string TargetOf(const Migration& migration) {
  if (!migration.index.empty()) return migration.table + "." + migration.index;
  return migration.attributes.empty() ? migration.entity
                                      : migration.entity + "." + migration.attributes.front();
}

bool IsAdded(const Model& model, const Table& table, const Index& index) {
  return std::ranges::any_of(model.migrations, [&](const Migration& migration) {
    return migration.kind == Migration::Kind::kAddIndex && migration.table == table.id &&
           (migration.index == index.name || Contains(migration.together, index.name));
  });
}

// Whether existing items have the attribute: a key of the table or of an index that is there.
bool IsKeyAlready(const Model& model, const Table& table, const std::string& attribute) {
  const auto is_it = [&](const KeyAttribute* key) { return key->name == attribute; };
  if (std::ranges::any_of(KeysOf(table), is_it)) return true;
  return std::ranges::any_of(table.indexes, [&](const Index& index) {
    return !IsAdded(model, table, index) && std::ranges::any_of(KeysOf(index), is_it);
  });
}

bool IsBackfilled(const Model& model, const Entity& entity, const std::string& attribute) {
  return std::ranges::any_of(model.migrations, [&](const Migration& migration) {
    if (!Fills(migration)) return false;
    if (!migration.entity.empty() && migration.entity != entity.name) return false;
    return migration.attributes.empty() || Contains(migration.attributes, attribute);
  });
}

void CheckNewIndex(const Model& model, const Migration& migration, const Table& table,
                   const Index& index, Findings& findings) {
  for (const Entity* entity : EntitiesIn(model, table, index)) {
    std::vector<std::string> lacking;
    for (const KeyAttribute* key : KeysOf(index)) {
      if (IsComputed(*entity, key->name) && !IsKeyAlready(model, table, key->name) &&
          !IsBackfilled(model, *entity, key->name)) {
        AddOnce(lacking, key->name);
      }
    }
    if (lacking.empty()) continue;
    findings.Add(IndexTarget(table, index), migration.place,
                 fmt::format("existing {} items lack {}, so they are not in the new index",
                             entity->name, List(lacking)),
                 fmt::format("then: backfill {}.{}, guard: exists, order: writers_first",
                             entity->name, lacking.front()));
  }
}

void CheckIndexWithoutBackfill(const Subject& subject, Findings& findings) {
  const Model& model = subject.model;
  for (const Migration& migration : model.migrations) {
    if (migration.kind != Migration::Kind::kAddIndex) continue;
    const Table* table = model.FindTable(migration.table);
    if (table == nullptr) continue;
    std::vector<std::string> names = migration.together;
    names.insert(names.begin(), migration.index);
    for (const std::string& name : names) {
      const Index* index = table->FindIndex(name);
      if (index != nullptr) CheckNewIndex(model, migration, *table, *index, findings);
    }
  }
}

void CheckBackfillBeforeWriters(const Subject& subject, Findings& findings) {
  using Order = Migration::Order;
  for (const Migration& migration : subject.model.migrations) {
    if (migration.kind == Migration::Kind::kRemoveIndex || !Fills(migration)) continue;
    if (migration.order == Order::kBackfillFirst) {
      findings.Add(TargetOf(migration), migration.place,
                   "items written between the backfill and the new writers never get the key",
                   "order: writers_first");
    } else if (migration.order == Order::kReadersFirst) {
      findings.Add(TargetOf(migration), migration.place,
                   "readers ask an index that is not filled yet", "order: writers_first");
    } else if (migration.order == Order::kUnsaid) {
      findings.Note(TargetOf(migration), migration.place,
                    "does not say whether writers set the key before existing items get it",
                    "order: writers_first");
    }
  }
}

void CheckUnguardedBackfill(const Subject& subject, Findings& findings) {
  for (const Migration& migration : subject.model.migrations) {
    if (migration.kind == Migration::Kind::kRemoveIndex || !Fills(migration)) continue;
    if (migration.guard == Guard::kNone || migration.guard == Guard::kNotExists) {
      findings.Add(TargetOf(migration), migration.place,
                   "an unguarded UpdateItem brings back every item that is deleted meanwhile, as a "
                   "stump with its keys only",
                   "guard: exists");
    } else if (migration.guard == Guard::kUnsaid) {
      findings.Note(TargetOf(migration), migration.place,
                    "does not say how items that are deleted meanwhile stay deleted",
                    "guard: exists");
    }
    if (!migration.resumable) {
      findings.Add(TargetOf(migration), migration.place,
                   "starts again from the beginning when it is interrupted", "resumable: true");
    }
  }
}

}  // namespace

constinit const Rule kIndexWithoutBackfill{
    .id = "MG01",
    .title = "a new index over attributes that existing items lack",
    .severity = Severity::kError,
    .check = CheckIndexWithoutBackfill,
    .lesson =
        "When an index is added, DynamoDB itself puts every item into it that already has the key "
        "attributes. Items that lack them are skipped without a word. So an index over attributes "
        "that are new, made from others, is empty until a backfill has written them to the items "
        "that are there.",
    .bad = R"(model: 1
tables:
  acts:
    key: chat str, id str
    indexes:
      ByActivity: {pk: chat str, sk: actAt str, project: all}
entities:
  Act:
    table: acts
    keys: {actAt: "{activity}#{at:010d}"}
    attrs: {chat: str 12, id: str ulid, activity: str 12 no=#, at: num epoch_s}
    volume: {total: 1000, per: {chat: 50, chat+activity: 9}}
patterns:
  add: {write: Act.create, guard: not_exists, rate: 10/day}
  last: {query: acts.ByActivity, of: Act, where: "chat = $c, activity = $a", order: desc, limit: 1, rate: 9/day}
migrations:
  - {add_index: acts.ByActivity}
)",
    .good = R"(model: 1
tables:
  acts:
    key: chat str, id str
    indexes:
      ByActivity: {pk: chat str, sk: actAt str, project: all}
entities:
  Act:
    table: acts
    keys: {actAt: "{activity}#{at:010d}"}
    attrs: {chat: str 12, id: str ulid, activity: str 12 no=#, at: num epoch_s}
    volume: {total: 1000, per: {chat: 50, chat+activity: 9}}
patterns:
  add: {write: Act.create, guard: not_exists, rate: 10/day}
  last: {query: acts.ByActivity, of: Act, where: "chat = $c, activity = $a", order: desc, limit: 1, rate: 9/day}
migrations:
  - {add_index: acts.ByActivity, then: backfill Act.actAt, guard: exists, order: writers_first}
)",
};

constinit const Rule kBackfillBeforeWriters{
    .id = "MG02",
    .title = "a backfill that runs before the writers know the new key",
    .severity = Severity::kError,
    .check = CheckBackfillBeforeWriters,
    .lesson =
        "A backfill passes each item once. An item that is written behind it by code that does not "
        "know the new key stays without it, for good. So the writers go first: deploy the code "
        "that sets the key on every write, then fill the items from before, then let the readers "
        "use the index.",
    .bad = R"(model: 1
tables:
  acts:
    key: chat str, id str
    indexes:
      ByActivity: {pk: chat str, sk: actAt str, project: all}
entities:
  Act:
    table: acts
    keys: {actAt: "{activity}#{at:010d}"}
    attrs: {chat: str 12, id: str ulid, activity: str 12 no=#, at: num epoch_s}
    volume: {total: 1000, per: {chat: 50, chat+activity: 9}}
patterns:
  add: {write: Act.create, guard: not_exists, rate: 10/day}
  last: {query: acts.ByActivity, of: Act, where: "chat = $c, activity = $a", order: desc, limit: 1, rate: 9/day}
migrations:
  - {add_index: acts.ByActivity, then: backfill Act.actAt, guard: exists, order: backfill_first}
)",
    .good = R"(model: 1
tables:
  acts:
    key: chat str, id str
    indexes:
      ByActivity: {pk: chat str, sk: actAt str, project: all}
entities:
  Act:
    table: acts
    keys: {actAt: "{activity}#{at:010d}"}
    attrs: {chat: str 12, id: str ulid, activity: str 12 no=#, at: num epoch_s}
    volume: {total: 1000, per: {chat: 50, chat+activity: 9}}
patterns:
  add: {write: Act.create, guard: not_exists, rate: 10/day}
  last: {query: acts.ByActivity, of: Act, where: "chat = $c, activity = $a", order: desc, limit: 1, rate: 9/day}
migrations:
  - {add_index: acts.ByActivity, then: backfill Act.actAt, guard: exists, order: writers_first}
)",
};

constinit const Rule kUnguardedBackfill{
    .id = "MG03",
    .title = "a backfill without a guard, or one that cannot be resumed",
    .severity = Severity::kError,
    .check = CheckUnguardedBackfill,
    .lesson =
        "A backfill reads an item and writes it a moment later. In between somebody may delete it, "
        "and UpdateItem creates what is not there: the deleted item comes back as a stump. "
        "`attribute_exists` on the key prevents it. And a run over millions of items will be "
        "interrupted: it must keep its place, and doing an item twice must do no harm.",
    .bad = R"(model: 1
tables:
  acts:
    key: chat str, id str
    indexes:
      ByActivity: {pk: chat str, sk: actAt str, project: all}
entities:
  Act:
    table: acts
    keys: {actAt: "{activity}#{at:010d}"}
    attrs: {chat: str 12, id: str ulid, activity: str 12 no=#, at: num epoch_s}
    volume: {total: 1000, per: {chat: 50, chat+activity: 9}}
patterns:
  add: {write: Act.create, guard: not_exists, rate: 10/day}
  last: {query: acts.ByActivity, of: Act, where: "chat = $c, activity = $a", order: desc, limit: 1, rate: 9/day}
migrations:
  - {backfill: Act.actAt, guard: none, order: writers_first}
)",
    .good = R"(model: 1
tables:
  acts:
    key: chat str, id str
    indexes:
      ByActivity: {pk: chat str, sk: actAt str, project: all}
entities:
  Act:
    table: acts
    keys: {actAt: "{activity}#{at:010d}"}
    attrs: {chat: str 12, id: str ulid, activity: str 12 no=#, at: num epoch_s}
    volume: {total: 1000, per: {chat: 50, chat+activity: 9}}
patterns:
  add: {write: Act.create, guard: not_exists, rate: 10/day}
  last: {query: acts.ByActivity, of: Act, where: "chat = $c, activity = $a", order: desc, limit: 1, rate: 9/day}
migrations:
  - {backfill: Act.actAt, guard: exists, order: writers_first}
)",
};

}  // namespace stator::model
