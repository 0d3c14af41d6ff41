// IX01, IX07, IX09, IX11, IX13: what indexes are for, and what is assumed of them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "rules/checks.h"
#include "rules/entity_keys.h"

namespace stator::model {

// ---- IX01, IX07, IX09: what indexes are for

namespace {

constexpr std::size_t kMaxGlobalIndexes = 20;
constexpr std::size_t kMaxLocalIndexes = 5;

// Compares the name too: a pattern that does not resolve still means its index.
bool Uses(const Plan& plan, const Table& table, const Index& index) {
  return plan.index == &index ||
         (plan.pattern->read.table == table.id && plan.pattern->read.index == index.name);
}

std::size_t CountUsers(const Subject& subject, const Table& table, const Index& index) {
  return static_cast<std::size_t>(std::ranges::count_if(
      subject.plans, [&](const Plan& plan) { return Uses(plan, table, index); }));
}

bool IsBeingRemoved(const Model& model, const Table& table, const Index& index) {
  return std::ranges::any_of(model.migrations, [&](const Migration& migration) {
    return migration.kind == Migration::Kind::kRemoveIndex && migration.table == table.id &&
           migration.index == index.name;
  });
}

// A write request unit costs five read request units.
constexpr double kReadUnitsPerWriteUnit = 5;

// Read request units of one Scan of the table; nullopt: the model does not say how much it holds.
std::optional<double> ScanUnits(const Model& model, const Table& table) {
  constexpr double kBytesPerUnit = 8192;  // of an eventually consistent read
  double bytes = 0;
  for (const Entity* entity : model.EntitiesOf(table)) {
    if (!entity->volume.total) return std::nullopt;
    bytes += entity->volume.total->typical * ItemBytes(model, *entity).typical;
  }
  return bytes / kBytesPerUnit;
}

// An index that every write keeps up to date for a question that is asked once a month. It is worth
// a warning if the Scans that it saves would cost less than the writes that it takes.
void AdviseAgainstRareUse(const Subject& subject, const Table& table, const Index& index,
                          Findings& findings) {
  double asked_per_day = 0;
  double writes_per_day = 0;
  for (std::size_t i = 0; i < subject.plans.size(); ++i) {
    const Pattern& pattern = *subject.plans[i].pattern;
    const bool uses = Uses(subject.plans[i], table, index);
    if (uses && pattern.pattern_class != PatternClass::kAdmin) return;
    for (const Charge& charge : subject.charges[i].charges) {
      const double per_day = Rate{charge.runs_per_second}.PerDay();
      if (uses) asked_per_day += per_day;
      for (const auto& [written, units] : charge.estimate.index_write_units) {
        if (written == &index) writes_per_day += units.typical * per_day;
      }
    }
  }
  const std::string fix = "a Scan of class admin with its reason may be cheaper";
  const std::optional<double> scan = ScanUnits(subject.model, table);
  if (scan && asked_per_day > 0 &&
      *scan * asked_per_day < writes_per_day * kReadUnitsPerWriteUnit) {
    findings.Add(IndexTarget(table, index), index.place,
                 fmt::format("only patterns of class admin read it: {:.3g} WRU a day keep it up to "
                             "date, and the Scans that it saves would read {:.3g} RRU a day",
                             writes_per_day, *scan * asked_per_day),
                 "a Scan of class admin with its reason");
    return;
  }
  findings.Note(IndexTarget(table, index), index.place,
                "only patterns of class admin read it, and every write keeps it up to date", fix);
}

// Two indexes, each filled by one entity for one pattern, can share a pair of generic keys.
bool CouldShare(const Subject& subject, const Table& table, const Index& a, const Index& b) {
  const auto alone = [&](const Index& index) {
    return !index.local && !index.overloaded && !index.shards && index.partition.size() == 1 &&
           index.partition[0].type == Type::kS && index.sort.size() <= 1 &&
           CountUsers(subject, table, index) == 1 &&
           EntitiesIn(subject.model, table, index).size() == 1;
  };
  if (!alone(a) || !alone(b)) return false;
  if (a.sort.size() != b.sort.size()) return false;
  if (!a.sort.empty() && a.sort[0].type != b.sort[0].type) return false;
  return EntitiesIn(subject.model, table, a) != EntitiesIn(subject.model, table, b);
}

void AdviseSharing(const Subject& subject, const Table& table, Findings& findings) {
  std::vector<std::string> together;
  const Index* first = nullptr;
  for (std::size_t i = 0; i < table.indexes.size() && together.empty(); ++i) {
    first = &table.indexes[i];
    for (const Index& other : std::span(table.indexes).subspan(i + 1)) {
      if (CouldShare(subject, table, *first, other)) together.push_back(other.name);
    }
  }
  if (together.empty()) return;
  together.insert(together.begin(), first->name);
  findings.Note(
      table.id, first->place,
      fmt::format("{} have the same shape, one entity and one pattern each", List(together)),
      "let them share one index with generic keys (GSI1PK, GSI1SK) and a prefix for each "
      "entity; say `overloaded: true`");
}

}  // namespace

void CheckUnusedIndex(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    for (const Index& index : table.indexes) {
      if (CountUsers(subject, table, index) > 0) {
        AdviseAgainstRareUse(subject, table, index, findings);
        continue;
      }
      if (IsBeingRemoved(subject.model, table, index)) continue;
      findings.Add(IndexTarget(table, index), index.place,
                   fmt::format("no pattern reads {}, and every write that touches it pays for it",
                               index.name),
                   "remove the index, or say the pattern that it is for");
    }
  }
}

