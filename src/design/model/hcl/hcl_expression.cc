#include "model/hcl/hcl_expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "model/parse/text_cursor.h"

namespace stator::model {
namespace {

bool IsIdentifierStart(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalpha(byte) != 0 || c == '_' || byte >= 0x80;
}

bool IsIdentifierPart(char c) { return IsIdentifierStart(c) || IsDigit(c) || c == '-'; }

constexpr int kMaxDepth = 100;

// Counts one level of nesting while it lives.
class Level {
 public:
  explicit Level(int& depth) : depth_(depth) { ++depth_; }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  int& depth_;
};

}  // namespace

void HclCursor::Skip(std::size_t count) {
  for (; count > 0 && at_ < text_.size(); --count) {
    if (text_[at_++] == '\n') ++line_;
  }
}

bool HclCursor::Take(char c) {
  if (AtEnd() || Peek() != c) return false;
  Skip();
  return true;
}

bool HclCursor::Take(std::string_view word) {
  if (!StartsWith(word)) return false;
  Skip(word.size());
  return true;
}

bool HclCursor::SkipComment() {
  if (StartsWith("#") || StartsWith("//")) {
    while (!AtEnd() && Peek() != '\n') Skip();
    return true;
  }
  if (!StartsWith("/*")) return false;
  Skip(2);
  while (!AtEnd() && !StartsWith("*/")) Skip();
  if (AtEnd()) return Fail("a comment without its */");
  Skip(2);
  return true;
}

void HclCursor::SkipBlanks() {
  while (Peek() == ' ' || Peek() == '\t' || Peek() == '\r' || SkipComment()) {
    if (Peek() == ' ' || Peek() == '\t' || Peek() == '\r') Skip();
  }
}

void HclCursor::SkipBlanksAndNewlines() {
  SkipBlanks();
  while (Take('\n')) SkipBlanks();
}

bool HclCursor::TakeNewline() {
  SkipBlanks();
  return AtEnd() || Take('\n');
}

std::string_view HclCursor::TakeIdentifier() {
  if (AtEnd() || !IsIdentifierStart(Peek())) return {};
  const std::size_t begin = at_;
  while (!AtEnd() && IsIdentifierPart(Peek())) Skip();
  return text_.substr(begin, at_ - begin);
}

std::string_view HclCursor::TakeLine() {
  const std::size_t begin = at_;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  at_ = end;
  Take('\n');
  return text_.substr(begin, end - begin);
}

bool HclCursor::Fail(std::string message) {
  if (!error_) error_ = HclError{.line = line_, .message = std::move(message)};
  return false;
}

std::string HclCursor::HereText() const {
  if (AtEnd()) return "the end of the text";
  if (Peek() == '\n') return "the end of the line";
  if (std::isprint(static_cast<unsigned char>(Peek())) == 0) return "a strange byte";
  return std::string("`") + Peek() + "`";
}

void HclExpressions::SkipSpace() {
  if (brackets_ > 0) {
    cursor_.SkipBlanksAndNewlines();
  } else {
    cursor_.SkipBlanks();
  }
}

bool HclExpressions::ParseExpression() {
  const Level level(depth_);
  if (depth_ > kMaxDepth) return cursor_.Fail("expressions nested too deeply");
  if (!ParseOperation()) return false;
  SkipSpace();
  if (!cursor_.Take('?')) return true;
  if (!ParseExpression()) return false;
  SkipSpace();
  if (!cursor_.Take(':')) return cursor_.Fail("`?` without its `:`");
  return ParseExpression();
}

bool HclExpressions::TakeOperator() {
  static constexpr std::array<std::string_view, 13> kOperators = {
      "||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%"};
  SkipSpace();
  if (cursor_.StartsWith("=>")) return false;
  for (const std::string_view symbol : kOperators) {
    if (cursor_.Take(symbol)) return true;
  }
  return false;
}

bool HclExpressions::ParseOperation() {
  do {
    if (!ParseUnary()) return false;
  } while (TakeOperator());
  return !cursor_.failed();
}

bool HclExpressions::ParseUnary() {
  SkipSpace();
  while (cursor_.Peek() == '-' || (cursor_.Peek() == '!' && cursor_.Peek(1) != '=')) {
    cursor_.Skip();
    SkipSpace();
  }
  return ParseTerm();
}

bool HclExpressions::ParseTerm() { return ParseOperand() && ParseSteps(); }

bool HclExpressions::ParseOperand() {
  SkipSpace();
  switch (cursor_.Peek()) {
    case '"':
      return ParseString();
    case '(':
      return ParseParentheses();
    case '[':
      return ParseTuple();
    case '{':
      return ParseObject();
    case '<':
      if (cursor_.StartsWith("<<")) return ParseHeredoc();
      break;
    default:
      break;
  }
  if (IsDigit(cursor_.Peek())) return ParseNumber();
  return ParseNameOrCall();
}

bool HclExpressions::ParseNumber() {
  while (IsDigit(cursor_.Peek())) cursor_.Skip();
  if (cursor_.Peek() == '.' && IsDigit(cursor_.Peek(1))) {
    cursor_.Skip();
    while (IsDigit(cursor_.Peek())) cursor_.Skip();
  }
  if (cursor_.Peek() != 'e' && cursor_.Peek() != 'E') return true;
  cursor_.Skip();
  if (cursor_.Peek() == '+' || cursor_.Peek() == '-') cursor_.Skip();
  if (!IsDigit(cursor_.Peek())) return cursor_.Fail("a number with an empty exponent");
  while (IsDigit(cursor_.Peek())) cursor_.Skip();
  return true;
}

bool HclExpressions::ParseNameOrCall() {
  const std::string here = cursor_.HereText();
  if (cursor_.TakeIdentifier().empty()) {
    return cursor_.Fail("an expression is missing before " + here);
  }
  while (cursor_.Take("::")) {
    if (cursor_.TakeIdentifier().empty()) return cursor_.Fail("`::` without a name");
  }
  return cursor_.Peek() == '(' ? ParseArguments() : true;
}

bool HclExpressions::ParseArguments() {
  cursor_.Skip();
  const Level inside(brackets_);
  SkipSpace();
  while (!cursor_.Take(')')) {
    if (!ParseExpression()) return false;
    SkipSpace();
    if (cursor_.Take("...")) {
      SkipSpace();
      cursor_.Take(',');
      SkipSpace();
      if (cursor_.Take(')')) return true;
      return cursor_.Fail("`...` stands behind the last argument only");
    }
    if (cursor_.Take(',')) {
      SkipSpace();
    } else if (cursor_.Peek() != ')') {
      return cursor_.Fail("`,` or `)` is missing before " + cursor_.HereText());
    }
  }
  return true;
}

bool HclExpressions::ParseParentheses() {
  cursor_.Skip();
  const Level inside(brackets_);
  if (!ParseExpression()) return false;
  SkipSpace();
  return cursor_.Take(')') || cursor_.Fail("`)` is missing before " + cursor_.HereText());
}

bool HclExpressions::ParseTuple() {
  cursor_.Skip();
  const Level inside(brackets_);
  SkipSpace();
  if (cursor_.StartsWith("for ")) return ParseFor(']');
  while (!cursor_.Take(']')) {
    if (!ParseExpression()) return false;
    SkipSpace();
    if (cursor_.Take(',')) {
      SkipSpace();
    } else if (cursor_.Peek() != ']') {
      return cursor_.Fail("`,` or `]` is missing before " + cursor_.HereText());
    }
  }
  return true;
}

bool HclExpressions::ParseObject() {
  cursor_.Skip();
  cursor_.SkipBlanksAndNewlines();
  if (cursor_.StartsWith("for ")) {
    const Level inside(brackets_);
    return ParseFor('}');
  }
  // A newline separates the items of an object, so it is significant inside the braces.
  const int outside = std::exchange(brackets_, 0);
  const bool parsed = ParseObjectItems();
  brackets_ = outside;
  return parsed;
}

bool HclExpressions::ParseObjectItems() {
  while (!cursor_.Take('}')) {
    if (!ParseExpression()) return false;
    cursor_.SkipBlanks();
    if (!cursor_.Take('=') && !cursor_.Take(':')) {
      return cursor_.Fail("`=` or `:` is missing before " + cursor_.HereText());
    }
    if (!ParseExpression()) return false;
    cursor_.SkipBlanks();
    if (!cursor_.Take(',') && cursor_.Peek() != '\n' && cursor_.Peek() != '}') {
      return cursor_.Fail("`,` or a new line is missing before " + cursor_.HereText());
    }
    cursor_.SkipBlanksAndNewlines();
  }
  return true;
}

bool HclExpressions::ParseFor(char close) {
  cursor_.Skip(4);
  do {
    SkipSpace();
    if (cursor_.TakeIdentifier().empty()) return cursor_.Fail("`for` without a name");
    SkipSpace();
  } while (cursor_.Take(','));
  if (cursor_.TakeIdentifier() != "in") return cursor_.Fail("`for` without its `in`");
  if (!ParseExpression()) return false;
  SkipSpace();
  if (!cursor_.Take(':')) return cursor_.Fail("`for` without its `:`");
  if (!ParseExpression()) return false;
  SkipSpace();
  if (close == '}') {
    if (!cursor_.Take("=>")) return cursor_.Fail("`for` in braces without its `=>`");
    if (!ParseExpression()) return false;
    SkipSpace();
    cursor_.Take("...");
    SkipSpace();
  }
  if (cursor_.StartsWith("if ")) {
    cursor_.Skip(3);
    if (!ParseExpression()) return false;
    SkipSpace();
  }
  return cursor_.Take(close) || cursor_.Fail(std::string("`") + close + "` is missing");
}

bool HclExpressions::ParseSteps() {
  while (true) {
    if (cursor_.StartsWith("...")) return true;
    if (cursor_.Take('.')) {
      if (cursor_.Take('*')) continue;
      if (IsDigit(cursor_.Peek())) {
        while (IsDigit(cursor_.Peek())) cursor_.Skip();
      } else if (cursor_.TakeIdentifier().empty()) {
        return cursor_.Fail("`.` without a name");
      }
    } else if (cursor_.Take('[')) {
      const Level inside(brackets_);
      SkipSpace();
      if (!cursor_.Take('*') && !ParseExpression()) return false;
      SkipSpace();
      if (!cursor_.Take(']')) return cursor_.Fail("`]` is missing before " + cursor_.HereText());
    } else {
      return true;
    }
  }
}

bool HclExpressions::ParseTemplatePart() {
  const bool directive = cursor_.Peek() == '%';
  cursor_.Skip(2);
  cursor_.Take('~');
  const Level inside(brackets_);
  SkipSpace();
  if (directive) {
    // %{ if c }, %{ for a, b in c }, %{ else }, %{ endif }: only the braces are checked.
    while (!cursor_.AtEnd() && cursor_.Peek() != '}') {
      if (cursor_.Peek() == '"' ? !ParseString() : (cursor_.Skip(), false)) return false;
    }
  } else if (!ParseExpression()) {
    return false;
  }
  SkipSpace();
  cursor_.Take('~');
  return cursor_.Take('}') || cursor_.Fail("`}` is missing in a template");
}

bool HclExpressions::ParseString() {
  const Level level(depth_);
  if (depth_ > kMaxDepth) return cursor_.Fail("expressions nested too deeply");
  cursor_.Skip();
  while (!cursor_.Take('"')) {
    if (cursor_.AtEnd() || cursor_.Peek() == '\n') {
      return cursor_.Fail("a string without its closing quotation mark");
    }
    if (cursor_.Take("$${") || cursor_.Take("%%{")) continue;
    if (cursor_.StartsWith("${") || cursor_.StartsWith("%{")) {
      if (!ParseTemplatePart()) return false;
      continue;
    }
    if (cursor_.Peek() == '\\') {
      cursor_.Skip();
      if (std::string_view("nrt\"\\uU").find(cursor_.Peek()) == std::string_view::npos) {
        return cursor_.Fail("an escape that HCL does not have");
      }
    }
    cursor_.Skip();
  }
  return true;
}

// The lines are taken as they are; ${…} in them is not checked.
bool HclExpressions::ParseHeredoc() {
  cursor_.Skip(2);
  cursor_.Take('-');
  const std::string_view marker = cursor_.TakeIdentifier();
  if (marker.empty()) return cursor_.Fail("`<<` without a marker");
  if (!cursor_.Take('\n')) return cursor_.Fail("a heredoc begins on the line behind its marker");
  while (!cursor_.AtEnd()) {
    // The newline after the closing marker ends the attribute.
    while (cursor_.Peek() == ' ' || cursor_.Peek() == '\t') cursor_.Skip();
    if (cursor_.StartsWith(marker)) {
      const char next = cursor_.Peek(marker.size());
      if (next == '\n' || next == '\r' || next == '\0') {
        cursor_.Skip(marker.size());
        return true;
      }
    }
    cursor_.TakeLine();
  }
  return cursor_.Fail("a heredoc without its end marker");
}

}  // namespace stator::model
