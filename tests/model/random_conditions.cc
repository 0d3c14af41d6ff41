// Random conditions that DynamoDB accepts: operands are of the types that each operator takes.
#include <utility>

#include "tests/model/random_values.h"

namespace stator::model_test {
namespace {

using Form = Condition::Form;

const std::vector<std::string> kComparators = {"=", "<>", "<", "<=", ">", ">="};
const std::vector<Kind> kOrdered = {Kind::kS, Kind::kN, Kind::kB};

}  // namespace

Value RandomValues::AnyOrderedValue(Kind kind) {
  if (kind == Kind::kN) return AnyNumber();
  return kind == Kind::kS ? Value::S(AnyText()) : Value::B(AnyBytes());
}

Condition RandomValues::AnyTest(const std::vector<std::string>& attributes) {
  static const std::vector<Form> forms = {
      Form::kCompare,   Form::kCompare, Form::kCompare,    Form::kComparePaths, Form::kSize,
      Form::kBetween,   Form::kIn,      Form::kExists,     Form::kExists,       Form::kNotExists,
      Form::kNotExists, Form::kHasType, Form::kBeginsWith, Form::kContains,
  };
  Condition test{.form = random_.Pick(forms), .paths = {AnyPath(attributes)}};
  switch (test.form) {
    case Form::kCompare: {
      test.comparator = random_.Pick(kComparators);
      const bool equality = test.comparator == "=" || test.comparator == "<>";
      test.values = {equality ? AnyValueFor(test.paths[0].attribute)
                              : AnyOrderedValue(random_.Pick(kOrdered))};
      break;
    }
    case Form::kComparePaths:
      test.comparator = random_.Pick(kComparators);
      test.paths.push_back(AnyPath(attributes));
      // DynamoDB refuses to compare a path with itself.
      if (test.paths[0] == test.paths[1]) test = {.form = Form::kExists, .paths = {test.paths[0]}};
      break;
    case Form::kSize:
      test.comparator = random_.Pick(kComparators);
      test.values = {Value::N(std::to_string(random_.Below(6)))};
      break;
    case Form::kBetween: {
      const Kind kind = random_.Pick(kOrdered);
      test.values = {AnyOrderedValue(kind), AnyOrderedValue(kind)};
      if (CompareScalars(test.values[0], test.values[1]) > 0) {
        std::swap(test.values[0], test.values[1]);
      }
      break;
    }
    case Form::kIn:
      for (std::size_t i = 1 + random_.Below(3); i > 0; --i) test.values.push_back(AnyValue(1));
      break;
    case Form::kHasType: {
      const auto kind = static_cast<Kind>(random_.Below(10));
      test.values = {Value::S(std::string(KindName(kind)))};
      break;
    }
    case Form::kBeginsWith:
      test.values = {AnyOrderedValue(random_.Chance(70) ? Kind::kS : Kind::kB)};
      break;
    case Form::kContains:
      test.values = {AnyValue(0)};
      break;
    default:
      break;
  }
  return test;
}

Condition RandomValues::AnyCondition(const std::vector<std::string>& attributes, int depth) {
  if (depth == 0 || random_.Chance(60)) return AnyTest(attributes);
  static const std::vector<Form> forms = {Form::kAnd, Form::kOr, Form::kNot};
  Condition compound{.form = random_.Pick(forms)};
  compound.children.push_back(AnyCondition(attributes, depth - 1));
  if (compound.form != Form::kNot) {
    compound.children.push_back(AnyCondition(attributes, depth - 1));
  }
  return compound;
}

}  // namespace stator::model_test
