// What the parser makes of a statement's text: its shape, before any path, literal or parameter is
// looked at.
#ifndef STATOR_PARTIQL_SYNTAX_H_
#define STATOR_PARTIQL_SYNTAX_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "partiql/refusal.h"

namespace stator::partiql {

enum class Form : std::uint8_t {
  // Values. Lists, bags and tuples have their members as children; a tuple's are name, value, name,
  // value, …
  kString,
  kNumber,  // text: with a '-' if negative
  kBoolean,
  kNull,
  kMissing,
  kParameter,
  kList,
  kBag,
  kTuple,
  // Paths. kPath has its first name as text and steps as children: kDot or kBracket. kBadPath is
  // one that does not begin with a name: its first child is what it begins with.
  kPath,
  kBadPath,
  kDot,      // text: the name
  kBracket,  // one child
  kStar,     // a wildcard: alone, behind a dot, or in brackets
  // Operations. text: a comparator, an arithmetic operator, a function or a type in lower case.
  kCall,
  kSign,        // one child
  kArithmetic,  // two children
  kCompare,     // two children
  kBetween,     // value, lower, upper
  kIn,          // value, and what it must be in
  kLike,        // two or three children
  kIsType,      // one child
  kNot,         // one child
  kAnd,         // two or more children
  kOr,          // two or more children
  kSetOperation,
  kStatement,
};

struct StatementSyntax;

struct Expression {
  Form form = Form::kNull;
  SourcePlace place;
  std::string text;
  std::uint32_t parameter = 0;  // of kParameter
  std::uint32_t height = 1;     // of the tree
  bool in_parentheses = false;
  std::vector<Expression> children;
  std::shared_ptr<const StatementSyntax> statement;  // of kStatement
};

struct StatementSyntax {
  enum class Kind : std::uint8_t { kSelect, kInsert, kUpdate, kDelete };
  struct Clause {  // of an UPDATE
    Expression target;
    std::optional<Expression> value;  // absent: REMOVE
  };
  struct OrderTerm {
    Expression key;
    bool descending = false;
  };
  struct ReturningTerm {
    std::string images;  // "ALL OLD", "MODIFIED NEW", …
    Expression columns;
  };
  // A clause that the grammar has and DynamoDB does not support.
  struct Unsupported {
    std::string clause;
    SourcePlace place;
  };

  Kind kind = Kind::kSelect;
  std::vector<Expression> columns;  // of a SELECT
  Expression source;                // the table, and perhaps its index
  bool has_alias = false;           // of the table or of a column
  bool is_join = false;
  std::vector<Clause> clauses;
  std::optional<Expression> item;  // of an INSERT … VALUE
  std::optional<Expression> where;
  std::vector<OrderTerm> order_by;
  std::vector<ReturningTerm> returning;
  std::optional<Unsupported> unsupported;  // the first one
};

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_SYNTAX_H_
