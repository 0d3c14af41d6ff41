#include "partiql/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "expr/operand_rules.h"
#include "expr/path.h"
#include "expr/update.h"
#include "partiql/condition_builder.h"
#include "partiql/parser.h"
#include "partiql/refusal.h"
#include "partiql/syntax.h"
#include "partiql/value_builder.h"
#include "value/item_codec.h"
#include "value/value_problem.h"

namespace stator::partiql {
namespace {

using Action = Update::Action;
using OperandKind = UpdateOperand::Kind;

bool IsCall(const Expression& expression, std::string_view function) {
  return expression.form == Form::kCall && expression.text == function;
}

class UpdateBuilder {
 public:
  explicit UpdateBuilder(Parameters parameters) : parameters_(parameters) {}

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
    if (value.kind == OperandKind::kConstant) target.constant = value.constant;
    Append(std::move(target), std::move(value));
    return {};
  }

  Result<Update> Finish() && {
    std::vector<const Path*> paths;
    paths.reserve(program_.targets.size());
    for (const Update::Target& target : program_.targets) paths.push_back(&target.path);
    RETURN_IF_ERROR(RefuseFor(RelatedPaths(paths)));
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
    if (!operand || !IsSetType(operand->type())) {
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
      return UpdateOperand{.kind = OperandKind::kPath, .path = std::move(path)};
    }
    if (IsValue(expression)) {
      ASSIGN_OR_RETURN(AttributeValue value, BuildValue(expression, parameters_));
      return UpdateOperand{.kind = OperandKind::kConstant, .constant = std::move(value)};
    }
    if (expression.form == Form::kArithmetic) return Arithmetic(expression);
    if (IsCall(expression, "list_append")) {
      if (expression.children.size() != 2) {
        return Refused(WrongOperandCount("list_append", expression.children.size()));
      }
      return Combined(expression, OperandKind::kListAppend, Type::kL);
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
    if (expression.text == "+") return Combined(expression, OperandKind::kPlus, Type::kN);
    if (expression.text == "-") return Combined(expression, OperandKind::kMinus, Type::kN);
    return UnsupportedOperation(expression);
  }

  Result<UpdateOperand> Combined(const Expression& expression, OperandKind kind, Type wanted) {
    UpdateOperand combined{.kind = kind};
    for (const Expression& child : expression.children) {
      ASSIGN_OR_RETURN(combined.arguments.emplace_back(), BuildOperand(child));
    }
    for (const UpdateOperand& argument : combined.arguments) {
      const std::optional<Type> type = StaticType(argument);
      if (type && *type != wanted)
        return Refused(WrongOperandType(expression.text, TypeName(*type)));
    }
    return combined;
  }

  Result<UpdateOperand> IfNotExists(const Expression& expression) {
    if (expression.children.size() != 2) {
      return Refused(WrongOperandCount("if_not_exists", expression.children.size()));
    }
    if (expression.children[0].form != Form::kPath) return Refused(PathRequired("if_not_exists"));
    UpdateOperand call{.kind = OperandKind::kIfNotExists};
    ASSIGN_OR_RETURN(call.path, BuildPath(expression.children[0]));
    ASSIGN_OR_RETURN(call.arguments.emplace_back(), BuildOperand(expression.children[1]));
    return call;
  }

  Parameters parameters_;
  UpdateProgram program_;
};

Result<Update> BuildUpdate(const std::vector<StatementSyntax::Clause>& clauses,
                           Parameters parameters) {
  UpdateBuilder builder(parameters);
  for (const StatementSyntax::Clause& clause : clauses) RETURN_IF_ERROR(builder.Add(clause));
  return std::move(builder).Finish();
}

using StatementKind = StatementSyntax::Kind;

struct Source {
  std::string table;
  std::optional<std::string> index;
};

Result<Source> SourceOf(const StatementSyntax& syntax) {
  if (syntax.has_alias) return Refused("Aliasing is not supported");
  if (syntax.is_join) return Refused("A statement may name only one table or index");
  ASSIGN_OR_RETURN(const Path path, BuildPath(syntax.source));
  if (path.size() > 2) {
    return Refused("A path may contain at most 2 components in the FROM clause");
  }
  Source source{.table = path.front().name};
  if (path.size() == 2) {
    if (path.back().is_index) {
      return RefusedAt("Unexpected path component", syntax.source.children.front().place);
    }
    source.index = path.back().name;
  }
  return source;
}

Result<std::string> WrittenTable(const StatementSyntax& syntax) {
  ASSIGN_OR_RETURN(Source source, SourceOf(syntax));
  if (!source.index) return std::move(source.table);
  if (syntax.kind == StatementKind::kInsert) {
    return RefusedAt(
        "FROM clause may only contain a single table name in data manipulation statements",
        syntax.source.place);
  }
  return Refused("This operation is not supported on an index");
}

Result<void> CheckSupported(const StatementSyntax& syntax) {
  if (!syntax.unsupported) return {};
  return RefusedAt(fmt::format("Unsupported clause: {}", syntax.unsupported->clause),
                   syntax.unsupported->place);
}

Result<std::optional<ConditionNode>> WhereOf(const StatementSyntax& syntax, Parameters parameters) {
  if (!syntax.where) return std::nullopt;
  return BuildCondition(*syntax.where, parameters);
}

Result<std::optional<Projection>> ProjectionOf(const StatementSyntax& select) {
  if (select.columns.front().form == Form::kStar) return std::nullopt;
  std::vector<Projection::Column> columns;
  columns.reserve(select.columns.size());
  for (const Expression& expression : select.columns) {
    ASSIGN_OR_RETURN(Path path, BuildPath(expression));
    std::string name = ColumnName(path);
    columns.push_back({.path = std::move(path), .name = std::move(name)});
  }
  std::set<std::string_view> names;
  for (const Projection::Column& column : columns) {
    if (!names.insert(column.name).second) {
      return Refused(fmt::format("Duplicate identifiers in select clause: {}", column.name));
    }
  }
  return Projection::FromColumns(std::move(columns));
}

// All but the source.
Result<void> BuildSelected(const StatementSyntax& syntax, Parameters parameters,
                           SelectStatement& select) {
  ASSIGN_OR_RETURN(select.projection, ProjectionOf(syntax));
  ASSIGN_OR_RETURN(select.where, WhereOf(syntax, parameters));
  for (const StatementSyntax::OrderTerm& term : syntax.order_by) {
    ASSIGN_OR_RETURN(const Path path, BuildPath(term.key));
    if (path.size() != 1) return RefusedAt("Unexpected path component", term.key.place);
    select.order_by.push_back({.attribute = path.front().name, .descending = term.descending});
  }
  return {};
}

// Whether every literal and parameter below makes a value.
bool HasGoodValues(const Expression& expression, Parameters parameters) {
  if (IsValue(expression)) return BuildValue(expression, parameters).has_value();
  return std::ranges::all_of(expression.children, [parameters](const Expression& child) {
    return HasGoodValues(child, parameters);
  });
}

Result<SelectStatement> BuildSelect(const StatementSyntax& syntax, Parameters parameters) {
  ASSIGN_OR_RETURN(Source source, SourceOf(syntax));
  RETURN_IF_ERROR(CheckSupported(syntax));
  SelectStatement select{.table = std::move(source.table), .index = std::move(source.index)};
  const Result<void> built = BuildSelected(syntax, parameters, select);
  if (built) return select;
  // An index that no statement can read comes before all but what is wrong with values.
  const bool good_values = !syntax.where || HasGoodValues(*syntax.where, parameters);
  if (!select.index || !good_values) return std::unexpected(built.error());
  select.problem = built.error();
  return select;
}

Result<Returning> ReturningOf(const StatementSyntax& syntax) {
  if (syntax.returning.empty()) return Returning::kNothing;
  const StatementSyntax::ReturningTerm& term = syntax.returning.front();
  if (syntax.kind == StatementKind::kInsert) {
    return Refused("A RETURNING clause is not allowed in INSERT statements");
  }
  if (syntax.returning.size() > 1 || term.columns.form != Form::kStar) {
    return Refused("A RETURNING clause may only contain *");
  }
  if (syntax.kind == StatementKind::kDelete && term.images != "ALL OLD") {
    return Refused(fmt::format(
        "Invalid returning clause: RETURNING {} *. Only RETURNING ALL OLD * is allowed in DELETE "
        "statements.",
        term.images));
  }
  if (term.images == "ALL OLD") return Returning::kAllOld;
  if (term.images == "ALL NEW") return Returning::kAllNew;
  return term.images == "MODIFIED OLD" ? Returning::kModifiedOld : Returning::kModifiedNew;
}

Result<Statement> BuildInsert(const StatementSyntax& syntax, Parameters parameters) {
  ASSIGN_OR_RETURN(std::string table, WrittenTable(syntax));
  RETURN_IF_ERROR(CheckSupported(syntax));
  RETURN_IF_ERROR(ReturningOf(syntax));
  ASSIGN_OR_RETURN(Item item, BuildItem(*syntax.item, parameters));
  return InsertStatement{.table = std::move(table), .item = std::move(item)};
}

Result<Statement> BuildUpdateStatement(const StatementSyntax& syntax, Parameters parameters) {
  RETURN_IF_ERROR(CheckSupported(syntax));
  ASSIGN_OR_RETURN(std::string table, WrittenTable(syntax));
  ASSIGN_OR_RETURN(Update update, BuildUpdate(syntax.clauses, parameters));
  ASSIGN_OR_RETURN(std::optional<ConditionNode> where, WhereOf(syntax, parameters));
  ASSIGN_OR_RETURN(const Returning returning, ReturningOf(syntax));
  return UpdateStatement{.table = std::move(table),
                         .update = std::move(update),
                         .where = std::move(where),
                         .returning = returning};
}

Result<Statement> BuildDelete(const StatementSyntax& syntax, Parameters parameters) {
  ASSIGN_OR_RETURN(std::string table, WrittenTable(syntax));
  ASSIGN_OR_RETURN(std::optional<ConditionNode> where, WhereOf(syntax, parameters));
  ASSIGN_OR_RETURN(const Returning returning, ReturningOf(syntax));
  return DeleteStatement{
      .table = std::move(table), .where = std::move(where), .returning = returning};
}

bool IsExists(const Expression& root) {
  if (root.form != Form::kCall || root.text != "exists" || root.children.size() != 1) return false;
  const Expression& inner = root.children.front();
  return inner.form == Form::kStatement && inner.statement->kind == StatementKind::kSelect;
}

Result<Statement> Build(const Expression& root, Parameters parameters) {
  if (IsExists(root)) {
    ASSIGN_OR_RETURN(SelectStatement select,
                     BuildSelect(*root.children.front().statement, parameters));
    return ExistsStatement{.select = std::move(select)};
  }
  if (root.form != Form::kStatement) return UnsupportedOperation(root);
  switch (root.statement->kind) {
    case StatementKind::kSelect:
      return BuildSelect(*root.statement, parameters);
    case StatementKind::kInsert:
      return BuildInsert(*root.statement, parameters);
    case StatementKind::kUpdate:
      return BuildUpdateStatement(*root.statement, parameters);
    case StatementKind::kDelete:
      return BuildDelete(*root.statement, parameters);
  }
  return UnsupportedOperation(root);
}

constexpr std::size_t kLongExponentDigits = 10;

bool IsOutOfRange(const ValueProblem& problem) {
  return problem.kind == ValueProblem::Kind::kNumberOverflow ||
         problem.kind == ValueProblem::Kind::kNumberUnderflow;
}

// Such a number is too large or too small whatever its mantissa is; a parameter with one is no
// number at all.
bool HasLongExponent(std::string_view number) {
  const std::size_t mark = number.find_first_of("eE");
  if (mark == std::string_view::npos) return false;
  const std::size_t digits = number.find_first_not_of("+-0", mark + 1);
  return digits != std::string_view::npos && number.size() - digits >= kLongExponentDigits;
}

}  // namespace

Result<void> CheckParameters(std::span<const AttributeValue> parameters) {
  for (const AttributeValue& parameter : parameters) {
    if (parameter.problem() == nullptr) continue;
    ValueProblem problem = *parameter.problem();
    if (IsOutOfRange(problem) && !problem.members.empty() &&
        HasLongExponent(problem.members.front())) {
      problem.kind = ValueProblem::Kind::kNotANumber;
    }
    return std::unexpected(ProblemError(problem, Wording::kClassic));
  }
  return {};
}

Result<Statement> ParseStatement(std::string_view text,
                                 std::span<const AttributeValue> parameters) {
  RETURN_IF_ERROR(CheckParameters(parameters));
  // Names and strings of the text become parts of items, which are UTF-8.
  if (AttributeValue(text).problem() != nullptr) return Malformed("");
  ASSIGN_OR_RETURN(const ParsedText parsed, Parse(text));
  if (parsed.parameters > parameters.size()) {
    return Refused("Number of parameters in request and statement don't match.");
  }
  return Build(parsed.root, parameters);
}

}  // namespace stator::partiql
