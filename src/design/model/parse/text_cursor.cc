#include "model/parse/text_cursor.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace stator::model {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '_' || c == '-' ||
         c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> SplitText(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(Trim(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> SplitWords(std::string_view text) {
  std::vector<std::string_view> words;
  TextCursor cursor(text);
  while (!cursor.AtEnd()) words.push_back(cursor.TakeWhile([](char c) { return !IsSpace(c); }));
  return words;
}

std::optional<double> ReadNumber(std::string_view text) {
  std::string digits(Trim(text));
  // An underscore groups digits, and so must be between two of them.
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] != '_') continue;
    if (i == 0 || i + 1 == digits.size()) return std::nullopt;
    if (!IsDigit(digits[i - 1]) || !IsDigit(digits[i + 1])) return std::nullopt;
  }
  std::erase(digits, '_');
  double number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

void TextCursor::SkipSpaces() {
  while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
}

bool TextCursor::AtEnd() {
  SkipSpaces();
  return at_ == text_.size();
}

char TextCursor::Peek() { return AtEnd() ? '\0' : text_[at_]; }

bool TextCursor::Take(std::string_view token) {
  SkipSpaces();
  if (!rest().starts_with(token)) return false;
  at_ += token.size();
  return true;
}

}  // namespace stator::model
