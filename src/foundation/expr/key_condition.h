// Key conditions: what a Query asks of the key, before it is matched with a schema.
#ifndef STATOR_EXPR_KEY_CONDITION_H_
#define STATOR_EXPR_KEY_CONDITION_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expr/placeholders.h"
#include "stator/expression.h"
#include "stator/result.h"

namespace stator {

enum class Comparator : std::uint8_t;  // condition.h
struct ConditionNode;                  // condition.h

enum class KeyOperator : std::uint8_t {
  kEq,
  kLt,
  kLe,
  kGt,
  kGe,
  kBetween,
  kBeginsWith,
  kNotIndexable,  // a legacy comparison that no index can answer; refused with the schema at hand
};

struct KeyClause {
  std::string attribute;
  KeyOperator op = KeyOperator::kEq;
  AttributeValue value;  // the lower bound of BETWEEN
  AttributeValue upper;  // of BETWEEN only
};

// The operator of `key ⋈ :v`, or of `:v ⋈ key` if mirrored. REQUIRES: not kNe.
KeyOperator KeyOperatorOf(Comparator comparator, bool mirrored);

// A key condition in two steps, because other expressions are parsed between them: what is wrong
// with it as a condition, then what no key condition may have (structural errors of behaviour.md
// §5.6). The clauses are in written order; how many there are and of which attributes is checked
// against the schema later.
Result<ConditionNode> ParseKeyConditionText(std::string_view text, Placeholders& placeholders);
Result<std::vector<KeyClause>> KeyClausesOf(ConditionNode condition, Wording wording);
// Both at once.
Result<std::vector<KeyClause>> ParseKeyCondition(std::string_view text, Placeholders& placeholders);

// Legacy KeyConditions with the checks of §5.7.
Result<std::vector<KeyClause>> KeyClausesFromLegacy(const LegacyConditionMap& conditions,
                                                    Wording wording);

}  // namespace stator

#endif  // STATOR_EXPR_KEY_CONDITION_H_
