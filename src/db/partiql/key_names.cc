#include "partiql/key_names.h"

#include <fmt/format.h>

#include <utility>

#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

using Kind = ConditionNode::Kind;

bool IsName(const Operand& operand, std::string_view name) {
  const Path* path = operand.path();
  return path != nullptr && path->size() == 1 && path->front().name == name;
}

std::optional<KeyOperator> OperatorOf(Comparator comparator, bool mirrored) {
  switch (comparator) {
    case Comparator::kEq:
      return KeyOperator::kEq;
    case Comparator::kNe:
      return std::nullopt;
    case Comparator::kLt:
      return mirrored ? KeyOperator::kGt : KeyOperator::kLt;
    case Comparator::kLe:
      return mirrored ? KeyOperator::kGe : KeyOperator::kLe;
    case Comparator::kGt:
      return mirrored ? KeyOperator::kLt : KeyOperator::kGt;
    case Comparator::kGe:
      return mirrored ? KeyOperator::kLe : KeyOperator::kGe;
  }
  return std::nullopt;
}

std::optional<KeyClause> Comparison(std::string_view name, const ConditionNode& condition) {
  const bool mirrored = IsName(condition.operands[1], name);
  if (!mirrored && !IsName(condition.operands[0], name)) return std::nullopt;
  const AttributeValue* value = condition.operands[mirrored ? 0 : 1].constant();
  const std::optional<KeyOperator> op = OperatorOf(condition.comparator, mirrored);
  if (value == nullptr || !op) return std::nullopt;
  return KeyClause{.attribute = std::string(name), .op = *op, .value = *value};
}

}  // namespace

std::optional<KeyClause> ClauseOn(std::string_view name, const ConditionNode& condition) {
  if (condition.kind == Kind::kCompare) return Comparison(name, condition);
  const bool between = condition.kind == Kind::kBetween;
  if (!between && condition.kind != Kind::kBeginsWith) return std::nullopt;
  if (!IsName(condition.operands[0], name)) return std::nullopt;
  for (std::size_t i = 1; i < condition.operands.size(); ++i) {
    if (condition.operands[i].constant() == nullptr) return std::nullopt;
  }
  KeyClause clause{.attribute = std::string(name),
                   .op = between ? KeyOperator::kBetween : KeyOperator::kBeginsWith,
                   .value = *condition.operands[1].constant()};
  if (between) clause.upper = *condition.operands[2].constant();
  return clause;
}

Result<void> CheckKeyType(const KeyName& key, const KeyClause& clause) {
  if (clause.value.type() == key.type &&
      (clause.op != KeyOperator::kBetween || clause.upper.type() == key.type)) {
    return {};
  }
  return Refused(fmt::format(
      "Key attribute's data type should match its data type in table's schema: Key {}", key.name));
}

}  // namespace stator::partiql
