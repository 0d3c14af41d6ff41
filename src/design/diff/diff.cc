#include "diff/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/keys/derive.h"
#include "rules/rules.h"
#include "value/json_writer.h"

namespace stator::model {
namespace {

std::string Expiry(const Table& table) {
  return table.ttl.empty() ? "never" : fmt::format("by `{}`", table.ttl);
}

using Phase = MigrationStep::Phase;

std::string KeyText(const Entity& entity, std::string_view attribute) {
  const KeyTemplate* key = entity.FindKey(attribute);
  return key == nullptr ? std::string() : key->text;
}

class Comparer {
 public:
  Comparer(const Model& old, const Model& now) : old_(old), now_(now) {}

  ModelDiff Run() {
    CompareTables();
    CompareEntities();
    ComparePatterns();
    diff_.findings = ComparedIndexFindings(old_, now_);
    FindEarlyRemovals();
    std::ranges::stable_sort(diff_.steps, {}, &MigrationStep::phase);
    return std::move(diff_);
  }

 private:
  void Differs(std::string subject, std::string text) {
    diff_.differences.push_back({std::move(subject), std::move(text)});
  }
  void Step(Phase phase, std::string text) { diff_.steps.push_back({phase, std::move(text)}); }

  void CompareTables() {
    for (const Table& table : now_.tables) {
      const Table* before = old_.FindTable(table.id);
      if (before == nullptr) {
        Differs(table.id, "table is new");
        Step(Phase::kAddTables, fmt::format("create table {} with its indexes", table.name));
        continue;
      }
      CompareTable(*before, table);
    }
    for (const Table& table : old_.tables) {
      if (now_.FindTable(table.id) != nullptr) continue;
      Differs(table.id, "table is gone");
      Step(Phase::kRemoveTables,
           fmt::format("delete table {} when nothing reads or writes it any more", table.name));
    }
  }

  static std::string KeyOf(const Table& table) {
    const auto words = [](const KeyAttribute& key) {
      return fmt::format("{} {}", key.name, TypeName(key.type));
    };
    std::string text = table.partition ? words(*table.partition) : "";
    if (table.sort) text += ", " + words(*table.sort);
    return text;
  }

  static std::string BillingOf(const Table& table) {
    if (!table.provisioned) return "on demand";
    return fmt::format("{} RCU and {} WCU", table.provisioned->read, table.provisioned->write);
  }

  void CompareTable(const Table& before, const Table& table) {
    if (KeyOf(before) != KeyOf(table)) {
      Differs(table.id, fmt::format("primary key was ({}), is ({}): a table's key cannot change",
                                    KeyOf(before), KeyOf(table)));
      Step(Phase::kAddTables,
           fmt::format("create a table beside {} with the new key, copy the items, switch over",
                       table.name));
    }
    if (before.name != table.name) {
      Differs(table.id, fmt::format("name was {}, is {}: a table cannot be renamed", before.name,
                                    table.name));
      Step(Phase::kAddTables, fmt::format("create table {}, copy the items of {}, switch over",
                                          table.name, before.name));
    }
    if (BillingOf(before) != BillingOf(table)) {
      Differs(table.id, fmt::format("billing was {}, is {}", BillingOf(before), BillingOf(table)));
    }
    if (before.ttl != table.ttl) {
      Differs(table.id, fmt::format("items expired {}, now {}", Expiry(before), Expiry(table)));
    }
    if (before.stream != table.stream) {
      Differs(table.id, fmt::format("stream was `{}`, is `{}`", before.stream, table.stream));
    }
    for (const Index& index : table.indexes) {
      if (before.FindIndex(index.name) == nullptr) AddIndex(table, index);
    }
    for (const Index& index : before.indexes) {
      if (table.FindIndex(index.name) != nullptr) continue;
      Differs(table.id + "." + index.name, "index is gone");
      Step(Phase::kReaders,
           fmt::format("deploy readers that do not use {}.{}", table.name, index.name));
      Step(Phase::kRemoveIndexes,
           fmt::format("remove index {} of table {}", index.name, table.name));
    }
  }

