// Carries out what statement_plan.h has made of a statement.
#ifndef STATOR_API_STATEMENTS_STATEMENT_RUN_H_
#define STATOR_API_STATEMENTS_STATEMENT_RUN_H_

#include <cstdint>
#include <optional>
#include <string>

#include "api/reply.h"
#include "api/statements/statement_plan.h"
#include "engine/engine.h"
#include "stator/partiql.h"
#include "stator/result.h"

namespace stator {

struct SelectOptions {
  std::string table_reference;
  std::string request;  // what a NextToken is bound to
  std::optional<std::string> next_token;
  std::optional<std::int64_t> limit;
  bool consistent = false;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

// One page. The rules are those of Query and Scan, over all reads of the statement together.
Result<ExecuteStatementResponse> RunSelect(Engine& engine, const SelectPlan& plan,
                                           const SelectOptions& options);

struct WrittenStatement {
  std::optional<Item> item;  // what RETURNING asks for, when there is anything
  WriteUnits units;          // when wanted
};
// May run `reply` on another thread. REQUIRES: the write fits its table.
void RunWrite(Engine& engine, StatementWrite&& plan, Reply<WrittenStatement> reply);

}  // namespace stator

#endif  // STATOR_API_STATEMENTS_STATEMENT_RUN_H_
