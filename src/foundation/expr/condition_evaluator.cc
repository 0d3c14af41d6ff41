#include <algorithm>

#include "expr/condition_node.h"
#include "expr/value_length.h"
#include "value/item_codec.h"

namespace stator {
namespace {

// Nothing when the path does not exist, or when what it names has no size. `scratch` holds a
// computed size as long as the view is used.
std::optional<ValueView> ValueOf(const Operand& operand, ItemView item, std::string& scratch) {
  std::optional<ValueView> value;
  if (const Path* path = std::get_if<Path>(&operand.source)) {
    value = Resolve(item, *path);
  } else {
    value = std::get<AttributeValue>(operand.source).view();
  }
  if (!operand.is_size || !value) return value;
  const std::optional<std::size_t> length = ValueLength(*value);
  if (!length) return std::nullopt;
  scratch.clear();
  AppendNumber(scratch, Number::FromInt64(static_cast<std::int64_t>(*length)));
  return ValueView(scratch);
}

bool IsOrdered(Type type) { return type == Type::kS || type == Type::kN || type == Type::kB; }

// Whether a ⋈ b for an ordering comparator; never true for values that have no common order.
bool InOrder(ValueView a, Comparator comparator, ValueView b) {
  if (a.type() != b.type() || !IsOrdered(a.type())) return false;
  const int order = CompareScalars(a, b);
  switch (comparator) {
    case Comparator::kLt:
      return order < 0;
    case Comparator::kLe:
      return order <= 0;
    case Comparator::kGt:
      return order > 0;
    default:
      return order >= 0;
  }
}

bool Compares(const ConditionNode& node, ItemView item) {
  std::string left_scratch;
  std::string right_scratch;
  const std::optional<ValueView> left = ValueOf(node.operands[0], item, left_scratch);
  const std::optional<ValueView> right = ValueOf(node.operands[1], item, right_scratch);
  const bool both = left && right;
  if (node.comparator == Comparator::kEq) return both && *left == *right;
  if (node.comparator == Comparator::kNe) return !both || !(*left == *right);
  return both && InOrder(*left, node.comparator, *right);
}

bool IsBetween(const ConditionNode& node, ItemView item) {
  std::string value_scratch;
  std::string bound_scratch;
  const std::optional<ValueView> value = ValueOf(node.operands[0], item, value_scratch);
  if (!value) return false;
  const std::optional<ValueView> lower = ValueOf(node.operands[1], item, bound_scratch);
  if (!lower || !InOrder(*value, Comparator::kGe, *lower)) return false;
  const std::optional<ValueView> upper = ValueOf(node.operands[2], item, bound_scratch);
  return upper && InOrder(*value, Comparator::kLe, *upper);
}

bool IsIn(const ConditionNode& node, ItemView item) {
  std::string value_scratch;
  const std::optional<ValueView> value = ValueOf(node.operands[0], item, value_scratch);
  if (!value) return false;
  return std::any_of(node.operands.begin() + 1, node.operands.end(), [&](const Operand& operand) {
    std::string scratch;
    const std::optional<ValueView> candidate = ValueOf(operand, item, scratch);
    return candidate && *candidate == *value;
  });
}

bool BeginsWith(ValueView value, ValueView prefix) {
  if (value.type() != prefix.type()) return false;
  if (value.type() == Type::kS) return value.S().starts_with(prefix.S());
  return value.type() == Type::kB && value.B().starts_with(prefix.B());
}

bool Contains(ValueView whole, ValueView part) {
  const Type type = part.type();
  switch (whole.type()) {
    case Type::kS:
      return type == Type::kS && whole.S().find(part.S()) != std::string_view::npos;
    case Type::kB:
      return type == Type::kB && whole.B().find(part.B()) != std::string_view::npos;
    case Type::kSS:
      return type == Type::kS && whole.Set().Contains(part.S());
    case Type::kNS:
      return type == Type::kN && whole.Set().Contains(part.number());
    case Type::kBS:
      return type == Type::kB && whole.Set().Contains(part.B());
    case Type::kL:
      for (const ValueView& element : whole.List()) {
        if (element == part) return true;
      }
      return false;
    default:
      return false;
  }
}

// Applies `test` to two operands; false when one of them has no value.
template <class Test>
bool OfBoth(const ConditionNode& node, ItemView item, Test test) {
  std::string first_scratch;
  std::string second_scratch;
  const std::optional<ValueView> first = ValueOf(node.operands[0], item, first_scratch);
  if (!first) return false;
  const std::optional<ValueView> second = ValueOf(node.operands[1], item, second_scratch);
  return second && test(*first, *second);
}

bool Exists(const ConditionNode& node, ItemView item) {
  std::string scratch;
  return ValueOf(node.operands[0], item, scratch).has_value();
}

bool HasType(const ConditionNode& node, ItemView item) {
  std::string scratch;
  const std::optional<ValueView> value = ValueOf(node.operands[0], item, scratch);
  return value && value->type() == node.type;
}

}  // namespace

bool Holds(const ConditionNode& node, ItemView item) {
  const auto holds = [item](const ConditionNode& child) { return Holds(child, item); };
  switch (node.kind) {
    case ConditionNode::Kind::kAnd:
      return std::ranges::all_of(node.children, holds);
    case ConditionNode::Kind::kOr:
      return std::ranges::any_of(node.children, holds);
    case ConditionNode::Kind::kNot:
      return !holds(node.children.front());
    case ConditionNode::Kind::kCompare:
      return Compares(node, item);
    case ConditionNode::Kind::kBetween:
      return IsBetween(node, item);
    case ConditionNode::Kind::kIn:
      return IsIn(node, item);
    case ConditionNode::Kind::kExists:
      return Exists(node, item);
    case ConditionNode::Kind::kNotExists:
      return !Exists(node, item);
    case ConditionNode::Kind::kHasType:
      return HasType(node, item);
    case ConditionNode::Kind::kBeginsWith:
      return OfBoth(node, item, BeginsWith);
    case ConditionNode::Kind::kContains:
      return OfBoth(node, item, Contains);
  }
  return false;
}

}  // namespace stator
