// Expressions: operators by their precedence.
#ifndef STATOR_PARTIQL_EXPRESSION_PARSER_H_
#define STATOR_PARTIQL_EXPRESSION_PARSER_H_

#include <optional>
#include <string>
#include <vector>

#include "partiql/term_parser.h"

namespace stator::partiql {

// Operators that join whole SELECTs bind weaker than those in their clauses.
inline constexpr int kSetOperators = 5;
inline constexpr int kInsideSelect = 6;

class ExpressionParser : protected TermParser {
 public:
  using TermParser::TermParser;

 protected:
  Result<Expression> ParseExpression(int above) final;

 private:
  struct Infix {
    std::string text;  // "<", "and", "between", …
    int precedence = 0;
    bool negated = false;
    std::size_t tokens = 1;
  };
  // Bounds the recursion.
  class Nesting;

  std::optional<Infix> InfixAtFront() const;
  Result<Expression> ParseInfix(const Infix& infix, Expression left, bool continues_chain);
  Result<Expression> ParseRight(int precedence);
  Result<Expression> ParseBetween(const Token& op, Expression left);
  Result<Expression> ParseIn(const Token& op, Expression left);
  Result<Expression> ParseIsType(const Token& op, Expression left);
  Result<Expression> ParseLike(const Token& op, Expression left);
  Result<Expression> ParseUnary();

  int depth_ = 0;
};

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_EXPRESSION_PARSER_H_
