#include "partiql/term_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

// No accepted statement comes near: literals nest at most 32 levels.
constexpr std::uint32_t kMaxHeight = 500;

// What messages call a symbol.
std::string_view SymbolName(std::string_view symbol) {
  if (symbol == ")") return "RIGHT_PAREN";
  if (symbol == "]") return "RIGHT_BRACKET";
  if (symbol == "}") return "RIGHT_CURLY";
  if (symbol == ">>") return "RIGHT_DOUBLE_ANGLE_BRACKET";
  return "COLON";
}

bool BeginsStatement(std::string_view keyword) {
  for (const std::string_view word :
       {"select", "insert", "update", "delete", "from", "set", "remove"}) {
    if (keyword == word) return true;
  }
  return false;
}

}  // namespace

Result<void> TokenReader::Expect(std::string_view symbol) {
  if (TakeSymbol(symbol)) return {};
  return Malformed(fmt::format("Expected {}", SymbolName(symbol)));
}

std::size_t TokenReader::CountParameters() const {
  return static_cast<std::size_t>(std::ranges::count(tokens_, TokenKind::kParameter, &Token::kind));
}

Expression TermParser::Leaf(Form form, const Token& token) {
  return {.form = form, .place = token.place, .text = token.text, .parameter = token.parameter};
}

Result<Expression> TermParser::Node(Form form, const Token& token, std::string text,
                                    std::vector<Expression> children) {
  std::uint32_t height = 0;
  for (const Expression& child : children) height = std::max(height, child.height);
  if (height >= kMaxHeight) return Malformed("");
  return Expression{.form = form,
                    .place = token.place,
                    .text = std::move(text),
                    .height = height + 1,
                    .children = std::move(children)};
}

Result<Expression> TermParser::ParsePathTerm() {
  ASSIGN_OR_RETURN(Expression term, ParseTerm());
  if (!AtSymbol(".") && !AtSymbol("[")) return term;
  if (term.form != Form::kPath) {
    const Token token{.place = term.place};
    std::vector<Expression> start;
    start.push_back(std::move(term));
    ASSIGN_OR_RETURN(term, Node(Form::kBadPath, token, "", std::move(start)));
  }
  RETURN_IF_ERROR(ParseSteps(term, false));
  return term;
}

Result<Expression> TermParser::ParseSimplePath() {
  if (!AtName()) return Malformed("Expected identifier for simple path");
  Expression path = Leaf(Form::kPath, Peek());
  Skip();
  RETURN_IF_ERROR(ParseSteps(path, true));
  return path;
}

Result<void> TermParser::ParseSteps(Expression& path, bool simple) {
  while (true) {
    if (AtSymbol("[")) {
      ASSIGN_OR_RETURN(Expression step, ParseBracket(simple));
      path.height = std::max(path.height, step.height + 1);
      path.children.push_back(std::move(step));
      continue;
    }
    if (!TakeSymbol(".")) return {};
    if (AtSymbol("*")) {
      if (simple) return Malformed("Invalid path dot component for simple path");
      path.children.push_back(Leaf(Form::kStar, Peek()));
    } else if (AtName()) {
      path.children.push_back(Leaf(Form::kDot, Peek()));
    } else {
      return Malformed("Invalid path dot component");
    }
    path.height = std::max(path.height, 2U);
    Skip();
  }
}

Result<std::vector<Expression>> TermParser::ParseExpressions() {
  std::vector<Expression> expressions;
  do {
    ASSIGN_OR_RETURN(expressions.emplace_back(), ParseExpression(kWeakest));
  } while (TakeSymbol(","));
  return expressions;
}

Result<Expression> TermParser::ParseBracket(bool simple) {
  const Token open = Peek();
  Skip();
  std::vector<Expression> inner;
  if (AtSymbol("*")) {
    inner.push_back(Leaf(Form::kStar, Peek()));
    Skip();
  } else {
    ASSIGN_OR_RETURN(inner.emplace_back(), ParseExpression(kWeakest));
  }
  RETURN_IF_ERROR(Expect("]"));
  const Form form = inner.front().form;
  if (simple && form != Form::kNumber && form != Form::kString) {
    return Malformed("Invalid path component for simple path");
  }
  return Node(Form::kBracket, open, "", std::move(inner));
}

