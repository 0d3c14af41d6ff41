// Conditions: the reference's own meaning of them, and their text for a request.
#ifndef STATOR_TESTS_ORACLE_EXPRESSIONS_H_
#define STATOR_TESTS_ORACLE_EXPRESSIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/oracle/translate.h"
#include "tests/oracle/value.h"

namespace stator::oracle {

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

// Update expressions: the reference's own meaning of them, and their text for a request.

// A value; a path; or with both if_not_exists(path, value).
struct Operand {
  std::optional<Path> path;
  std::optional<Value> value;
};

struct UpdateAction {
  enum class Form : std::uint8_t {
    kSet,        // target = first
    kSetSum,     // target = first + second
    kSetLess,    // target = first - second
    kSetAppend,  // target = list_append(first, second)
    kRemove,
    kAdd,     // first is a value
    kDelete,  // first is a value
  };
  Form form = Form::kSet;
  Path target;
  Operand first;
  Operand second;
};

// REQUIRES: no target is a prefix of another.
using Update = std::vector<UpdateAction>;

// The updated item; nothing when an operand is missing or of the wrong kind, or a target has no
// parent.
std::optional<Attributes> Apply(const Update& update, const Attributes& before);

std::vector<Path> Targets(const Update& update);
std::string Text(const Update& update, Placeholders& placeholders);

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_EXPRESSIONS_H_
