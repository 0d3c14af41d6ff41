#include "partiql/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

// No accepted statement comes near: literals nest at most 32 levels.
constexpr int kMaxDepth = 250;

struct Precedence {
  std::string_view op;
  int precedence;
};
constexpr int kNotPrecedence = 30;
constexpr int kEqualityPrecedence = 40;
constexpr int kOrderPrecedence = 50;
constexpr int kSumPrecedence = 60;
constexpr auto kPrecedences = std::to_array<Precedence>({
    {"union", kSetOperators},
    {"intersect", kSetOperators},
    {"except", kSetOperators},
    {"or", 10},
    {"and", 20},
    {"=", kEqualityPrecedence},
    {"<>", kEqualityPrecedence},
    {"is", kEqualityPrecedence},
    {"in", kEqualityPrecedence},
    {"<", kOrderPrecedence},
    {"<=", kOrderPrecedence},
    {">", kOrderPrecedence},
    {">=", kOrderPrecedence},
    {"between", kOrderPrecedence},
    {"like", kOrderPrecedence},
    {"+", kSumPrecedence},
    {"-", kSumPrecedence},
    {"||", kSumPrecedence},
    {"*", 70},
    {"/", 70},
    {"%", 70},
});

std::optional<int> PrecedenceOf(const Token& token) {
  if (token.kind != TokenKind::kOperator && token.kind != TokenKind::kSymbol) return std::nullopt;
  const auto found = std::ranges::find(kPrecedences, token.text, &Precedence::op);
  if (found == kPrecedences.end()) return std::nullopt;
  return found->precedence;
}

bool MayFollowNot(const Token& token) {
  return token.kind == TokenKind::kOperator &&
         (token.text == "in" || token.text == "between" || token.text == "like");
}

Form FormOf(std::string_view op, int precedence) {
  if (op == "and") return Form::kAnd;
  if (op == "or") return Form::kOr;
  if (precedence == kSetOperators) return Form::kSetOperation;
  return precedence >= kSumPrecedence ? Form::kArithmetic : Form::kCompare;
}

}  // namespace

