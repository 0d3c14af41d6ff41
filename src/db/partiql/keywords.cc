#include "partiql/keywords.h"

#include <algorithm>
#include <array>

namespace stator::partiql {
namespace {

// SQL-92 and what PartiQL adds to it; ascending.
// clang-format off
constexpr std::array<std::string_view, 232> kKeywords = {
    "absolute", "action", "add", "all", "allocate", "alter", "any", "are", "assertion",
    "authorization", "avg", "bag", "begin", "bigint", "bit", "bit_length", "blob", "bool",
    "boolean", "can_cast", "can_lossless_cast", "cascade", "cascaded", "case", "cast", "catalog",
    "char", "char_length", "character", "character_length", "check", "clob", "close", "coalesce",
    "collate", "collation", "column", "commit", "conflict", "connect", "connection", "constraint",
    "constraints", "continue", "convert", "corresponding", "count", "create", "cross", "current",
    "current_date", "current_time", "current_timestamp", "current_user", "cursor", "date",
    "date_add", "date_diff", "deallocate", "dec", "decimal", "declare", "default", "deferrable",
    "deferred", "delete", "describe", "descriptor", "diagnostics", "disconnect", "distinct", "do",
    "domain", "double", "drop", "else", "end", "escape", "exception", "exec", "execute", "exists",
    "external", "extract", "fetch", "first", "float", "foreign", "found", "from", "full", "get",
    "global", "go", "goto", "grant", "group", "having", "identity", "immediate", "index",
    "indicator", "initially", "inner", "input", "insensitive", "insert", "int", "int2", "int4",
    "int8", "integer", "integer2", "integer4", "integer8", "interval", "into", "isolation",
    "join", "key", "language", "last", "left", "let", "level", "limit", "list", "local", "lower",
    "match", "max", "min", "modified", "module", "names", "national", "natural", "nchar", "new",
    "next", "no", "nothing", "nullif", "numeric", "octet_length", "of", "offset", "old", "on",
    "only", "open", "option", "order", "outer", "output", "overlaps", "pad", "partial", "pivot",
    "position", "precision", "prepare", "preserve", "primary", "prior", "privileges", "procedure",
    "public", "read", "real", "references", "relative", "remove", "restrict", "returning",
    "revoke", "right", "rollback", "rows", "schema", "scroll", "section", "select", "session",
    "session_user", "set", "sexp", "size", "smallint", "some", "space", "sql", "sqlcode",
    "sqlerror", "sqlstate", "string", "struct", "substring", "sum", "symbol", "system_user",
    "table", "temporary", "then", "time", "timestamp", "to", "transaction", "translate",
    "translation", "trim", "tuple", "unique", "unknown", "unpivot", "update", "upper", "usage",
    "user", "using", "value", "values", "varchar", "varying", "view", "when", "whenever", "where",
    "with", "work", "write", "zone"};
// clang-format on

constexpr auto kOperators = std::to_array<std::string_view>(
    {"and", "between", "except", "in", "intersect", "is", "like", "not", "or", "union"});

constexpr auto kWords = std::to_array<std::string_view>({"as", "asc", "at", "by", "desc", "for"});

constexpr auto kFunctions = std::to_array<std::string_view>(
    {"avg",   "bag",      "bit_length", "char_length", "character_length",
     "count", "date_add", "date_diff",  "exists",      "extract",
     "list",  "lower",    "max",        "min",         "octet_length",
     "sexp",  "size",     "substring",  "sum",         "trim",
     "upper"});

struct TypeAlias {
  std::string_view word;
  std::string_view type;
};
constexpr auto kTypes = std::to_array<TypeAlias>({
    {"any", "any"},           {"bag", "bag"},
    {"bigint", "integer8"},   {"blob", "blob"},
    {"bool", "boolean"},      {"boolean", "boolean"},
    {"char", "character"},    {"character", "character"},
    {"clob", "clob"},         {"date", "date"},
    {"dec", "decimal"},       {"decimal", "decimal"},
    {"double", "double"},     {"float", "float"},
    {"int", "integer"},       {"int2", "smallint"},
    {"int4", "integer4"},     {"int8", "integer8"},
    {"integer", "integer"},   {"integer2", "smallint"},
    {"integer4", "integer4"}, {"integer8", "integer8"},
    {"list", "list"},         {"missing", "missing"},
    {"null", "null"},         {"numeric", "numeric"},
    {"real", "real"},         {"sexp", "sexp"},
    {"smallint", "smallint"}, {"string", "string"},
    {"struct", "struct"},     {"symbol", "symbol"},
    {"time", "time"},         {"timestamp", "timestamp"},
    {"tuple", "tuple"},       {"varchar", "character_varying"},
});

template <std::size_t kSize>
constexpr bool Has(const std::array<std::string_view, kSize>& sorted, std::string_view word) {
  return std::ranges::binary_search(sorted, word);
}

static_assert(std::ranges::is_sorted(kKeywords));
static_assert(std::ranges::is_sorted(kOperators));
static_assert(std::ranges::is_sorted(kWords));
static_assert(std::ranges::is_sorted(kFunctions));
static_assert(std::ranges::is_sorted(kTypes, {}, &TypeAlias::word));

}  // namespace

TokenKind WordKind(std::string_view lower) {
  if (lower == "true" || lower == "false") return TokenKind::kBoolean;
  if (lower == "null") return TokenKind::kNull;
  if (lower == "missing") return TokenKind::kMissing;
  if (Has(kOperators, lower)) return TokenKind::kOperator;
  if (Has(kWords, lower)) return TokenKind::kWord;
  return Has(kKeywords, lower) ? TokenKind::kKeyword : TokenKind::kIdentifier;
}

bool IsFunctionKeyword(std::string_view keyword) { return Has(kFunctions, keyword); }

std::string_view TypeWord(std::string_view word) {
  const auto found = std::ranges::lower_bound(kTypes, word, {}, &TypeAlias::word);
  return found == kTypes.end() || found->word != word ? std::string_view() : found->type;
}

}  // namespace stator::partiql
