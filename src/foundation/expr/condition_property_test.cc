// Random conditions, written as text and read back, hold exactly when the naive rules say so.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <optional>

#include "expr/testing/expressions.h"
#include "expr/testing/value_model.h"

namespace stator {
namespace condition_property_test {

struct Sided {
  std::string text;
  std::optional<ValueModel> value;  // nothing: the operand has no value
  bool is_path = false;
};
struct Judged {
  std::string text;
  bool holds;
};

bool IsOrdered(const ValueModel& model) { return model.type == Type::kS || model.type == Type::kN; }

bool Less(const ValueModel& a, const ValueModel& b) {
  return a.type == Type::kS ? a.text < b.text : a.number < b.number;
}

// Random conditions about one item. Constants are collected as placeholders.
class Author {
 public:
  Author(const ValueModel& item, Dice& dice) : item_(item), dice_(dice) {}

  Judged Condition(int depth) {
    if (depth == 0) return Test();
    switch (dice_.Roll(5)) {
      case 0:
        return Joined(depth, "AND");
      case 1:
        return Joined(depth, "OR");
      case 2: {
        const Judged inner = Condition(depth - 1);
        return {"NOT (" + inner.text + ")", !inner.holds};
      }
      default:
        return Test();
    }
  }

  const ValueMap& values() const { return values_; }

 private:
  Judged Joined(int depth, const std::string& keyword) {
    const Judged a = Condition(depth - 1);
    const Judged b = Condition(depth - 1);
    return {"(" + a.text + ") " + keyword + " (" + b.text + ")",
            keyword == "AND" ? a.holds && b.holds : a.holds || b.holds};
  }

  Judged Test() {
    switch (dice_.Roll(6)) {
      case 0:
        return Equality();
      case 1:
        return Ordering();
      case 2:
        return Between();
      case 3:
        return In();
      case 4:
        return Contains();
      default:
        return Existence();
    }
  }

  Judged Equality() {
    const auto [a, b] = TwoOperands([](const ValueModel&) { return true; });
    const bool equal = a.value && b.value && *a.value == *b.value;
    if (dice_.Roll(2) == 0) return {a.text + " = " + b.text, equal};
    return {a.text + " <> " + b.text, !equal};
  }

  Judged Ordering() {
    const auto [a, b] = TwoOperands(IsOrdered);
    const bool comparable =
        a.value && b.value && a.value->type == b.value->type && IsOrdered(*a.value);
    const bool less = comparable && Less(*a.value, *b.value);
    const bool greater = comparable && Less(*b.value, *a.value);
    switch (dice_.Roll(4)) {
      case 0:
        return {a.text + " < " + b.text, less};
      case 1:
        return {a.text + " <= " + b.text, comparable && !greater};
      case 2:
        return {a.text + " > " + b.text, greater};
      default:
        return {a.text + " >= " + b.text, comparable && !less};
    }
  }

  Judged Between() {
    const Sided value = Operand(IsOrdered);
    Sided lower = PathOperand();
    while (IsSamePath(value, lower)) lower = PathOperand();
    const Sided upper = OtherOperand(value, IsOrdered);
    const auto inside = [&] {
      if (!value.value || !lower.value || !upper.value || !IsOrdered(*value.value)) return false;
      if (lower.value->type != value.value->type || upper.value->type != value.value->type)
        return false;
      return !Less(*value.value, *lower.value) && !Less(*upper.value, *value.value);
    };
    return {value.text + " BETWEEN " + lower.text + " AND " + upper.text, inside()};
  }

  Judged In() {
    const Sided value = Operand([](const ValueModel&) { return true; });
    Judged in{value.text + " IN (", false};
    for (int i = dice_.Roll(3); i >= 0; --i) {
      const Sided candidate = OtherOperand(value, [](const ValueModel&) { return true; });
      in.text += candidate.text + (i == 0 ? ")" : ", ");
      in.holds = in.holds || (value.value && candidate.value && *value.value == *candidate.value);
    }
    return in;
  }

