// Statements that are well formed and refused all the same, before any table is looked at.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "partiql/statement.h"
#include "value/value_problem.h"

namespace stator::partiql {
namespace statement_errors_test {

std::string Refusal(std::string_view text, const std::vector<AttributeValue>& parameters = {}) {
  const Result<Statement> statement = ParseStatement(text, parameters);
  return statement ? "" : statement.error().message();
}

struct Case {
  std::string_view text;
  std::string_view message;
};

void Check(std::initializer_list<Case> cases) {
  for (const Case& test : cases) EXPECT_EQ(Refusal(test.text), test.message) << test.text;
}

constexpr std::string_view kOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
constexpr std::string_view kUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
constexpr std::string_view kDigits =
    "Attempting to store more than 38 significant digits in a Number";

TEST(PartiqlErrors, Aliases) {
  for (const std::string_view text :
       {"SELECT * FROM t u WHERE pk = 'x'", "SELECT * FROM t AS u WHERE pk = 'x'",
        "UPDATE t u SET a = 3 WHERE pk = 'x'", "DELETE FROM t u WHERE pk = 'x'",
        "SELECT s AS x FROM t", "SELECT s x FROM t"}) {
    EXPECT_EQ(Refusal(text), "Aliasing is not supported") << text;
  }
}

TEST(PartiqlErrors, NumbersTellWhereTheyStand) {
  const auto under = [](std::string_view problem, std::string_view where) {
    return fmt::format("{} under {}", problem, where);
  };
  EXPECT_EQ(Refusal("SELECT * FROM t WHERE pk = 1e126"), under(kOverflow, "root"));
  EXPECT_EQ(Refusal("SELECT * FROM t WHERE pk = 1e-131"), under(kUnderflow, "root"));
  EXPECT_EQ(Refusal("SELECT * FROM t WHERE pk = 123456789012345678901234567890123456789"),
            under(kDigits, "root"));
  EXPECT_EQ(Refusal("INSERT INTO t VALUE {'pk': 1e126}"), under(kOverflow, "root"));
  EXPECT_EQ(Refusal("UPDATE t SET a = 1e-131 WHERE pk = 1"), under(kUnderflow, "root"));
  EXPECT_EQ(Refusal("INSERT INTO t VALUE {'pk': 1, 'm': {'x': 1e126}}"),
            under(kOverflow, "root.x"));
  EXPECT_EQ(Refusal("INSERT INTO t VALUE {'pk': 1, 'l': [1, 1e126]}"), under(kOverflow, "root[1]"));
}

TEST(PartiqlErrors, Bags) {
  Check({
      {"UPDATE t SET s = <<>>", "Empty bags are not supported"},
      {"UPDATE t SET s = <<1, 'a'>>",
       "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"},
      {"UPDATE t SET s = <<[1]>>",
       "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"},
      {"UPDATE t SET s = <<'b', 'b'>>",
       "One or more parameter values were invalid: Input collection [b, b] contains duplicates."},
      {"UPDATE t SET s = <<2, 2.0>>",
       "One or more parameter values were invalid: Input collection [2, 2.0] contains duplicates! "
       "under root"},
      {"INSERT INTO t VALUE {'x': [<<'a', 'a'>>]}",
       "One or more parameter values were invalid: Input collection [a, a] contains duplicates."},
  });
}

TEST(PartiqlErrors, LiteralsThatNestTooDeep) {
  const auto nested = [](int levels, std::string_view open, std::string_view close) {
    std::string text = "UPDATE t SET d = ";
    for (int i = 0; i < levels; ++i) text += open;
    text += '1';
    for (int i = 0; i < levels; ++i) text += close;
    return text;
  };
  const auto path = [](int levels, std::string_view step) {
    std::string text = "Nesting Levels have exceeded supported limits under root";
    for (int i = 0; i < levels; ++i) text += step;
    return text;
  };
  EXPECT_EQ(Refusal(nested(32, "{'a':", "}")), path(32, ".a"));
  EXPECT_EQ(Refusal(nested(32, "[", "]")), path(32, "[0]"));
  EXPECT_EQ(Refusal(nested(100, "[", "]")), path(32, "[0]"));
  EXPECT_EQ(Refusal(nested(31, "{'a':", "}")), "");
}

TEST(PartiqlErrors, ParametersInsideOfLiterals) {
  const std::vector<AttributeValue> one = {"v"};
  EXPECT_EQ(Refusal("UPDATE t SET x = [?]", one),
            "Unsupported data type: Parameter under key root[0] at 1:19:1");
  EXPECT_EQ(Refusal("INSERT INTO t VALUE {'m':{'k':?}}", one),
            "Unsupported data type: Parameter under key root.k at 1:31:1");
  EXPECT_EQ(Refusal("INSERT INTO t VALUE {'m':?}", one), "");
  EXPECT_EQ(Refusal("SELECT * FROM t WHERE a IN [?, 2]", one), "");
}

TEST(PartiqlErrors, ThingsThatAreNoValues) {
  Check({
      {"INSERT INTO t VALUE {'ss': set_add(<<'a'>>, <<'b'>>)}",
       "Unsupported data type: set_add under key root at 1:28:7"},
      {"INSERT INTO t VALUE {'a': MISSING}",
       "Unsupported data type: Missing under key root at 1:27:7"},
      {"INSERT INTO t VALUE {'a': b}", "Unsupported data type: Id under key root at 1:27:1"},
      {"INSERT INTO t VALUE 1", "Unsupported data type: Lit under key root at 1:21:1"},
      {"INSERT INTO t VALUE {'a': 1, 'a': 2}", "A tuple has two values for the name a"},
  });
}

TEST(PartiqlErrors, Parameters) {
  const std::vector<AttributeValue> bad = {
      AttributeValue::WithProblem({.kind = ValueProblem::Kind::kNullFalse})};
  EXPECT_EQ(Refusal("UPDATE t SET WHERE", bad),
            "One or more parameter values were invalid: Null attribute value types must have the "
            "value of true");
  EXPECT_EQ(Refusal("SELECT * FROM t WHERE pk = ?"),
            "Number of parameters in request and statement don't match.");
  EXPECT_EQ(Refusal("SELECT * FROM t WHERE pk = ?", {"a", "b"}), "");
  EXPECT_EQ(
      Refusal("SELECT * FROM t WHERE pk = ? AND"),
      "Statement wasn't well formed, can't be processed: Missing right-hand side expression of "
      "infix operator");
}

TEST(PartiqlErrors, Sources) {
  Check({
      {"SELECT * FROM a.b.c", "A path may contain at most 2 components in the FROM clause"},
      {"SELECT * FROM \"\"", "Path component cannot be an empty string"},
      {"SELECT * FROM t.\"\"", "Path component cannot be an empty string"},
      {"INSERT INTO t.i VALUE {'pk': 1}",
       "FROM clause may only contain a single table name in data manipulation statements at "
       "1:13:1"},
      {"UPDATE t.i SET a = 1 WHERE pk = 1", "This operation is not supported on an index"},
      {"DELETE FROM t.i WHERE pk = 1", "This operation is not supported on an index"},
      {"SELECT * FROM 1", "Unexpected path component at 1:15:1"},
  });
}

TEST(PartiqlErrors, Columns) {
  Check({
      {"SELECT COUNT(*) FROM t", "Unexpected path component at 1:8:5"},
      {"SELECT attribute_exists(ss) FROM t", "Unexpected path component at 1:8:16"},
      {"SELECT 1 FROM t", "Unexpected path component at 1:8:1"},
      {"SELECT l[-1] FROM t",
       "List index is not within the allowable range; index: [-1] at 1:11:1"},
      {"SELECT l[2147483648] FROM t",
       "List index is not within the allowable range; index: [2147483648] at 1:10:10"},
      {"SELECT l[2147483647], m[-0] FROM t", ""},
      {"SELECT s, s FROM t", "Duplicate identifiers in select clause: s"},
      {"SELECT a.k, b.k FROM t", "Duplicate identifiers in select clause: k"},
      {"SELECT a, a.k FROM t", ""},
      {"SELECT id FROM t LIMIT 5", "Unsupported clause: LIMIT at 1:24:1"},
  });
}

TEST(PartiqlErrors, FunctionsOfConditions) {
  Check({
      {"SELECT * FROM t WHERE attribute_exists('ss')",
       "Operator or function requires a document path; operator or function: attribute_exists"},
      {"SELECT * FROM t WHERE attribute_exists()",
       "Incorrect number of operands for operator or function; operator or function: "
       "attribute_exists, number of operands: 0"},
      {"SELECT * FROM t WHERE ATTRIBUTE_EXISTS(ss, ns)",
       "Incorrect number of operands for operator or function; operator or function: "
       "attribute_exists, number of operands: 2"},
      {"SELECT * FROM t WHERE EXISTS(ss)", "Unrecognized function: exists at 1:23:6"},
      {"SELECT * FROM t WHERE set_add(ss, <<'x'>>) = ss",
       "Unrecognized function: set_add at 1:23:7"},
      {"SELECT * FROM t WHERE attribute_type(l, 1)",
       "Incorrect operand type for operator or function; operator or function: attribute_type, "
       "operand type: N"},
      {"SELECT * FROM t WHERE attribute_type(l, true)",
       "Incorrect operand type for operator or function; operator or function: attribute_type, "
       "operand type: BOOL"},
      {"SELECT * FROM t WHERE attribute_type(l, 'X')",
       "Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"},
      {"SELECT * FROM t WHERE begins_with(a, 1)",
       "Incorrect operand type for operator or function; operator or function: begins_with, "
       "operand "
       "type: N"},
      {"SELECT * FROM t WHERE size(1) = 1",
       "Incorrect operand type for operator or function; operator or function: size, operand type: "
       "N"},
      {"SELECT * FROM t WHERE size(a)",
       "The function is not allowed to be used this way in an expression; function: size"},
  });
}

TEST(PartiqlErrors, OperandsOfConditions) {
  for (const std::string_view op : {"<", "<=", ">", ">="}) {
    EXPECT_EQ(Refusal(fmt::format("SELECT * FROM t WHERE a {} true", op)),
              fmt::format("Incorrect operand type for operator or function; operator or function: "
                          "{}, operand type: BOOL",
                          op));
  }
  std::string in = "SELECT * FROM t WHERE a IN [0";
  for (int i = 1; i <= 100; ++i) in += fmt::format(",{}", i);
  EXPECT_EQ(Refusal(in + "]"),
            "The IN operator is provided with too many operands; number of operands: 101");
  Check({
      {"SELECT * FROM t WHERE attribute_exists(n) > false",
       "Incorrect operand type for operator or function; operator or function: >, operand type: "
       "BOOL"},
      {"SELECT * FROM t WHERE a BETWEEN true AND false",
       "Incorrect operand type for operator or function; operator or function: BETWEEN, operand "
       "type: BOOL"},
      {"SELECT * FROM t WHERE a BETWEEN 1 AND 'b'",
       "The BETWEEN operator requires same data type for lower and upper bounds; lower bound "
       "operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:b}"},
      {"SELECT * FROM t WHERE a = a",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; operator: =, first operand: [a]"},
      {"SELECT * FROM t WHERE a", "Unsupported operation: Id"},
      {"SELECT * FROM t WHERE a LIKE 'b'", "Unsupported operation: Like"},
      {"x IS INT4", "Unsupported operation: IsType"},
      {"x IS DOUBLE PRECISION", "Unsupported operation: IsType"},
      {"x IS CHARACTER VARYING", "Unsupported operation: IsType"},
  });
}

TEST(PartiqlErrors, SetFunctions) {
  Check({
      {"UPDATE t SET t = set_add(ss, <<'x'>>)",
       "The first argument to SET_ADD must equal the assignment value at 1:18:7"},
      {"UPDATE t SET ss = set_add(<<'a'>>, <<'b'>>)",
       "The first argument to SET_ADD must equal the assignment value at 1:19:7"},
      {"UPDATE t SET ss = set_add(ss, 'x')",
       "The second argument to SET_ADD must be a value with type SET at 1:27:2"},
      {"UPDATE t SET ss = set_delete(\"ss\", ['x'])",
       "The second argument to SET_DELETE must be a value with type SET at 1:30:4"},
      {"UPDATE t SET ss = set_add(ss)", "SET_ADD must have exactly two arguments at 1:19:7"},
      {"UPDATE t SET ss = SET_ADD(ss, <<'x'>>, <<'y'>>)",
       "SET_ADD must have exactly two arguments at 1:19:7"},
      {"UPDATE t\nSET BandMembers = set_add(BandMembers, 'x')",
       "The second argument to SET_ADD must be a value with type SET at 2:27:11"},
      {"UPDATE t SET ss = set_add(ss, <<>>)", "Empty bags are not supported"},
  });
}

TEST(PartiqlErrors, Updates) {
  Check({
      {"UPDATE t SET n = 'a' + 1",
       "Incorrect operand type for operator or function; operator or function: +, operand type: S"},
      {"UPDATE t SET n = n - null",
       "Incorrect operand type for operator or function; operator or function: -, operand type: "
       "NULL"},
      {"UPDATE t SET n = n + [1]",
       "Incorrect operand type for operator or function; operator or function: +, operand type: L"},
      {"UPDATE t SET l = list_append(l, 1)",
       "Incorrect operand type for operator or function; operator or function: list_append, "
       "operand "
       "type: N"},
      {"UPDATE t SET l = list_append(l)",
       "Incorrect number of operands for operator or function; operator or function: list_append, "
       "number of operands: 1"},
      {"UPDATE t SET a = 1 SET a = 2",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path "
       "one: [a], path two: [a]"},
      {"UPDATE t SET a = foo(b)", "Unrecognized function: foo at 1:18:3"},
      {"UPDATE t SET a = -b", "Unsupported operation: Neg"},
      {"UPDATE t SET a = -?", "Number of parameters in request and statement don't match."},
  });
}

TEST(PartiqlErrors, Returning) {
  Check({
      {"DELETE FROM t WHERE pk = 1 RETURNING ALL NEW *",
       "Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in "
       "DELETE statements."},
      {"DELETE FROM t WHERE pk = 1 RETURNING MODIFIED OLD *",
       "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in "
       "DELETE statements."},
      {"DELETE FROM t WHERE pk = 1 RETURNING ALL OLD *", ""},
      {"UPDATE t SET a = 1 WHERE pk = 1 RETURNING MODIFIED NEW *", ""},
  });
}

}  // namespace statement_errors_test
}  // namespace stator::partiql
