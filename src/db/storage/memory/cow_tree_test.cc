#include "storage/memory/cow_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace stator {
namespace cow_tree_test {

using Model = std::map<std::string, std::string>;

std::string Key(unsigned number) { return "key" + std::to_string(number); }

Model Contents(const CowTree& tree) {
  Model contents;
  tree.Visit({}, Direction::kForward, [&](std::string_view key, std::string_view value) {
    contents.emplace(key, value);
    return true;
  });
  return contents;
}

TEST(CowTree, EmptyTreeHasNothing) {
  const CowTree tree;
  EXPECT_EQ(tree.Find("key"), std::nullopt);
  EXPECT_TRUE(Contents(tree).empty());
  EXPECT_EQ(tree.ByteCount(), 0U);
}

TEST(CowTree, KeepsEveryFrozenCopyWhileItGrowsAndShrinks) {
  std::mt19937 random(1);
  CowTree tree;
  Model model;
  std::vector<std::pair<CowTree, Model>> copies;
  // More puts than deletes in the first half, fewer in the second: nodes split, then empty.
  for (unsigned step = 0; step < 20'000; ++step) {
    const std::string key = Key(static_cast<unsigned>(random() % 3000));
    const bool is_put = random() % 10 < (step < 10'000 ? 8U : 2U);
    if (is_put) {
      tree.Put(key, std::to_string(step));
      model[key] = std::to_string(step);
    } else {
      tree.Erase(key);
      model.erase(key);
    }
    if (step % 1000 == 0) copies.emplace_back(tree.FrozenCopy(), model);
  }
  EXPECT_EQ(Contents(tree), model);
  for (const auto& [copy, expected] : copies) EXPECT_EQ(Contents(copy), expected);
}

TEST(CowTree, ErasingEverythingLeavesAnEmptyTree) {
  CowTree tree;
  for (unsigned i = 0; i < 5000; ++i) tree.Put(Key(i), "value");
  for (unsigned i = 0; i < 5000; ++i) tree.Erase(Key(i * 7 % 5000));
  EXPECT_TRUE(Contents(tree).empty());
  EXPECT_EQ(tree.ByteCount(), 0U);
  tree.Put("again", "1");
  EXPECT_EQ(tree.Find("again"), "1");
}

TEST(CowTree, CountsTheBytesOfKeysAndValues) {
  CowTree tree;
  tree.Put("abc", "12345");
  EXPECT_EQ(tree.ByteCount(), 8U);
  tree.Put("abc", "1");
  EXPECT_EQ(tree.ByteCount(), 4U);
  tree.Erase("absent");
  EXPECT_EQ(tree.ByteCount(), 4U);
}

TEST(CowTree, RangesBeginAndEndBetweenAnyTwoKeys) {
  CowTree tree;
  Model model;
  for (unsigned i = 1000; i < 2000; i += 2) {
    tree.Put(Key(i), "v");
    model[Key(i)] = "v";
  }
  for (unsigned from = 999; from < 2001; from += 37) {
    for (unsigned to = from; to < 2001; to += 61) {
      std::vector<std::string> expected;
      for (auto at = model.lower_bound(Key(from)); at != model.end() && at->first < Key(to); ++at) {
        expected.push_back(at->first);
      }
      std::vector<std::string> forward;
      std::vector<std::string> reverse;
      tree.Visit({Key(from), Key(to)}, Direction::kForward, [&](std::string_view key, auto) {
        forward.emplace_back(key);
        return true;
      });
      tree.Visit({Key(from), Key(to)}, Direction::kReverse, [&](std::string_view key, auto) {
        reverse.emplace_back(key);
        return true;
      });
      ASSERT_EQ(forward, expected);
      ASSERT_EQ(std::vector(reverse.rbegin(), reverse.rend()), expected);
    }
  }
}

}  // namespace cow_tree_test
}  // namespace stator