  void AddIndex(const Table& table, const Index& index) {
    Differs(table.id + "." + index.name, "index is new");
    if (index.local) {
      Step(Phase::kAddIndexes,
           fmt::format("local index {} can only be made with its table: make a new table",
                       index.name));
      return;
    }
    Step(Phase::kAddIndexes, fmt::format("add index {} to table {}, alone in its UpdateTable, and "
                                         "wait until it is active",
                                         index.name, table.name));
    const std::vector<std::string> filled = DerivedKeysOf(table, index);
    if (!filled.empty()) {
      Step(Phase::kWriters, fmt::format("deploy writers that set {}", fmt::join(filled, ", ")));
      Step(Phase::kBackfill,
           fmt::format("fill {} in the existing items, guarded by attribute_exists",
                       fmt::join(filled, ", ")));
    }
    Step(Phase::kVerify, fmt::format("compare index {} with table {}", index.name, table.name));
    for (const Pattern& pattern : now_.patterns) {
      if (pattern.read.table == table.id && pattern.read.index == index.name) {
        Step(Phase::kReaders, fmt::format("deploy pattern {}", pattern.name));
      }
    }
  }

  std::vector<std::string> DerivedKeysOf(const Table& table, const Index& index) const {
    std::vector<std::string> keys;
    for (const Entity* entity : now_.EntitiesOf(table)) {
      for (const auto* attributes : {&index.partition, &index.sort}) {
        for (const KeyAttribute& attribute : *attributes) {
          const KeyTemplate* key = entity->FindKey(attribute.name);
          if (key != nullptr && key->IsDerived()) {
            keys.push_back(entity->name + "." + attribute.name);
          }
        }
      }
    }
    return keys;
  }

  void CompareEntities() {
    for (const Entity& entity : now_.entities) {
      const Entity* before = old_.FindEntity(entity.name);
      if (before == nullptr) {
        Differs(entity.name, "entity is new");
      } else {
        CompareEntity(*before, entity);
      }
    }
    for (const Entity& entity : old_.entities) {
      if (now_.FindEntity(entity.name) == nullptr) Differs(entity.name, "entity is gone");
    }
  }

  void CompareEntity(const Entity& before, const Entity& entity) {
    const Table* table = now_.FindTable(entity.table);
    for (const KeyTemplate& key : entity.keys) {
      const std::string old_text = KeyText(before, key.attribute);
      if (old_text == key.text || before.FindKey(key.attribute) == nullptr) continue;
      const std::string subject = entity.name + "." + key.attribute;
      Differs(subject, fmt::format("was \"{}\", is \"{}\"", old_text, key.text));
      const bool is_base = table != nullptr && table->partition &&
                           (table->partition->name == key.attribute ||
                            (table->sort && table->sort->name == key.attribute));
      if (is_base) {
        Step(Phase::kBackfill,
             fmt::format("{} is part of the primary key: move every item (put the new one, delete "
                         "the old one)",
                         subject));
        continue;
      }
      Step(Phase::kWriters, fmt::format("deploy writers that set {} as \"{}\"", subject, key.text));
      Step(Phase::kBackfill, fmt::format("set {} again in the existing items", subject));
    }
    for (const Attribute& attribute : entity.attributes) {
      const Attribute* old_attribute = before.FindAttribute(attribute.name);
      const std::string subject = entity.name + "." + attribute.name;
      if (old_attribute == nullptr) {
        Differs(subject, attribute.optional
                             ? "attribute is new"
                             : "attribute is new and not optional: existing items lack it");
      } else if (old_attribute->type != attribute.type) {
        Differs(subject, fmt::format("type was {}, is {}", TypeName(old_attribute->type),
                                     TypeName(attribute.type)));
        Step(Phase::kBackfill, fmt::format("rewrite {} in every item", subject));
      } else if (old_attribute->unit != attribute.unit) {
        Differs(subject, "unit differs");
        Step(Phase::kBackfill, fmt::format("convert {} in every item", subject));
      }
    }
  }

