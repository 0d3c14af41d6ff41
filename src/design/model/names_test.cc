#include "model/names.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace stator::model {
namespace names_test {

constexpr std::array<std::string_view, 4> kNames{"project", "sparse", "shards", "pk"};

TEST(NearestName, FindsSlips) {
  EXPECT_EQ(NearestName("projct", kNames), "project");
  EXPECT_EQ(NearestName("PROJECT", kNames), "project");
  EXPECT_EQ(NearestName("shrads", kNames), "shards");
  EXPECT_EQ(NearestName("kp", kNames), "pk");
}

TEST(NearestName, LeavesOtherWordsAlone) {
  EXPECT_EQ(NearestName("billing", kNames), "");
  EXPECT_EQ(NearestName("", kNames), "");
  EXPECT_EQ(NameHint("billing", kNames), "one of project, sparse, shards, pk");
}

RC_GTEST_PROP(NearestName, OneEditIsADistanceOfOne, (const std::string& left, char c)) {
  std::string name = left.substr(0, 20);
  std::string other = name;
  const std::size_t at = name.empty() ? 0 : static_cast<unsigned char>(c) % name.size();
  other.insert(at, 1, c);
  RC_ASSERT(OneEditApart(name, other) == (EditDistance(name, other) == 1));
  if (!name.empty()) name[at] = c;
  RC_ASSERT(OneEditApart(name, left.substr(0, 20)) ==
            (EditDistance(name, left.substr(0, 20)) == 1));
}

}  // namespace names_test
}  // namespace stator::model
