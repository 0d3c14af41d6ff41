// Prints syntax trees, for tests that read them again.
#ifndef STATOR_PARTIQL_TESTING_SYNTAX_PRINTER_H_
#define STATOR_PARTIQL_TESTING_SYNTAX_PRINTER_H_

#include <string>
#include <string_view>

#include "partiql/syntax.h"

namespace stator::partiql {

inline std::string Quoted(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == quote) quoted += c;
    quoted += c;
  }
  return quoted + quote;
}

std::string Print(const Expression& expression);
std::string Print(const StatementSyntax& statement);

inline std::string PrintJoined(const std::vector<Expression>& expressions,
                               std::string_view between) {
  std::string text;
  for (const Expression& expression : expressions) {
    if (&expression != expressions.data()) text += between;
    text += Print(expression);
  }
  return text;
}

// Operands are in parentheses, so precedence does not matter.
inline std::string PrintOperand(const Expression& operand) { return "(" + Print(operand) + ")"; }

inline std::string PrintSteps(const Expression& path) {
  std::string text = Quoted(path.text, '"');
  for (const Expression& step : path.children) {
    text += step.form == Form::kDot ? "." + Quoted(step.text, '"')
                                    : "[" + Print(step.children.front()) + "]";
  }
  return text;
}

inline std::string PrintTuple(const Expression& tuple) {
  std::string text = "{";
  for (std::size_t i = 0; i < tuple.children.size(); i += 2) {
    if (i != 0) text += ", ";
    text += Print(tuple.children[i]) + ": " + Print(tuple.children[i + 1]);
  }
  return text + "}";
}

inline std::string PrintChain(const Expression& chain, std::string_view op) {
  std::string text;
  for (const Expression& child : chain.children) {
    if (&child != chain.children.data()) text += op;
    text += PrintOperand(child);
  }
  return text;
}

inline std::string Print(const Expression& e) {
  switch (e.form) {
    case Form::kString:
      return Quoted(e.text, '\'');
    case Form::kNumber:
    case Form::kBoolean:
      return e.text;
    case Form::kNull:
      return "NULL";
    case Form::kMissing:
      return "missing";
    case Form::kParameter:
      return "?";
    case Form::kList:
      return "[" + PrintJoined(e.children, ", ") + "]";
    case Form::kBag:
      return "<<" + PrintJoined(e.children, ", ") + ">>";
    case Form::kTuple:
      return PrintTuple(e);
    case Form::kPath:
      return PrintSteps(e);
    case Form::kStar:
      return "*";
    case Form::kCall:
      return e.text + "(" + PrintJoined(e.children, ", ") + ")";
    case Form::kSign:
    case Form::kNot:
      return e.text + " " + PrintOperand(e.children[0]);
    case Form::kArithmetic:
    case Form::kCompare:
      return PrintOperand(e.children[0]) + " " + e.text + " " + PrintOperand(e.children[1]);
    case Form::kBetween:
      return PrintOperand(e.children[0]) + " between " + PrintOperand(e.children[1]) + " AND " +
             PrintOperand(e.children[2]);
    case Form::kIn:
      return PrintOperand(e.children[0]) + " IN " + Print(e.children[1]);
    case Form::kIsType:
      return PrintOperand(e.children[0]) + " is " + e.text;
    case Form::kAnd:
      return PrintChain(e, " AND ");
    case Form::kOr:
      return PrintChain(e, " or ");
    case Form::kStatement:
      return Print(*e.statement);
    default:
      return "";
  }
}

inline std::string PrintTail(const StatementSyntax& s) {
  std::string text;
  if (s.where) text += " WHERE " + Print(*s.where);
  for (const auto& term : s.order_by) {
    text += &term == s.order_by.data() ? " ORDER BY " : ", ";
    text += Print(term.key) + (term.descending ? " DESC" : "");
  }
  for (const auto& term : s.returning) text += " RETURNING " + term.images + " *";
  return text;
}

inline std::string Print(const StatementSyntax& s) {
  const std::string source = Print(s.source);
  switch (s.kind) {
    case StatementSyntax::Kind::kSelect:
      return "SELECT " + PrintJoined(s.columns, ", ") + " FROM " + source + PrintTail(s);
    case StatementSyntax::Kind::kInsert:
      return "INSERT INTO " + source + " VALUE " + Print(*s.item) + PrintTail(s);
    case StatementSyntax::Kind::kDelete:
      return "DELETE FROM " + source + PrintTail(s);
    case StatementSyntax::Kind::kUpdate:
      break;
  }
  std::string text = "UPDATE " + source;
  for (const auto& clause : s.clauses) {
    text += clause.value ? " SET " : " REMOVE ";
    text += Print(clause.target);
    if (clause.value) text += " = " + Print(*clause.value);
  }
  return text + PrintTail(s);
}

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_TESTING_SYNTAX_PRINTER_H_
