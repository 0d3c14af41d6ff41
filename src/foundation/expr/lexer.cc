#include "expr/lexer.h"

#include <fmt/format.h>

#include <algorithm>

namespace stator {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsWordPart(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }
bool IsUtf8Continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Length of the longest run from `from` on whose characters satisfy `accepts`.
template <class Predicate>
std::size_t RunLength(std::string_view text, std::size_t from, Predicate accepts) {
  std::size_t end = from;
  while (end < text.size() && accepts(text[end])) ++end;
  return end - from;
}

std::size_t SymbolLength(std::string_view rest) {
  const std::string_view two = rest.substr(0, 2);
  if (two == "<>" || two == "<=" || two == ">=") return 2;
  // A character outside ASCII stays whole, so that messages remain valid UTF-8.
  return 1 + RunLength(rest, 1, IsUtf8Continuation);
}

// REQUIRES: `rest` starts with a character that is not blank.
Token ReadToken(std::string_view rest) {
  const char first = rest[0];
  if (IsLetter(first))
    return {TokenKind::kIdentifier, rest.substr(0, RunLength(rest, 0, IsWordPart))};
  if (IsDigit(first)) return {TokenKind::kDigits, rest.substr(0, RunLength(rest, 0, IsDigit))};
  if (first == '#' || first == ':') {
    const std::size_t word = RunLength(rest, 1, IsWordPart);
    if (word != 0) {
      return {first == '#' ? TokenKind::kName : TokenKind::kValue, rest.substr(0, 1 + word)};
    }
  }
  return {TokenKind::kSymbol, rest.substr(0, SymbolLength(rest))};
}

}  // namespace

std::vector<Token> Tokenize(std::string_view text) {
  std::vector<Token> tokens;
  tokens.reserve(text.size() / 3 + 2);
  std::size_t at = 0;
  std::size_t end = 0;  // of the last token
  while (true) {
    at += RunLength(text, at, IsBlank);
    if (at == text.size()) break;
    tokens.push_back(ReadToken(text.substr(at)));
    at += tokens.back().text.size();
    end = at;
  }
  tokens.push_back({TokenKind::kEnd, text.substr(end, 0)});
  return tokens;
}

std::string SyntaxErrorReason(std::span<const Token> tokens, std::size_t at) {
  const Token& token = tokens[at];
  const Token& first = tokens[at == 0 ? 0 : at - 1];
  const Token& last = tokens[std::min(at + 1, tokens.size() - 1)];
  const std::string_view window(
      first.text.data(),
      static_cast<std::size_t>(last.text.data() + last.text.size() - first.text.data()));
  return fmt::format("Syntax error; token: \"{}\", near: \"{}\"",
                     token.kind == TokenKind::kEnd ? "<EOF>" : token.text, window);
}

}  // namespace stator
