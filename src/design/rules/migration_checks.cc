// MG: does a change of the tables lose or skip items on its way?
#include <fmt/format.h>

#include <algorithm>

#include "rules/checks.h"
#include "rules/entity_keys.h"

namespace stator::model {

// ---- MG01–MG03: how existing items get into a new index

namespace {

bool FillsItems(const Migration& migration) {
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

// Whether existing items have the attribute: it is a key of the table or of an existing index.
bool IsKeyAlready(const Model& model, const Table& table, const std::string& attribute) {
  const auto is_it = [&](const KeyAttribute* key) { return key->name == attribute; };
  if (std::ranges::any_of(KeysOf(table), is_it)) return true;
  return std::ranges::any_of(table.indexes, [&](const Index& index) {
    return !IsAdded(model, table, index) && std::ranges::any_of(KeysOf(index), is_it);
  });
}

bool IsBackfilled(const Model& model, const Entity& entity, const std::string& attribute) {
  return std::ranges::any_of(model.migrations, [&](const Migration& migration) {
    if (!FillsItems(migration)) return false;
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

}  // namespace

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
    if (migration.kind == Migration::Kind::kRemoveIndex || !FillsItems(migration)) continue;
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
    if (migration.kind == Migration::Kind::kRemoveIndex || !FillsItems(migration)) continue;
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

// ---- MG04, MG05: changes of a table's indexes

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

}  // namespace stator::model
