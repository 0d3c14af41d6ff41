#include "partiql/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "partiql/condition_builder.h"
#include "partiql/operation_name.h"
#include "partiql/parser.h"
#include "partiql/path_builder.h"
#include "partiql/refusal.h"
#include "partiql/update_builder.h"
#include "partiql/value_builder.h"
#include "value/value_problem.h"

namespace stator::partiql {
namespace {

using Kind = StatementSyntax::Kind;

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
  if (syntax.kind == Kind::kInsert) {
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
  std::vector<std::string_view> names;
  for (const Projection::Column& column : columns) {
    if (std::ranges::find(names, column.name) != names.end()) {
      return Refused(fmt::format("Duplicate identifiers in select clause: {}", column.name));
    }
    names.push_back(column.name);
  }
  return Projection::FromColumns(std::move(columns));
}

Result<SelectStatement> BuildSelect(const StatementSyntax& syntax, Parameters parameters) {
  ASSIGN_OR_RETURN(Source source, SourceOf(syntax));
  RETURN_IF_ERROR(CheckSupported(syntax));
  SelectStatement select{.table = std::move(source.table), .index = std::move(source.index)};
  ASSIGN_OR_RETURN(select.projection, ProjectionOf(syntax));
  ASSIGN_OR_RETURN(select.where, WhereOf(syntax, parameters));
  for (const StatementSyntax::OrderTerm& term : syntax.order_by) {
    ASSIGN_OR_RETURN(const Path path, BuildPath(term.key));
    if (path.size() != 1) return RefusedAt("Unexpected path component", term.key.place);
    select.order_by.push_back({.attribute = path.front().name, .descending = term.descending});
  }
  return select;
}

Result<Returning> ReturningOf(const StatementSyntax& syntax) {
  if (syntax.returning.empty()) return Returning::kNothing;
  const StatementSyntax::ReturningTerm& term = syntax.returning.front();
  if (syntax.kind == Kind::kInsert) {
    return Refused("A RETURNING clause is not allowed in INSERT statements");
  }
  if (syntax.returning.size() > 1 || term.columns.form != Form::kStar) {
    return Refused("A RETURNING clause may only contain *");
  }
  if (syntax.kind == Kind::kDelete && term.images != "ALL OLD") {
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
  return inner.form == Form::kStatement && inner.statement->kind == Kind::kSelect;
}

Result<Statement> Build(const Expression& root, Parameters parameters) {
  if (IsExists(root)) {
    ASSIGN_OR_RETURN(SelectStatement select,
                     BuildSelect(*root.children.front().statement, parameters));
    return ExistsStatement{.select = std::move(select)};
  }
  if (root.form != Form::kStatement) return UnsupportedOperation(root);
  switch (root.statement->kind) {
    case Kind::kSelect:
      return BuildSelect(*root.statement, parameters);
    case Kind::kInsert:
      return BuildInsert(*root.statement, parameters);
    case Kind::kUpdate:
      return BuildUpdateStatement(*root.statement, parameters);
    case Kind::kDelete:
      return BuildDelete(*root.statement, parameters);
  }
  return UnsupportedOperation(root);
}

}  // namespace

Result<void> CheckParameters(std::span<const AttributeValue> parameters) {
  for (const AttributeValue& parameter : parameters) {
    if (parameter.problem() == nullptr) continue;
    return std::unexpected(ProblemError(*parameter.problem(), Wording::kClassic));
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
