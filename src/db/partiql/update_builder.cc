#include "partiql/update_builder.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "expr/path_set.h"
#include "expr/update_program.h"
#include "partiql/operand_rules.h"
#include "partiql/operation_name.h"
#include "partiql/path_builder.h"
#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

using Action = Update::Action;
using Kind = UpdateOperand::Kind;

bool IsSet(Type type) { return type == Type::kSS || type == Type::kNS || type == Type::kBS; }

bool IsCall(const Expression& expression, std::string_view function) {
  return expression.form == Form::kCall && expression.text == function;
}

// The type that an operand has whatever the item is.
std::optional<Type> StaticTypeOf(const UpdateOperand& operand) {
  switch (operand.kind) {
    case Kind::kPath:
      return std::nullopt;
    case Kind::kConstant:
      return operand.constant.type();
    case Kind::kIfNotExists:
      return StaticTypeOf(operand.arguments.front());
    case Kind::kListAppend:
      return Type::kL;
    case Kind::kPlus:
    case Kind::kMinus:
      return Type::kN;
  }
  return std::nullopt;
}

class Builder {
 public:
  explicit Builder(Parameters parameters) : parameters_(parameters) {}

  Result<void> Add(const StatementSyntax::Clause& clause) {
    ASSIGN_OR_RETURN(Path path, BuildPath(clause.target));
    if (!clause.value) {
      Append({.path = std::move(path), .action = Action::kRemove}, {});
      return {};
    }
    if (IsCall(*clause.value, "set_add")) {
      return AddSetChange(std::move(path), Action::kAdd, "SET_ADD", *clause.value);
    }
    if (IsCall(*clause.value, "set_delete")) {
      return AddSetChange(std::move(path), Action::kDelete, "SET_DELETE", *clause.value);
    }
    ASSIGN_OR_RETURN(UpdateOperand value, BuildOperand(*clause.value));
    Update::Target target{.path = std::move(path), .action = Action::kSet};
    if (value.kind == Kind::kConstant) target.constant = value.constant;
    Append(std::move(target), std::move(value));
    return {};
  }

  Result<Update> Finish() && {
    std::vector<const Path*> paths;
    paths.reserve(program_.targets.size());
    for (const Update::Target& target : program_.targets) paths.push_back(&target.path);
    if (std::optional<std::string> related = RelatedPaths(paths)) {
      return Refused(*std::move(related));
    }
    program_.SortTargets();
    return Update::FromProgram(std::move(program_));
  }

 private:
  void Append(Update::Target target, UpdateOperand value) {
    program_.targets.push_back(std::move(target));
    program_.values.push_back(std::move(value));
  }

  // SET a = set_add(a, set)
  Result<void> AddSetChange(Path path, Action action, std::string_view name,
                            const Expression& call) {
    if (call.children.size() != 2) {
      return RefusedAt(fmt::format("{} must have exactly two arguments", name), call.place);
    }
    const Expression& first = call.children[0];
    ASSIGN_OR_RETURN(const bool same, IsSamePath(first, path));
    std::optional<AttributeValue> operand;
    if (IsValue(call.children[1])) {
      ASSIGN_OR_RETURN(operand, BuildValue(call.children[1], parameters_));
    }
    if (!same) {
      return RefusedAt(
          fmt::format("The first argument to {} must equal the assignment value", name),
          call.place);
    }
    if (!operand || !IsSet(operand->type())) {
      return RefusedAt(fmt::format("The second argument to {} must be a value with type SET", name),
                       first.place);
    }
    Append({.path = std::move(path), .action = action, .constant = std::move(operand)}, {});
    return {};
  }

  Result<bool> IsSamePath(const Expression& expression, const Path& path) {
    if (expression.form == Form::kPath) {
      ASSIGN_OR_RETURN(const Path named, BuildPath(expression));
      return named == path;
    }
    if (IsValue(expression)) RETURN_IF_ERROR(BuildValue(expression, parameters_));
    return false;
  }

  Result<UpdateOperand> BuildOperand(const Expression& expression) {
    if (expression.form == Form::kPath || expression.form == Form::kBadPath) {
      ASSIGN_OR_RETURN(Path path, BuildPath(expression));
      return UpdateOperand{.kind = Kind::kPath, .path = std::move(path)};
    }
    if (IsValue(expression)) {
      ASSIGN_OR_RETURN(AttributeValue value, BuildValue(expression, parameters_));
      return UpdateOperand{.kind = Kind::kConstant, .constant = std::move(value)};
    }
    if (expression.form == Form::kArithmetic) return Arithmetic(expression);
    if (IsCall(expression, "list_append")) {
      if (expression.children.size() != 2) {
        return WrongOperandCount("list_append", expression.children.size());
      }
      return Combined(expression, Kind::kListAppend, Type::kL);
    }
    if (IsCall(expression, "if_not_exists")) return IfNotExists(expression);
    if (expression.form != Form::kCall) return UnsupportedOperation(expression);
    if (expression.text == "set_add" || expression.text == "set_delete") {
      return RefusedAt(fmt::format("Unsupported data type: {} under key root", expression.text),
                       expression.place);
    }
    return RefusedAt(fmt::format("Unrecognized function: {}", expression.text), expression.place);
  }

  Result<UpdateOperand> Arithmetic(const Expression& expression) {
    if (expression.text == "+") return Combined(expression, Kind::kPlus, Type::kN);
    if (expression.text == "-") return Combined(expression, Kind::kMinus, Type::kN);
    return UnsupportedOperation(expression);
  }

  Result<UpdateOperand> Combined(const Expression& expression, Kind kind, Type wanted) {
    UpdateOperand combined{.kind = kind};
    for (const Expression& child : expression.children) {
      ASSIGN_OR_RETURN(combined.arguments.emplace_back(), BuildOperand(child));
    }
    for (const UpdateOperand& argument : combined.arguments) {
      const std::optional<Type> type = StaticTypeOf(argument);
      if (type && *type != wanted) return WrongOperandType(expression.text, TypeName(*type));
    }
    return combined;
  }

  Result<UpdateOperand> IfNotExists(const Expression& expression) {
    if (expression.children.size() != 2) {
      return WrongOperandCount("if_not_exists", expression.children.size());
    }
    if (expression.children[0].form != Form::kPath) return PathRequired("if_not_exists");
    UpdateOperand call{.kind = Kind::kIfNotExists};
    ASSIGN_OR_RETURN(call.path, BuildPath(expression.children[0]));
    ASSIGN_OR_RETURN(call.arguments.emplace_back(), BuildOperand(expression.children[1]));
    return call;
  }

  Parameters parameters_;
  UpdateProgram program_;
};

}  // namespace

Result<Update> BuildUpdate(const std::vector<StatementSyntax::Clause>& clauses,
                           Parameters parameters) {
  Builder builder(parameters);
  for (const StatementSyntax::Clause& clause : clauses) RETURN_IF_ERROR(builder.Add(clause));
  return std::move(builder).Finish();
}

}  // namespace stator::partiql
