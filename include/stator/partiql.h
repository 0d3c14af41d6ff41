// Requests and responses of the operations that take PartiQL statements, with DynamoDB's own names.
//
//   db->ExecuteStatement({.statement = "SELECT * FROM Music WHERE Artist = ?",
//                         .parameters = StatementParameters{"Acme"}});
#ifndef STATOR_PARTIQL_H_
#define STATOR_PARTIQL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/expression.h"
#include "stator/item.h"
#include "stator/operations.h"

namespace stator {

// The values of the `?` in a statement, in their order.
using StatementParameters = std::vector<AttributeValue>;

struct ExecuteStatementRequest {
  std::optional<std::string> statement;
  std::optional<StatementParameters> parameters;
  std::optional<bool> consistent_read;
  // Of the page before; with the same statement and parameters.
  std::optional<std::string> next_token;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
  std::optional<std::int64_t> limit;  // rows evaluated, before conditions that no key answers
  std::optional<Choice<ReturnValuesOnConditionCheckFailure>>
      return_values_on_condition_check_failure;
};
struct ExecuteStatementResponse {
  ItemList items;  // of a SELECT, or what RETURNING asks for
  std::optional<std::string> next_token;
  std::optional<Item> last_evaluated_key;
  std::optional<ConsumedCapacity> consumed_capacity;
};

struct BatchStatementRequest {
  std::optional<std::string> statement;
  std::optional<StatementParameters> parameters;
  std::optional<bool> consistent_read;
  std::optional<Choice<ReturnValuesOnConditionCheckFailure>>
      return_values_on_condition_check_failure;
};
struct BatchStatementError {
  std::string code;  // "ConditionalCheckFailed", "ValidationError", …
  std::string message;
};
struct BatchStatementResponse {
  std::optional<BatchStatementError> error;
  std::optional<std::string> table_name;  // of a statement that reached its table
  std::optional<Item> item;
};

// All statements read, or all write.
struct BatchExecuteStatementRequest {
  std::optional<std::vector<BatchStatementRequest>> statements;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
};
struct BatchExecuteStatementResponse {
  std::vector<BatchStatementResponse> responses;  // one per statement
  std::optional<std::vector<ConsumedCapacity>> consumed_capacity;
};

struct ParameterizedStatement {
  std::optional<std::string> statement;
  std::optional<StatementParameters> parameters;
  std::optional<Choice<ReturnValuesOnConditionCheckFailure>>
      return_values_on_condition_check_failure;
};

// All statements read, or none does. EXISTS(SELECT …) is a condition of the writes.
struct ExecuteTransactionRequest {
  std::optional<std::vector<ParameterizedStatement>> transact_statements;
  std::optional<std::string> client_request_token;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
};
struct ExecuteTransactionResponse {
  // One per SELECT, absent where there is nothing to show; none at all for writes.
  std::vector<std::optional<Item>> responses;
  std::optional<std::vector<ConsumedCapacity>> consumed_capacity;
};

}  // namespace stator

#endif  // STATOR_PARTIQL_H_
