// Any text as a condition, a filter and a key condition; what is accepted is evaluated.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "expr/condition.h"
#include "expr/key_condition.h"

namespace {

using namespace stator;  // NOLINT

const NameMap& Names() {
  static const NameMap names = {{"#a", "a"}, {"#b", "b.c"}, {"#0", "size"}};
  return names;
}

const ValueMap& Values() {
  static const ValueMap values = {{":s", "S"},
                                  {":t", "text"},
                                  {":n", 1},
                                  {":m", AttributeValue::Number("2.5")},
                                  {":b", AttributeValue::Binary("b")},
                                  {":y", true},
                                  {":z", AttributeValue::Null()},
                                  {":q", AttributeValue::StringSet({"x", "y"})},
                                  {":l", AttributeValue::List({1, "two"})},
                                  {":o", AttributeValue::Map({{"k", 1}})}};
  return values;
}

const Item& Stored() {
  static const Item item{{"a", "text"},
                         {"b", 1},
                         {"c", AttributeValue::List({1, "two", AttributeValue::Map({{"k", 1}})})},
                         {"d", AttributeValue::Map({{"e", AttributeValue::StringSet({"x", "y"})}})},
                         {"b.c", AttributeValue::Null()}};
  return item;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Placeholders placeholders(&Names(), &Values(), Wording::kCurrent);
  const Result<Condition> condition =
      Condition::Parse(text, ExpressionKind::kCondition, placeholders);
  if (condition) {
    for (const Path& path : condition->Paths()) STATOR_CHECK(!path.empty());
    STATOR_CHECK(condition->Evaluate(Stored().view()) == condition->Evaluate(Stored().view()));
    condition->Evaluate(ItemView());
  } else {
    STATOR_CHECK(condition.error().message().starts_with("Invalid ConditionExpression: "));
  }
  const Result<std::vector<KeyClause>> keys = ParseKeyCondition(text, placeholders);
  if (keys) {
    STATOR_CHECK(condition && !keys->empty());
    for (const KeyClause& clause : *keys) STATOR_CHECK(clause.op != KeyOperator::kNotIndexable);
  } else {
    STATOR_CHECK(keys.error().message().starts_with("Invalid KeyConditionExpression: "));
  }
  return 0;
}
