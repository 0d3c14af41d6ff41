#include "expr/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "base/try.h"
#include "base/work.h"
#include "expr/condition_parser.h"
#include "expr/legacy_comparison.h"
#include "value/item_codec.h"

namespace stator {
namespace {

// One unit per character, and two for a character outside the basic plane, which has four bytes in
// UTF-8.
std::size_t Utf16Units(std::string_view utf8) {
  std::size_t units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0) != 0x80;
    units += byte >= 0xF0;
  }
  return units;
}

// What size() says of a value. S: UTF-16 code units; B: bytes; sets, lists, maps: how many members.
// Other types have no size.
std::optional<std::size_t> SizeOf(ValueView value) {
  switch (value.type()) {
    case Type::kS:
      return Utf16Units(value.S());
    case Type::kB:
      return value.B().size();
    case Type::kSS:
    case Type::kNS:
    case Type::kBS:
      return value.Set().size();
    case Type::kL:
      return value.List().size();
    case Type::kM:
      return value.Map().size();
    default:
      return std::nullopt;
  }
}

// What it costs to find a value, as bytes of work.
constexpr std::size_t kOperandBytes = 32;

// Nothing when the path does not exist, when the work has to end, or when the size is asked of a value that has none. A
// computed size lives in `scratch`, which must outlive the view.
std::optional<ValueView> ValueOf(const Operand& operand, const PathLookup& item,
                                 std::string& scratch) {
  std::optional<ValueView> value;
  if (const Path* path = std::get_if<Path>(&operand.source)) {
    value = item.Find(*path);
  } else {
    value = std::get<AttributeValue>(operand.source).view();
  }
  // Whatever is done with the value takes time in proportion to its size.
  if (!Work::Charge(kOperandBytes + (value ? value->encoded().size() : 0))) return std::nullopt;
  if (!operand.is_size || !value) return value;
  const std::optional<std::size_t> length = SizeOf(*value);
  if (!length) return std::nullopt;
  scratch.clear();
  AppendNumber(scratch, Number::FromInt64(static_cast<std::int64_t>(*length)));
  return ValueView(scratch);
}

