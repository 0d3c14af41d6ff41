// Statements that are not well formed, and what is said of them.
#include <gtest/gtest.h>

#include <string>

#include "partiql/parser.h"

namespace stator::partiql {
namespace parser_errors_test {

struct Case {
  std::string_view text;
  std::string_view detail;
};

constexpr std::string_view kLeftOver = "Unexpected token after expression";
constexpr std::string_view kNoRight = "Missing right-hand side expression of infix operator";

constexpr Case kCases[] = {
    {"", "Unexpected term"},
    {"SELECT * FROM t WHERE pk = 1 foo", kLeftOver},
    {"SELECT * FROM t WHERE pk = 1 e5", kLeftOver},
    {"INSERT INTO t VALUE {'pk': 1} foo", kLeftOver},
    {"UPDATE t SET a = 9 WHERE pk = 1 foo", kLeftOver},
    {"DELETE FROM t WHERE pk = 1 foo", kLeftOver},
    {"SELECT * FROM t WHERE pk = 1)", kLeftOver},
    {"DELETE FROM t WHERE pk = 1 ORDER BY pk", kLeftOver},
    {"SELECT * FROM t ORDER BY pk WHERE pk = 1", kLeftOver},
    {"INSERT INTO t u VALUE {'pk': 'x'}", kLeftOver},
    {"INSERT INTO t (a, b) VALUES (1, 2)", kLeftOver},
    {"FROM t SET c = 1 WHERE pk = 'x'", kLeftOver},
    {"FROM t SET c = 1 WHERE pk = 'x' SET d = 2", kLeftOver},
    {"UPDATE t REMOVE a, b WHERE pk = 1", kLeftOver},
    {"SELECT * FROM t; SELECT * FROM t",
     "Unexpected token after semicolon. (Only one query is allowed.)"},
    {"SELECT * FROM t WHERE", "Unexpected term"},
    {"SELECT * FROM t WHERE;", "Unexpected term"},
    {"SELECT pk FROM t WHERE   ", "Unexpected term"},
    {"UPDATE t SET a = 1 WHERE", "Unexpected term"},
    {"DELETE FROM t WHERE", "Unexpected term"},
    {"SELECT * FROM t WHERE NOT", "Unexpected term"},
    {"SELECT * FROM t WHERE (", "Unexpected term"},
    {"SELECT * FROM", "Unexpected term"},
    {"SELECT * FROM t WHERE pk IN ()", "Unexpected term"},
    {"SELECT * FROM t WHERE pk = 'p1' AND", kNoRight},
    {"SELECT * FROM t WHERE pk = 'p1' OR", kNoRight},
    {"SELECT * FROM t WHERE pk =", kNoRight},
    {"SELECT * FROM t WHERE pk = 'p1' AND;", "Unexpected term"},
    {"SELECT * FROM t WHERE ORDER BY pk", "Unexpected keyword"},
    {"INSERT INTO urls (key, secret_key) VALUES (?, ?)", "Unexpected keyword"},
    {"SELECT user FROM t", "Unexpected keyword"},
    {"SELECT * FROM t WHERE user = 1", "Unexpected keyword"},
    {"SELECT * FROM t WHERE pk = 'a' AND x IS FOO", "Expected type name"},
    {"SELECT * FROM t WHERE IS NULL", "Unexpected operator"},
    {"SELECT * FROM t WHERE pk = LIKE", "Unexpected operator"},
    {"DELETE FROM", "Expected identifier for simple path"},
    {"DELETE FROM;", "Expected identifier for simple path"},
    {"DELETE FROM WHERE pk = 'a'", "Expected identifier for simple path"},
    {"UPDATE t SET value = 1 WHERE pk = 1", "Expected identifier for simple path"},
    {"DELETE t WHERE pk = 1", "Expected FROM after DELETE"},
    {"SELECT a WHERE pk = 1", "Expected FROM after SELECT list"},
    {"UPDATE t WHERE pk = 1", "Expected data manipulation"},
    {"UPDATE Payment-x SET active=? WHERE id=?", "Expected data manipulation"},
    {"SELEC * FROM t", "Expected data manipulation"},
    {"FROM t WHERE pk = 1", "Expected data manipulation"},
    {"UPDATE t SET a 1", "Expected '='"},
    {"SELECT * FROM t WHERE attribute_exists(m.inner)", "Invalid path dot component"},
    {"UPDATE t SET m.inner = set_add(m.inner, <<'y'>>)", "Invalid path dot component"},
    {"SELECT m.pad FROM t", "Invalid path dot component"},
    {"SELECT * FROM t WHERE (a = 1", "Expected RIGHT_PAREN"},
    {"SELECT l[0 FROM t", "Expected RIGHT_BRACKET"},
    {"INSERT INTO t VALUE {'a': 1", "Expected RIGHT_CURLY"},
    {"INSERT INTO t VALUE {'a' 1}", "Expected COLON"},
    {"SELECT * FROM t WHERE a = <<1", "Expected RIGHT_DOUBLE_ANGLE_BRACKET"},
    {"SELECT * FROM t WHERE a BETWEEN 1", "Expected AND keyword"},
    {"SELECT * FROM t WHERE a BETWEEN 1 AND", "Expected expression after AND"},
    {"SELECT *, a FROM t",
     "Other expressions may not be present in the select list when '*' is used without dot "
     "notation."},
    {"UPDATE t SET a = 1 WHERE pk = 1 RETURNING NEW *",
     "Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element."},
    {"SELECT * FROM t AS WHERE a = 1", "Expected identifier for AS-alias"},
    {"SELECT * FROM t WHERE a = (UPDATE t SET a = 1)",
     "Keyword update only expected at the top level in the query"},
    {"SELECT * FROM t WHERE pk = 1 # note", ""},
    {"SELECT * FROM t WHERE pk = 1e99999999999", ""},
};

TEST(PartiqlParser, TellsWhatIsNotWellFormed) {
  for (const Case& test : kCases) {
    const Result<ParsedText> parsed = Parse(test.text);
    ASSERT_FALSE(parsed) << test.text;
    EXPECT_EQ(parsed.error().message(),
              "Statement wasn't well formed, can't be processed: " + std::string(test.detail))
        << test.text;
  }
}

TEST(PartiqlParser, NestingIsBounded) {
  for (const auto& [open, close] : std::initializer_list<std::pair<std::string, std::string>>{
           {"(", ")"},
           {"[", "]"},
           {"NOT ", ""},
           {"- ", ""},
           {"{'a':", "}"},
           {"a[", "]"},
           {"f(", ")"},
           {"(SELECT a FROM t WHERE ", ")"}}) {
    std::string text = "SELECT * FROM t WHERE ";
    for (int i = 0; i < 4000; ++i) text += open;
    text += "a";
    for (int i = 0; i < 4000; ++i) text += close;
    EXPECT_FALSE(Parse(text)) << open;
  }
  std::string chain = "SELECT * FROM t WHERE a";
  for (int i = 0; i < 4000; ++i) chain += " = a";
  EXPECT_FALSE(Parse(chain));
}

TEST(PartiqlParser, LongChainsOfAndAndOrAreFlat) {
  std::string text = "SELECT * FROM t WHERE a = 1";
  for (int i = 0; i < 1000; ++i) text += " AND a = 1";
  const Result<ParsedText> parsed = Parse(text);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->root.statement->where->children.size(), 1001U);
}

}  // namespace parser_errors_test
}  // namespace stator::partiql
