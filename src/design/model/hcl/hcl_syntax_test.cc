#include "model/hcl/hcl_syntax.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace stator::model {
namespace hcl_syntax_test {

std::string ErrorOf(std::string_view text) {
  const std::optional<HclError> error = CheckHcl(text);
  return error ? std::to_string(error->line) + ": " + error->message : "";
}

TEST(HclSyntax, TakesWhatTerraformTakes) {
  for (const std::string_view text : {
           "",
           "# nothing\n",
           "a = 1",
           "a = -1.5e3\nb = true\n",
           "ttl {\n  attribute_name = \"TTL\"\n  enabled = true\n}\n",
           "attribute { name = \"FileID\" }\n",
           "lifecycle {}\n",
           "resource \"aws_dynamodb_table\" \"jobs\" {\n  name = \"x\"\n}\n",
           "enabled = var.environment == \"prod\"",
           "a = c ? [1, 2,] : []",
           "a = {\n  b = 1\n  c : 2, d = 3\n}",
           "a = [for k, v in m : upper(k) if v != null]",
           "a = {for k in s : k => k...}",
           "a = \"x-${var.a[0].b}-$${c}\"",
           "a = \"%{ if b }x%{ else }y%{ endif }\"",
           "a = <<EOF\nany \"text ${\nEOF\n",
           "a = <<-EOF\n  text\n  EOF\n",
           "a = f(\n  1,\n  2...\n)",
           "a = b.*.c\nd = b[*].c\ne = b.0",
           "a = provider::aws::arn_parse(x)",
           "/* many\nlines */ a = 1 // end\n",
           "a = (1 + 2) * -3 >= 4 && !b",
           "a = 1\r\nb = 2\r\n",
       }) {
    EXPECT_EQ(ErrorOf(text), "") << text;
  }
}

TEST(HclSyntax, SaysWhereAndWhatIsWrong) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"\nattribute { name = \"FileID\"; type = \"S\" }",
       "2: a block on one line may hold one argument only; `;` is not HCL"},
      {"attribute { name = \"a\", type = \"S\" }",
       "1: a block on one line may hold one argument only; `;` is not HCL"},
      {"a = 1; b = 2", "1: one argument on a line; `;` is not HCL"},
      {"a = 1 b = 2", "1: an argument ends its line; `b` stands behind it"},
      {"a {\n  b = 1\n", "3: a block without its `}`"},
      {"a = [1 2]", "1: `,` or `]` is missing before `2`"},
      {"a = \"x\nb = 2", "1: a string without its closing quotation mark"},
      {"a = \"\\q\"", "1: an escape that HCL does not have"},
      {"a =\nb = 1", "1: an expression is missing before the end of the line"},
      {"}", "1: a `}` without its block"},
      {"\"a\" = 1", "1: an argument or a block begins with a name, not with `\"`"},
      {"a {\n b {\n } c = 1\n}", "3: a block ends its line; `c` stands behind it"},
      {"a = <<EOF\nx\n", "3: a heredoc without its end marker"},
      {"a = b ? c", "1: `?` without its `:`"},
      {"a { b { c = 1 } }", "1: a block on one line may hold one argument, and no other block"},
      {"/* a", "1: a comment without its */"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(ErrorOf(text), error) << text;
}

TEST(HclSyntax, BoundsHowDeepItLooks) {
  EXPECT_NE(ErrorOf("a = " + std::string(100'000, '(')), "");
  EXPECT_NE(ErrorOf("a = " + std::string(100'000, '[')), "");
  std::string strings = "a = ";
  for (int i = 0; i < 50'000; ++i) strings += "\"${";
  EXPECT_NE(ErrorOf(strings), "");
  std::string blocks;
  for (int i = 0; i < 50'000; ++i) blocks += "a {\n";
  EXPECT_NE(ErrorOf(blocks), "");
}

RC_GTEST_PROP(HclSyntax, AnyTextGetsAnAnswer, (const std::vector<int>& picks)) {
  static constexpr std::string_view kPieces[] = {"a", " = ", "\n",    "{",    "}", "[",
                                                 "]", "\"",  "${",    "%{",   "(", ")",
                                                 ";", ",",   "<<E\n", "for ", "."};
  std::string text;
  for (const int pick : picks) {
    text += kPieces[static_cast<std::size_t>(std::abs(pick % 17))];
  }
  const std::optional<HclError> error = CheckHcl(text);
  RC_ASSERT(!error || !error->message.empty());
}

}  // namespace hcl_syntax_test
}  // namespace stator::model
