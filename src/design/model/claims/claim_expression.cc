#include "model/claims/claim_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "model/parse/text_cursor.h"

namespace stator::model {
namespace {

using Relation = ClaimCheck::Relation;
using NodePtr = std::unique_ptr<ClaimNode>;

constexpr double kAboutTolerance = 0.05;
constexpr double kExactTolerance = 1e-6;

constexpr std::array<std::pair<std::string_view, Relation>, 7> kRelations = {{
    {"==", Relation::kEqual},
    {"!=", Relation::kNotEqual},
    {"<=", Relation::kLessOrEqual},
    {">=", Relation::kGreaterOrEqual},
    {"~=", Relation::kAbout},
    {"<", Relation::kLess},
    {">", Relation::kGreater},
}};

bool IsWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// A recursive descent; a null pointer means that problem_ is set.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::expected<ClaimCheck, std::string> Run() {
    ClaimCheck check;
    check.left = Sum();
    if (check.left == nullptr) return std::unexpected(problem_);
    const std::optional<Relation> relation = TakeRelation();
    if (!relation) return std::unexpected(Expected("a comparison: == != < <= > >= ~="));
    check.relation = *relation;
    check.right = Sum();
    if (check.right == nullptr) return std::unexpected(problem_);
    SkipSpaces();
    if (!text_.empty()) return std::unexpected(Expected("the end"));
    return check;
  }

 private:
  NodePtr Sum() {
    NodePtr left = Product();
    while (left != nullptr) {
      if (Take('+')) {
        left = Join(ClaimNode::Kind::kAdd, std::move(left), Product());
      } else if (Take('-')) {
        left = Join(ClaimNode::Kind::kSubtract, std::move(left), Product());
      } else {
        break;
      }
    }
    return left;
  }

  NodePtr Product() {
    NodePtr left = Factor();
    while (left != nullptr) {
      if (Take('*')) {
        left = Join(ClaimNode::Kind::kMultiply, std::move(left), Factor());
      } else if (Take('/')) {
        left = Join(ClaimNode::Kind::kDivide, std::move(left), Factor());
      } else {
        break;
      }
    }
    return left;
  }

  // A chain makes the tree as deep as nesting does, and destroying or evaluating it recurses.
  NodePtr Join(ClaimNode::Kind kind, NodePtr left, NodePtr right) {
    if (right == nullptr) return nullptr;
    if (++joins_ > kMaxClaimDepth) return Fail("the expression is too long");
    auto node = std::make_unique<ClaimNode>();
    node->kind = kind;
    node->left = std::move(left);
    node->right = std::move(right);
    return node;
  }

  NodePtr Factor() {
    if (++depth_ > kMaxClaimDepth) return Fail("too deeply nested");
    NodePtr node = FactorInside();
    --depth_;
    return node;
  }

  NodePtr FactorInside() {
    SkipSpaces();
    if (Take('-')) return Join(ClaimNode::Kind::kSubtract, Number(0), Factor());
    if (Take('(')) {
      NodePtr inside = Sum();
      if (inside == nullptr) return nullptr;
      if (!Take(')')) return Fail(Expected("`)`"));
      return inside;
    }
    if (!text_.empty() && text_.front() == '$') text_.remove_prefix(1);
    if (text_.empty()) return Fail("the expression ends too early");
    if (IsDigit(text_.front()) || text_.front() == '.') return NumberLiteral();
    if (IsWordStart(text_.front())) return FigureLiteral();
    return Fail(Expected("a number or a figure"));
  }

  static NodePtr Number(double number) {
    auto node = std::make_unique<ClaimNode>();
    node->number = number;
    return node;
  }

