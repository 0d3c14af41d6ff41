// Every message that a condition can be refused with, and which of several problems wins.
#include <gtest/gtest.h>

#include "expr/testing/expressions.h"

namespace stator {
namespace condition_errors_test {

const TestPlaceholders& Maps() {
  static const TestPlaceholders maps{.names = {{"#a", "a"}, {"#dots", "x.y"}},
                                     .values = {{":s", "text"},
                                                {":t", "zebra"},
                                                {":n", 1},
                                                {":m", 2},
                                                {":b", AttributeValue::Binary("x")},
                                                {":bool", true},
                                                {":null", AttributeValue::Null()},
                                                {":ss", AttributeValue::StringSet({"a"})},
                                                {":l", AttributeValue::List({1})},
                                                {":map", AttributeValue::Map({{"k", 1}})},
                                                {":type", "SS"}}};
  return maps;
}

std::string Message(const std::string& text) { return MessageOf(ParseCondition(text, Maps())); }

void Expect(const std::vector<RefusedCase>& cases) {
  ExpectRefused(cases, "Invalid ConditionExpression: ", Message);
}

void ExpectAccepted(const std::vector<std::string>& texts) {
  stator::ExpectAccepted(texts, Message);
}

TEST(ConditionSyntax, AcceptsTheWholeGrammar) {
  ExpectAccepted({
      "a = :s",
      "a<>:s",
      ":s = a",
      "a < b",
      "a BETWEEN :n AND :m",
      "a between :n and :m AND b = :s",
      "a IN (:n)",
      "a in (:n, :s, b)",
      "attribute_exists(a)",
      "attribute_not_exists (#a.b[0])",
      "attribute_type(a, :type)",
      "begins_with(a, :s)",
      "contains(a, :l)",
      "size(a) > :n",
      ":n < size(a)",
      "size(:s) = a",
      "contains(a, size(b))",
      "NOT a = :s",
      "not (a = :s)",
      "NOT attribute_exists(a) AND NOT b = :s",
      "(a = :s)",
      "((a = :s) AND (b = :s))",
      "(a) = :s",
      "NOT NOT a = :s",
      "not Not NOT (NOT a = :s)",
      "(:s) = (a)",
      "(size(a)) = :n",
      "(attribute_exists(a))",
      "size((a)) = :n",
      "a IN ((:n), (:s))",
      "#dots.#a[10] = :s",
      "a = :s OR b = :s AND c = :s",
      "a . b [ 0 ] = :s",
      "NOT(a = :s)OR(b = :s)",
  });
}

TEST(ConditionSyntax, NamesTheFirstTokenThatCannotContinue) {
  Expect({
      {"a = = b", SyntaxReason("=", "= = b")},
      {"!!!", SyntaxReason("!", "!!")},
      {"size(", SyntaxReason("<EOF>", "(")},
      {"__t <> :v", SyntaxReason("_", "__")},
      {"a", SyntaxReason("<EOF>", "a")},
      {":s", SyntaxReason("<EOF>", ":s")},
      {"a AND b = :s", SyntaxReason("AND", "a AND b")},
      {"(a AND b = :s)", SyntaxReason("AND", "a AND b")},
      {"(a) AND b = :s", SyntaxReason("AND", ") AND b")},
      {"(a = :s) = :s", SyntaxReason("=", ") = :s")},
      {"a = (b = :s)", SyntaxReason("=", "b = :s")},
      {"a = :s AND", SyntaxReason("<EOF>", "AND")},
      {"a = :s AND AND b = :s", SyntaxReason("AND", "AND AND b")},
      {"AND a = :s", SyntaxReason("AND", "AND a")},
      {"NOT NOT", SyntaxReason("<EOF>", "NOT")},
      {"(a.b).c = :s", SyntaxReason(".", ").c")},
      {"(a)[0] = :s", SyntaxReason("[", ")[0")},
      {"size((a).b) = :n", SyntaxReason(".", ").b")},
      {"a NOT = :s", SyntaxReason("NOT", "a NOT =")},
      {"(a = :s", SyntaxReason("<EOF>", ":s")},
      {"a = :s)", SyntaxReason(")", ":s)")},
      {"()", SyntaxReason(")", "()")},
      {"attribute_exists()", SyntaxReason(")", "()")},
      {"attribute_exists(a,)", SyntaxReason(")", ",)")},
      {"attribute_exists(a", SyntaxReason("<EOF>", "a")},
      {"attribute_exists a", SyntaxReason("a", "attribute_exists a")},
      {"a BETWEEN :n OR :m", SyntaxReason("OR", ":n OR :m")},
      {"a BETWEEN :n", SyntaxReason("<EOF>", ":n")},
      {"a IN :n", SyntaxReason(":n", "IN :n")},
      {"a IN ()", SyntaxReason(")", "()")},
      {"a = 5", SyntaxReason("5", "= 5")},
      {"a = 'x'", SyntaxReason("'", "= 'x")},
      {"a[b] = :s", SyntaxReason("b", "[b]")},
      {"a[-1] = :s", SyntaxReason("-", "[-1")},
      {"a[:n] = :s", SyntaxReason(":n", "[:n]")},
      {"a[0 = :s", SyntaxReason("=", "0 = :s")},
      {"a. = :s", SyntaxReason("=", ". = :s")},
      {"a.:s = :s", SyntaxReason(":s", ".:s =")},
      {"(:s).b = :s", SyntaxReason(".", ").b")},
      {"(size(a)).b = :s", SyntaxReason(".", ").b")},
      {"#a(b) = :s", SyntaxReason("(", "#a(b")},
      {"a.size(b) = :s", SyntaxReason("(", "size(b")},
      {"# = :s", SyntaxReason("#", "# =")},
      {"a = :", SyntaxReason(":", "= :")},
      {"a == :s", SyntaxReason("=", "== :s")},
      {"a = é", SyntaxReason("é", "= é")},
      {"a + b = :s", SyntaxReason("+", "a + b")},
      {"  ", SyntaxReason("<EOF>", "")},
  });
}

TEST(ConditionSyntax, ComesBeforeEveryOtherProblem) {
  Expect({{"((a = :s)) AND nofunction(abort) = = b", SyntaxReason("=", "= = b")}});
}

TEST(ConditionText, MayNotBeEmpty) { Expect({{"", "The expression can not be empty;"}}); }

TEST(ConditionText, HasAtMost4096Bytes) {
  const std::string fits = "a = :s" + std::string(4090, ' ');
  EXPECT_EQ(MessageOf(ParseCondition(fits, Maps())), "(accepted)");
  Expect({{fits + " ",
           "Expression size has exceeded the maximum allowed size; expression size: 4097"}});
  EXPECT_EQ(MessageOf(ParseCondition(fits + " ", Maps(), ExpressionKind::kFilter)),
            "Invalid FilterExpression: Expression size has exceeded the maximum allowed size; "
            "expression size: 4097");
}

TEST(ConditionParentheses, MayNotBeRedundant) {
  const std::string reason = "The expression has redundant parentheses;";
  Expect({
      {"((a = :s))", reason},
      {"((a)) = :s", reason},
      {"a = ((:s))", reason},
      {"size(((a))) = :n", reason},
      {"a = :s AND ((b = :s))", reason},
      {"NOT ((a = :s))", reason},
      {"((a)) = nofunction(b)", reason},
      {"((attribute_exists(a)))", reason},
  });
}

TEST(ConditionParentheses, AnyDepthIsAnswered) {
  for (const std::size_t depth : {2UL, 300UL, 699UL, 701UL, 2044UL}) {
    const std::string open(depth, '(');
    const std::string close(depth, ')');
    Expect({{open + "a = :s" + close, "The expression has redundant parentheses;"}});
  }
  EXPECT_NE(MessageOf(ParseCondition(std::string(4096, '('), Maps())), "(accepted)");
  std::string functions;
  while (functions.size() < 4000) functions += "size(";
  EXPECT_NE(MessageOf(ParseCondition(functions, Maps())), "(accepted)");
  std::string negations;
  while (negations.size() < 4000) negations += "NOT(";
  EXPECT_NE(MessageOf(ParseCondition(negations, Maps())), "(accepted)");
}

TEST(ConditionFunctions, AreKnownByTheirExactNames) {
  Expect({
      {"nofunction(a)", "Invalid function name; function: nofunction"},
      {"SIZE(a) = :n", "Invalid function name; function: SIZE"},
      {"Contains(a, :s)", "Invalid function name; function: Contains"},
      // Before misuse and reserved words.
      {"size(a) AND nofunction(abort)", "Invalid function name; function: nofunction"},
  });
}

TEST(ConditionFunctions, AreNotThoseOfUpdates) {
  const std::string reason = "The function is not allowed in a condition expression; function: ";
  Expect({
      {"if_not_exists(a, :s) = :s", reason + "if_not_exists"},
      {"list_append(a, :l)", reason + "list_append"},
      {"size(if_not_exists(a, :s)) = :n", reason + "if_not_exists"},
      // Found together with those that nobody knows, in written order, before misuse.
      {"size(a) AND a = list_append(b, c) AND nof(a)", reason + "list_append"},
  });
}

TEST(ConditionFunctions, StandWhereTheyBelong) {
  const std::string reason =
      "The function is not allowed to be used this way in an expression; function: ";
  Expect({
      {"size(a)", reason + "size"},
      {"(size(a))", reason + "size"},
      {"NOT size(a)", reason + "size"},
      {"attribute_exists(a) = :s", reason + "attribute_exists"},
      {"a = contains(b, :s)", reason + "contains"},
      {"a IN (begins_with(b, :s))", reason + "begins_with"},
      {"contains(a, attribute_exists(b))", reason + "attribute_exists"},
      {"size(attribute_exists(a)) = :n", reason + "attribute_exists"},
      // Before reserved words.
      {"abort = :s AND size(a)", reason + "size"},
  });
}

TEST(ConditionNames, MayNotBeReserved) {
  const std::string reason = "Attribute name is a reserved keyword; reserved keyword: ";
  Expect({
      {"abort = :s", reason + "abort"},
      {"a.Name = :s", reason + "Name"},
      {"a = :undefined AND x.SIZE = :s", reason + "SIZE"},
      {"add = :s", reason + "add"},
      {"#undefined = :s AND attribute_exists(b.zone)", reason + "zone"},
  });
}

TEST(ConditionNames, MustBeDefined) {
  Expect({
      {"#x = :s",
       "An expression attribute name used in the document path is not defined; attribute name: #x"},
      {"a.#x[0] = :s",
       "An expression attribute name used in the document path is not defined; attribute name: #x"},
      {"a = :x",
       "An expression attribute value used in expression is not defined; attribute value: :x"},
      // Names and values of one condition in written order.
      {":x = #x",
       "An expression attribute value used in expression is not defined; attribute value: :x"},
      // An earlier condition's problem wins over a later undefined name.
      {"a = a AND #x = :s",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; operator: =, first operand: [a]"},
      {"#x = :s AND a = a",
       "An expression attribute name used in the document path is not defined; attribute name: #x"},
  });
}

TEST(ConditionOperands, AreCounted) {
  const std::string reason =
      "Incorrect number of operands for operator or function; operator or function: ";
  Expect({
      {"attribute_exists(a, b)", reason + "attribute_exists, number of operands: 2"},
      {"attribute_not_exists(a, b)", reason + "attribute_not_exists, number of operands: 2"},
      {"attribute_type(a)", reason + "attribute_type, number of operands: 1"},
      {"begins_with(a)", reason + "begins_with, number of operands: 1"},
      {"contains(a, b, c)", reason + "contains, number of operands: 3"},
      {"size(a, b) = :n", reason + "size, number of operands: 2"},
      // Undefined values come first, types after.
      {"contains(a, b, :x)",
       "An expression attribute value used in expression is not defined; attribute value: :x"},
      {"begins_with(:n)", reason + "begins_with, number of operands: 1"},
  });
}

TEST(ConditionOperands, MustBeDistinctPaths) {
  const std::string reason =
      "The first operand must be distinct from the remaining operands for this operator or "
      "function; operator: ";
  Expect({
      {"a = a", reason + "=, first operand: [a]"},
      {"a <> #a", reason + "<>, first operand: [a]"},
      {"p[0].q >= p[0].q", reason + ">=, first operand: [p, [0], q]"},
      {"contains(a, a)", reason + "contains, first operand: [a]"},
      {"begins_with(a.b, a.b)", reason + "begins_with, first operand: [a, b]"},
      {"attribute_type(a, #a)", reason + "attribute_type, first operand: [a]"},
      {"a IN (:s, b, a)", reason + "IN, first operand: [a]"},
      {"a BETWEEN a AND :n", reason + "BETWEEN, first operand: [a]"},
      {"a BETWEEN :n AND a", reason + "BETWEEN, first operand: [a]"},
  });
  ExpectAccepted(
      {":s = :s", "size(a) = size(a)", "size(a) = a", "a IN (b, b)", "a BETWEEN b AND b"});
}

TEST(ConditionOperands, MustBePathsWhereExistenceIsAsked) {
  const std::string reason =
      "Operator or function requires a document path; operator or function: ";
  Expect({
      {"attribute_exists(:s)", reason + "attribute_exists"},
      {"attribute_not_exists(size(a))", reason + "attribute_not_exists"},
  });
}

TEST(ConditionOperands, HaveTypesThatTheOperatorTakes) {
  const std::string reason =
      "Incorrect operand type for operator or function; operator or function: ";
  Expect({
      {"begins_with(a, :n)", reason + "begins_with, operand type: N"},
      {"begins_with(:l, a)", reason + "begins_with, operand type: L"},
      {"begins_with(a, size(b))", reason + "begins_with, operand type: N"},
      {"size(:n) = a", reason + "size, operand type: N"},
      {"size(:bool) = a", reason + "size, operand type: BOOL"},
      {"size(:null) = a", reason + "size, operand type: NULL"},
      {"size(size(a)) = :n", reason + "size, operand type: N"},
      {"a < :l", reason + "<, operand type: L"},
      {":map <= a", reason + "<=, operand type: M"},
      {"a > :bool", reason + ">, operand type: BOOL"},
      {"a >= :ss", reason + ">=, operand type: SS"},
      {"a < :null", reason + "<, operand type: NULL"},
      {"a BETWEEN :l AND :n", reason + "BETWEEN, operand type: L"},
      {":ss BETWEEN :n AND :m", reason + "BETWEEN, operand type: SS"},
      {"attribute_exists(a) OR NOT (b < :l)", reason + "<, operand type: L"},
      {"attribute_type(a, :n)", reason + "attribute_type, operand type: N"},
      {"attribute_type(a, size(b))", reason + "attribute_type, operand type: N"},
      {"attribute_type(a, b)",
       reason + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
      {"attribute_type(a, :s)",
       "Invalid attribute type name found; type: text, valid types: "
       "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
  });
  ExpectAccepted(
      {"a = :l", "a <> :map", "contains(a, :ss)", "a IN (:l, :null)", "begins_with(a, :b)"});
}

TEST(ConditionBetween, HasBoundsOfOneTypeInOrder) {
  Expect({
      {"a BETWEEN :s AND :n",
       "The BETWEEN operator requires same data type for lower and upper bounds; lower bound "
       "operand: "
       "AttributeValue: {S:text}, upper bound operand: AttributeValue: {N:1}"},
      {"a BETWEEN :t AND :s",
       "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
       "lower bound "
       "operand: AttributeValue: {S:zebra}, upper bound operand: AttributeValue: {S:text}"},
  });
  ExpectAccepted({"a BETWEEN :n AND :n", "a BETWEEN b AND :n", "a BETWEEN size(b) AND :n"});
}

TEST(ConditionLimits, InTakesAHundredOperands) {
  std::string list = ":n";
  for (int i = 1; i < 100; ++i) list += ",:n";
  ExpectAccepted({"a IN (" + list + ")"});
  Expect({{"a IN (" + list + ",:n)",
           "The IN operator is provided with too many operands; number of operands: 101"}});
}

TEST(ConditionLimits, ThreeHundredOperators) {
  // 150 comparisons and 149 conjunctions.
  std::string text = "a=:s";
  for (int i = 1; i < 150; ++i) text += " AND a=:s";
  ExpectAccepted({text, "NOT " + text});
  Expect({{"NOT " + text + " AND a=:s",
           "The expression contains too many operators; operator count: 301"}});
  EXPECT_EQ(MessageOf(ParseCondition(text + " OR (" + text + ")", Maps())),
            "Invalid ConditionExpression: The expression contains too many operators; operator "
            "count: 301");
}

TEST(ConditionLimits, ThirtyTwoPathElements) {
  std::string path = "a";
  for (int i = 1; i < 32; ++i) path += i % 2 == 0 ? ".b" : "[0]";
  ExpectAccepted({path + " = :s"});
  Expect({{path + ".c = :s", "The document path has too many nesting levels; nesting levels: 33"}});
}

TEST(ConditionLimits, ListIndexFitsThirtyOneBits) {
  ExpectAccepted({"a[2147483647] = :s", "a[0000000000] = :s"});
  const std::string reason = "List index is not within the allowable range; index: ";
  Expect({
      {"a[2147483648] = :s", reason + "[2147483648]"},
      {"a[00000000000] = :s", reason + "[00000000000]"},
      {"a[99999999999999999999999] = :s", reason + "[99999999999999999999999]"},
  });
}

TEST(ConditionErrors, CarryTheNameOfTheirParameter) {
  EXPECT_EQ(MessageOf(ParseCondition("a", Maps(), ExpressionKind::kFilter)),
            "Invalid FilterExpression: Syntax error; token: \"<EOF>\", near: \"a\"");
}

TEST(ConditionPaths, AreListedInWrittenOrder) {
  const Result<Condition> condition =
      ParseCondition("size(a.b) = :n AND (c[1] = d OR attribute_exists(#a))", Maps());
  ASSERT_TRUE(condition);
  std::string texts;
  for (const Path& path : condition->Paths()) texts += PathText(path);
  EXPECT_EQ(texts, "[a, b][c, [1]][d][a]");
}

}  // namespace condition_errors_test
}  // namespace stator