// Whether a ⋈ b for an ordering comparator; never true for values that have no common order.
bool InOrder(ValueView a, Comparator comparator, ValueView b) {
  if (a.type() != b.type() || !IsOrderedType(a.type())) return false;
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

bool Compares(const ConditionNode& node, const PathLookup& item) {
  std::string left_scratch;
  std::string right_scratch;
  const std::optional<ValueView> left = ValueOf(node.operands[0], item, left_scratch);
  const std::optional<ValueView> right = ValueOf(node.operands[1], item, right_scratch);
  const bool both = left && right;
  if (node.comparator == Comparator::kEq) return both && *left == *right;
  if (node.comparator == Comparator::kNe) return !both || !(*left == *right);
  return both && InOrder(*left, node.comparator, *right);
}

bool IsBetween(const ConditionNode& node, const PathLookup& item) {
  std::string value_scratch;
  std::string bound_scratch;
  const std::optional<ValueView> value = ValueOf(node.operands[0], item, value_scratch);
  if (!value) return false;
  const std::optional<ValueView> lower = ValueOf(node.operands[1], item, bound_scratch);
  if (!lower || !InOrder(*value, Comparator::kGe, *lower)) return false;
  const std::optional<ValueView> upper = ValueOf(node.operands[2], item, bound_scratch);
  return upper && InOrder(*value, Comparator::kLe, *upper);
}

std::string_view BytesOf(const Operand& constant) {
  return std::get<AttributeValue>(constant.source).encoded();
}

bool IsIn(const ConditionNode& node, const PathLookup& item) {
  std::string value_scratch;
  const std::optional<ValueView> value = ValueOf(node.operands[0], item, value_scratch);
  if (!value) return false;
  if (node.candidates_ascend) {
    return std::ranges::binary_search(node.operands.begin() + 1, node.operands.end(),
                                      value->encoded(), {}, BytesOf);
  }
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

// Takes time in proportion to the text, whatever the part: find() of a view does not.
bool HasPart(std::string_view text, std::string_view part) {
  return memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

bool Contains(ValueView whole, ValueView part) {
  const Type type = part.type();
  switch (whole.type()) {
    case Type::kS:
      return type == Type::kS && HasPart(whole.S(), part.S());
    case Type::kB:
      return type == Type::kB && HasPart(whole.B(), part.B());
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
bool OfBoth(const ConditionNode& node, const PathLookup& item, Test test) {
  std::string first_scratch;
  std::string second_scratch;
  const std::optional<ValueView> first = ValueOf(node.operands[0], item, first_scratch);
  if (!first) return false;
  const std::optional<ValueView> second = ValueOf(node.operands[1], item, second_scratch);
  return second && test(*first, *second);
}

bool Exists(const ConditionNode& node, const PathLookup& item) {
  std::string scratch;
  return ValueOf(node.operands[0], item, scratch).has_value();
}

bool HasType(const ConditionNode& node, const PathLookup& item) {
  std::string scratch;
  const std::optional<ValueView> value = ValueOf(node.operands[0], item, scratch);
  return value && value->type() == node.type;
}

// Whether the condition holds for the item.
bool Holds(const ConditionNode& node, const PathLookup& item) {
  const auto holds = [&item](const ConditionNode& child) { return Holds(child, item); };
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

std::size_t OperandCount(const ConditionNode& node) {
  std::size_t count = node.operands.size();
  for (const ConditionNode& child : node.children) count += OperandCount(child);
  return count;
}

void CollectPaths(const ConditionNode& node, PathLookup::Paths& paths) {
  for (const Operand& operand : node.operands) {
    if (const Path* path = std::get_if<Path>(&operand.source)) paths.push_back(path);
  }
  for (const ConditionNode& child : node.children) CollectPaths(child, paths);
}

// An expression has no more than 100 candidates, a legacy parameter as many as the request holds.
void SortCandidates(ConditionNode& node) {
  constexpr std::size_t kManyCandidates = 16;
  for (ConditionNode& child : node.children) SortCandidates(child);
  if (node.kind != ConditionNode::Kind::kIn || node.operands.size() <= kManyCandidates) return;
  const std::span<Operand> candidates = std::span(node.operands).subspan(1);
  node.candidates_ascend = std::ranges::all_of(
      candidates, [](const Operand& candidate) { return candidate.constant() != nullptr; });
  if (node.candidates_ascend) std::ranges::sort(candidates, {}, BytesOf);
}

using Op = ComparisonOperator;

std::unexpected<Error> InvalidExpected(std::string_view reason, std::string_view attribute) {
  return InvalidParameters(fmt::format("{} for Attribute: {}", reason, attribute));
}

std::span<const AttributeValue> Arguments(const ExpectedAttribute& expected) {
  if (expected.attribute_value_list) return *expected.attribute_value_list;
  if (expected.value) return {&*expected.value, 1};
  return {};
}

Result<ConditionNode> WithComparison(std::string_view attribute,
                                     const ExpectedAttribute& expected) {
  if (expected.exists) {
    return InvalidExpected("Exists and ComparisonOperator cannot be used together", attribute);
  }
  ASSIGN_OR_RETURN(const Op comparison, RequiredComparison(expected.comparison_operator));
  const bool takes_none = comparison == Op::kNull || comparison == Op::kNotNull;
  if (!takes_none && !expected.value && !expected.attribute_value_list) {
    return InvalidExpected(
        fmt::format("Value or AttributeValueList must be used with ComparisonOperator: {}",
                    ComparisonName(comparison)),
        attribute);
  }
  RETURN_IF_ERROR(CheckArguments(comparison, Arguments(expected)));
  return LegacyNode(attribute, comparison, Arguments(expected));
}

Result<ConditionNode> WithExists(std::string_view attribute, const ExpectedAttribute& expected) {
  if (expected.attribute_value_list) {
    return InvalidExpected("AttributeValueList can only be used with a ComparisonOperator",
                           attribute);
  }
  if (expected.exists.value_or(true)) {
    if (!expected.value) {
      return InvalidExpected(fmt::format("Value must be provided when Exists is {}",
                                         expected.exists ? "true" : "null"),
                             attribute);
    }
    return LegacyNode(attribute, Op::kEq, Arguments(expected));
  }
  if (expected.value)
    return InvalidExpected("Value cannot be used when Exists is false", attribute);
  return LegacyNode(attribute, Op::kNull, {});
}

Result<ConditionNode> ExpectedNode(std::string_view attribute, const ExpectedAttribute& expected,
                                   Wording wording) {
  RETURN_IF_ERROR(CheckArgumentValues(Arguments(expected), wording));
  if (expected.value && expected.attribute_value_list) {
    return InvalidExpected("Value and AttributeValueList cannot be used together", attribute);
  }
  return expected.comparison_operator ? WithComparison(attribute, expected)
                                      : WithExists(attribute, expected);
}

ConditionNode Joined(ConditionalOperator joined) {
  return {.kind = joined == ConditionalOperator::kAnd ? ConditionNode::Kind::kAnd
                                                      : ConditionNode::Kind::kOr};
}

}  // namespace

Result<Condition> Condition::Parse(std::string_view text, ExpressionKind kind,
                                   Placeholders& placeholders) {
  ASSIGN_OR_RETURN(ConditionNode root, ParseConditionNode(text, kind, placeholders));
  return FromNode(std::move(root));
}

Condition Condition::FromNode(ConditionNode root) {
  SortCandidates(root);
  auto checked = std::make_shared<Checked>(std::move(root));
  if (OperandCount(checked->root) >= PathLookup::kManyPaths) {
    CollectPaths(checked->root, checked->paths);
    PathLookup::Sort(checked->paths);
  }
  return Condition(std::move(checked));
}

bool Condition::Evaluate(ItemView item) const {
  return Holds(checked_->root, PathLookup(item, checked_->paths));
}

std::vector<Path> Condition::Paths() const {
  PathLookup::Paths written;
  CollectPaths(checked_->root, written);
  std::vector<Path> paths;
  paths.reserve(written.size());
  for (const Path* path : written) paths.push_back(*path);
  return paths;
}

Result<Condition> Condition::FromExpected(const ExpectedMap& expected, ConditionalOperator joined,
                                          Wording wording) {
  ConditionNode root = Joined(joined);
  for (const auto& [attribute, entry] : expected) {
    ASSIGN_OR_RETURN(root.children.emplace_back(), ExpectedNode(attribute, entry, wording));
  }
  return FromNode(std::move(root));
}

Result<Condition> Condition::FromFilter(const LegacyConditionMap& filter,
                                        ConditionalOperator joined, Wording wording) {
  ConditionNode root = Joined(joined);
  for (const auto& [attribute, condition] : filter) {
    RETURN_IF_ERROR(CheckAttributeName(attribute));
    RETURN_IF_ERROR(CheckArgumentValues(condition.attribute_value_list, wording));
    ASSIGN_OR_RETURN(const Op comparison, RequiredComparison(condition.comparison_operator));
    RETURN_IF_ERROR(CheckArguments(comparison, condition.attribute_value_list));
    root.children.push_back(LegacyNode(attribute, comparison, condition.attribute_value_list));
  }
  return FromNode(std::move(root));
}

Result<void> CheckConditionalOperator(bool operator_given, std::size_t conditions) {
  if (!operator_given || conditions >= 2) return {};
  return std::unexpected(Error::Validation(
      conditions == 0 ? "ConditionalOperator cannot be used without Filter or Expected"
                      : "ConditionalOperator can only be used when Filter or Expected has two or "
                        "more elements"));
}

}  // namespace stator
