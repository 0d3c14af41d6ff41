#include "expr/expression_text.h"

#include <fmt/format.h>

namespace stator {

std::unexpected<Error> ExpressionError(ExpressionKind kind, std::string_view reason) {
  return std::unexpected(
      Error::Validation(fmt::format("Invalid {}: {}", ExpressionName(kind), reason)));
}

Result<void> CheckExpressionText(std::string_view text, ExpressionKind kind) {
  if (text.empty()) return ExpressionError(kind, "The expression can not be empty;");
  if (text.size() <= kMaxExpressionBytes) return {};
  const bool tells_size = kind == ExpressionKind::kFilter || kind == ExpressionKind::kCondition;
  return ExpressionError(
      kind, fmt::format("Expression size has exceeded the maximum allowed size;{}",
                        tells_size ? fmt::format(" expression size: {}", text.size()) : ""));
}

}  // namespace stator
