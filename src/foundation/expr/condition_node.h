// The checked form of a condition: what the evaluator walks.
#ifndef STATOR_EXPR_CONDITION_NODE_H_
#define STATOR_EXPR_CONDITION_NODE_H_

#include <cstdint>
#include <variant>
#include <vector>

#include "expr/path.h"
#include "stator/item.h"

namespace stator {

// A path or a constant, or the size of what it stands for.
struct Operand {
  std::variant<Path, AttributeValue> source;
  bool is_size = false;

  // Null unless the operand is a path itself.
  const Path* path() const { return is_size ? nullptr : std::get_if<Path>(&source); }
  // Null unless the operand is a constant itself.
  const AttributeValue* constant() const {
    return is_size ? nullptr : std::get_if<AttributeValue>(&source);
  }
};

enum class Comparator : std::uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };

struct ConditionNode {
  enum class Kind : std::uint8_t {
    kAnd,         // of the children
    kOr,          // of the children
    kNot,         // of the only child
    kCompare,     // operands: left, right
    kBetween,     // operands: value, lower, upper
    kIn,          // operands: value, candidates…
    kExists,      // operands: path
    kNotExists,   // operands: path
    kHasType,     // operands: value
    kBeginsWith,  // operands: value, prefix
    kContains,    // operands: value, part
  };

  Kind kind;
  Comparator comparator = Comparator::kEq;  // of kCompare
  Type type = Type::kNull;                  // of kHasType
  std::vector<Operand> operands;
  std::vector<ConditionNode> children;
};

// Whether the condition holds for the item.
bool Holds(const ConditionNode& node, ItemView item);

}  // namespace stator

#endif  // STATOR_EXPR_CONDITION_NODE_H_
