// Whether a text is well-formed HCL, Terraform's language. What blocks and names mean is not
// checked.
//
//   body       := (attribute | block)*                        each on lines of its own
//   attribute  := identifier '=' expression newline
//   block      := identifier (identifier | string)* '{' newline body '}' newline
//               | identifier (identifier | string)* '{' (identifier '=' expression)? '}' newline
//
// Expressions as in hcl_expression.h. Newlines are allowed inside parentheses, brackets and braces.
#ifndef STATOR_MODEL_HCL_HCL_SYNTAX_H_
#define STATOR_MODEL_HCL_HCL_SYNTAX_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stator::model {

struct HclError {
  std::uint32_t line = 0;  // from 1
  std::string message;
};

// The first error, or nothing when the text is well formed.
std::optional<HclError> CheckHcl(std::string_view text);

}  // namespace stator::model

#endif  // STATOR_MODEL_HCL_HCL_SYNTAX_H_
