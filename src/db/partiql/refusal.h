// How statements are refused. All of these errors are ValidationExceptions.
#ifndef STATOR_PARTIQL_REFUSAL_H_
#define STATOR_PARTIQL_REFUSAL_H_

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "stator/result.h"

namespace stator::partiql {

struct Expression;  // syntax.h

// Where something stands in a statement's text, as DynamoDB shows it in its messages. Lines and
// columns count from 1; columns and lengths count characters, not bytes.
struct SourcePlace {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t length = 0;
};

// "Statement wasn't well formed, can't be processed: {detail}". A text that cannot even be split
// into tokens has no detail.
std::unexpected<Error> Malformed(std::string_view detail);

std::unexpected<Error> Refused(std::string message);
// Refused(*problem) if there is a problem.
Result<void> RefuseFor(std::optional<std::string> problem);

// "{message} at {line}:{column}:{length}"
std::unexpected<Error> RefusedAt(std::string_view message, SourcePlace place);

// What messages call an expression: "IsType", "Lit", "Eq", …
std::string_view OperationName(const Expression& expression);
// "Unsupported operation: {name}", for an expression that is not allowed where it stands.
std::unexpected<Error> UnsupportedOperation(const Expression& expression);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_REFUSAL_H_
