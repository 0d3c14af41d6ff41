// Rules for the text of any expression, and the form of their errors.
#ifndef STATOR_EXPR_EXPRESSION_TEXT_H_
#define STATOR_EXPR_EXPRESSION_TEXT_H_

#include <cstddef>
#include <string_view>

#include "expr/placeholders.h"
#include "stator/result.h"

namespace stator {

inline constexpr std::size_t kMaxExpressionBytes = 4096;
inline constexpr std::size_t kMaxOperators = 300;
inline constexpr std::size_t kMaxInOperands = 100;
inline constexpr std::size_t kMaxPathElements = 32;

// "Invalid {X}Expression: {reason}"
std::unexpected<Error> ExpressionError(ExpressionKind kind, std::string_view reason);

// Not empty and not too long: what can be said before parsing.
Result<void> CheckExpressionText(std::string_view text, ExpressionKind kind);

}  // namespace stator

#endif  // STATOR_EXPR_EXPRESSION_TEXT_H_