  Judged Contains() {
    const auto [whole, part] = TwoOperands([](const ValueModel&) { return true; });
    const auto found = [](const ValueModel& in, const ValueModel& what) {
      if (in.type == Type::kL) return std::ranges::find(in.list, what) != in.list.end();
      if (what.type != Type::kS) return false;
      if (in.type == Type::kS) return in.text.find(what.text) != std::string::npos;
      return in.type == Type::kSS && in.set.contains(what.text);
    };
    return {"contains(" + whole.text + ", " + part.text + ")",
            whole.value && part.value && found(*whole.value, *part.value)};
  }

  Judged Existence() {
    const Sided path = PathOperand();
    if (dice_.Roll(2) == 0) return {"attribute_exists(" + path.text + ")", path.value.has_value()};
    return {"attribute_not_exists(" + path.text + ")", !path.value.has_value()};
  }

  Sided PathOperand() {
    const Path path = LikelyPath(dice_, item_);
    const ValueModel* found = Find(item_, path);
    return {Written(path), found == nullptr ? std::nullopt : std::optional(*found), true};
  }

  // A constant is one that `acceptable` accepts.
  template <class Acceptable>
  Sided Operand(Acceptable acceptable) {
    const int kind = dice_.Roll(6);
    if (kind < 3) return PathOperand();
    if (kind == 3) return SizeOperand();
    ValueModel constant = RandomModel(dice_, 2);
    while (!acceptable(constant)) constant = RandomModel(dice_, 2);
    const std::string name = ":v" + std::to_string(values_.size());
    values_.emplace_back(name, ToValue(constant));
    return {dice_.Roll(2) == 0 ? name : "(" + name + ")", std::move(constant)};
  }

  Sided SizeOperand() {
    const Sided path = PathOperand();
    Sided size{"size(" + path.text + ")", std::nullopt};
    if (!path.value) return size;
    const ValueModel& of = *path.value;
    std::optional<std::size_t> length;
    if (of.type == Type::kS) length = of.text.size();
    if (of.type == Type::kSS) length = of.set.size();
    if (of.type == Type::kL) length = of.list.size();
    if (of.type == Type::kM) length = of.map.size();
    if (length)
      size.value = ValueModel{.type = Type::kN, .number = static_cast<std::int64_t>(*length)};
    return size;
  }

  static bool IsSamePath(const Sided& a, const Sided& b) {
    return a.is_path && b.is_path && a.text == b.text;
  }

  // Not the path of the first operand, which is refused.
  template <class Acceptable>
  Sided OtherOperand(const Sided& first, Acceptable acceptable) {
    Sided other = Operand(acceptable);
    while (IsSamePath(first, other)) other = Operand(acceptable);
    return other;
  }

  template <class Acceptable>
  std::pair<Sided, Sided> TwoOperands(Acceptable acceptable) {
    const Sided first = Operand(acceptable);
    return {first, OtherOperand(first, acceptable)};
  }

  const ValueModel& item_;
  Dice& dice_;
  ValueMap values_;
};

constexpr int kRounds = 30;

void CheckOneCondition(Dice& dice) {
  const ValueModel item = RandomItemModel(dice);
  Author author(item, dice);
  const Judged judged = author.Condition(4);
  RC_LOG() << judged.text << "\n";
  const Result<Condition> condition = ParseCondition(judged.text, {.values = author.values()});
  if (!condition) RC_FAIL(MessageOf(condition));
  RC_ASSERT(condition->Evaluate(ToItem(item).view()) == judged.holds);
}

TEST(ConditionProperty, ReadsBackWhatItsTextSays) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    for (int round = 0; round < kRounds; ++round) CheckOneCondition(dice);
  }));
}

}  // namespace condition_property_test
}  // namespace stator
