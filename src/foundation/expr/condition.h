// Condition and filter expressions, and their legacy forms.
#ifndef STATOR_EXPR_CONDITION_H_
#define STATOR_EXPR_CONDITION_H_

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "expr/path.h"
#include "expr/placeholders.h"
#include "stator/expression.h"
#include "stator/result.h"

namespace stator {

struct ConditionNode;  // condition_node.h

// Immutable and cheap to copy; Evaluate may run on several threads at once.
class Condition {
 public:
  // `kind` is kCondition or kFilter. All static errors of behaviour.md §5.1–5.3, in their order.
  static Result<Condition> Parse(std::string_view text, ExpressionKind kind,
                                 Placeholders& placeholders);

  // Legacy parameters, with the checks of §5.7. An empty map is an absent one: the caller does not
  // ask.
  static Result<Condition> FromExpected(const ExpectedMap& expected, ConditionalOperator joined,
                                        Wording wording);
  // QueryFilter or ScanFilter.
  static Result<Condition> FromFilter(const LegacyConditionMap& filter, ConditionalOperator joined,
                                      Wording wording);
  // A condition that was checked elsewhere.
  static Condition FromNode(ConditionNode root);

  // A missing item is an empty item.
  bool Evaluate(ItemView item) const;

  // Every document path that the condition names, in written order.
  std::vector<Path> Paths() const;

 private:
  explicit Condition(std::shared_ptr<const ConditionNode> root) : root_(std::move(root)) {}
  std::shared_ptr<const ConditionNode> root_;
};

// ConditionalOperator given with fewer than two conditions (§5.7). `conditions` counts them.
Result<void> CheckConditionalOperator(bool operator_given, std::size_t conditions);

}  // namespace stator

#endif  // STATOR_EXPR_CONDITION_H_
