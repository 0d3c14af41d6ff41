#include "rules/compared_indexes.h"

#include <gtest/gtest.h>

namespace stator::model {
namespace compared_indexes_test {

Model ModelWith(Index index) {
  Model model;
  model.tables.push_back({.id = "notes", .name = "notes"});
  model.tables[0].indexes.push_back(std::move(index));
  return model;
}

Index ByTopic() {
  return {.name = "ByTopic",
          .partition = {{.name = "topic", .type = Type::kS}},
          .sort = {{.name = "at", .type = Type::kN}},
          .projection = {.kind = Projection::Kind::kInclude, .attributes = {"a", "b"}}};
}

TEST(ComparedIndexes, FindsNothingInTheSameIndex) {
  Index reordered = ByTopic();
  reordered.projection.attributes = {"b", "a"};
  EXPECT_TRUE(ComparedIndexFindings(ModelWith(ByTopic()), ModelWith(reordered)).empty());
}

TEST(ComparedIndexes, FindsEveryChangeThatCannotBeMadeInPlace) {
  Index projection = ByTopic();
  projection.projection.attributes = {"a"};
  Index key = ByTopic();
  key.partition[0].name = "owner";
  Index type = ByTopic();
  type.sort[0].type = Type::kS;
  Index local = ByTopic();
  local.local = true;
  for (const Index& changed : {projection, key, type, local}) {
    const std::vector<Finding> found =
        ComparedIndexFindings(ModelWith(ByTopic()), ModelWith(changed));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rule, "IX13");
    EXPECT_EQ(found[0].target, "notes.ByTopic");
  }
}

TEST(ComparedIndexes, ANewIndexIsNoChange) {
  Index other = ByTopic();
  other.name = "ByTopic2";
  other.projection.kind = Projection::Kind::kAll;
  EXPECT_TRUE(ComparedIndexFindings(ModelWith(ByTopic()), ModelWith(other)).empty());
}

}  // namespace compared_indexes_test
}  // namespace stator::model
