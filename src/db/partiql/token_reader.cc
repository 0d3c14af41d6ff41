#include "partiql/token_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

// How the messages call a symbol.
std::string_view SymbolName(std::string_view symbol) {
  if (symbol == ")") return "RIGHT_PAREN";
  if (symbol == "]") return "RIGHT_BRACKET";
  if (symbol == "}") return "RIGHT_CURLY";
  if (symbol == ">>") return "RIGHT_DOUBLE_ANGLE_BRACKET";
  return "COLON";
}

}  // namespace

Result<void> TokenReader::Expect(std::string_view symbol) {
  if (TakeSymbol(symbol)) return {};
  return Malformed(fmt::format("Expected {}", SymbolName(symbol)));
}

std::size_t TokenReader::CountParameters() const {
  return static_cast<std::size_t>(std::ranges::count(tokens_, TokenKind::kParameter, &Token::kind));
}

}  // namespace stator::partiql
