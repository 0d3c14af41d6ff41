// Conditions: the model's own meaning of them, and their text for a request.
#ifndef STATOR_TESTS_MODEL_CONDITION_H_
#define STATOR_TESTS_MODEL_CONDITION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/model/path.h"
#include "tests/model/translate.h"
#include "tests/model/tree.h"

namespace stator::model_test {

struct Condition {
  enum class Form : std::uint8_t {
    kCompare,  // path comparator value
    kComparePaths,
    kSize,  // size(path) comparator value
    kBetween,
    kIn,
    kExists,
    kNotExists,
    kHasType,
    kBeginsWith,
    kContains,
    kAnd,
    kOr,
    kNot,
  };

  Form form = Form::kExists;
  std::string comparator;  // kCompare, kComparePaths, kSize
  std::vector<Path> paths;
  std::vector<Value> values;
  std::vector<Condition> children;  // kAnd, kOr: two; kNot: one
};

bool Holds(const Condition& condition, const Attributes& item);
std::string Text(const Condition& condition, Placeholders& placeholders);

// Key conditions use the same comparators.
bool CompareHolds(const Value* left, const std::string& comparator, const Value* right);
bool BetweenHolds(const Value& value, const Value& low, const Value& high);
bool BeginsWithHolds(const Value& value, const Value& prefix);

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_CONDITION_H_
