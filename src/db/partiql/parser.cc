#include "partiql/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "partiql/expression_parser.h"
#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

using StatementKind = StatementSyntax::Kind;

constexpr auto kJoinWords =
    std::to_array<std::string_view>({"join", "inner", "left", "right", "full", "outer", "cross"});

class Parser : private ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  Result<ParsedText> Run() && {
    ASSIGN_OR_RETURN(Expression root, ParseExpression(kWeakest));
    if (!AtEnd()) {
      return Malformed(AtSymbol(";")
                           ? "Unexpected token after semicolon. (Only one query is allowed.)"
                           : "Unexpected token after expression");
    }
    if (writes_ > (IsWrite(root) ? 1 : 0)) {
      return Malformed(
          fmt::format("Keyword {} only expected at the top level in the query", last_write_));
    }
    return ParsedText{.root = std::move(root), .parameters = CountParameters()};
  }

 private:
  static bool IsWrite(const Expression& expression) {
    return expression.form == Form::kStatement &&
           expression.statement->kind != StatementKind::kSelect;
  }

  Result<Expression> ParseStatementTerm() override {
    const Token first = Peek();
    Skip();
    if (first.text != "select") {
      ++writes_;
      last_write_ = first.text;
    }
    StatementSyntax statement;
    Result<void> parsed = Malformed("Unexpected keyword");
    if (first.text == "select") {
      parsed = ParseSelect(statement);
    } else if (first.text == "update") {
      parsed = ParseUpdate(statement);
    } else if (first.text == "from") {
      parsed = ParseFromFirst(statement);
    } else if (first.text == "delete") {
      parsed = ParseDelete(statement);
    } else if (first.text == "insert") {
      if (TakeKeyword("into")) parsed = ParseInsert(statement);
    } else {
      // SET and REMOVE without a table.
      statement.kind = StatementKind::kUpdate;
      statement.unsupported = {.clause = first.text, .place = first.place};
      parsed = ParseChange(first.text == "set", statement);
    }
    RETURN_IF_ERROR(std::move(parsed));
    return Expression{.form = Form::kStatement,
                      .place = first.place,
                      .text = first.text,
                      .statement = std::make_shared<const StatementSyntax>(std::move(statement))};
  }

  Result<void> ParseSelect(StatementSyntax& select) {
    select.kind = StatementKind::kSelect;
    if (AtKeyword("distinct")) Unsupported(select, "DISTINCT", Peek());
    if (AtKeyword("distinct") || AtKeyword("all")) Skip();
    if (AtKeyword("value")) {
      Unsupported(select, "SELECT VALUE", Peek());
      Skip();
    }
    RETURN_IF_ERROR(ParseColumns(select));
    if (!TakeKeyword("from")) return Malformed("Expected FROM after SELECT list");
    RETURN_IF_ERROR(ParseSource(select, kInsideSelect));
    RETURN_IF_ERROR(ParseWhere(select, kInsideSelect));
    RETURN_IF_ERROR(ParseOrderBy(select));
    return ParseUnsupportedClauses(select);
  }

  Result<void> ParseColumns(StatementSyntax& select) {
    do {
      if (AtSymbol("*")) {
        select.columns.push_back(Leaf(Form::kStar, Peek()));
        Skip();
        continue;
      }
      ASSIGN_OR_RETURN(select.columns.emplace_back(), ParseExpression(kWeakest));
      RETURN_IF_ERROR(ParseAlias(select));
    } while (TakeSymbol(","));
    const bool has_star =
        std::ranges::find(select.columns, Form::kStar, &Expression::form) != select.columns.end();
    if (has_star && select.columns.size() > 1) {
      return Malformed(
          "Other expressions may not be present in the select list when '*' is used without dot "
          "notation.");
    }
    return {};
  }

  // [AS] name [AT name] [BY name]
  Result<void> ParseAlias(StatementSyntax& statement) {
    for (const std::string_view word : {"as", "at", "by"}) {
      const bool named = TakeWord(word);
      if (named && !AtName()) {
        return Malformed(fmt::format("Expected identifier for {}-alias", word == "as"   ? "AS"
                                                                         : word == "at" ? "AT"
                                                                                        : "BY"));
      }
      if (!named && (word != "as" || !AtName())) continue;
      Skip();
      statement.has_alias = true;
    }
    return {};
  }

  Result<void> ParseSource(StatementSyntax& statement, int above) {
    ASSIGN_OR_RETURN(statement.source, ParseExpression(above));
    RETURN_IF_ERROR(ParseAlias(statement));
    while (AtSymbol(",") || AtJoin()) {
      statement.is_join = true;
      Skip();
      while (AtJoin()) Skip();
      RETURN_IF_ERROR(ParseExpression(above));
      RETURN_IF_ERROR(ParseAlias(statement));
      if (TakeKeyword("on")) RETURN_IF_ERROR(ParseExpression(above));
    }
    return {};
  }

  bool AtJoin() const {
    return Peek().kind == TokenKind::kKeyword &&
           std::ranges::find(kJoinWords, Peek().text) != kJoinWords.end();
  }

  Result<void> ParseWhere(StatementSyntax& statement, int above) {
    if (!TakeKeyword("where")) return {};
    ASSIGN_OR_RETURN(statement.where, ParseExpression(above));
    return {};
  }

  Result<void> ParseOrderBy(StatementSyntax& select) {
    if (!TakeKeyword("order")) return {};
    if (!TakeWord("by")) return Malformed("Expected BY");
    do {
      StatementSyntax::OrderTerm& term = select.order_by.emplace_back();
      ASSIGN_OR_RETURN(term.key, ParseExpression(kInsideSelect));
      term.descending = TakeWord("desc");
      if (!term.descending) TakeWord("asc");
    } while (TakeSymbol(","));
    return {};
  }

  Result<void> ParseUnsupportedClauses(StatementSyntax& select) {
    if (TakeKeyword("group")) {
      TakeKeyword("partial");
      if (!TakeWord("by")) return Malformed("Expected BY");
      Unsupported(select, "GROUP BY", Peek());
      RETURN_IF_ERROR(ParseExpressions());
    }
    for (const std::string_view clause : {"having", "limit"}) {
      if (!TakeKeyword(clause)) continue;
      Unsupported(select, clause == "limit" ? "LIMIT" : "HAVING", Peek());
      RETURN_IF_ERROR(ParseExpression(kInsideSelect));
    }
    return {};
  }

  static void Unsupported(StatementSyntax& select, std::string clause, const Token& token) {
    if (select.unsupported) return;
    select.unsupported = {.clause = std::move(clause), .place = token.place};
  }

  Result<void> ParseInsert(StatementSyntax& insert) {
    insert.kind = StatementKind::kInsert;
    ASSIGN_OR_RETURN(insert.source, ParseSimplePath());
    if (!TakeKeyword("value")) {
      Unsupported(insert, "INSERT", Peek());
      RETURN_IF_ERROR(ParseExpression(kWeakest));
      return {};
    }
    ASSIGN_OR_RETURN(insert.item, ParseExpression(kWeakest));
    if (TakeWord("at")) {
      Unsupported(insert, "AT", Peek());
      RETURN_IF_ERROR(ParseExpression(kWeakest));
    }
    return ParseReturning(insert);
  }

  Result<void> ParseUpdate(StatementSyntax& update) {
    update.kind = StatementKind::kUpdate;
    ASSIGN_OR_RETURN(update.source, ParseSimplePath());
    RETURN_IF_ERROR(ParseAlias(update));
    RETURN_IF_ERROR(ParseChanges(update));
    RETURN_IF_ERROR(ParseWhere(update, kWeakest));
    return ParseReturning(update);
  }

  Result<void> ParseFromFirst(StatementSyntax& update) {
    update.kind = StatementKind::kUpdate;
    RETURN_IF_ERROR(ParseSource(update, kWeakest));
    RETURN_IF_ERROR(ParseWhere(update, kWeakest));
    RETURN_IF_ERROR(ParseChanges(update));
    return ParseReturning(update);
  }

  Result<void> ParseDelete(StatementSyntax& remove) {
    remove.kind = StatementKind::kDelete;
    if (!TakeKeyword("from")) return Malformed("Expected FROM after DELETE");
    ASSIGN_OR_RETURN(remove.source, ParseSimplePath());
    RETURN_IF_ERROR(ParseAlias(remove));
    RETURN_IF_ERROR(ParseWhere(remove, kWeakest));
    return ParseReturning(remove);
  }

  Result<void> ParseChanges(StatementSyntax& update) {
    while (AtKeyword("set") || AtKeyword("remove")) {
      const bool is_set = AtKeyword("set");
      Skip();
      RETURN_IF_ERROR(ParseChange(is_set, update));
    }
    if (update.clauses.empty()) return Malformed("Expected data manipulation");
    return {};
  }

  Result<void> ParseChange(bool is_set, StatementSyntax& update) {
    do {
      StatementSyntax::Clause& clause = update.clauses.emplace_back();
      ASSIGN_OR_RETURN(clause.target, ParseSimplePath());
      if (!is_set) return {};
      if (!At(TokenKind::kOperator, "=")) return Malformed("Expected '='");
      Skip();
      ASSIGN_OR_RETURN(clause.value, ParseExpression(kWeakest));
    } while (TakeSymbol(","));
    return {};
  }

  Result<void> ParseReturning(StatementSyntax& statement) {
    if (!TakeKeyword("returning")) return {};
    do {
      const bool all = AtKeyword("all");
      const bool old = AtKeyword("old", 1);
      if ((!all && !AtKeyword("modified")) || (!old && !AtKeyword("new", 1))) {
        return Malformed("Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.");
      }
      Skip(2);
      StatementSyntax::ReturningTerm& term = statement.returning.emplace_back();
      term.images = fmt::format("{} {}", all ? "ALL" : "MODIFIED", old ? "OLD" : "NEW");
      if (AtSymbol("*")) {
        term.columns = Leaf(Form::kStar, Peek());
        Skip();
      } else {
        ASSIGN_OR_RETURN(term.columns, ParseExpression(kWeakest));
        if (term.columns.form != Form::kPath) {
          return Malformed("Unsupported syntax in RETURNING columns.");
        }
      }
    } while (TakeSymbol(","));
    return {};
  }

  int writes_ = 0;  // statements that are only allowed at the top
  std::string last_write_;
};

}  // namespace

Result<ParsedText> Parse(std::string_view text) {
  ASSIGN_OR_RETURN(std::vector<Token> tokens, Tokenize(text));
  return Parser(std::move(tokens)).Run();
}

}  // namespace stator::partiql
