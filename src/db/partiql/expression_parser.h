// Expressions: operators by their precedence, terms, paths, literals.
#ifndef STATOR_PARTIQL_EXPRESSION_PARSER_H_
#define STATOR_PARTIQL_EXPRESSION_PARSER_H_

#include <optional>
#include <string>
#include <vector>

#include "partiql/token_reader.h"

namespace stator::partiql {

// Binds weaker than every operator.
inline constexpr int kWeakest = -1;
// Operators that join whole SELECTs are weaker than what stands in their clauses.
inline constexpr int kSetOperators = 5;
inline constexpr int kInsideSelect = 6;

class ExpressionParser : protected TokenReader {
 public:
  using TokenReader::TokenReader;
  virtual ~ExpressionParser() = default;
  ExpressionParser(const ExpressionParser&) = delete;
  ExpressionParser& operator=(const ExpressionParser&) = delete;

 protected:
  // Takes operators that bind stronger than `above`.
  Result<Expression> ParseExpression(int above);
  // A name and its steps: what may be assigned to, or be a table.
  Result<Expression> ParseSimplePath();
  // expression (',' expression)*
  Result<std::vector<Expression>> ParseExpressions();

  // A term that begins with a keyword of a statement.
  virtual Result<Expression> ParseStatementTerm() = 0;

  // Fails when the tree would be higher than allowed.
  static Result<Expression> Node(Form form, const Token& token, std::string text,
                                 std::vector<Expression> children);
  static Expression Leaf(Form form, const Token& token);

 private:
  struct Infix {
    std::string text;  // "<", "and", "between", …
    int precedence = 0;
    bool negated = false;
    std::size_t tokens = 1;
  };
  // Keeps the recursion bounded.
  class Nesting;

  std::optional<Infix> InfixAtFront() const;
  Result<Expression> ParseInfix(const Infix& infix, Expression left, bool continues_chain);
  Result<Expression> ParseRight(int precedence);
  Result<Expression> ParseBetween(const Token& op, Expression left);
  Result<Expression> ParseIn(const Token& op, Expression left);
  Result<Expression> ParseIsType(const Token& op, Expression left);
  Result<Expression> ParseLike(const Token& op, Expression left);
  Result<Expression> ParseUnary();
  Result<Expression> ParsePathTerm();
  Result<void> ParseSteps(Expression& path, bool simple);
  Result<Expression> ParseBracket(bool simple);
  Result<Expression> ParseTerm();
  Result<Expression> ParseKeywordTerm();
  Result<Expression> ParseCall();
  Result<Expression> ParseGroup();
  Result<Expression> ParseCollection(Form form, std::string_view close);
  Result<Expression> ParseTuple();

  int depth_ = 0;
};

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_EXPRESSION_PARSER_H_
