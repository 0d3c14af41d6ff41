// Every message that an update expression can be refused with, and which of several problems wins.
#include <gtest/gtest.h>

#include "expr/testing/expressions.h"

namespace stator {
namespace update_errors_test {

const TestPlaceholders& Maps() {
  static const TestPlaceholders maps{.names = {{"#a", "a"}},
                                     .values = {{":s", "text"},
                                                {":n", 1},
                                                {":b", AttributeValue::Binary("x")},
                                                {":bool", true},
                                                {":null", AttributeValue::Null()},
                                                {":ss", AttributeValue::StringSet({"a"})},
                                                {":l", AttributeValue::List({1})},
                                                {":m", AttributeValue::Map({{"k", 1}})}}};
  return maps;
}

std::string Message(const std::string& text) { return MessageOf(ParseUpdate(text, Maps())); }

void Expect(const std::vector<RefusedCase>& cases) {
  ExpectRefused(cases, "Invalid UpdateExpression: ", Message);
}

void ExpectAccepted(const std::vector<std::string>& texts) {
  stator::ExpectAccepted(texts, Message);
}

TEST(UpdateSyntax, AcceptsTheWholeGrammar) {
  ExpectAccepted({
      "SET a = :s",
      "set a = :s remove b add c :n delete d :ss",
      "DELETE d :ss ADD c :n, e :ss REMOVE b, f[0] SET a = :s, g.h = a",
      "SET a = b + :n",
      "SET a = :n - b",
      "SET a = (b + :n)",
      "SET a = (b) + (:n)",
      "SET a = (:s)",
      "SET a = if_not_exists(a, :n) + :n",
      "SET a = if_not_exists(a, if_not_exists(b, :s))",
      "SET a = list_append(if_not_exists(a, :l), :l)",
      "SET a=b+:n,c=:n-d",
      "SET #a[0].b = :s",
      "REMOVE a",
  });
}

TEST(UpdateSyntax, NamesTheFirstTokenThatCannotContinue) {
  Expect({
      {"INVALID SYNTAX", SyntaxReason("INVALID", "INVALID SYNTAX")},
      {"SET _x = :v", SyntaxReason("_", "SET _x")},
      {"SET", SyntaxReason("<EOF>", "SET")},
      {"SET a", SyntaxReason("<EOF>", "a")},
      {"SET a =", SyntaxReason("<EOF>", "=")},
      {"SET a = :s,", SyntaxReason("<EOF>", ",")},
      {"SET a = :s, SET b = :s", SyntaxReason("SET", ", SET b")},
      {"SET a = :s b = :s", SyntaxReason("b", ":s b =")},
      {"SET a = b + :n + :n", SyntaxReason("+", ":n + :n")},
      {"SET a = (b + :n) + :n", SyntaxReason("+", ") + :n")},
      {"SET a = b + (c + :n)", SyntaxReason("+", "c + :n")},
      {"SET a = if_not_exists(a, b + :n)", SyntaxReason("+", "b + :n")},
      {"SET a = list_append()", SyntaxReason(")", "()")},
      {"SET :s = a", SyntaxReason(":s", "SET :s =")},
      {"SET (a) = :s", SyntaxReason("(", "SET (a")},
      {"SET a = 1", SyntaxReason("1", "= 1")},
      {"SET #, = :s", SyntaxReason("#", "SET #,")},
      {"SET a = (b).c", SyntaxReason(".", ").c")},
      {"SET a = (b)[0] + :n", SyntaxReason("[", ")[0")},
      {"REMOVE a b", SyntaxReason("b", "a b")},
      {"REMOVE a, #, b", SyntaxReason("#", ", #,")},
      {"REMOVE :s", SyntaxReason(":s", "REMOVE :s")},
      {"ADD a b", SyntaxReason("b", "a b")},
      {"ADD a = :n", SyntaxReason("=", "a = :n")},
      {"ADD a (:n)", SyntaxReason("(", "a (:n")},
      {"DELETE a", SyntaxReason("<EOF>", "a")},
      {"SET a = :s AND b = :s", SyntaxReason("AND", ":s AND b")},
  });
}

TEST(UpdateText, IsNeitherEmptyNorTooLong) {
  Expect({{"", "The expression can not be empty;"},
          {"SET a = :s" + std::string(4087, ' '),
           "Expression size has exceeded the maximum allowed size;"}});
  ExpectAccepted({"SET a = :s" + std::string(4086, ' ')});
}

TEST(UpdateParentheses, MayNotBeRedundant) {
  Expect({{"SET a = ((:s))", "The expression has redundant parentheses;"},
          {"SET a = ((b + :n))", "The expression has redundant parentheses;"},
          {"SET a = :n + ((b))", "The expression has redundant parentheses;"}});
}

TEST(UpdateParentheses, AnyDepthIsAnswered) {
  EXPECT_NE(MessageOf(ParseUpdate("SET a = " + std::string(4000, '('), Maps())), "(accepted)");
  std::string nested = "SET a = ";
  while (nested.size() < 4000) nested += "list_append(";
  EXPECT_NE(MessageOf(ParseUpdate(nested, Maps())), "(accepted)");
}

TEST(UpdateErrors, ComeInTheirOrder) {
  Expect({
      // Every line has the problem named and all those of the lines below it.
      {"SET abort = nof(a), #x = :x SET b = :s, b.c = :s ADD d :s, = :s",
       SyntaxReason("=", ", = :s")},
      {"SET abort = nof(a), #x = :x SET b = :s, b.c = :s ADD d :s",
       "Attribute name is a reserved keyword; reserved keyword: abort"},
      {"SET e = nof(a), #x = :x SET b = :s, b.c = :s ADD d :s",
       "Invalid function name; function: nof"},
      {"SET #x = :x SET b = :s, b.c = :s ADD d :s",
       "The \"SET\" section can only be used once in an update expression;"},
      {"SET e = :x, #x = :s, b = :s, b.c = :s ADD d :s",
       "An expression attribute name used in the document path is not defined; attribute name: #x"},
      {"SET e = :x, b = :s, b.c = :s ADD d :s",
       "An expression attribute value used in expression is not defined; attribute value: :x"},
      {"SET b[0] = :s, b.c = :s, e = :s, e = :s ADD d :s",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: "
       "[e], path two: [e]"},
      {"SET b[0] = :s, b.c = :s, f = list_append(:s) ADD d :s",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; "
       "path one: "
       "[b, [0]], path two: [b, c]"},
      {"SET f = list_append(:s) ADD d :s",
       "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, "
       "typeSet: "
       "ALLOWED_FOR_ADD_OPERAND"},
      {"SET f = list_append(:l)",
       "Incorrect number of operands for operator or function; operator or function: list_append, "
       "number "
       "of operands: 1"},
  });
}

TEST(UpdateFunctions, AreNotThoseOfConditions) {
  const std::string reason = "The function is not allowed in an update expression; function: ";
  Expect({
      {"SET a = size(b)", reason + "size"},
      {"SET a = list_append(list_append(a, :l), contains(b, :s))", reason + "contains"},
      {"SET a = if_not_exists(b, attribute_exists(c))", reason + "attribute_exists"},
      {"SET a = Size(b)", "Invalid function name; function: Size"},
  });
}

TEST(UpdateFunctions, ListAppendIsAWholeValue) {
  const std::string reason =
      "The function is not allowed to be used this way in an expression; function: list_append";
  Expect({
      {"SET a = list_append(list_append(b, :l), :l)", reason},
      {"SET a = if_not_exists(b, list_append(b, :l))", reason},
      {"SET a = list_append(b, :l) + :n", reason},
      {"SET a = :n - (list_append(b, :l))", reason},
      // Before a repeated section and what is undefined.
      {"SET a = :n + list_append(#x, :x) SET b = :n", reason},
  });
  ExpectAccepted(
      {"SET a = (list_append(b, :l))", "SET a = list_append((b), if_not_exists(c, :l))"});
}

TEST(UpdateSections, MayAppearOnlyOnce) {
  Expect({{"REMOVE a SET b = :s REMOVE c",
           "The \"REMOVE\" section can only be used once in an update expression;"},
          {"add a :n ADD b :n",
           "The \"ADD\" section can only be used once in an update expression;"}});
}

TEST(UpdateTargets, MayNotOverlap) {
  const std::string reason =
      "Two document paths overlap with each other; must remove or rewrite one of these paths; path "
      "one: ";
  Expect({
      {"SET a.b = :s, a = :s", reason + "[a, b], path two: [a]"},
      {"SET a = :s REMOVE #a", reason + "[a], path two: [a]"},
      {"SET a[1] = :s REMOVE a[1].c", reason + "[a, [1]], path two: [a, [1], c]"},
  });
  ExpectAccepted({"SET a.b = :s, a.c = :s", "SET a[0] = :s REMOVE a[1]"});
}

TEST(UpdateTargets, MayNotConflict) {
  Expect({{"SET a.b = :s, a[0] = :s",
           "Two document paths conflict with each other; must remove or rewrite one of these "
           "paths; path "
           "one: [a, b], path two: [a, [0]]"}});
}

TEST(UpdateOperands, OfAddAndDeleteAreNumbersOrSets) {
  const auto reason = [](std::string_view section, std::string_view type) {
    return "Incorrect operand type for operator or function; operator: " + std::string(section) +
           ", operand type: " + std::string(type) + ", typeSet: ALLOWED_FOR_ADD_OPERAND";
  };
  Expect({
      {"ADD a :s", reason("ADD", "STRING")},
      {"ADD a :b", reason("ADD", "BINARY")},
      {"ADD a :bool", reason("ADD", "BOOL")},
      {"ADD a :null", reason("ADD", "NULL")},
      {"ADD a :l", reason("ADD", "LIST")},
      {"ADD a :m", reason("ADD", "MAP")},
      {"DELETE a :n", reason("DELETE", "NUMBER")},
      {"DELETE a :s", reason("DELETE", "STRING")},
  });
}

TEST(UpdateOperands, OfFunctionsAndArithmeticHaveTheirTypes) {
  const std::string reason =
      "Incorrect operand type for operator or function; operator or function: ";
  Expect({
      {"SET a = b + :s", reason + "+, operand type: S"},
      {"SET a = :ss - b", reason + "-, operand type: SS"},
      {"SET a = list_append(b, :n)", reason + "list_append, operand type: N"},
      {"SET a = list_append(b, if_not_exists(x, :s))", reason + "list_append, operand type: S"},
      {"SET a = if_not_exists(b, :s) + :n", reason + "+, operand type: S"},
      {"SET a = if_not_exists(:s, :n)",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"SET a = if_not_exists(b)",
       "Incorrect number of operands for operator or function; operator or function: "
       "if_not_exists, number "
       "of operands: 1"},
      {"SET a = list_append(:l, :l, :l)",
       "Incorrect number of operands for operator or function; operator or function: list_append, "
       "number "
       "of operands: 3"},
  });
}

TEST(UpdateLimits, ThreeHundredOperators) {
  const auto sums = [](int count) {
    std::string text = "SET ";
    for (int i = 0; i < count; ++i) text += (i == 0 ? "a" : ",a") + std::to_string(i) + "=:n+:n";
    return text;
  };
  ExpectAccepted({sums(300)});
  Expect({{sums(301), "The expression contains too many operators; operator count: 301"}});
}

TEST(UpdateLimits, ManySimpleClausesAreFine) {
  std::string text = "SET a0=:n";
  for (int i = 1; i < 400; ++i) text += ",a" + std::to_string(i) + "=:n";
  ExpectAccepted({text});
}

TEST(UpdateTargetList, TellsConstantsAndOperandPaths) {
  const Result<Update> update = ParseUpdate(
      "SET a = :s, b = (:n), c = d.e, f = if_not_exists(g, h) + :n REMOVE i ADD j :n", Maps());
  ASSERT_TRUE(update);
  const std::vector<Update::Target>& targets = update->targets();
  ASSERT_EQ(targets.size(), 6U);
  EXPECT_EQ(targets[0].constant, AttributeValue("text"));
  EXPECT_EQ(targets[1].constant, AttributeValue(1));
  EXPECT_FALSE(targets[2].constant);
  EXPECT_FALSE(targets[3].constant);
  EXPECT_EQ(targets[4].action, Update::Action::kRemove);
  EXPECT_EQ(targets[5].constant, AttributeValue(1));
  std::string texts;
  for (const Path& path : update->OperandPaths()) texts += PathText(path);
  EXPECT_EQ(texts, "[d, e][g][h]");
}

}  // namespace update_errors_test
}  // namespace stator
