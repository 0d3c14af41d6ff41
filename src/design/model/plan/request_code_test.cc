#include "model/plan/request_code.h"

#include <gtest/gtest.h>

#include "model/plan/request_members.h"

namespace stator::model {
namespace request_code_test {

using Kind = CodeProblem::Kind;

std::vector<Kind> KindsOf(const Code& code) {
  std::vector<Kind> kinds;
  for (const CodeProblem& problem : ReadCode(code).problems) kinds.push_back(problem.kind);
  return kinds;
}

std::vector<Kind> KindsOfUpdate(std::string text) { return KindsOf({.update = std::move(text)}); }

TEST(RequestCode, AcceptsWhatDynamoDbAccepts) {
  EXPECT_TRUE(KindsOfUpdate("SET a = :v, b.c = b.c + :one REMOVE d ADD e :n").empty());
  EXPECT_TRUE(KindsOfUpdate("SET #s = list_append(#s, :l)").empty());
  EXPECT_TRUE(KindsOf({.key_condition = "pk = :p AND begins_with(sk, :x)",
                       .filter = "a = :v AND attribute_exists(b)",
                       .projection = "a, b.c[0]"})
                  .empty());
}

TEST(RequestCode, FindsTheMistakesBehindAMistake) {
  const Code code{.update = "SET SET counts = if_not_exists(counts, :e), counts.#d = :n, name = :n",
                  .names = {{"#d", "mon"}},
                  .values = {{":e", "map"}, {":n", "num"}}};
  EXPECT_EQ(KindsOf(code), (std::vector{Kind::kInvalid, Kind::kName, Kind::kOverlap}));
}

TEST(RequestCode, FindsBareNames) {
  EXPECT_EQ(KindsOfUpdate("SET status = :v"), std::vector{Kind::kName});
  EXPECT_EQ(KindsOfUpdate("SET status = :v, timestamp = :t"),
            (std::vector{Kind::kName, Kind::kName}));
  EXPECT_EQ(KindsOfUpdate("SET counts.14 = :v"), std::vector{Kind::kName});
  EXPECT_EQ(KindsOfUpdate("SET 2nd = :v"), std::vector{Kind::kName});
  EXPECT_EQ(KindsOfUpdate("SET _id = :v"), std::vector{Kind::kName});
  EXPECT_EQ(KindsOf({.filter = "size(name) > :n"}), std::vector{Kind::kName});
}

TEST(RequestCode, FindsInvalidExpressions) {
  EXPECT_EQ(KindsOfUpdate("SET a = :v SET b = :v"), std::vector{Kind::kInvalid});
  EXPECT_EQ(KindsOfUpdate("SET a = now()"), std::vector{Kind::kInvalid});
  EXPECT_EQ(KindsOfUpdate("a = :v"), std::vector{Kind::kInvalid});
  EXPECT_EQ(KindsOf({.update = "SET a = :v", .values = {{":v", "num"}, {":w", "num"}}}),
            std::vector{Kind::kInvalid});
  EXPECT_EQ(KindsOf({.update = "SET a = :v", .values = {{":w", "num"}}}),
            std::vector{Kind::kInvalid});
}

TEST(RequestCode, FindsOperandsOfTheWrongType) {
  EXPECT_EQ(KindsOf({.update = "ADD a :v", .values = {{":v", "list"}}}),
            std::vector{Kind::kMismatch});
  EXPECT_EQ(KindsOf({.update = "SET a = list_append(a, :v)", .values = {{":v", "strset"}}}),
            std::vector{Kind::kMismatch});
  EXPECT_TRUE(KindsOf({.update = "ADD a :v", .values = {{":v", "strset"}}}).empty());
}

TEST(RequestCode, TellsWhatAnUpdateWrites) {
  Pattern pattern;
  pattern.code = {{.update = "SET #s = :v, b.c = :v REMOVE d", .names = {{"#s", "status"}}}};
  EXPECT_EQ(WrittenByCode(pattern), (std::vector<std::string>{"status", "b", "d"}));
  EXPECT_EQ(RequiredByCode({.condition = "attribute_exists(#m) AND attribute_exists(pk)",
                            .names = {{"#m", "days"}}}),
            (std::vector<std::string>{"days", "pk"}));
}

TEST(RequestCode, SurvivesAnyText) {
  for (const std::string_view text :
       {"#", ":", "SET", "SET SET", "SET SET SET SET", "_", "0", "[0]", "0.0.0.0", "status status",
        "SET #a.#b = :c :d", "\xff\xfe", "((((", "SET a = (((((:v)))))"}) {
    EXPECT_FALSE(KindsOfUpdate(std::string(text)).empty() && text != "SET a = (((((:v)))))")
        << text;
  }
}

TEST(RequestMembers, KnowsOperationsByTheNamesThatClientsUse) {
  EXPECT_EQ(ApiName("QueryCommand"), "Query");
  EXPECT_EQ(ApiName("dynamodb:PutItem"), "PutItem");
  EXPECT_EQ(ApiName("updateItem"), "UpdateItem");
  EXPECT_EQ(ApiName("Upsert"), "");
}

TEST(RequestMembers, CountsExpressionsAsMembers) {
  EXPECT_EQ(MembersGiven({.filter = "a = :v", .values = {{":v", "num"}}, .parameters = {"Limit"}}),
            (std::vector<std::string>{"Limit", "FilterExpression", "ExpressionAttributeValues"}));
}

}  // namespace request_code_test
}  // namespace stator::model
