#include "expr/legacy_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "value/item_codec.h"
#include "value/value_problem.h"

namespace stator {
namespace {

using Op = ComparisonOperator;

bool TakesCount(Op comparison, std::size_t count) {
  switch (comparison) {
    case Op::kNull:
    case Op::kNotNull:
      return count == 0;
    case Op::kIn:
      return count >= 1;
    case Op::kBetween:
      return count == 2;
    default:
      return count == 1;
  }
}

bool TakesType(Op comparison, Type type) {
  switch (comparison) {
    case Op::kEq:
    case Op::kNe:
      return true;
    case Op::kBeginsWith:
      return type == Type::kS || type == Type::kB;
    case Op::kContains:
    case Op::kNotContains:
      return IsOrderedType(type) || type == Type::kBool || type == Type::kNull;
    default:
      return IsOrderedType(type);
  }
}

ConditionNode Compare(std::vector<Operand> operands, Comparator comparator) {
  return {.kind = ConditionNode::Kind::kCompare,
          .comparator = comparator,
          .operands = std::move(operands)};
}

}  // namespace

std::unexpected<Error> InvalidParameters(std::string_view reason) {
  return std::unexpected(
      Error::Validation(fmt::format("One or more parameter values were invalid: {}", reason)));
}

std::string_view ComparisonName(Op comparison) {
  switch (comparison) {
    case Op::kEq:
      return "EQ";
    case Op::kNe:
      return "NE";
    case Op::kIn:
      return "IN";
    case Op::kLe:
      return "LE";
    case Op::kLt:
      return "LT";
    case Op::kGe:
      return "GE";
    case Op::kGt:
      return "GT";
    case Op::kBetween:
      return "BETWEEN";
    case Op::kNotNull:
      return "NOT_NULL";
    case Op::kNull:
      return "NULL";
    case Op::kContains:
      return "CONTAINS";
    case Op::kNotContains:
      return "NOT_CONTAINS";
    case Op::kBeginsWith:
      return "BEGINS_WITH";
  }
  return "";
}

Result<Op> RequiredComparison(const std::optional<Choice<Op>>& comparison) {
  if (comparison && comparison->is_known()) return comparison->value();
  return std::unexpected(
      Error::Validation("1 validation error detected: Value null at 'comparisonOperator' failed to "
                        "satisfy constraint: Member must not be null"));
}

Result<void> CheckAttributeName(std::string_view name) {
  const std::string_view message = NameMessage(name);
  if (message.empty()) return {};
  return std::unexpected(Error::Validation(std::string(message)));
}

Result<void> CheckArgumentValues(std::span<const AttributeValue> values, Wording wording) {
  for (const AttributeValue& value : values) {
    if (value.problem() != nullptr) {
      return std::unexpected(Error::Validation(ProblemMessage(*value.problem(), wording)));
    }
  }
  return {};
}

Result<void> CheckArguments(Op comparison, std::span<const AttributeValue> values) {
  if (!TakesCount(comparison, values.size())) {
    return InvalidParameters(fmt::format(
        "Invalid number of argument(s) for the {} ComparisonOperator", ComparisonName(comparison)));
  }
  if (values.empty()) return {};
  const Type type = values.front().type();
  if (!std::ranges::all_of(values, [type](const AttributeValue& v) { return v.type() == type; })) {
    return InvalidParameters("AttributeValues inside AttributeValueList must be of same type");
  }
  if (!TakesType(comparison, type)) {
    return InvalidParameters(
        fmt::format("ComparisonOperator {} is not valid for {} AttributeValue type",
                    ComparisonName(comparison), TypeName(type)));
  }
  if (comparison == Op::kBetween && CompareScalars(values[0].view(), values[1].view()) > 0) {
    return std::unexpected(Error::Validation(
        "The BETWEEN condition was provided a range where the lower bound is greater "
        "than the upper bound"));
  }
  return {};
}

ConditionNode LegacyNode(std::string_view attribute, Op comparison,
                         std::span<const AttributeValue> values) {
  using Kind = ConditionNode::Kind;
  std::vector<Operand> operands;
  operands.reserve(1 + values.size());
  operands.push_back({.source = Path{{.name = std::string(attribute)}}});
  for (const AttributeValue& value : values) operands.push_back({.source = value});
  switch (comparison) {
    case Op::kEq:
      return Compare(std::move(operands), Comparator::kEq);
    case Op::kNe:
      return Compare(std::move(operands), Comparator::kNe);
    case Op::kLe:
      return Compare(std::move(operands), Comparator::kLe);
    case Op::kLt:
      return Compare(std::move(operands), Comparator::kLt);
    case Op::kGe:
      return Compare(std::move(operands), Comparator::kGe);
    case Op::kGt:
      return Compare(std::move(operands), Comparator::kGt);
    case Op::kIn:
      return {.kind = Kind::kIn, .operands = std::move(operands)};
    case Op::kBetween:
      return {.kind = Kind::kBetween, .operands = std::move(operands)};
    case Op::kNotNull:
      return {.kind = Kind::kExists, .operands = std::move(operands)};
    case Op::kNull:
      return {.kind = Kind::kNotExists, .operands = std::move(operands)};
    case Op::kBeginsWith:
      return {.kind = Kind::kBeginsWith, .operands = std::move(operands)};
    case Op::kContains:
      break;
    case Op::kNotContains:
      break;
  }
  ConditionNode contains{.kind = Kind::kContains, .operands = std::move(operands)};
  if (comparison == Op::kContains) return contains;
  // An attribute that is missing contains nothing, and NOT_CONTAINS is false for it all the same.
  ConditionNode present{.kind = Kind::kExists, .operands = {contains.operands.front()}};
  ConditionNode negation{.kind = Kind::kNot};
  negation.children.push_back(std::move(contains));
  ConditionNode both{.kind = Kind::kAnd};
  both.children.push_back(std::move(present));
  both.children.push_back(std::move(negation));
  return both;
}

}  // namespace stator
