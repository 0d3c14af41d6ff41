// The expressions of claims: `wcu.day(claim, finish) ~= 33`.
//
//   check   := sum ('==' | '!=' | '<' | '<=' | '>' | '>=' | '~=') sum
//   sum     := product (('+' | '-') product)*
//   product := factor (('*' | '/') factor)*
//   factor  := '-' factor | '(' sum ')' | '$'? number '%'? | figure
//   figure  := word ('.' word)* ('(' argument (',' argument)* ')')?
//   argument := number | word ('.' word)*       words may hold '-' inside arguments
#ifndef STATOR_MODEL_CLAIMS_CLAIM_EXPRESSION_H_
#define STATOR_MODEL_CLAIMS_CLAIM_EXPRESSION_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace stator::model {

struct Figure {
  std::string name;                    // "wcu.day"
  std::vector<std::string> arguments;  // as written
};

struct ClaimNode {
  enum class Kind : std::uint8_t { kNumber, kFigure, kAdd, kSubtract, kMultiply, kDivide };
  Kind kind = Kind::kNumber;
  double number = 0;
  Figure figure;
  std::unique_ptr<ClaimNode> left;
  std::unique_ptr<ClaimNode> right;
};

struct ClaimCheck {
  enum class Relation : std::uint8_t {
    kEqual,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kAbout,
  };
  Relation relation = Relation::kEqual;
  std::unique_ptr<ClaimNode> left;
  std::unique_ptr<ClaimNode> right;
};

inline constexpr std::size_t kMaxClaimBytes = 4096;
inline constexpr int kMaxClaimDepth = 64;

// Fails with a message for people.
std::expected<ClaimCheck, std::string> ParseClaim(std::string_view text);

// The value of a figure; fails with a message for people.
using FigureValue = std::function<std::expected<double, std::string>(const Figure&)>;

std::expected<double, std::string> Evaluate(const ClaimNode& node, const FigureValue& value);
// `~=` allows 5 %; `==` allows rounding errors of floating point.
bool Holds(ClaimCheck::Relation relation, double left, double right);
bool HasFigure(const ClaimNode& node);
bool HasFigure(const ClaimNode& node, const std::function<bool(const Figure&)>& wanted);

}  // namespace stator::model

#endif  // STATOR_MODEL_CLAIMS_CLAIM_EXPRESSION_H_