void CheckIndexOverloading(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    const auto locals =
        static_cast<std::size_t>(std::ranges::count_if(table.indexes, &Index::local));
    const std::size_t globals = table.indexes.size() - locals;
    if (globals > kMaxGlobalIndexes) {
      findings.Add(
          table.id, table.place,
          fmt::format("{} global indexes; a table may have {}", globals, kMaxGlobalIndexes),
          "let entities share indexes with generic keys and prefixes");
    }
    if (locals > kMaxLocalIndexes) {
      findings.Add(table.id, table.place,
                   fmt::format("{} local indexes; a table may have {}", locals, kMaxLocalIndexes),
                   "make some of them global");
    }
    if (table.indexes.size() <= kMaxGlobalIndexes) AdviseSharing(subject, table, findings);
  }
}

void CheckSamePartitionKey(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    if (!table.partition) continue;
    for (const Index& index : table.indexes) {
      const bool same =
          index.partition.size() == 1 && index.partition[0].name == table.partition->name;
      if (index.local && !same) {
        findings.Add(
            IndexTarget(table, index), index.place,
            fmt::format("a local index has the table's partition key, {}", table.partition->name),
            fmt::format("pk: {}, or leave out `local`", table.partition->name));
      } else if (!index.local && same) {
        findings.Note(
            IndexTarget(table, index), index.place,
            fmt::format("its partition key is the table's, {}: a local index would do",
                        table.partition->name),
            "local: true if the table is yet to be created, needs strong reads here and keeps "
            "each partition under 10 GB; otherwise keep it global");
      }
    }
  }
}

// ---- IX11: lookups that take one item where an index may hold several

namespace {

bool Determines(const Entity& entity, const std::vector<std::string>& known) {
  const auto is_known = [&](const std::string& name) { return Contains(known, name); };
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
    return Contains(known, name);
  });
}

}  // namespace

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

// ---- IX13: indexes that are changed in place

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

// What differs that DynamoDB cannot alter; empty: nothing.
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

}  // namespace

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

std::vector<Finding> ComparedIndexFindings(const Model& old, const Model& now) {
  Findings findings;
  findings.Begin(*FindRule("IX13"));
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

}  // namespace stator::model