  void ComparePatterns() {
    for (const Pattern& pattern : now_.patterns) {
      if (old_.FindPattern(pattern.name) == nullptr) {
        Differs("patterns." + pattern.name, "pattern is new");
      }
    }
    for (const Pattern& pattern : old_.patterns) {
      if (now_.FindPattern(pattern.name) == nullptr) {
        Differs("patterns." + pattern.name, "pattern is gone");
      }
    }
  }

  // A new model cannot name an index that it lacks, but an index that readers of the old model use
  // must outlive them.
  void FindEarlyRemovals() {
    for (const Table& table : old_.tables) {
      const Table* after = now_.FindTable(table.id);
      if (after == nullptr) continue;
      for (const Index& index : table.indexes) {
        if (after->FindIndex(index.name) != nullptr) continue;
        for (const Pattern& pattern : old_.patterns) {
          if (pattern.read.table != table.id || pattern.read.index != index.name) continue;
          diff_.findings.push_back(
              {.rule = "MG05",
               .severity = Severity::kWarning,
               .target = table.id + "." + index.name,
               .line = index.place.line,
               .column = index.place.column,
               .message =
                   fmt::format("pattern `{}` of the old model reads this index", pattern.name),
               .fix = "deploy its new form everywhere before the index goes",
               .accepted = false});
        }
      }
    }
  }

  const Model& old_;
  const Model& now_;
  ModelDiff diff_;
};

}  // namespace

ModelDiff CompareModels(const Model& old, const Model& now) { return Comparer(old, now).Run(); }

// ---- For people and for programs

namespace {

std::string_view PhaseName(MigrationStep::Phase phase) {
  switch (phase) {
    case MigrationStep::Phase::kAddTables:
      return "tables";
    case MigrationStep::Phase::kAddIndexes:
      return "indexes";
    case MigrationStep::Phase::kWriters:
      return "writers";
    case MigrationStep::Phase::kBackfill:
      return "backfill";
    case MigrationStep::Phase::kVerify:
      return "verify";
    case MigrationStep::Phase::kReaders:
      return "readers";
    case MigrationStep::Phase::kRemoveIndexes:
      return "remove";
    case MigrationStep::Phase::kRemoveTables:
      return "remove";
  }
  return {};
}

}  // namespace

std::string DiffText(const ModelDiff& diff) {
  if (diff.differences.empty() && diff.findings.empty()) return "The models are the same.\n";
  std::string text = "Differences\n";
  for (const ModelChange& difference : diff.differences) {
    text += fmt::format("  {}: {}\n", difference.subject, difference.text);
  }
  if (!diff.findings.empty()) text += "\nIn the way\n";
  for (const Finding& finding : diff.findings) {
    text += fmt::format("  {} {}: {}\n       {}\n", finding.rule, finding.target, finding.message,
                        finding.fix);
  }
  if (!diff.steps.empty()) text += "\nSteps, in this order\n";
  int number = 0;
  for (const MigrationStep& step : diff.steps) {
    text += fmt::format("  {:2}. {:8} {}\n", ++number, PhaseName(step.phase), step.text);
  }
  return text;
}

std::string DiffJson(const ModelDiff& diff) {
  std::string text;
  JsonWriter json(text);
  json.BeginObject();
  json.Key("differences").BeginArray();
  for (const ModelChange& difference : diff.differences) {
    json.BeginObject();
    json.Key("subject").String(difference.subject);
    json.Key("text").String(difference.text);
    json.EndObject();
  }
  json.EndArray();
  json.Key("findings").BeginArray();
  for (const Finding& finding : diff.findings) {
    json.BeginObject();
    json.Key("rule").String(finding.rule);
    json.Key("target").String(finding.target);
    json.Key("message").String(finding.message);
    json.Key("fix").String(finding.fix);
    json.EndObject();
  }
  json.EndArray();
  json.Key("steps").BeginArray();
  for (const MigrationStep& step : diff.steps) {
    json.BeginObject();
    json.Key("phase").String(PhaseName(step.phase));
    json.Key("text").String(step.text);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  text += '\n';
  return text;
}

}  // namespace stator::model