Result<Expression> TermParser::ParseTerm() {
  const Token& token = Peek();
  Form form = Form::kNull;
  switch (token.kind) {
    case TokenKind::kIdentifier:
    case TokenKind::kQuoted:
      if (AtSymbol("(", 1)) return ParseCall();
      form = Form::kPath;
      break;
    case TokenKind::kKeyword:
      return ParseKeywordTerm();
    case TokenKind::kOperator:
      return Malformed("Unexpected operator");
    case TokenKind::kSymbol:
      if (token.text == "(") return ParseGroup();
      if (token.text == "[") return ParseCollection(Form::kList, "]");
      if (token.text == "<<") return ParseCollection(Form::kBag, ">>");
      if (token.text == "{") return ParseTuple();
      return Malformed("Unexpected term");
    case TokenKind::kString:
      form = Form::kString;
      break;
    case TokenKind::kNumber:
      form = Form::kNumber;
      break;
    case TokenKind::kBoolean:
      form = Form::kBoolean;
      break;
    case TokenKind::kNull:
      break;
    case TokenKind::kMissing:
      form = Form::kMissing;
      break;
    case TokenKind::kParameter:
      form = Form::kParameter;
      break;
    case TokenKind::kWord:
    case TokenKind::kEnd:
      return Malformed("Unexpected term");
  }
  Expression leaf = Leaf(form, token);
  Skip();
  return leaf;
}

Result<Expression> TermParser::ParseKeywordTerm() {
  const std::string& keyword = Peek().text;
  if (BeginsStatement(keyword)) return ParseStatementTerm();
  if (IsFunctionKeyword(keyword) && AtSymbol("(", 1)) return ParseCall();
  return Malformed("Unexpected keyword");
}

Result<Expression> TermParser::ParseCall() {
  const Token name = Peek();
  Skip(2);
  std::vector<Expression> arguments;
  if (AtSymbol("*") && AtSymbol(")", 1)) {
    if (Lower(name.text) != "count") return Malformed(name.text + "(*) is not allowed");
    arguments.push_back(Leaf(Form::kStar, Peek()));
    Skip();
  } else if (!AtSymbol(")")) {
    ASSIGN_OR_RETURN(arguments, ParseExpressions());
  }
  RETURN_IF_ERROR(Expect(")"));
  return Node(Form::kCall, name, Lower(name.text), std::move(arguments));
}

// One expression in parentheses is that expression; several are a list.
Result<Expression> TermParser::ParseGroup() {
  const Token open = Peek();
  Skip();
  ASSIGN_OR_RETURN(std::vector<Expression> members, ParseExpressions());
  RETURN_IF_ERROR(Expect(")"));
  if (members.size() != 1) return Node(Form::kList, open, "", std::move(members));
  members.front().in_parentheses = true;
  return std::move(members.front());
}

Result<Expression> TermParser::ParseCollection(Form form, std::string_view close) {
  const Token open = Peek();
  Skip();
  std::vector<Expression> members;
  if (!AtSymbol(close)) {
    ASSIGN_OR_RETURN(members, ParseExpressions());
  }
  RETURN_IF_ERROR(Expect(close));
  return Node(form, open, "", std::move(members));
}

Result<Expression> TermParser::ParseTuple() {
  const Token open = Peek();
  Skip();
  std::vector<Expression> members;
  if (!AtSymbol("}")) {
    do {
      ASSIGN_OR_RETURN(members.emplace_back(), ParseExpression(kWeakest));
      RETURN_IF_ERROR(Expect(":"));
      ASSIGN_OR_RETURN(members.emplace_back(), ParseExpression(kWeakest));
    } while (TakeSymbol(","));
  }
  RETURN_IF_ERROR(Expect("}"));
  return Node(Form::kTuple, open, "", std::move(members));
}

}  // namespace stator::partiql
