// Condition and filter expressions, and their legacy forms.
#ifndef STATOR_EXPR_CONDITION_H_
#define STATOR_EXPR_CONDITION_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "expr/path.h"
#include "expr/placeholders.h"
#include "stator/expression.h"
#include "stator/result.h"

namespace stator {

// A path or a constant, or the size of either.
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

// The checked form of a condition.
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
  // Of kIn: all candidates are constants, and sorted by their encodings. Condition sees to it.
  bool candidates_ascend = false;
};

// Immutable and cheap to copy; Evaluate may run on several threads at once.
class Condition {
 public:
  // `kind` is kCondition or kFilter. All static errors of behaviour.md §5.1–5.3, in their order.
  static Result<Condition> Parse(std::string_view text, ExpressionKind kind,
                                 Placeholders& placeholders);

  // Legacy parameters, with the checks of §5.7. REQUIRES: a map that is not empty; an empty one
  // counts as absent.
  static Result<Condition> FromExpected(const ExpectedMap& expected, ConditionalOperator joined,
                                        Wording wording);
  // QueryFilter or ScanFilter.
  static Result<Condition> FromFilter(const LegacyConditionMap& filter, ConditionalOperator joined,
                                      Wording wording);
  // A condition that was checked elsewhere.
  static Condition FromNode(ConditionNode root);

  // A missing item is an empty item. Charges its work (base/work.h); when that has to end, the answer
  // means nothing.
  bool Evaluate(ItemView item) const;

  // Every document path that the condition names, in written order.
  std::vector<Path> Paths() const;

 private:
  struct Checked {
    explicit Checked(ConditionNode&& node) : root(std::move(node)) {}
    ConditionNode root;
    PathLookup::Paths paths;  // of the nodes
  };
  explicit Condition(std::shared_ptr<const Checked> checked) : checked_(std::move(checked)) {}
  std::shared_ptr<const Checked> checked_;
};

// Refuses a ConditionalOperator with fewer than two conditions (§5.7). `conditions` counts them.
Result<void> CheckConditionalOperator(bool operator_given, std::size_t conditions);

}  // namespace stator

#endif  // STATOR_EXPR_CONDITION_H_
