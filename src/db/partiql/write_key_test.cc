#include "partiql/write_key.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::partiql {
namespace write_key_test {

const KeyNames kKeys{.partition = {.name = "pk", .type = Type::kS},
                     .sort = KeyName{.name = "sk", .type = Type::kN}};
const KeyNames kHashOnly{.partition = {.name = "pk", .type = Type::kS}};

template <class T>
Result<KeyedItem> Find(std::string_view text, const KeyNames& keys = kKeys) {
  Result<Statement> statement = ParseStatement(text, {});
  if (!statement) ADD_FAILURE() << text << ": " << statement.error().message();
  return KeyOf(std::get<T>(*statement), keys);
}

std::string UpdateRefusal(std::string_view where) {
  const auto found = Find<UpdateStatement>("UPDATE t SET a = 1 WHERE " + std::string(where));
  return found ? "" : found.error().message();
}

TEST(PartiqlWriteKey, TheWhereClauseNamesTheItem) {
  for (const std::string_view where :
       {"pk = 'a' AND sk = 1", "(sk = 1.0 AND pk = 'a')", "1 = sk AND pk = 'a' AND pk = 'a'"}) {
    const auto found = Find<DeleteStatement>("DELETE FROM t WHERE " + std::string(where));
    ASSERT_TRUE(found) << where;
    EXPECT_EQ(found->key, (Item{{"pk", "a"}, {"sk", 1}})) << where;
    EXPECT_FALSE(found->condition) << where;
  }
}

TEST(PartiqlWriteKey, TheRestIsTheCondition) {
  const auto found =
      Find<DeleteStatement>("DELETE FROM t WHERE (pk = 'a' AND x = 1) AND sk = 1 AND sk > 0");
  ASSERT_TRUE(found && found->condition);
  EXPECT_TRUE(found->condition->Evaluate(Item{{"sk", 1}, {"x", 1}}.view()));
  EXPECT_FALSE(found->condition->Evaluate(Item{{"sk", 1}, {"x", 2}}.view()));
}

TEST(PartiqlWriteKey, AnUpdateNeverCreates) {
  const auto found = Find<UpdateStatement>(
      "UPDATE t SET a = 1 WHERE pk = 'a' AND attribute_not_exists(x)", kHashOnly);
  ASSERT_TRUE(found && found->condition);
  EXPECT_TRUE(found->condition->Evaluate(Item{{"pk", "a"}}.view()));
  EXPECT_FALSE(found->condition->Evaluate(ItemView()));
}

TEST(PartiqlWriteKey, EveryKeyNeedsAnEquality) {
  for (const std::string_view where :
       {"pk = 'a'", "sk = 1", "x = 1", "pk = 'a' AND sk > 1", "pk IN ['a'] AND sk = 1",
        "pk = 'a' AND sk = 1 OR x = 1", "NOT pk = 'a' AND sk = 1", "pk = x AND sk = 1"}) {
    EXPECT_EQ(UpdateRefusal(where),
              "Where clause does not contain a mandatory equality on all key attributes")
        << where;
  }
  const auto none = Find<UpdateStatement>("FROM t SET c = 1");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message(),
            "Where clause does not contain a mandatory equality on all key attributes");
}

TEST(PartiqlWriteKey, AKeyHasOneValueOfItsType) {
  EXPECT_EQ(UpdateRefusal("pk = 'a' AND sk = 1 AND pk = 'b'"),
            "Multiple conditions on same key pk. Only single item Update/Insert/Delete are "
            "supported");
  EXPECT_EQ(UpdateRefusal("pk = 'a' AND sk = '1'"),
            "Key attribute's data type should match its data type in table's schema: Key sk");
  EXPECT_EQ(UpdateRefusal("pk = ['a'] AND sk = 1"),
            "Key attribute's data type should match its data type in table's schema: Key pk");
}

TEST(PartiqlWriteKey, ExistsNeedsAKeyAndMore) {
  const std::string incomplete =
      "EXISTS() must contain a single item read with additional condition";
  for (const std::string where :
       {"pk = 'a' AND sk = 1", "pk = 'a' AND x = 1", "pk IN ['a'] AND sk = 1 AND x = 1"}) {
    const auto found = Find<ExistsStatement>("EXISTS(SELECT * FROM t WHERE " + where + ")");
    ASSERT_FALSE(found) << where;
    EXPECT_EQ(found.error().message(), incomplete) << where;
  }
  const auto found = Find<ExistsStatement>(
      "EXISTS(SELECT * FROM t WHERE pk = 'a' AND sk = 1 AND pk = 'b' AND x = 1)");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->key, (Item{{"pk", "a"}, {"sk", 1}}));
  EXPECT_FALSE(found->condition->Evaluate(Item{{"pk", "a"}, {"sk", 1}, {"x", 1}}.view()));
}

TEST(PartiqlWriteKey, AnInsertWantsNoItem) {
  EXPECT_TRUE(NoSuchItem(kKeys).Evaluate(ItemView()));
  EXPECT_FALSE(NoSuchItem(kKeys).Evaluate(Item{{"pk", "a"}}.view()));
}

}  // namespace write_key_test
}  // namespace stator::partiql