  NodePtr NumberLiteral() {
    std::string digits;
    while (!text_.empty()) {
      const char c = text_.front();
      const bool sign = (c == '+' || c == '-') && !digits.empty() && digits.back() == 'e';
      if (!IsDigit(c) && c != '.' && c != '_' && c != 'e' && !sign) break;
      if (c != '_') digits += c;
      text_.remove_prefix(1);
    }
    double number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc() || stop != end) return Fail("`" + digits + "` is not a number");
    if (Take('%')) number /= 100;
    return Number(number);
  }

  NodePtr FigureLiteral() {
    auto node = std::make_unique<ClaimNode>();
    node->kind = ClaimNode::Kind::kFigure;
    node->figure.name = Word(false);
    if (!Take('(')) return node;
    do {
      SkipSpaces();
      std::string argument = Word(true);
      if (argument.empty()) return Fail(Expected("a name"));
      node->figure.arguments.push_back(std::move(argument));
    } while (Take(','));
    if (!Take(')')) return Fail(Expected("`)`"));
    return node;
  }

  // Names of indexes may hold dashes; outside of arguments a dash subtracts.
  std::string Word(bool is_argument) {
    std::size_t length = 0;
    while (length < text_.size()) {
      const char c = text_[length];
      const bool inside = IsWordStart(c) || IsDigit(c) || c == '.' || (is_argument && c == '-');
      if (!inside) break;
      ++length;
    }
    std::string word(text_.substr(0, length));
    text_.remove_prefix(length);
    return word;
  }

  std::optional<Relation> TakeRelation() {
    SkipSpaces();
    for (const auto& [sign, relation] : kRelations) {
      if (!text_.starts_with(sign)) continue;
      text_.remove_prefix(sign.size());
      return relation;
    }
    return std::nullopt;
  }

  bool Take(char c) {
    SkipSpaces();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  void SkipSpaces() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\t')) {
      text_.remove_prefix(1);
    }
  }

  std::string Expected(std::string_view what) const {
    if (text_.empty()) return fmt::format("expected {} at the end", what);
    return fmt::format("expected {} at `{}`", what, text_.substr(0, 20));
  }

  NodePtr Fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return nullptr;
  }

  std::string_view text_;
  int depth_ = 0;
  int joins_ = 0;
  std::string problem_;
};

}  // namespace

std::expected<ClaimCheck, std::string> ParseClaim(std::string_view text) {
  if (text.size() > kMaxClaimBytes) return std::unexpected("the expression is too long");
  return Parser(text).Run();
}

std::expected<double, std::string> Evaluate(const ClaimNode& node, const FigureValue& value) {
  if (node.kind == ClaimNode::Kind::kNumber) return node.number;
  if (node.kind == ClaimNode::Kind::kFigure) return value(node.figure);
  const auto left = Evaluate(*node.left, value);
  if (!left) return left;
  const auto right = Evaluate(*node.right, value);
  if (!right) return right;
  switch (node.kind) {
    case ClaimNode::Kind::kAdd:
      return *left + *right;
    case ClaimNode::Kind::kSubtract:
      return *left - *right;
    case ClaimNode::Kind::kMultiply:
      return *left * *right;
    default:
      if (*right == 0) return std::unexpected("divides by zero");
      return *left / *right;
  }
}

bool Holds(Relation relation, double left, double right) {
  const double scale = std::max(std::abs(left), std::abs(right));
  const double apart = std::abs(left - right);
  const bool equal = apart <= kExactTolerance * scale;
  switch (relation) {
    case Relation::kEqual:
      return equal;
    case Relation::kNotEqual:
      return !equal;
    case Relation::kLess:
      return left < right && !equal;
    case Relation::kLessOrEqual:
      return left <= right || equal;
    case Relation::kGreater:
      return left > right && !equal;
    case Relation::kGreaterOrEqual:
      return left >= right || equal;
    case Relation::kAbout:
      return apart <= kAboutTolerance * scale;
  }
  return false;
}

bool HasFigure(const ClaimNode& node, const std::function<bool(const Figure&)>& wanted) {
  if (node.kind == ClaimNode::Kind::kFigure) return wanted(node.figure);
  return (node.left != nullptr && HasFigure(*node.left, wanted)) ||
         (node.right != nullptr && HasFigure(*node.right, wanted));
}

bool HasFigure(const ClaimNode& node) {
  return HasFigure(node, [](const Figure&) { return true; });
}

}  // namespace stator::model
