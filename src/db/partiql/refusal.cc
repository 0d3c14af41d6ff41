#include "partiql/refusal.h"

#include <fmt/format.h>

#include <utility>

#include "partiql/syntax.h"

namespace stator::partiql {
namespace {

std::string_view ArithmeticName(std::string_view op) {
  if (op == "+") return "Plus";
  if (op == "-") return "Minus";
  if (op == "*") return "Times";
  if (op == "/") return "Divide";
  return op == "%" ? "Modulo" : "Concat";
}

std::string_view ComparisonName(std::string_view op) {
  if (op == "=") return "Eq";
  if (op == "<>") return "Ne";
  if (op == "<") return "Lt";
  if (op == "<=") return "Lte";
  return op == ">" ? "Gt" : "Gte";
}

std::string_view StatementName(const Expression& expression) {
  switch (expression.statement->kind) {
    case StatementSyntax::Kind::kSelect:
      return "Select";
    case StatementSyntax::Kind::kInsert:
      return "Insert";
    case StatementSyntax::Kind::kUpdate:
      return "Update";
    case StatementSyntax::Kind::kDelete:
      return "Delete";
  }
  return "";
}

}  // namespace

std::unexpected<Error> Malformed(std::string_view detail) {
  return Refused(fmt::format("Statement wasn't well formed, can't be processed: {}", detail));
}

std::unexpected<Error> Refused(std::string message) {
  return std::unexpected(Error::Validation(std::move(message)));
}

Result<void> RefuseFor(std::optional<std::string> problem) {
  if (problem) return Refused(*std::move(problem));
  return {};
}

std::unexpected<Error> RefusedAt(std::string_view message, SourcePlace place) {
  return Refused(fmt::format("{} at {}:{}:{}", message, place.line, place.column, place.length));
}

std::string_view OperationName(const Expression& expression) {
  switch (expression.form) {
    case Form::kString:
    case Form::kNumber:
    case Form::kBoolean:
    case Form::kNull:
      return "Lit";
    case Form::kMissing:
      return "Missing";
    case Form::kParameter:
      return "Parameter";
    case Form::kList:
      return "List";
    case Form::kBag:
      return "Bag";
    case Form::kTuple:
      return "Struct";
    case Form::kPath:
      return expression.children.empty() ? "Id" : "Path";
    case Form::kBadPath:
    case Form::kDot:
    case Form::kBracket:
    case Form::kStar:
      return "Path";
    case Form::kCall:
      return "Call";
    case Form::kSign:
      return expression.text == "-" ? "Neg" : "Pos";
    case Form::kArithmetic:
      return ArithmeticName(expression.text);
    case Form::kCompare:
      return ComparisonName(expression.text);
    case Form::kBetween:
      return "Between";
    case Form::kIn:
      return "InCollection";
    case Form::kLike:
      return "Like";
    case Form::kIsType:
      return "IsType";
    case Form::kNot:
      return "Not";
    case Form::kAnd:
      return "And";
    case Form::kOr:
      return "Or";
    case Form::kSetOperation:
      return "BagOp";
    case Form::kStatement:
      return StatementName(expression);
  }
  return "";
}

std::unexpected<Error> UnsupportedOperation(const Expression& expression) {
  return Refused(fmt::format("Unsupported operation: {}", OperationName(expression)));
}

}  // namespace stator::partiql
