#include "expr/binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/try.h"

namespace stator {
namespace {

constexpr std::size_t kMaxExpressionBytes = 4096;
constexpr std::size_t kMaxOperators = 300;
constexpr std::size_t kMaxIndexDigits = 10;

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
  std::uint64_t index = kMaxListIndex + 1;
  if (digits.size() <= kMaxIndexDigits) {
    std::from_chars(digits.data(), digits.data() + digits.size(), index);
  }
  if (index > kMaxListIndex) return ExpressionError(kind, ListIndexOutOfRange(digits));
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

std::unexpected<Error> ExpressionError(ExpressionKind kind, std::string_view reason) {
  return std::unexpected(
      Error::Validation(fmt::format("Invalid {}: {}", ExpressionName(kind), reason)));
}

Result<void> RefuseFor(ExpressionKind kind, const std::optional<std::string>& problem) {
  if (problem) return ExpressionError(kind, *problem);
  return {};
}

Result<void> CheckExpressionText(std::string_view text, ExpressionKind kind) {
  if (text.empty()) return ExpressionError(kind, "The expression can not be empty;");
  if (text.size() <= kMaxExpressionBytes) return {};
  const bool tells_size = kind == ExpressionKind::kFilter || kind == ExpressionKind::kCondition;
  return ExpressionError(
      kind, fmt::format("Expression size has exceeded the maximum allowed size;{}",
                        tells_size ? fmt::format(" expression size: {}", text.size()) : ""));
}

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
  // DynamoDB stops counting at the first operator too many.
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
  return RefuseFor(kind, PathLengthProblem(path));
}

Result<const AttributeValue*> BindValue(const SyntaxNode& node, ExpressionKind kind,
                                        Placeholders& placeholders) {
  if (const AttributeValue* value = placeholders.UseValue(node.text)) return value;
  return ExpressionError(
      kind, fmt::format("An expression attribute value used in expression is not defined; "
                        "attribute value: {}",
                        node.text));
}

}  // namespace stator
