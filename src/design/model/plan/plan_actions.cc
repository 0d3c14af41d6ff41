#include "model/plan/plan_actions.h"

#include <algorithm>

namespace stator::model {
namespace {

std::set<std::string> WriteActions(WriteKind kind) {
  switch (kind) {
    case WriteKind::kCreate:
    case WriteKind::kPut:
      return {"PutItem"};
    case WriteKind::kDelete:
      return {"DeleteItem"};
    case WriteKind::kRekey:
      return {"PutItem", "DeleteItem"};
    case WriteKind::kUpdate:
    case WriteKind::kMove:
      return {"UpdateItem"};
  }
  return {};
}

bool Sets(const WriteDetail& write, const std::vector<std::string>& attributes) {
  return std::ranges::any_of(attributes, [&](const std::string& name) {
    return std::ranges::count(write.sets, name) > 0;
  });
}

// Sentinel items that keep attributes unique, and reads that come before a write.
void AddBeside(const Plan& plan, std::set<std::string>& actions) {
  const WriteDetail& write = plan.pattern->write;
  if (write.read_first != WriteDetail::ReadFirst::kNo || write.kind == WriteKind::kRekey) {
    actions.insert("GetItem");
  }
  if (plan.entity == nullptr) return;
  for (const std::vector<std::string>& attributes : plan.entity->unique) {
    const bool changes = Sets(write, attributes);
    if (write.kind == WriteKind::kCreate || write.kind == WriteKind::kPut || changes) {
      actions.insert("PutItem");
    }
    if (write.kind == WriteKind::kDelete || changes) actions.insert("DeleteItem");
  }
}

}  // namespace

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
  AddBeside(plan, actions.beside);
  return actions;
}

}  // namespace stator::model