class ExpressionParser::Nesting {
 public:
  explicit Nesting(ExpressionParser& parser) : parser_(parser) { ++parser_.depth_; }
  ~Nesting() { --parser_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  bool too_deep() const { return parser_.depth_ > kMaxDepth; }

 private:
  ExpressionParser& parser_;
};

std::optional<ExpressionParser::Infix> ExpressionParser::InfixAtFront() const {
  const Token& token = Peek();
  const bool negated = token.kind == TokenKind::kOperator && token.text == "not";
  if (negated && !MayFollowNot(Peek(1))) return std::nullopt;
  const Token& op = negated ? Peek(1) : token;
  const std::optional<int> precedence = PrecedenceOf(op);
  if (!precedence) return std::nullopt;
  Infix infix{.text = op.text, .precedence = *precedence, .negated = negated};
  infix.tokens = negated ? 2 : 1;
  if (op.text == "is" && At(TokenKind::kOperator, "not", 1)) {
    infix.negated = true;
    infix.tokens = 2;
  }
  return infix;
}

Result<Expression> ExpressionParser::ParseExpression(int above) {
  const Nesting nesting(*this);
  if (nesting.too_deep()) return Malformed("");
  ASSIGN_OR_RETURN(Expression left, ParseUnary());
  while (const std::optional<Infix> infix = InfixAtFront()) {
    if (infix->precedence <= above) break;
    const bool continues_chain = !left.in_parentheses;
    ASSIGN_OR_RETURN(left, ParseInfix(*infix, std::move(left), continues_chain));
  }
  return left;
}

Result<Expression> ExpressionParser::ParseInfix(const Infix& infix, Expression left,
                                                bool continues_chain) {
  const Token op = Peek();
  Skip(infix.tokens);
  Result<Expression> joined = Malformed("");
  if (infix.text == "between") {
    joined = ParseBetween(op, std::move(left));
  } else if (infix.text == "in") {
    joined = ParseIn(op, std::move(left));
  } else if (infix.text == "is") {
    joined = ParseIsType(op, std::move(left));
  } else if (infix.text == "like") {
    joined = ParseLike(op, std::move(left));
  } else {
    ASSIGN_OR_RETURN(Expression right, ParseRight(infix.precedence));
    const Form form = FormOf(infix.text, infix.precedence);
    const bool is_chain = form == Form::kAnd || form == Form::kOr;
    if (is_chain && continues_chain && left.form == form) {
      left.height = std::max(left.height, right.height + 1);
      left.children.push_back(std::move(right));
      return left;
    }
    std::vector<Expression> sides;
    sides.push_back(std::move(left));
    sides.push_back(std::move(right));
    joined = Node(form, op, infix.text, std::move(sides));
  }
  if (!joined || !infix.negated) return joined;
  std::vector<Expression> inner;
  inner.push_back(*std::move(joined));
  return Node(Form::kNot, op, "not", std::move(inner));
}

Result<Expression> ExpressionParser::ParseRight(int precedence) {
  if (Peek().kind == TokenKind::kEnd) {
    return Malformed("Missing right-hand side expression of infix operator");
  }
  return ParseExpression(precedence);
}

Result<Expression> ExpressionParser::ParseBetween(const Token& op, Expression left) {
  ASSIGN_OR_RETURN(Expression lower, ParseRight(kOrderPrecedence));
  if (!At(TokenKind::kOperator, "and")) return Malformed("Expected AND keyword");
  Skip();
  if (AtEnd()) return Malformed("Expected expression after AND");
  ASSIGN_OR_RETURN(Expression upper, ParseExpression(kOrderPrecedence));
  std::vector<Expression> operands;
  operands.push_back(std::move(left));
  operands.push_back(std::move(lower));
  operands.push_back(std::move(upper));
  return Node(Form::kBetween, op, "between", std::move(operands));
}

Result<Expression> ExpressionParser::ParseIn(const Token& op, Expression left) {
  std::vector<Expression> operands;
  operands.push_back(std::move(left));
  if (AtSymbol("(") && !AtKeyword("select", 1) && !AtKeyword("values", 1)) {
    const Token open = Peek();
    Skip();
    ASSIGN_OR_RETURN(std::vector<Expression> members, ParseExpressions());
    RETURN_IF_ERROR(Expect(")"));
    ASSIGN_OR_RETURN(Expression list, Node(Form::kList, open, "", std::move(members)));
    operands.push_back(std::move(list));
  } else {
    ASSIGN_OR_RETURN(Expression right, ParseRight(kEqualityPrecedence));
    operands.push_back(std::move(right));
  }
  return Node(Form::kIn, op, "in", std::move(operands));
}

Result<Expression> ExpressionParser::ParseIsType(const Token& op, Expression left) {
  const bool is_word = Peek().kind == TokenKind::kKeyword || Peek().kind == TokenKind::kNull ||
                       Peek().kind == TokenKind::kMissing;
  std::string type(is_word ? TypeWord(Peek().text) : std::string_view());
  if (type == "double") type = AtKeyword("precision", 1) ? "double_precision" : "";
  if (type.empty()) return Malformed("Expected type name");
  const bool two_words =
      type == "double_precision" || (type == "character" && AtKeyword("varying", 1));
  if (two_words && type == "character") type = "character_varying";
  Skip(two_words ? 2 : 1);
  if (TakeSymbol("(")) {
    ASSIGN_OR_RETURN(const std::vector<Expression> sizes, ParseExpressions());
    RETURN_IF_ERROR(Expect(")"));
    const auto is_size = [](const Expression& size) { return size.form == Form::kNumber; };
    if (!std::ranges::all_of(sizes, is_size)) {
      return Malformed("Type parameter must be an unsigned integer literal");
    }
  }
  std::vector<Expression> operand;
  operand.push_back(std::move(left));
  return Node(Form::kIsType, op, std::move(type), std::move(operand));
}

Result<Expression> ExpressionParser::ParseLike(const Token& op, Expression left) {
  std::vector<Expression> operands;
  operands.push_back(std::move(left));
  ASSIGN_OR_RETURN(operands.emplace_back(), ParseRight(kOrderPrecedence));
  if (TakeKeyword("escape")) {
    if (AtEnd()) return Malformed("Expected expression after ESCAPE");
    ASSIGN_OR_RETURN(operands.emplace_back(), ParseExpression(kOrderPrecedence));
  }
  return Node(Form::kLike, op, "like", std::move(operands));
}

// A sign before a number is part of it.
Result<Expression> ExpressionParser::ParseUnary() {
  const Nesting nesting(*this);
  if (nesting.too_deep()) return Malformed("");
  const Token op = Peek();
  if (op.kind != TokenKind::kOperator || (op.text != "+" && op.text != "-" && op.text != "not")) {
    return ParsePathTerm();
  }
  Skip();
  const bool is_not = op.text == "not";
  ASSIGN_OR_RETURN(Expression operand, is_not ? ParseExpression(kNotPrecedence) : ParseUnary());
  if (operand.form == Form::kNumber && !is_not) {
    if (op.text == "+") return operand;
    if (operand.text.starts_with('-')) {
      operand.text.erase(0, 1);
    } else {
      operand.text.insert(0, 1, '-');
    }
    return operand;
  }
  std::vector<Expression> inner;
  inner.push_back(std::move(operand));
  return Node(is_not ? Form::kNot : Form::kSign, op, op.text, std::move(inner));
}

}  // namespace stator::partiql
