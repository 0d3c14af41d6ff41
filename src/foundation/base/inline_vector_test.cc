#include "base/inline_vector.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace stator {
namespace inline_vector_test {

using Texts = std::vector<std::string>;
using InlineTexts = InlineVector<std::string, 2>;

InlineTexts Inline(const Texts& texts) { return InlineTexts(texts.begin(), texts.end()); }
Texts Plain(const InlineTexts& texts) { return Texts(texts.begin(), texts.end()); }

TEST(InlineVector, HoldsWhatAVectorHolds) {
  EXPECT_TRUE(rc::check([](const Texts& texts) {
    InlineTexts pushed;
    for (const std::string& text : texts) pushed.push_back(text);
    RC_ASSERT(Plain(pushed) == texts);
    RC_ASSERT(pushed == Inline(texts));
    RC_ASSERT(pushed.size() == texts.size());
    RC_ASSERT(pushed.empty() == texts.empty());
  }));
}

TEST(InlineVector, CopiesAndMovesBetweenAllSizes) {
  EXPECT_TRUE(rc::check([](const Texts& a, const Texts& b) {
    const InlineTexts source = Inline(a);
    InlineTexts target = Inline(b);
    target = source;
    RC_ASSERT(Plain(target) == a);
    RC_ASSERT(Plain(source) == a);
    InlineTexts other = Inline(b);
    other = std::move(target);
    RC_ASSERT(Plain(other) == a);
    InlineTexts moved(std::move(other));
    RC_ASSERT(Plain(moved) == a);
    RC_ASSERT(other.empty());  // NOLINT: moved-from is empty
    other.push_back("again");
    RC_ASSERT(Plain(other) == Texts{"again"});
  }));
}

TEST(InlineVector, StartsWithDefaultElementsWhenGivenACount) {
  EXPECT_EQ(Plain(InlineTexts(1)), Texts(1));
  EXPECT_EQ(Plain(InlineTexts(5)), Texts(5));
}

}  // namespace inline_vector_test
}  // namespace stator
