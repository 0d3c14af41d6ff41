// IX13: indexes that are changed where they stand.
#include <fmt/format.h>

#include <algorithm>

#include "rules/compared_indexes.h"
#include "rules/index_rules.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

std::string KeyText(const std::vector<KeyAttribute>& keys) {
  std::vector<std::string> names;
  for (const KeyAttribute& key : keys) {
    names.push_back(fmt::format("{} {}", key.name, TypeName(key.type)));
  }
  return keys.empty() ? "none" : List(names);
}

std::vector<std::string> Sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

// Empty when nothing differs that cannot be altered.
std::string ChangeText(const Index& old, const Index& now) {
  if (old.local != now.local) {
    return now.local ? "becomes a local index" : "becomes a global index";
  }
  if (KeyText(old.partition) != KeyText(now.partition)) {
    return fmt::format("its partition key changes from {} to {}", KeyText(old.partition),
                       KeyText(now.partition));
  }
  if (KeyText(old.sort) != KeyText(now.sort)) {
    return fmt::format("its sort key changes from {} to {}", KeyText(old.sort), KeyText(now.sort));
  }
  if (old.projection.kind != now.projection.kind ||
      Sorted(old.projection.attributes) != Sorted(now.projection.attributes)) {
    return fmt::format("its projection changes from {} to {}", ProjectionAsWritten(old.projection),
                       ProjectionAsWritten(now.projection));
  }
  return "";
}

constexpr std::string_view kFix =
    "a new index under a new name, backfilled; then move the readers; then remove the old one";

const Migration* FindMigration(const Model& model, Migration::Kind kind, const Migration& of) {
  const auto it = std::ranges::find_if(model.migrations, [&](const Migration& migration) {
    return migration.kind == kind && migration.table == of.table && migration.index == of.index;
  });
  return it == model.migrations.end() ? nullptr : &*it;
}

void CheckIndexChangedInPlace(const Subject& subject, Findings& findings) {
  for (const Migration& migration : subject.model.migrations) {
    if (migration.kind != Migration::Kind::kRemoveIndex) continue;
    if (FindMigration(subject.model, Migration::Kind::kAddIndex, migration) == nullptr) continue;
    findings.Add(migration.table + "." + migration.index, migration.place,
                 "is removed and made again under the same name: in between, every query on it "
                 "fails",
                 std::string(kFix));
  }
}

}  // namespace

std::vector<Finding> ComparedIndexFindings(const Model& old, const Model& now) {
  Findings findings;
  findings.Begin(kIndexChangedInPlace);
  for (const Table& table : now.tables) {
    const Table* old_table = old.FindTable(table.id);
    if (old_table == nullptr) continue;
    for (const Index& index : table.indexes) {
      const Index* old_index = old_table->FindIndex(index.name);
      if (old_index == nullptr) continue;
      const std::string change = ChangeText(*old_index, index);
      if (change.empty()) continue;
      findings.Add(IndexTarget(table, index), index.place, change + ", which DynamoDB cannot do",
                   std::string(kFix));
    }
  }
  return findings.Take();
}

constinit const Rule kIndexChangedInPlace{
    .id = "IX13",
    .title = "the key or the projection of an index changed in place",
    .severity = Severity::kError,
    .check = CheckIndexChangedInPlace,
    .lesson =
        "The keys and the projection of an index are fixed when it is made; UpdateTable changes "
        "its capacity only. Removing the index and making it again under the same name leaves "
        "readers without it for as long as the backfill takes, which may be hours. The safe way is "
        "a second index under a new name: fill it, move the readers, remove the first. `stator "
        "diff` finds the same between two versions of a model.",
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
  - {add_index: notes.ByTopic}
)",
    .good = R"(model: 1
tables:
  notes:
    key: id str
    indexes:
      ByTopic: {pk: topic str, project: keys}
      ByTopic2: {pk: topic str, project: all}
entities:
  Note:
    table: notes
    attrs: {id: str ulid, topic: str 12}
    volume: {total: 1000, per: {topic: 10}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  by_topic: {query: notes.ByTopic2, of: Note, where: topic = $t, all: true, rate: 5/day}
migrations:
  - {add_index: notes.ByTopic2}
  - {remove_index: notes.ByTopic, order: readers_first}
)",
};

}  // namespace stator::model
