#include "partiql/read_plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "partiql/unprojected.h"
#include "value/item_json.h"

namespace stator::partiql {
namespace read_plan_test {

const KeyNames kKeys{.partition = {.name = "pk", .type = Type::kS},
                     .sort = KeyName{.name = "sk", .type = Type::kS}};
const KeyNames kHashOnly{.partition = {.name = "pk", .type = Type::kS}};

constexpr std::string_view kOverlapping =
    "Overlapping conditions with range keys are not supported in where clause";
constexpr std::string_view kTooMany = "Too many decomposed read operations for a given query.";

Result<ReadPlan> Plan(std::string_view rest, const KeyNames& keys = kKeys) {
  const Result<Statement> statement = ParseStatement("SELECT * FROM t " + std::string(rest), {});
  if (!statement) ADD_FAILURE() << rest << ": " << statement.error().message();
  return PlanRead(std::get<SelectStatement>(*statement), keys);
}

std::string_view OperatorText(KeyOperator op) {
  switch (op) {
    case KeyOperator::kEq:
      return "=";
    case KeyOperator::kLt:
      return "<";
    case KeyOperator::kLe:
      return "<=";
    case KeyOperator::kGt:
      return ">";
    case KeyOperator::kGe:
      return ">=";
    case KeyOperator::kBetween:
      return "between";
    default:
      return "begins";
  }
}

// "a, b =1 ?": partitions with their sort conditions; '?' is a filter.
std::string Shown(std::string_view rest, const KeyNames& keys = kKeys) {
  const Result<ReadPlan> plan = Plan(rest, keys);
  if (!plan) return plan.error().message();
  if (plan->access == ReadPlan::Access::kScan) return plan->filter ? "scan ?" : "scan";
  std::string shown = plan->forward ? "" : "backward: ";
  for (const KeyedRead& read : plan->reads) {
    if (&read != plan->reads.data()) shown += ", ";
    shown += read.partition.value.view().S();
    if (read.sort) {
      shown += fmt::format(" {}{}", OperatorText(read.sort->op), read.sort->value.view().S());
      if (read.sort->op == KeyOperator::kBetween) {
        shown += fmt::format("-{}", read.sort->upper.view().S());
      }
    }
    if (read.filter) shown += " ?";
  }
  return shown;
}

struct Case {
  std::string_view rest;
  std::string_view plan;
};

TEST(PartiqlReadPlan, DecomposesIntoReads) {
  constexpr Case kCases[] = {
      {"", "scan"},
      {"WHERE x = 1", "scan ?"},
      {"WHERE pk > 'a'", "scan ?"},
      {"WHERE pk > 1", "scan ?"},
      {"WHERE sk = '1'", "scan ?"},
      {"WHERE NOT pk = 'a'", "scan ?"},
      {"WHERE pk = 'a' OR sk = '1'", "scan ?"},
      {"WHERE pk = 'a' OR x = 1", "scan ?"},
      {"WHERE pk = x", "scan ?"},
      {"WHERE pk.a = 'a'", "scan ?"},
      {"WHERE pk = 'a'", "a"},
      {"WHERE 'a' = pk", "a"},
      {"WHERE pk = 'a' AND x = 1", "a ?"},
      {"WHERE pk = 'a' AND sk = '1'", "a =1"},
      {"WHERE pk = 'a' AND '1' < sk", "a >1"},
      {"WHERE pk = 'a' AND sk <= '1' AND x = 1", "a <=1 ?"},
      {"WHERE pk = 'a' AND sk BETWEEN '1' AND '2'", "a between1-2"},
      {"WHERE pk = 'a' AND begins_with(sk, '1')", "a begins1"},
      {"WHERE pk = 'a' AND sk > '0' AND sk = '1'", "a =1 ?"},
      {"WHERE pk = 'a' AND sk = '1' AND sk = '1'", "a =1"},
      {"WHERE pk = 'a' AND sk <> '1'", "a ?"},
      {"WHERE pk = 'a' AND NOT sk = '1'", "a ?"},
      {"WHERE pk = 'a' AND attribute_exists(pk)", "a ?"},
      {"WHERE pk = 'a' AND (x = 1 OR y = 2)", "a ?"},
      {"WHERE pk = 'a' AND x IN [1, 2]", "a ?"},
      {"WHERE pk IN ['a', 'b']", "a, b"},
      {"WHERE pk = 'a' OR pk = 'b' AND sk = '1'", "a, b =1"},
      {"WHERE pk IN ['a', 'b'] AND sk IN ('1', '2')", "a =1, a =2, b =1, b =2"},
      {"WHERE pk = 'a' AND (sk = '1' OR sk = '2')", "a =1, a =2"},
      {"WHERE pk = 'a' AND (sk < '1' OR sk > '1' OR sk = '1')", "a <1, a >1, a =1"},
      {"WHERE pk = 'a' AND (begins_with(sk, '1') OR sk >= '2')", "a begins1, a >=2"},
      {"WHERE pk = 'a' AND pk = 'a'", "a"},
      {"WHERE pk = 'a' AND pk = 'b'", ""},
      {"WHERE pk = 'a' AND (pk = 'b' OR x = 1)", "a ?"},
      {"WHERE pk = 'a' AND NOT sk = '1' OR pk = 'a' AND sk = '2'", "a ?"},
      {"WHERE pk = 'a' OR pk = 'a' AND sk <> '1' OR pk = 'b'", "a ?, b"},
  };
  for (const Case& test : kCases) EXPECT_EQ(Shown(test.rest), test.plan) << test.rest;
}

TEST(PartiqlReadPlan, OverlappingReadsAreRefused) {
  for (const std::string_view where :
       {"pk IN ['a', 'a']", "pk = 'a' OR pk = 'a'", "pk IN ['a', 'a'] AND sk = '1'",
        "pk = 'a' AND (sk > '0' OR sk < '5')", "pk = 'a' AND (sk = '1' OR x = 1)",
        "(pk = 'a' AND x = 1) OR (pk = 'a' AND x = 2)",
        "pk = 'a' AND x = '1' OR pk = 'a' AND sk = '2'",
        "pk = 'a' AND x <> '1' OR pk = 'a' AND sk = '2'",
        "pk = 'a' AND (begins_with(sk, '1') OR sk = '12')"}) {
    EXPECT_EQ(Shown("WHERE " + std::string(where)), kOverlapping) << where;
  }
  EXPECT_EQ(Shown("WHERE (pk = 'a' AND x = 1) OR (pk = 'a' AND x = 2)", kHashOnly), kOverlapping);
}

std::string Values(int count) {
  std::string values = "['v0'";
  for (int i = 1; i < count; ++i) values += fmt::format(",'v{}'", i);
  return values + "]";
}

TEST(PartiqlReadPlan, ThereAreAtMostFiftyReads) {
  EXPECT_EQ(Shown("WHERE pk IN " + Values(51)), kTooMany);
  EXPECT_EQ(Shown("WHERE pk = 'a' AND sk IN " + Values(51)), kTooMany);
  EXPECT_EQ(Shown("WHERE pk IN " + Values(26) + " AND sk IN ['1', '2']"), kTooMany);
  EXPECT_EQ(Plan("WHERE pk IN " + Values(50) + " AND x IN " + Values(100))->reads.size(), 50U);
  EXPECT_EQ(Shown("WHERE pk IN " + Values(51) + " OR x = 1"), "scan ?");
}

TEST(PartiqlReadPlan, KeysHaveTheTypesOfTheSchema) {
  const auto mismatch = [](std::string_view key) {
    return fmt::format(
        "Key attribute's data type should match its data type in table's schema: Key {}", key);
  };
  EXPECT_EQ(Shown("WHERE pk = 1 OR pk = 'a'"), mismatch("pk"));
  EXPECT_EQ(Shown("WHERE pk = 'a' AND sk IN ['1', 2]"), mismatch("sk"));
  EXPECT_EQ(Shown("WHERE pk = 'a' AND sk > 2"), mismatch("sk"));
  const Result<Statement> statement = ParseStatement("SELECT * FROM t WHERE pk = 1", {});
  const auto& select = std::get<SelectStatement>(*statement);
  ASSERT_FALSE(CheckReadKeyTypes(select, kKeys));
  EXPECT_EQ(CheckReadKeyTypes(select, kKeys).error().message(), mismatch("pk"));
}

TEST(PartiqlReadPlan, OrderBy) {
  constexpr Case kCases[] = {
      {"WHERE pk = 'o' ORDER BY sk DESC", "backward: o"},
      {"WHERE pk = 'o' ORDER BY sk", "o"},
      {"WHERE pk = 'o' ORDER BY pk ASC", "backward: o"},
      {"WHERE pk IN ['o', 'p'] ORDER BY pk DESC, sk ASC", "p, o"},
      {"WHERE pk IN ['p', 'o'] ORDER BY pk, sk DESC", "backward: o, p"},
      {"WHERE pk = 'o' AND sk IN ['2', '3', '1'] ORDER BY sk", "o =1, o =2, o =3"},
      {"WHERE pk = 'o' AND (sk > '2' OR sk < '1') ORDER BY sk DESC", "backward: o >2, o <1"},
      {"ORDER BY sk", "Must have WHERE clause in the statement when using ORDER BY clause."},
      {"WHERE pk = 'o' ORDER BY Total DESC",
       "Attribute Total in ORDER BY clause must be part of the primary key"},
      {"WHERE pk > 'a' ORDER BY sk",
       "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY "
       "clause."},
      {"WHERE pk IN ['o', 'p'] ORDER BY sk DESC",
       "Must have hash key in ORDER BY clause when more than one hash key condition specified in "
       "WHERE clause."},
  };
  for (const Case& test : kCases) EXPECT_EQ(Shown(test.rest), test.plan) << test.rest;
}

TEST(PartiqlReadPlan, KnowsTheReadOfOneItem) {
  for (const std::string_view where :
       {"pk = 'a' AND sk = '1'", "pk IN ['a'] AND sk IN ['1']",
        "(sk = '1') AND pk = 'a' AND pk = 'a'", "(pk IN ['a']) AND pk = 'a' AND sk = '1'"}) {
    const Result<ReadPlan> plan = Plan("WHERE " + std::string(where));
    ASSERT_TRUE(plan) << where;
    EXPECT_EQ(plan->item_key, (Item{{"pk", "a"}, {"sk", "1"}})) << where;
  }
  for (const std::string_view where :
       {"pk = 'a'", "pk = 'a' AND sk > '1'", "pk = 'a' AND sk = '1' AND x = 1",
        "pk = 'a' AND sk = '1' AND pk = 'b'", "pk IN ['a', 'b'] AND sk = '1'", "x = 1"}) {
    const Result<ReadPlan> plan = Plan("WHERE " + std::string(where));
    ASSERT_TRUE(plan) << where;
    EXPECT_FALSE(plan->item_key) << where;
  }
}

TEST(PartiqlReadPlan, TellsWhatAnIndexLacks) {
  const auto missing = [](std::string_view where) {
    const Result<ReadPlan> plan = Plan("WHERE " + std::string(where), kHashOnly);
    if (!plan) return plan.error().message();
    const auto is_projected = [](std::string_view name) { return name == "p" || name == "pk"; };
    return fmt::format("{}", fmt::join(UnprojectedFilterNames(*plan, is_projected), " "));
  };
  EXPECT_EQ(missing("pk = 'y' AND NOT (nonproj = 'np1' OR p = 'x')"), "nonproj");
  EXPECT_EQ(missing("pk = 'y' AND b = '1' AND (a = '2' OR p = '3')"), "a b");
  EXPECT_EQ(missing("pk = 'y' AND (zz = '1' OR aa = '2' OR mm = '3')"), "aa mm zz");
  EXPECT_EQ(missing("pk = 'y' AND (p = 'proj1' OR p = 'proj2')"), "");
  EXPECT_EQ(missing("(pk = 'y' OR pk = 'z') AND zz = '1'"), "zz");
  EXPECT_EQ(missing("(pk = 'b' AND u1 = '1') OR (pk = 'q' AND u2 = '1')"), "u2");
  EXPECT_EQ(missing("(pk = 'q' AND u1 = '1') OR (pk = 'b' AND u2 = '1')"), "u1");
  EXPECT_EQ(missing("(pk = 'y' AND p = '1') OR (pk = 'z' AND aa = '1')"), "");
  EXPECT_EQ(missing("pk > 'a' AND zz = '1'"), "");
  EXPECT_EQ(missing("pk = 'y' AND (pk = 'z' OR zz = '1')"), "");
  EXPECT_EQ(missing("(pk = 'y' AND zz = '1') OR aa = '1'"), "");
}

}  // namespace read_plan_test
}  // namespace stator::partiql
