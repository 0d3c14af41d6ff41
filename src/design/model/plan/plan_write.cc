#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "model/keys/key_access.h"
#include "model/names.h"
#include "model/plan/plan_parts.h"

namespace stator::model {
namespace {

std::string Both(std::string a, std::string b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return a + " and " + b;
}

// The condition that a move puts on the state it leaves.
std::string SourceCondition(const Entity& entity, const WriteDetail& write) {
  if (write.kind != WriteKind::kMove || !entity.machine) return {};
  const Move* move = entity.machine->FindMove(write.move);
  if (move == nullptr || move->from.empty()) return {};
  if (move->from.size() == 1) return entity.machine->attribute + " = " + move->from.front();
  std::string text = entity.machine->attribute + " in (";
  for (const std::string& state : move->from) text += (text.ends_with('(') ? "" : ", ") + state;
  return text + ")";
}

std::string GuardText(const Table& table, const Entity& entity, const WriteDetail& write) {
  const std::string key = table.partition ? table.partition->name : "the key";
  switch (write.guard) {
    case Guard::kUnsaid:
      return write.kind == WriteKind::kCreate ? fmt::format("attribute_not_exists({})", key) : "";
    case Guard::kNone:
      return {};
    case Guard::kExists:
      return fmt::format("attribute_exists({})", key);
    case Guard::kNotExists:
      return fmt::format("attribute_not_exists({})", key);
    case Guard::kVersion:
      return fmt::format("{0} = ${0}", entity.version.empty() ? "version" : entity.version);
    case Guard::kCondition:
      return write.condition ? write.condition->text : "";
  }
  return {};
}

Operation OperationOf(WriteKind kind) {
  switch (kind) {
    case WriteKind::kCreate:
    case WriteKind::kPut:
      return Operation::kPutItem;
    case WriteKind::kUpdate:
    case WriteKind::kMove:
      return Operation::kUpdateItem;
    case WriteKind::kDelete:
      return Operation::kDeleteItem;
    case WriteKind::kRekey:
      return Operation::kTransactWriteItems;
  }
  return Operation::kNone;
}

// The attributes that the whole key needs and the caller does not know.
std::vector<std::string> MissingSources(const Table& table, const Entity& entity,
                                        const std::vector<std::string>& by) {
  std::vector<std::string> missing;
  const KeySchema schema = SchemaOf(table);
  for (const auto* keys : {&schema.partition, &schema.sort}) {
    for (const KeyAttribute* key : *keys) {
      if (Contains(by, key->name)) continue;
      for (const std::string& source : BaseTemplateFor(entity, key->name).Sources()) {
        if (!Contains(by, source)) AddOnce(missing, source);
      }
    }
  }
  return missing;
}

// A changed base key is another item: the new one is put and the old one deleted, together.
void AddRekeyParts(Plan& plan) {
  const std::string key = plan.table->partition ? plan.table->partition->name : "the key";
  Plan put;
  put.pattern = plan.pattern;
  put.table = plan.table;
  put.entity = plan.entity;
  put.satisfied_by_primary_key = true;
  Plan remove = put;
  put.operation = Operation::kPutItem;
  put.condition = fmt::format("attribute_not_exists({})", key);
  put.derived = plan.derived;
  remove.operation = Operation::kDeleteItem;
  remove.condition = plan.entity->version.empty() ? fmt::format("attribute_exists({})", key)
                                                  : fmt::format("{0} = ${0}", plan.entity->version);
  for (const Index& index : plan.table->indexes) {
    if (!Holds(SchemaOf(*plan.table, index), *plan.entity)) continue;
    const double share = index.sparse ? index.sparse->share : 1;
    put.effects.push_back({.index = &index, .kind = IndexEffect::Kind::kPut, .share = share});
    remove.effects.push_back({.index = &index, .kind = IndexEffect::Kind::kRemove, .share = share});
  }
  plan.parts.push_back(std::move(put));
  plan.parts.push_back(std::move(remove));
}

// A value that is kept unique has an item of its own, written in the same transaction.
bool ChangesUniqueValue(const Entity& entity, const Pattern& pattern) {
  if (entity.unique.empty()) return false;
  if (pattern.write.kind == WriteKind::kCreate || pattern.write.kind == WriteKind::kDelete) {
    return true;
  }
  return std::ranges::any_of(entity.unique, [&](const std::vector<std::string>& names) {
    return std::ranges::any_of(
        names, [&](const std::string& name) { return Contains(pattern.write.sets, name); });
  });
}

}  // namespace

void ResolveWrite(const Model& model, Plan& plan) {
  const Pattern& pattern = *plan.pattern;
  plan.entity = model.FindEntity(pattern.entity);
  plan.table = plan.entity == nullptr ? nullptr : model.FindTable(plan.entity->table);
  if (plan.table == nullptr) {
    plan.obstacle = "there is no entity " + pattern.entity;
    return;
  }
  if (!plan.table->partition) {
    plan.obstacle = plan.table->id + " has no key";
    return;
  }
  if (!pattern.by.empty() && !WritesWholeItem(pattern)) {
    const std::vector<std::string> missing = MissingSources(*plan.table, *plan.entity, pattern.by);
    if (!missing.empty()) {
      plan.obstacle = fmt::format("a write needs the whole key of {}, and {} does not give {}",
                                  plan.table->id, List(pattern.by), List(missing));
      return;
    }
  }
  plan.operation = OperationOf(pattern.write.kind);
  plan.condition = Both(SourceCondition(*plan.entity, pattern.write),
                        GuardText(*plan.table, *plan.entity, pattern.write));
  plan.derived = AffectedKeys(*plan.table, *plan.entity, pattern);
  plan.satisfied_by_primary_key = true;
  if (pattern.write.kind == WriteKind::kRekey) {
    AddRekeyParts(plan);
    return;
  }
  if (ChangesUniqueValue(*plan.entity, pattern)) plan.operation = Operation::kTransactWriteItems;
  plan.effects = EffectsOf(model, *plan.table, *plan.entity, pattern);
}

}  // namespace stator::model
