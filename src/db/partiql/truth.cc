#include "partiql/truth.h"

#include <utility>

#include "base/try.h"
#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

using Kind = ConditionNode::Kind;

constexpr std::size_t kMaxNodes = 4096;

std::size_t CountNodes(const ConditionNode& node) {
  std::size_t count = 1;
  for (const ConditionNode& child : node.children) count += CountNodes(child);
  return count;
}

ConditionNode Pair(Kind kind, ConditionNode a, ConditionNode b) {
  ConditionNode pair{.kind = kind};
  pair.children.reserve(2);
  pair.children.push_back(std::move(a));
  pair.children.push_back(std::move(b));
  return pair;
}

ConditionNode Equals(const Operand& operand, bool value) {
  ConditionNode test{.kind = Kind::kCompare, .comparator = Comparator::kEq};
  test.operands = {operand, Operand{.source = AttributeValue(value)}};
  return test;
}

}  // namespace

ConditionNode Not(ConditionNode condition) {
  ConditionNode negation{.kind = Kind::kNot};
  negation.children.push_back(std::move(condition));
  return negation;
}

// All of nothing holds, and nothing of nothing does.
ConditionNode Always() { return {.kind = Kind::kAnd}; }
ConditionNode Never() { return {.kind = Kind::kOr}; }

Result<void> CheckSize(const ConditionNode& condition) {
  if (CountNodes(condition) <= kMaxNodes) return {};
  return Refused("The expression contains too many operators; operator count: 301");
}

Result<ConditionNode> Choose(ConditionNode truth, ConditionNode if_true, ConditionNode if_false) {
  RETURN_IF_ERROR(CheckSize(truth));
  ConditionNode positive = Pair(Kind::kAnd, truth, std::move(if_true));
  ConditionNode negative = Pair(Kind::kAnd, Not(std::move(truth)), std::move(if_false));
  ConditionNode chosen = Pair(Kind::kOr, std::move(positive), std::move(negative));
  RETURN_IF_ERROR(CheckSize(chosen));
  return chosen;
}

Result<ConditionNode> SameTruth(ConditionNode a, ConditionNode b) {
  RETURN_IF_ERROR(CheckSize(b));
  ConditionNode opposite = Not(b);
  return Choose(std::move(a), std::move(b), std::move(opposite));
}

Result<ConditionNode> TruthEquals(const ConditionNode& truth, const Operand& operand) {
  if (const AttributeValue* constant = operand.constant()) {
    if (constant->type() != Type::kBool) return Never();
    return constant->view().Bool() ? truth : Not(truth);
  }
  if (operand.is_size) return Never();
  return Choose(truth, Equals(operand, true), Equals(operand, false));
}

}  // namespace stator::partiql
