// Key conditions: what a Query asks of the key, before it is matched with a schema.
#ifndef STATOR_EXPR_KEY_CONDITION_H_
#define STATOR_EXPR_KEY_CONDITION_H_

#include <string>
#include <string_view>
#include <vector>

#include "expr/placeholders.h"
#include "stator/expression.h"
#include "stator/result.h"

namespace stator {

enum class KeyOperator : std::uint8_t {
  kEq,
  kLt,
  kLe,
  kGt,
  kGe,
  kBetween,
  kBeginsWith,
  kNotIndexable,  // a legacy comparison that no index can answer; refused when matched with the
                  // schema
};

struct KeyClause {
  std::string attribute;
  KeyOperator op = KeyOperator::kEq;
  AttributeValue value;  // the lower bound of BETWEEN
  AttributeValue upper;  // of BETWEEN only
};

// Structural errors of behaviour.md §5.6; how many clauses there may be and which attributes they
// name is the schema's matter. In written order.
Result<std::vector<KeyClause>> ParseKeyCondition(std::string_view text, Placeholders& placeholders);

// Legacy KeyConditions with the checks of §5.7.
Result<std::vector<KeyClause>> KeyClausesFromLegacy(const LegacyConditionMap& conditions,
                                                    Wording wording);

}  // namespace stator

#endif  // STATOR_EXPR_KEY_CONDITION_H_
