#include "model/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "model/keys/key_access.h"
#include "model/names.h"
#include "model/plan/plan_read.h"
#include "model/plan/write_effects.h"

namespace stator::model {
namespace {

std::string AndBoth(std::string a, std::string b) {
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

bool SetsOneOf(const WriteDetail& write, const std::vector<std::string>& attributes) {
  return std::ranges::any_of(attributes,
                             [&](const std::string& name) { return Contains(write.sets, name); });
}

// A value that is kept unique has an item of its own, written in the same transaction.
bool ChangesUniqueValue(const Entity& entity, const Pattern& pattern) {
  if (entity.unique.empty()) return false;
  if (pattern.write.kind == WriteKind::kCreate || pattern.write.kind == WriteKind::kDelete) {
    return true;
  }
  return std::ranges::any_of(entity.unique, [&](const std::vector<std::string>& names) {
    return SetsOneOf(pattern.write, names);
  });
}

void ResolveWrite(const Model& model, Plan& plan) {
  const Pattern& pattern = *plan.pattern;
  if (!FindEntity(model, plan)) return;
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
  plan.condition = AndBoth(SourceCondition(*plan.entity, pattern.write),
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

std::set<std::string> WriteActions(WriteKind kind) {
  if (kind == WriteKind::kRekey) return {"PutItem", "DeleteItem"};
  return {std::string(OperationName(OperationOf(kind)))};
}

// Sentinel items that keep attributes unique, and reads that come before a write.
void AddActionsBeside(const Plan& plan, std::set<std::string>& actions) {
  const WriteDetail& write = plan.pattern->write;
  if (write.read_first != WriteDetail::ReadFirst::kNo || write.kind == WriteKind::kRekey) {
    actions.insert("GetItem");
  }
  if (plan.entity == nullptr) return;
  for (const std::vector<std::string>& attributes : plan.entity->unique) {
    const bool changes = SetsOneOf(write, attributes);
    if (write.kind == WriteKind::kCreate || write.kind == WriteKind::kPut || changes) {
      actions.insert("PutItem");
    }
    if (write.kind == WriteKind::kDelete || changes) actions.insert("DeleteItem");
  }
}

// More than DynamoDB allows, so that rule WR13 can report a transaction that is too large.
constexpr std::size_t kMaxParts = 1000;

bool IsGet(const Plan& part) { return part.pattern->kind == PatternKind::kGet; }

void ResolveTransaction(const Model& model, Plan& plan) {
  for (const std::string& name : plan.pattern->parts) {
    const Pattern* part = model.FindPattern(name);
    if (part == nullptr || part->kind == PatternKind::kTransaction) {
      plan.obstacle = name + " is not a read or write that a transaction can hold";
      return;
    }
    if (plan.parts.size() == kMaxParts) break;
    plan.parts.push_back(ResolvePattern(model, *part));
    const Plan& resolved = plan.parts.back();
    const bool reads_many =
        resolved.operation == Operation::kQuery || resolved.operation == Operation::kScan;
    if (!resolved.resolved()) {
      plan.obstacle = name + ": " + resolved.obstacle;
    } else if (reads_many) {
      plan.obstacle = name + " is a " + std::string(OperationName(resolved.operation)) +
                      ", and a transaction holds reads and writes of whole keys only";
    } else if (IsGet(resolved) != IsGet(plan.parts.front())) {
      plan.obstacle = plan.parts.front().pattern->name + " and " + name +
                      " do not go together: a transaction either reads or writes";
    }
    if (!plan.obstacle.empty()) return;
    if (plan.table == nullptr) plan.table = resolved.table;
  }
  if (plan.parts.empty()) {
    plan.obstacle = "the transaction holds nothing";
    return;
  }
  plan.operation =
      IsGet(plan.parts.front()) ? Operation::kTransactGetItems : Operation::kTransactWriteItems;
  plan.satisfied_by_primary_key = true;
}

}  // namespace

Plan ResolvePattern(const Model& model, const Pattern& pattern) {
  Plan plan;
  plan.pattern = &pattern;
  switch (pattern.kind) {
    case PatternKind::kGet:
    case PatternKind::kQuery:
    case PatternKind::kScan:
      ResolveRead(model, plan);
      break;
    case PatternKind::kWrite:
      ResolveWrite(model, plan);
      break;
    case PatternKind::kTransaction:
      ResolveTransaction(model, plan);
      break;
  }
  return plan;
}

std::vector<Plan> ResolvePatterns(const Model& model) {
  std::vector<Plan> plans;
  plans.reserve(model.patterns.size());
  for (const Pattern& pattern : model.patterns) plans.push_back(ResolvePattern(model, pattern));
  return plans;
}

PlanActions ActionsOf(const Plan& plan) {
  PlanActions actions;
  if (!plan.resolved() || plan.pattern == nullptr) return actions;
  if (plan.pattern->kind != PatternKind::kWrite) {
    actions.own.emplace(OperationName(plan.operation));
    return actions;
  }
  // The put and the delete of a rekey are parts, whose operations say what they do.
  actions.own = plan.operation == Operation::kTransactWriteItems
                    ? WriteActions(plan.pattern->write.kind)
                    : std::set<std::string>{std::string(OperationName(plan.operation))};
  AddActionsBeside(plan, actions.beside);
  return actions;
}

}  // namespace stator::model
