// What is done for many paths at once equals what would be done for each.
#include "expr/path.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "expr/testing/expressions.h"
#include "expr/testing/value_model.h"

namespace stator {
namespace path_test {

constexpr int kMostSteps = 4;

AttributeValue RandomTree(Dice& dice, int depth) {
  const int kind = depth == 0 ? 0 : dice.Roll(5);
  if (kind == 0) return dice.Roll(100);
  if (kind < 3) {
    std::vector<AttributeValue> elements;
    for (int i = dice.Roll(4); i > 0; --i) elements.push_back(RandomTree(dice, depth - 1));
    return AttributeValue::List(elements);
  }
  std::vector<std::pair<std::string, AttributeValue>> entries;
  for (char name = 'a'; name < 'e'; ++name) {
    if (dice.Roll(3) != 0) entries.emplace_back(std::string(1, name), RandomTree(dice, depth - 1));
  }
  return AttributeValue::Map(entries);
}

// Large enough for one walk to be worth while.
Item RandomLargeItem(Dice& dice) {
  std::vector<std::pair<std::string, AttributeValue>> attributes;
  attributes.emplace_back("long", std::string(5000, 'x'));
  for (char name = 'a'; name < 'e'; ++name) {
    if (dice.Roll(4) != 0) {
      attributes.emplace_back(std::string(1, name), RandomTree(dice, kMostSteps));
    }
  }
  return Item(attributes);
}

TEST(PathLookup, FindsWhatEachPathAloneFinds) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    const Item item = RandomLargeItem(dice);
    std::vector<Path> paths;
    for (int i = 0; i < 40; ++i) paths.push_back(RandomPath(dice));
    PathLookup::Paths sorted;
    for (const Path& path : paths) sorted.push_back(&path);
    PathLookup::Sort(sorted);
    const PathLookup lookup(item.view(), sorted);
    for (const Path& path : paths) {
      RC_ASSERT(lookup.Find(path) == Resolve(item.view(), path));
    }
  }));
}

// As the rule says: the first pair in written order.
std::string FirstRelatedPair(const std::vector<const Path*>& paths) {
  for (const bool wants_overlap : {true, false}) {
    for (std::size_t two = 1; two < paths.size(); ++two) {
      for (std::size_t one = 0; one < two; ++one) {
        const auto [a, b] = std::ranges::mismatch(*paths[one], *paths[two]);
        const bool overlaps = a == paths[one]->end() || b == paths[two]->end();
        if (overlaps != wants_overlap || (!overlaps && a->is_index == b->is_index)) continue;
        return "path one: " + PathText(*paths[one]) + ", path two: " + PathText(*paths[two]);
      }
    }
  }
  return "";
}

TEST(RelatedPaths, AreTheFirstPairAsWritten) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    std::vector<Path> paths;
    for (int i = dice.Roll(12); i > 0; --i) paths.push_back(RandomPath(dice));
    std::vector<const Path*> written;
    for (const Path& path : paths) written.push_back(&path);
    const std::string pair = FirstRelatedPair(written);
    const std::optional<std::string> related = RelatedPaths(written);
    RC_ASSERT(related.has_value() == !pair.empty());
    if (related) RC_ASSERT(related->ends_with(pair));
  }));
}

TEST(Condition, FindsAValueAmongManyCandidates) {
  std::vector<AttributeValue> candidates;
  for (int i = 0; i < 1000; ++i) candidates.emplace_back((i * 7919) % 2003);
  const auto condition = Condition::FromFilter(
      {{"a", {.comparison_operator = ComparisonOperator::kIn, .attribute_value_list = candidates}}},
      ConditionalOperator::kAnd, Wording::kCurrent);
  ASSERT_TRUE(condition);
  for (int i = 0; i < 2003; ++i) {
    const AttributeValue value(i);
    EXPECT_EQ(condition->Evaluate(Item{{"a", value}}.view()),
              std::ranges::find(candidates, value) != candidates.end());
  }
}

}  // namespace path_test
}  // namespace stator
