// From written names and placeholders to paths and values; checks that every grammar shares.
#ifndef STATOR_EXPR_BINDING_H_
#define STATOR_EXPR_BINDING_H_

#include "expr/path.h"
#include "expr/placeholders.h"
#include "expr/syntax.h"
#include "stator/result.h"

namespace stator {

// "Attribute name is a reserved keyword; …" for the first one in written order.
Result<void> CheckReservedWords(const SyntaxTree& tree, ExpressionKind kind);

// "The expression contains too many operators; …": functions count, and so does every operator.
Result<void> CheckOperatorCount(const SyntaxTree& tree, ExpressionKind kind);

// REQUIRES: node.kind == kPath. Undefined names, list indexes out of range, too many elements.
// `path` is empty before.
Result<void> BindPath(const SyntaxNode& node, ExpressionKind kind, Placeholders& placeholders,
                      Path& path);

// REQUIRES: node.kind == kValue. The value lives as long as the request's map.
Result<const AttributeValue*> BindValue(const SyntaxNode& node, ExpressionKind kind,
                                        Placeholders& placeholders);

// "Incorrect number of operands for operator or function; …"
std::unexpected<Error> OperandCountError(ExpressionKind kind, const SyntaxNode& node);
// "Incorrect operand type for operator or function; operator or function: …"
std::unexpected<Error> OperandTypeError(ExpressionKind kind, std::string_view operation,
                                        std::string_view type);
// "Operator or function requires a document path; …"
std::unexpected<Error> PathRequiredError(ExpressionKind kind, std::string_view function);

}  // namespace stator

#endif  // STATOR_EXPR_BINDING_H_
