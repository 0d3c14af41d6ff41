// Rules and errors that every grammar shares, and the step from written names and placeholders to
// paths and values.
#ifndef STATOR_EXPR_BINDING_H_
#define STATOR_EXPR_BINDING_H_

#include <optional>
#include <string>
#include <string_view>

#include "expr/path.h"
#include "expr/placeholders.h"
#include "expr/syntax.h"
#include "stator/result.h"

namespace stator {

// "Invalid {X}Expression: {reason}"
std::unexpected<Error> ExpressionError(ExpressionKind kind, std::string_view reason);
// That error if there is a problem.
Result<void> RefuseFor(ExpressionKind kind, const std::optional<std::string>& problem);

// Not empty and not too long: what can be said before parsing.
Result<void> CheckExpressionText(std::string_view text, ExpressionKind kind);

// "Attribute name is a reserved keyword; …" for the first one in written order.
Result<void> CheckReservedWords(const SyntaxTree& tree, ExpressionKind kind);

// "The expression contains too many operators; …". Functions count as operators.
Result<void> CheckOperatorCount(const SyntaxTree& tree, ExpressionKind kind);

// Errors: undefined names, list indexes out of range, too many elements.
// REQUIRES: node.kind == kPath, and `path` is empty.
Result<void> BindPath(const SyntaxNode& node, ExpressionKind kind, Placeholders& placeholders,
                      Path& path);

// REQUIRES: node.kind == kValue. The value lives as long as the request's map.
Result<const AttributeValue*> BindValue(const SyntaxNode& node, ExpressionKind kind,
                                        Placeholders& placeholders);

}  // namespace stator

#endif  // STATOR_EXPR_BINDING_H_
