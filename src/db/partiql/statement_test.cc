#include "partiql/statement.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expr/condition.h"

namespace stator::partiql {
namespace statement_test {

template <class T>
T Parsed(std::string_view text, const std::vector<AttributeValue>& parameters = {}) {
  Result<Statement> statement = ParseStatement(text, parameters);
  if (!statement) ADD_FAILURE() << text << ": " << statement.error().message();
  return std::get<T>(*std::move(statement));
}

bool Holds(std::string_view where, const Item& item,
           const std::vector<AttributeValue>& parameters = {}) {
  const auto select =
      Parsed<SelectStatement>("SELECT * FROM t WHERE " + std::string(where), parameters);
  return Condition::FromNode(*select.where).Evaluate(item.view());
}

const Item& Stored() {
  static const Item item{
      {"n", 1},
      {"s", "right"},
      {"yes", true},
      {"nul", AttributeValue::Null()},
      {"ss", AttributeValue::StringSet({"a", "b"})},
      {"l", AttributeValue::List({"a", AttributeValue::Map({{"k", 7}}), true})},
      {"m", AttributeValue::Map({{"k", AttributeValue::List({"c"})}, {"x y", 2}})},
  };
  return item;
}

TEST(PartiqlStatement, ConditionsHold) {
  for (const std::string_view where : {"n = 1",
                                       "1 = n",
                                       "n != 2",
                                       "n <> 's'",
                                       "n BETWEEN - 2 AND +5 AND n IN [- 1, 1]",
                                       "n = - - 1",
                                       "n IN (2, 1)",
                                       "n NOT IN [2]",
                                       "NOT n = 2",
                                       "n NOT BETWEEN 2 AND 3",
                                       "absent <> 1",
                                       "NOT absent = 1",
                                       "nul IS NULL",
                                       "s IS NOT NULL",
                                       "absent IS MISSING",
                                       "s IS NOT MISSING",
                                       "absent IS NOT NULL",
                                       "yes IS BOOL",
                                       "s IS STRING",
                                       "n IS NUMERIC",
                                       "m IS STRUCT",
                                       "m IS TUPLE",
                                       "l IS LIST",
                                       "size(s) = 5",
                                       "SIZE(ss) > 1",
                                       "attribute_type(ss, 'SS')",
                                       "begins_with(s, 'ri')",
                                       "contains(ss, 'a')",
                                       "Contains(s, 'gh')",
                                       "l[1].k = 7",
                                       "m['k'][0] = 'c'",
                                       "m.\"x y\" = 2",
                                       "ss = <<'b', 'a'>>",
                                       "m.k = ['c']",
                                       "attribute_exists(m.k) AND ATTRIBUTE_NOT_EXISTS (nope)",
                                       "n = 2 OR s = 'right'",
                                       "(n = 2 OR s = 'right') AND yes = true",
                                       "nul = NULL"}) {
    EXPECT_TRUE(Holds(where, Stored())) << where;
  }
}

TEST(PartiqlStatement, ConditionsDoNotHold) {
  for (const std::string_view where :
       {"n = 2", "n = '1'", "absent = 1", "absent IS NULL", "nul IS NOT NULL", "s IS MISSING",
        "s IS BOOL", "size(absent) = 0", "attribute_exists(m.nope)", "NOT attribute_exists(n)",
        "n > 1", "n < 's'", "absent > 0", "l[7] = 1"}) {
    EXPECT_FALSE(Holds(where, Stored())) << where;
  }
}

TEST(PartiqlStatement, ConditionsAreBooleans) {
  for (const std::string_view holds :
       {"attribute_exists(nope) = false", "true = attribute_exists(n)", "attribute_exists(n) <> 1",
        "contains(nope, 'z') = false", "(n BETWEEN 0 AND 5) = true", "(n = 5 OR s = 'x') = false",
        "attribute_exists(nope) IN [true, false]", "attribute_exists(n) = attribute_exists(s)",
        "attribute_exists(n) = yes", "yes = attribute_exists(n)",
        "contains(l, attribute_exists(n))", "yes IN [1, attribute_exists(n)]",
        "attribute_exists(n) <> size(s)"}) {
    EXPECT_TRUE(Holds(holds, Stored())) << holds;
  }
  for (const std::string_view fails :
       {"attribute_exists(n) = 1", "NOT attribute_exists(n) = true",
        "(attribute_exists(n) = true) = false", "attribute_exists(n) = s",
        "attribute_exists(n) = absent", "contains(l, attribute_exists(nope))"}) {
    EXPECT_FALSE(Holds(fails, Stored())) << fails;
  }
}

TEST(PartiqlStatement, ParametersTakeTheirPlaces) {
  EXPECT_TRUE(Holds("n = ? AND s = ?", Stored(), {1, "right"}));
  EXPECT_FALSE(Holds("n = ? AND s = ?", Stored(), {"right", 1}));
  EXPECT_TRUE(Holds("ss = ?", Stored(), {AttributeValue::StringSet({"a", "b"})}));
}

TEST(PartiqlStatement, BooleansOfBooleansStayBounded) {
  std::string where = "SELECT * FROM t WHERE attribute_exists(a)";
  for (int i = 0; i < 200; ++i) where += " = attribute_exists(b)";
  const Result<Statement> statement = ParseStatement(where, {});
  ASSERT_FALSE(statement);
  EXPECT_EQ(statement.error().message(),
            "The expression contains too many operators; operator count: 301");
  std::string in = "SELECT * FROM t WHERE attribute_exists(a)";
  for (int i = 0; i < 200; ++i) in += " IN [1, 1]";
  EXPECT_TRUE(ParseStatement(in, {}));
}

TEST(PartiqlStatement, ColumnsAreCalledAfterTheirLastName) {
  const auto select =
      Parsed<SelectStatement>("select n, m.k, m.k[0], absent.x from \"my-table\".\"my index\";");
  EXPECT_EQ(select.table, "my-table");
  EXPECT_EQ(select.index, "my index");
  ASSERT_TRUE(select.projection);
  EXPECT_EQ(select.projection->Apply(Stored().view()),
            (Item{{"n", 1}, {"k", AttributeValue::List({"c"})}, {"k[0]", "c"}}));
  EXPECT_EQ(select.projection->paths().size(), 4U);
}

TEST(PartiqlStatement, PlainColumnsAndStar) {
  EXPECT_EQ(Parsed<SelectStatement>("SELECT s, n FROM t").projection->Apply(Stored().view()),
            (Item{{"n", 1}, {"s", "right"}}));
  EXPECT_FALSE(Parsed<SelectStatement>("SELECT/**/* FROM t -- all").projection);
}

TEST(PartiqlStatement, OrderBy) {
  const auto select =
      Parsed<SelectStatement>("SELECT * FROM t WHERE pk = 1 ORDER BY pk DESC, sk, \"x\" ASC");
  ASSERT_EQ(select.order_by.size(), 3U);
  EXPECT_TRUE(select.order_by[0].descending);
  EXPECT_EQ(select.order_by[1].attribute, "sk");
  EXPECT_FALSE(select.order_by[1].descending);
  EXPECT_FALSE(select.order_by[2].descending);
}

TEST(PartiqlStatement, InsertsItems) {
  const auto insert = Parsed<InsertStatement>(
      "INSERT INTO t value {'pk': ?, 'n': -1.5e-3, 'd': -0, 'q': 'it''s', 'b': TRUE, 'z': null, "
      "'m': {'a': [1, 's']}, 'ns': <<3, 1>>, 'e': [], 'o': {}}",
      {"k"});
  EXPECT_EQ(insert.table, "t");
  EXPECT_EQ(insert.item, (Item{{"pk", "k"},
                               {"n", AttributeValue::Number("-0.0015")},
                               {"d", 0},
                               {"q", "it's"},
                               {"b", true},
                               {"z", AttributeValue::Null()},
                               {"m", AttributeValue::Map({{"a", AttributeValue::List({1, "s"})}})},
                               {"ns", AttributeValue::NumberSet({"1", "3"})},
                               {"e", AttributeValue::List({})},
                               {"o", AttributeValue::Map({})}}));
}

TEST(PartiqlStatement, Updates) {
  const auto update = Parsed<UpdateStatement>(
      "UPDATE t SET n = n - - 2, s = if_not_exists(s, 'new') SET l = list_append(l, [4]) "
      "SET ss = SET_ADD(ss, <<'c'>>) SET fresh = set_add(fresh, ?) SET m.k[0] = yes REMOVE nul "
      "REMOVE m.\"x y\" WHERE pk = 1 RETURNING ALL NEW *",
      {AttributeValue::NumberSet({"5"})});
  EXPECT_EQ(update.returning, Returning::kAllNew);
  const Result<Item> after = update.update.Apply(Stored().view());
  ASSERT_TRUE(after) << after.error().message();
  EXPECT_EQ(*after,
            (Item{{"n", 3},
                  {"s", "right"},
                  {"yes", true},
                  {"ss", AttributeValue::StringSet({"a", "b", "c"})},
                  {"fresh", AttributeValue::NumberSet({"5"})},
                  {"l", AttributeValue::List({"a", AttributeValue::Map({{"k", 7}}), true, 4})},
                  {"m", AttributeValue::Map({{"k", AttributeValue::List({true})}})}}));
}

TEST(PartiqlStatement, SetDeleteRemovesTheLastMember) {
  const auto update = Parsed<UpdateStatement>("UPDATE t SET ss = set_delete(ss, <<'a', 'b'>>)");
  const Result<Item> after = update.update.Apply(Stored().view());
  ASSERT_TRUE(after);
  EXPECT_FALSE(after->Find("ss"));
}

TEST(PartiqlStatement, FromFirstIsAnUpdate) {
  const auto update =
      Parsed<UpdateStatement>("from \"T\" where pk = ? set c = ? remove a", {"k", 7});
  EXPECT_EQ(update.table, "T");
  EXPECT_EQ(update.update.targets().size(), 2U);
  EXPECT_TRUE(update.where);
}

TEST(PartiqlStatement, DeletesAndExists) {
  const auto remove = Parsed<DeleteStatement>("DELETE FROM t WHERE pk = 1 RETURNING ALL OLD *");
  EXPECT_EQ(remove.returning, Returning::kAllOld);
  const auto exists =
      Parsed<ExistsStatement>("EXISTS(SELECT * FROM t WHERE pk = 1 AND a IS MISSING)");
  EXPECT_EQ(exists.select.table, "t");
}

}  // namespace statement_test
}  // namespace stator::partiql
