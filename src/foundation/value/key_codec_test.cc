#include "value/key_codec.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

#include "value/item_codec.h"
#include "value/testing/arbitrary.h"

namespace stator {
namespace key_codec_test {

std::string Part(const AttributeValue& value) {
  std::string out;
  AppendKeyPart(out, value.view());
  return out;
}

int Sign(int order) { return (order > 0) - (order < 0); }

AttributeValue DrawKey(int kind) {
  switch (kind) {
    case 0:
      return AttributeValue::String(*testing::Text());
    case 1:
      return AttributeValue::Number(*testing::NumberText());
    default:
      return AttributeValue::Binary(*testing::Bytes());
  }
}

TEST(KeyCodec, ByteOrderIsOrderByValue) {
  EXPECT_TRUE(rc::check([] {
    const int kind = *rc::gen::inRange(0, 3);
    const AttributeValue a = DrawKey(kind), b = DrawKey(kind);
    RC_ASSERT(Sign(Part(a).compare(Part(b))) == Sign(CompareScalars(a.view(), b.view())));
  }));
}

TEST(KeyCodec, PartsOneBehindTheOtherSortPartByPart) {
  EXPECT_TRUE(rc::check([] {
    const int first = *rc::gen::inRange(0, 3), second = *rc::gen::inRange(0, 3);
    const AttributeValue a1 = DrawKey(first), a2 = DrawKey(second);
    const AttributeValue b1 = *rc::gen::arbitrary<bool>() ? a1 : DrawKey(first);
    const AttributeValue b2 = DrawKey(second);
    const int order1 = CompareScalars(a1.view(), b1.view());
    const int expected = order1 != 0 ? order1 : CompareScalars(a2.view(), b2.view());
    const std::string a = Part(a1) + Part(a2), b = Part(b1) + Part(b2);
    RC_ASSERT(Sign(a.compare(b)) == Sign(expected));
  }));
}

TEST(KeyCodec, NoPartIsAPrefixOfAnother) {
  EXPECT_TRUE(rc::check([] {
    const int kind = *rc::gen::inRange(0, 3);
    const AttributeValue a = DrawKey(kind), b = DrawKey(kind);
    RC_ASSERT((a == b || !Part(a).starts_with(Part(b))));
  }));
  EXPECT_FALSE(Part(std::string("a\0", 2)).starts_with(Part("a")));
}

TEST(KeyCodec, PrefixOfAValueIsAPrefixOfItsPart) {
  EXPECT_TRUE(rc::check([] {
    const std::string a = *testing::Bytes(), b = *testing::Bytes();
    std::string prefix;
    AppendKeyPrefix(prefix, a);
    RC_ASSERT(Part(AttributeValue::Binary(b)).starts_with(prefix) == b.starts_with(a));
    RC_ASSERT(Part(AttributeValue::Binary(a + b)).starts_with(prefix));
  }));
}

TEST(KeyCodec, PrefixEndIsAboveEveryExtensionAndNothingElse) {
  EXPECT_TRUE(rc::check([] {
    const std::string prefix = *testing::Bytes(), other = *testing::Bytes();
    const std::string end = PrefixEnd(prefix);
    const bool in_range = other >= prefix && (end.empty() || other < end);
    RC_ASSERT(in_range == other.starts_with(prefix));
    RC_ASSERT((end.empty() || prefix + other < end));
  }));
  EXPECT_EQ(PrefixEnd("ab"), "ac");
  EXPECT_EQ(PrefixEnd("a\xff\xff"), "b");
  EXPECT_EQ(PrefixEnd("\xff\xff"), "");
  EXPECT_EQ(PrefixEnd(""), "");
}

std::array<char, KeyHasher::kSecretBytes> Secret(char seed) {
  std::array<char, KeyHasher::kSecretBytes> secret;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    secret[i] = static_cast<char>(seed + static_cast<char>(i * 37));
  }
  return secret;
}

Hash128 HashOf(const KeyHasher& hasher, const std::vector<AttributeValue>& values) {
  std::vector<ValueView> parts;
  for (const AttributeValue& value : values) parts.push_back(value.view());
  return hasher.Hash(parts);
}

TEST(KeyHasher, EqualKeysHaveEqualHashes) {
  const KeyHasher hasher(Secret(1));
  EXPECT_EQ(HashOf(hasher, {AttributeValue::Number("1")}),
            HashOf(hasher, {AttributeValue::Number("1.0")}));
  EXPECT_NE(HashOf(hasher, {AttributeValue::Number("1")}),
            HashOf(hasher, {AttributeValue::Number("-1")}));
}

TEST(KeyHasher, WhereOnePartEndsMatters) {
  const KeyHasher hasher(Secret(1));
  EXPECT_NE(HashOf(hasher, {"ab", "c"}), HashOf(hasher, {"a", "bc"}));
  EXPECT_NE(HashOf(hasher, {"ab"}), HashOf(hasher, {"a", "b"}));
}

TEST(KeyHasher, TheSecretChangesTheHash) {
  EXPECT_NE(HashOf(KeyHasher(Secret(1)), {"key"}), HashOf(KeyHasher(Secret(2)), {"key"}));
  const std::string long_key(2000, 'k');
  EXPECT_NE(HashOf(KeyHasher(Secret(1)), {long_key}), HashOf(KeyHasher(Secret(2)), {long_key}));
}

}  // namespace key_codec_test
}  // namespace stator
