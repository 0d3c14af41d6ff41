// PartiQL statements: start here.
//
//   RETURN_IF_ERROR(partiql::CheckParameters(parameters));
//   ASSIGN_OR_RETURN(const partiql::Statement statement, partiql::ParseStatement(text, parameters));
//
// A statement is complete without any table: paths, conditions and updates are those of expr/, with
// the values of the parameters filled in. What it means for a table of a given key is in
// read_plan.h and write_key.h.
#ifndef STATOR_PARTIQL_STATEMENT_H_
#define STATOR_PARTIQL_STATEMENT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "expr/condition.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator::partiql {

// The framework's bound on a statement, in characters.
inline constexpr std::size_t kMaxStatementLength = 8192;

struct SelectStatement {
  struct OrderKey {
    std::string attribute;
    bool descending = false;
  };
  std::string table;
  std::optional<std::string> index;
  std::optional<Projection> projection;  // absent: *
  std::optional<ConditionNode> where;
  std::vector<OrderKey> order_by;
  // Why the statement is refused, unless its index refuses it first: only with an index, and then
  // nothing but the table and the index is known.
  std::optional<Error> problem;
};

struct InsertStatement {
  std::string table;
  Item item;
};

enum class Returning : std::uint8_t { kNothing, kAllOld, kAllNew, kModifiedOld, kModifiedNew };

struct UpdateStatement {
  std::string table;
  Update update;
  std::optional<ConditionNode> where;
  Returning returning = Returning::kNothing;
};

struct DeleteStatement {
  std::string table;
  std::optional<ConditionNode> where;
  Returning returning = Returning::kNothing;  // or kAllOld
};

// EXISTS(SELECT …): a condition of a transaction.
struct ExistsStatement {
  SelectStatement select;
};

using Statement = std::variant<SelectStatement, InsertStatement, UpdateStatement, DeleteStatement,
                               ExistsStatement>;

inline bool IsRead(const Statement& statement) {
  return std::holds_alternative<SelectStatement>(statement);
}

// The first problem of a parameter, as ValidationException. Comes before everything that is said of
// a statement, and in a transaction before all its statements.
Result<void> CheckParameters(std::span<const AttributeValue> parameters);

// All errors of behaviour.md §11.4 that need no table. Checks the parameters first.
Result<Statement> ParseStatement(std::string_view text, std::span<const AttributeValue> parameters);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_STATEMENT_H_
