// Parameters that operations share: placeholders of expressions, and the legacy conditional
// parameters.
#ifndef STATOR_EXPRESSION_H_
#define STATOR_EXPRESSION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/item.h"

namespace stator {

// One of a fixed set of words. A request from the wire may hold a word that is none of them; it is
// kept as it was sent, and validation names it.
template <class E>
class Choice {
 public:
  Choice() = default;
  Choice(E value) : value_(value) {}  // NOLINT: `.return_values = ReturnValues::kAllOld`
  static Choice Unknown(std::string text) {
    Choice choice;
    choice.unknown_ = std::move(text);
    return choice;
  }
  bool is_known() const { return !unknown_.has_value(); }
  // REQUIRES: is_known(), which validation has made sure of.
  E value() const { return value_; }
  const std::string& unknown() const { return *unknown_; }

 private:
  E value_{};
  std::optional<std::string> unknown_;
};

// In request order. Names begin with '#', values with ':'.
using NameMap = std::vector<std::pair<std::string, std::string>>;
using ValueMap = std::vector<std::pair<std::string, AttributeValue>>;

// The parameters that predate expressions.
enum class ComparisonOperator : std::uint8_t {
  kEq,
  kNe,
  kIn,
  kLe,
  kLt,
  kGe,
  kGt,
  kBetween,
  kNotNull,
  kNull,
  kContains,
  kNotContains,
  kBeginsWith,
};
enum class ConditionalOperator : std::uint8_t { kAnd, kOr };
enum class AttributeAction : std::uint8_t { kPut, kAdd, kDelete };

struct ExpectedAttribute {
  std::optional<AttributeValue> value;
  std::optional<bool> exists;
  std::optional<Choice<ComparisonOperator>> comparison_operator;
  std::optional<std::vector<AttributeValue>> attribute_value_list;
};
using ExpectedMap = std::vector<std::pair<std::string, ExpectedAttribute>>;

struct LegacyCondition {
  std::optional<Choice<ComparisonOperator>> comparison_operator;
  std::vector<AttributeValue> attribute_value_list;
};
using LegacyConditionMap = std::vector<std::pair<std::string, LegacyCondition>>;

struct AttributeUpdate {
  std::optional<AttributeValue> value;
  std::optional<Choice<AttributeAction>> action;
};
using AttributeUpdateMap = std::vector<std::pair<std::string, AttributeUpdate>>;

}  // namespace stator

#endif  // STATOR_EXPRESSION_H_
