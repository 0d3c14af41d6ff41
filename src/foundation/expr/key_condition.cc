#include "expr/key_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "expr/binding.h"
#include "expr/condition_parser.h"
#include "expr/legacy_comparison.h"

namespace stator {
namespace {

using Kind = ConditionNode::Kind;

// How DynamoDB names an operator that no key condition may use; empty for the others.
std::string_view RefusedOperator(const ConditionNode& node) {
  switch (node.kind) {
    case Kind::kOr:
      return "OR";
    case Kind::kNot:
      return "NOT";
    case Kind::kIn:
      return "IN";
    case Kind::kCompare:
      return node.comparator == Comparator::kNe ? "<>" : "";
    case Kind::kExists:
      return "attribute_exists";
    case Kind::kNotExists:
      return "attribute_not_exists";
    case Kind::kHasType:
      return "attribute_type";
    case Kind::kContains:
      return "contains";
    default:
      return "";
  }
}

class KeyClauses {
 public:
  explicit KeyClauses(Wording wording) : wording_(wording) {}

  // Takes the values out of the node.
  Result<void> Add(ConditionNode& node) {
    if (const std::string_view refused = RefusedOperator(node); !refused.empty()) {
      return Refused(fmt::format("Invalid operator used in KeyConditionExpression: {}", refused));
    }
    if (node.kind != Kind::kAnd) return AddClause(node);
    clauses_.reserve(node.children.size());
    for (ConditionNode& child : node.children) RETURN_IF_ERROR(Add(child));
    return {};
  }

  std::vector<KeyClause> Take() && { return std::move(clauses_); }

 private:
  Result<void> AddClause(ConditionNode& node) {
    ASSIGN_OR_RETURN(const std::size_t key, KeyOperand(node));
    std::string& attribute = std::get<Path>(node.operands[key].source).front().name;
    if (std::ranges::find(clauses_, attribute, &KeyClause::attribute) != clauses_.end()) {
      return Refused("KeyConditionExpressions must only contain one condition per key");
    }
    const auto constant = [&](std::size_t i) -> AttributeValue& {
      return std::get<AttributeValue>(node.operands[i].source);
    };
    KeyClause& clause = clauses_.emplace_back(KeyClause{
        .attribute = std::move(attribute), .value = std::move(constant(key == 0 ? 1 : 0))});
    if (node.kind == Kind::kBetween) {
      clause.op = KeyOperator::kBetween;
      clause.upper = std::move(constant(2));
    } else if (node.kind == Kind::kBeginsWith) {
      clause.op = KeyOperator::kBeginsWith;
    } else {
      clause.op = KeyOperatorOf(node.comparator, key != 0);
    }
    return {};
  }

  // The position of the only operand that is a name; all others are constants.
  Result<std::size_t> KeyOperand(const ConditionNode& node) const {
    if (node.kind != Kind::kCompare && node.operands[0].path() == nullptr) {
      return Refused(
          fmt::format("Invalid condition in KeyConditionExpression: {} operator must have "
                      "the key attribute as its first operand",
                      node.kind == Kind::kBetween ? "BETWEEN" : "begins_with"));
    }
    std::optional<std::size_t> key;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const Operand& operand = node.operands[i];
      if (operand.is_size)
        return Refused("KeyConditionExpressions cannot contain nested operations");
      if (operand.path() == nullptr) continue;
      if (key) {
        return Refused(
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
            "condition");
      }
      if (operand.path()->size() > 1) {
        return Refused("KeyConditionExpressions cannot have conditions on nested attributes");
      }
      key = i;
    }
    if (!key)
      return Refused("Invalid condition in KeyConditionExpression: No key attribute specified");
    return *key;
  }

  std::unexpected<Error> Refused(std::string_view reason) const {
    if (IsCurrent(wording_)) return ExpressionError(ExpressionKind::kKeyCondition, reason);
    return std::unexpected(Error::Validation(std::string(reason)));
  }

  Wording wording_;
  std::vector<KeyClause> clauses_;
};

KeyOperator LegacyKeyOperator(ComparisonOperator comparison) {
  switch (comparison) {
    case ComparisonOperator::kEq:
      return KeyOperator::kEq;
    case ComparisonOperator::kLt:
      return KeyOperator::kLt;
    case ComparisonOperator::kLe:
      return KeyOperator::kLe;
    case ComparisonOperator::kGt:
      return KeyOperator::kGt;
    case ComparisonOperator::kGe:
      return KeyOperator::kGe;
    case ComparisonOperator::kBetween:
      return KeyOperator::kBetween;
    case ComparisonOperator::kBeginsWith:
      return KeyOperator::kBeginsWith;
    default:
      return KeyOperator::kNotIndexable;
  }
}

}  // namespace

KeyOperator KeyOperatorOf(Comparator comparator, bool mirrored) {
  switch (comparator) {
    case Comparator::kLt:
      return mirrored ? KeyOperator::kGt : KeyOperator::kLt;
    case Comparator::kLe:
      return mirrored ? KeyOperator::kGe : KeyOperator::kLe;
    case Comparator::kGt:
      return mirrored ? KeyOperator::kLt : KeyOperator::kGt;
    case Comparator::kGe:
      return mirrored ? KeyOperator::kLe : KeyOperator::kGe;
    default:
      return KeyOperator::kEq;
  }
}

Result<ConditionNode> ParseKeyConditionText(std::string_view text, Placeholders& placeholders) {
  return ParseConditionNode(text, ExpressionKind::kKeyCondition, placeholders);
}

Result<std::vector<KeyClause>> KeyClausesOf(ConditionNode condition, Wording wording) {
  KeyClauses clauses(wording);
  RETURN_IF_ERROR(clauses.Add(condition));
  return std::move(clauses).Take();
}

Result<std::vector<KeyClause>> ParseKeyCondition(std::string_view text,
                                                 Placeholders& placeholders) {
  ASSIGN_OR_RETURN(ConditionNode condition, ParseKeyConditionText(text, placeholders));
  return KeyClausesOf(std::move(condition), placeholders.wording());
}

Result<std::vector<KeyClause>> KeyClausesFromLegacy(const LegacyConditionMap& conditions,
                                                    Wording wording) {
  std::vector<KeyClause> clauses;
  for (const auto& [attribute, condition] : conditions) {
    const std::vector<AttributeValue>& values = condition.attribute_value_list;
    RETURN_IF_ERROR(CheckAttributeName(attribute));
    RETURN_IF_ERROR(CheckArgumentValues(values, wording));
    ASSIGN_OR_RETURN(const ComparisonOperator comparison,
                     RequiredComparison(condition.comparison_operator));
    RETURN_IF_ERROR(CheckArguments(comparison, values));
    KeyClause clause{.attribute = attribute, .op = LegacyKeyOperator(comparison)};
    if (!values.empty()) clause.value = values.front();
    if (clause.op == KeyOperator::kBetween) clause.upper = values.back();
    clauses.push_back(std::move(clause));
  }
  return clauses;
}

}  // namespace stator
