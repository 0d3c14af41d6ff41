// Members that all requests with PartiQL statements have: how they are read, constrained and told
// apart.
#ifndef STATOR_API_STATEMENTS_STATEMENT_RULES_H_
#define STATOR_API_STATEMENTS_STATEMENT_RULES_H_

#include <optional>
#include <string>
#include <string_view>

#include "api/constraints.h"
#include "api/member_reader.h"
#include "stator/partiql.h"

namespace stator {

// Statement and Parameters. Whatever the operation, values are judged by the older rules.
template <class Request>
void ReadStatement(MemberReader& in, Request& request) {
  request.statement = in.String("Statement");
  request.parameters = in.ValueList("Parameters", Wording::kClassic);
}

// `prefix` is empty, or that of an element: "statements.1.member.".
void ConstrainStatement(Constraints& check, std::string_view prefix,
                        const std::optional<std::string>& statement,
                        const std::optional<StatementParameters>& parameters);

// The parameters, none when there are none.
const StatementParameters& ParametersOf(const std::optional<StatementParameters>& parameters);

template <class Request>
bool WantsItemOnFailure(const Request& request) {
  return request.return_values_on_condition_check_failure &&
         request.return_values_on_condition_check_failure->value() ==
             ReturnValuesOnConditionCheckFailure::kAllOld;
}

// Bytes that are equal for equal statements with equal parameters, and different for others, also
// when several stand one behind the other.
void AppendFingerprint(std::string& out, std::string_view statement,
                       const StatementParameters& parameters);

}  // namespace stator

#endif  // STATOR_API_STATEMENTS_STATEMENT_RULES_H_
