#include "partiql/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

// SQL-92 and what PartiQL adds to it; ascending.
// clang-format off
constexpr std::array<std::string_view, 232> kAllKeywords = {
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

constexpr auto kFunctionKeywords = std::to_array<std::string_view>(
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

static_assert(std::ranges::is_sorted(kAllKeywords));
static_assert(std::ranges::is_sorted(kOperators));
static_assert(std::ranges::is_sorted(kWords));
static_assert(std::ranges::is_sorted(kFunctionKeywords));
static_assert(std::ranges::is_sorted(kTypes, {}, &TypeAlias::word));

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }
bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsSign(char c) { return c == '+' || c == '-'; }

// An exponent, and the scale that follows from it, must be integers of 32 bits.
bool FitsExponent(std::string_view exponent, std::size_t fraction_digits) {
  std::string_view digits = exponent;
  if (!digits.empty() && IsSign(digits.front())) digits.remove_prefix(1);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  std::int64_t value = 0;
  if (digits.size() > 10) return false;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (value > std::numeric_limits<std::int32_t>::max()) return false;
  if (exponent.starts_with('-')) value = -value;
  const std::int64_t scale = static_cast<std::int64_t>(fraction_digits) - value;
  return scale <= std::numeric_limits<std::int32_t>::max();
}

// The kind of an unquoted word; `lower` is the word in lower case.
TokenKind WordKind(std::string_view lower) {
  if (lower == "true" || lower == "false") return TokenKind::kBoolean;
  if (lower == "null") return TokenKind::kNull;
  if (lower == "missing") return TokenKind::kMissing;
  if (Has(kOperators, lower)) return TokenKind::kOperator;
  if (Has(kWords, lower)) return TokenKind::kWord;
  return Has(kAllKeywords, lower) ? TokenKind::kKeyword : TokenKind::kIdentifier;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) {}

  Result<std::vector<Token>> Run() && {
    while (true) {
      if (!SkipBlanks()) return Malformed("");
      if (rest_.empty()) break;
      if (!ReadToken()) return Malformed("");
    }
    Emit(TokenKind::kEnd, "", 0);
    return std::move(tokens_);
  }

 private:
  bool SkipBlanks() {
    while (!rest_.empty()) {
      if (IsBlank(rest_.front())) {
        Advance(1);
      } else if (rest_.starts_with("--")) {
        Advance(std::min(rest_.find_first_of("\r\n"), rest_.size()));
      } else if (rest_.starts_with("/*")) {
        const std::size_t end = rest_.find("*/", 2);
        if (end == std::string_view::npos) return false;
        Advance(end + 2);
      } else {
        return true;
      }
    }
    return true;
  }

  bool ReadToken() {
    const char c = rest_.front();
    if (IsNameStart(c)) return ReadWord();
    if (IsDigit(c) || (c == '.' && rest_.size() > 1 && IsDigit(rest_[1]))) return ReadNumber();
    if (c == '\'') return ReadQuoted(TokenKind::kString);
    if (c == '"') return ReadQuoted(TokenKind::kQuoted);
    for (const std::string_view symbol : {"<<", ">>"}) {
      if (rest_.starts_with(symbol)) return Emit(TokenKind::kSymbol, std::string(symbol), 2);
    }
    if (rest_.starts_with("!=")) return Emit(TokenKind::kOperator, "<>", 2);
    for (const std::string_view pair : {"<=", ">=", "<>", "||"}) {
      if (rest_.starts_with(pair)) return Emit(TokenKind::kOperator, std::string(pair), 2);
    }
    if (std::string_view("()[]{}:,;.*").find(c) != std::string_view::npos) {
      return Emit(TokenKind::kSymbol, std::string(1, c), 1);
    }
    if (std::string_view("+-/%=<>@").find(c) != std::string_view::npos) {
      return Emit(TokenKind::kOperator, std::string(1, c), 1);
    }
    if (c != '?') return false;
    Emit(TokenKind::kParameter, "?", 1);
    tokens_.back().parameter = parameters_++;
    return true;
  }

  bool ReadWord() {
    std::size_t end = 1;
    while (end < rest_.size() && IsNamePart(rest_[end])) ++end;
    std::string lower = Lower(rest_.substr(0, end));
    const TokenKind kind = WordKind(lower);
    return Emit(kind, kind == TokenKind::kIdentifier ? std::string(rest_.substr(0, end)) : lower,
                end);
  }

  bool ReadNumber() {
    std::size_t end = DigitsFrom(0);
    std::size_t fraction_digits = 0;
    if (end < rest_.size() && rest_[end] == '.') {
      const std::size_t start = ++end;
      end = DigitsFrom(start);
      fraction_digits = end - start;
    }
    if (end < rest_.size() && (rest_[end] == 'e' || rest_[end] == 'E')) {
      const std::size_t start = ++end;
      if (end < rest_.size() && IsSign(rest_[end])) ++end;
      const std::size_t digits = end;
      end = DigitsFrom(digits);
      if (end == digits || !FitsExponent(rest_.substr(start, end - start), fraction_digits)) {
        return false;
      }
    }
    return Emit(TokenKind::kNumber, std::string(rest_.substr(0, end)), end);
  }

  std::size_t DigitsFrom(std::size_t at) const {
    while (at < rest_.size() && IsDigit(rest_[at])) ++at;
    return at;
  }

  // A quote inside is doubled.
  bool ReadQuoted(TokenKind kind) {
    const char quote = rest_.front();
    std::string content;
    std::size_t at = 1;
    while (true) {
      const std::size_t close = rest_.find(quote, at);
      if (close == std::string_view::npos) return false;
      content.append(rest_.substr(at, close - at));
      at = close + 1;
      if (at == rest_.size() || rest_[at] != quote) return Emit(kind, std::move(content), at);
      content.push_back(quote);
      ++at;
    }
  }

  bool Emit(TokenKind kind, std::string text, std::size_t bytes) {
    Token token{.kind = kind, .text = std::move(text), .place = {.line = line_, .column = column_}};
    if (after_return_ && kind != TokenKind::kEnd) {
      ++token.place.line;
      token.place.column = 1;
    }
    token.place.length = Advance(bytes);
    tokens_.push_back(std::move(token));
    return true;
  }

  // Returns how many characters the bytes hold. CR, LF and CR LF end a line.
  std::uint32_t Advance(std::size_t bytes) {
    std::uint32_t characters = 0;
    for (const char c : rest_.substr(0, bytes)) {
      if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;
      ++characters;
      if (c == '\n' || after_return_) {
        ++line_;
        column_ = 1;
      }
      after_return_ = c == '\r';
      if (c != '\n' && c != '\r') ++column_;
    }
    rest_.remove_prefix(bytes);
    return characters;
  }

  std::string_view rest_;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  bool after_return_ = false;  // the line ends with the next character, unless that is an LF
  std::uint32_t parameters_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::string Lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool IsFunctionKeyword(std::string_view keyword) { return Has(kFunctionKeywords, keyword); }

std::string_view TypeWord(std::string_view word) {
  const auto found = std::ranges::lower_bound(kTypes, word, {}, &TypeAlias::word);
  return found == kTypes.end() || found->word != word ? std::string_view() : found->type;
}

Result<std::vector<Token>> Tokenize(std::string_view text) { return Lexer(text).Run(); }

}  // namespace stator::partiql
