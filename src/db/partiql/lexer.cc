#include "partiql/lexer.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "partiql/keywords.h"
#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }
bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsSign(char c) { return c == '+' || c == '-'; }

std::string Lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// An exponent, and the scale that comes of it, must be integers of 32 bits.
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

  // Returns how many characters the bytes are. CR, LF and CR LF end a line.
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

Result<std::vector<Token>> Tokenize(std::string_view text) { return Lexer(text).Run(); }

}  // namespace stator::partiql
