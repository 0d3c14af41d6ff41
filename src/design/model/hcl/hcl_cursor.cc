#include "model/hcl/hcl_cursor.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace stator::model {
namespace {

bool IsLetter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalpha(byte) != 0 || c == '_' || byte >= 0x80;
}

bool IsIdentifierPart(char c) {
  return IsLetter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-';
}

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
  if (AtEnd() || !IsLetter(Peek())) return {};
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

}  // namespace stator::model
