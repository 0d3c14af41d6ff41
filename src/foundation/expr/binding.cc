#include "expr/binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/try.h"
#include "expr/expression_text.h"
#include "expr/reserved_words.h"

namespace stator {
namespace {

constexpr std::size_t kMaxIndexDigits = 10;
constexpr std::uint64_t kMaxIndex = std::numeric_limits<std::int32_t>::max();

std::size_t OperatorCount(const SyntaxNode& node) {
  switch (node.kind) {
    case SyntaxKind::kPath:
    case SyntaxKind::kValue:
      return 0;
    case SyntaxKind::kAnd:
    case SyntaxKind::kOr:
      return node.children.size() - 1;
    default:
      return 1;
  }
}

Result<std::uint32_t> BindIndex(std::string_view digits, ExpressionKind kind) {
  std::uint64_t index = kMaxIndex + 1;
  if (digits.size() <= kMaxIndexDigits) {
    std::from_chars(digits.data(), digits.data() + digits.size(), index);
  }
  if (index > kMaxIndex) {
    return ExpressionError(
        kind, fmt::format("List index is not within the allowable range; index: [{}]", digits));
  }
  return static_cast<std::uint32_t>(index);
}

Result<void> BindStep(const Token& step, ExpressionKind kind, Placeholders& placeholders,
                      PathElement& element) {
  if (step.kind == TokenKind::kIdentifier) {
    element.name = step.text;
  } else if (step.kind == TokenKind::kDigits) {
    element.is_index = true;
    ASSIGN_OR_RETURN(element.index, BindIndex(step.text, kind));
  } else if (const std::string* name = placeholders.UseName(step.text)) {
    element.name = *name;
  } else {
    return ExpressionError(
        kind, fmt::format("An expression attribute name used in the document path is not defined; "
                          "attribute name: {}",
                          step.text));
  }
  return {};
}

}  // namespace

Result<void> CheckReservedWords(const SyntaxTree& tree, ExpressionKind kind) {
  for (const SyntaxNode& node : tree.nodes) {
    for (const Token& step : node.tokens) {
      if (step.kind == TokenKind::kIdentifier && IsReservedWord(step.text)) {
        return ExpressionError(
            kind,
            fmt::format("Attribute name is a reserved keyword; reserved keyword: {}", step.text));
      }
    }
  }
  return {};
}

Result<void> CheckOperatorCount(const SyntaxTree& tree, ExpressionKind kind) {
  std::size_t count = 0;
  for (const SyntaxNode& node : tree.nodes) count += OperatorCount(node);
  if (count <= kMaxOperators) return {};
  // DynamoDB stops counting at the first one too many.
  return ExpressionError(
      kind, fmt::format("The expression contains too many operators; operator count: {}",
                        kMaxOperators + 1));
}

Result<void> BindPath(const SyntaxNode& node, ExpressionKind kind, Placeholders& placeholders,
                      Path& path) {
  for (const Token& step : node.tokens) {
    if (step.kind == TokenKind::kSymbol) continue;
    RETURN_IF_ERROR(BindStep(step, kind, placeholders, path.emplace_back()));
  }
  if (path.size() > kMaxPathElements) {
    return ExpressionError(
        kind, fmt::format("The document path has too many nesting levels; nesting levels: {}",
                          path.size()));
  }
  return {};
}

Result<const AttributeValue*> BindValue(const SyntaxNode& node, ExpressionKind kind,
                                        Placeholders& placeholders) {
  if (const AttributeValue* value = placeholders.UseValue(node.text)) return value;
  return ExpressionError(
      kind, fmt::format("An expression attribute value used in expression is not defined; "
                        "attribute value: {}",
                        node.text));
}

std::unexpected<Error> OperandCountError(ExpressionKind kind, const SyntaxNode& node) {
  return ExpressionError(
      kind, fmt::format("Incorrect number of operands for operator or function; operator or "
                        "function: {}, number of operands: {}",
                        node.text, node.children.size()));
}

std::unexpected<Error> OperandTypeError(ExpressionKind kind, std::string_view operation,
                                        std::string_view type) {
  return ExpressionError(kind,
                         fmt::format("Incorrect operand type for operator or function; operator or "
                                     "function: {}, operand type: {}",
                                     operation, type));
}

std::unexpected<Error> PathRequiredError(ExpressionKind kind, std::string_view function) {
  return ExpressionError(
      kind, fmt::format("Operator or function requires a document path; operator or function: {}",
                        function));
}

}  // namespace stator
