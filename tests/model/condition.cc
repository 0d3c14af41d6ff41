#include "tests/model/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace stator::model_test {
namespace {

// UTF-16 code units: two for a character outside the Basic Multilingual Plane.
std::size_t CodeUnits(const std::string& utf8) {
  std::size_t units = 0;
  for (const unsigned char byte : utf8) {
    if ((byte & 0xC0) != 0x80) units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

std::optional<Value> SizeOf(const Value* value) {
  if (!value) return std::nullopt;
  std::size_t size = 0;
  switch (value->kind) {
    case Kind::kS:
      size = CodeUnits(value->text);
      break;
    case Kind::kB:
      size = value->text.size();
      break;
    case Kind::kM:
      size = value->entries.size();
      break;
    case Kind::kL:
    case Kind::kSS:
    case Kind::kNS:
    case Kind::kBS:
      size = value->elements.size();
      break;
    default:
      return std::nullopt;
  }
  return Value::N(std::to_string(size));
}

bool ContainsHolds(const Value& value, const Value& part) {
  if (value.kind == Kind::kS || value.kind == Kind::kB) {
    return value.kind == part.kind && value.text.find(part.text) != std::string::npos;
  }
  // Lists hold values of any kind, sets scalars of theirs; maps have no elements.
  return std::ranges::find(value.elements, part) != value.elements.end();
}

std::string Group(const Condition& condition, Placeholders& placeholders) {
  const bool compound =
      condition.form == Condition::Form::kAnd || condition.form == Condition::Form::kOr;
  const std::string text = Text(condition, placeholders);
  return compound ? "(" + text + ")" : text;
}

}  // namespace

bool CompareHolds(const Value* left, const std::string& comparator, const Value* right) {
  // What is missing differs from everything and has no order.
  if (!left || !right) return comparator == "<>";
  if (comparator == "=") return *left == *right;
  if (comparator == "<>") return !(*left == *right);
  if (left->kind != right->kind || !IsScalarKey(left->kind)) return false;
  const std::strong_ordering order = CompareScalars(*left, *right);
  if (comparator == "<") return order < 0;
  if (comparator == "<=") return order <= 0;
  if (comparator == ">") return order > 0;
  return order >= 0;
}

bool BetweenHolds(const Value& value, const Value& low, const Value& high) {
  return CompareHolds(&value, ">=", &low) && CompareHolds(&value, "<=", &high);
}

bool BeginsWithHolds(const Value& value, const Value& prefix) {
  return value.kind == prefix.kind && (value.kind == Kind::kS || value.kind == Kind::kB) &&
         value.text.starts_with(prefix.text);
}

bool Holds(const Condition& condition, const Attributes& item) {
  using Form = Condition::Form;
  const auto child = [&](std::size_t i) { return Holds(condition.children[i], item); };
  if (condition.form == Form::kAnd) return child(0) && child(1);
  if (condition.form == Form::kOr) return child(0) || child(1);
  if (condition.form == Form::kNot) return !child(0);

  const Value* value = Resolve(item, condition.paths[0]);
  const std::vector<Value>& values = condition.values;
  switch (condition.form) {
    case Form::kExists:
      return value != nullptr;
    case Form::kNotExists:
      return value == nullptr;
    case Form::kCompare:
      return CompareHolds(value, condition.comparator, &values[0]);
    case Form::kComparePaths:
      return CompareHolds(value, condition.comparator, Resolve(item, condition.paths[1]));
    case Form::kSize: {
      const std::optional<Value> size = SizeOf(value);
      return CompareHolds(size ? &*size : nullptr, condition.comparator, &values[0]);
    }
    default:
      break;
  }
  if (!value) return false;
  switch (condition.form) {
    case Form::kBetween:
      return BetweenHolds(*value, values[0], values[1]);
    case Form::kIn:
      return std::ranges::find(values, *value) != values.end();
    case Form::kHasType:
      return KindName(value->kind) == values[0].text;
    case Form::kBeginsWith:
      return BeginsWithHolds(*value, values[0]);
    default:
      return ContainsHolds(*value, values[0]);
  }
}

std::string Text(const Condition& condition, Placeholders& p) {
  using Form = Condition::Form;
  const auto path = [&](std::size_t i) { return p.Path(condition.paths[i]); };
  const auto value = [&](std::size_t i) { return p.Value(condition.values[i]); };
  const auto call = [&](const char* function) {
    return fmt::format("{}({}, {})", function, path(0), value(0));
  };
  switch (condition.form) {
    case Form::kCompare:
      return fmt::format("{} {} {}", path(0), condition.comparator, value(0));
    case Form::kComparePaths:
      return fmt::format("{} {} {}", path(0), condition.comparator, path(1));
    case Form::kSize:
      return fmt::format("size({}) {} {}", path(0), condition.comparator, value(0));
    case Form::kBetween:
      return fmt::format("{} BETWEEN {} AND {}", path(0), value(0), value(1));
    case Form::kExists:
      return fmt::format("attribute_exists({})", path(0));
    case Form::kNotExists:
      return fmt::format("attribute_not_exists({})", path(0));
    case Form::kHasType:
      return call("attribute_type");
    case Form::kBeginsWith:
      return call("begins_with");
    case Form::kContains:
      return call("contains");
    case Form::kNot:
      return "NOT " + (condition.children[0].form == Form::kNot
                           ? "(" + Text(condition.children[0], p) + ")"
                           : Group(condition.children[0], p));
    case Form::kIn: {
      std::string values;
      for (std::size_t i = 0; i < condition.values.size(); ++i) {
        values += (i == 0 ? "" : ", ") + value(i);
      }
      return fmt::format("{} IN ({})", path(0), values);
    }
    case Form::kAnd:
    case Form::kOr:
      break;
  }
  const std::string left = Group(condition.children[0], p);
  const std::string right = Group(condition.children[1], p);
  return left + (condition.form == Form::kAnd ? " AND " : " OR ") + right;
}

}  // namespace stator::model_test
