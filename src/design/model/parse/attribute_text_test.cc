#include "model/parse/attribute_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

namespace stator::model {
namespace attribute_text_test {

Attribute Parsed(std::string_view text, const NamedTypes& types = {}) {
  const auto attribute = ReadAttribute(text, types);
  EXPECT_TRUE(attribute) << text << ": " << (attribute ? "" : attribute.error());
  return attribute.value_or(Attribute{});
}

TEST(AttributeText, HasATypeASizeAndWords) {
  const Attribute a = Parsed("str 12/20 no=# card=50 opt secret enum=a|b norm=nfc|lower ->Batch");
  EXPECT_EQ(a.type, Type::kS);
  EXPECT_EQ(a.bytes.typical, 12);
  EXPECT_EQ(a.bytes.max, 20);
  EXPECT_TRUE(a.size_stated);
  EXPECT_EQ(a.forbidden, "#");
  EXPECT_EQ(a.cardinality, 50);
  EXPECT_TRUE(a.optional);
  EXPECT_TRUE(a.secret);
  EXPECT_EQ(a.values, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(a.normalizers, (std::vector<std::string>{"nfc", "lower"}));
  EXPECT_EQ(a.refers_to, "Batch");
}

TEST(AttributeText, ADefaultComesLast) {
  EXPECT_EQ(Parsed("str enum=draft|sent = draft").default_value->text, "draft");
  EXPECT_EQ(Parsed("num = 0").default_value->text, "0");
  EXPECT_EQ(Parsed("str ulid = new").default_value->kind, DefaultValue::Kind::kNewId);
  const Attribute ttl = Parsed("num epoch_s = now+30d");
  EXPECT_EQ(ttl.default_value->kind, DefaultValue::Kind::kNow);
  EXPECT_EQ(ttl.default_value->offset.count(), 30 * 86400);
  EXPECT_FALSE(ReadAttribute("num =", {}));
}

TEST(AttributeText, SizesFollowFromWhatIsSaid) {
  const std::pair<std::string_view, double> cases[] = {
      {"str date", 10},
      {"str iso_s", 20},
      {"str iso_ms", 24},
      {"str ulid", 26},
      {"str uuid", 36},
      {"num epoch_s", 6},
      {"num epoch_ms", 8},
      {"bool", 1},
      {"num 4", 3},
      {"num range=0..99", 2},
      {"str enum=ab|abcd", 3},
      {"str 30 KB", 30720},
      {"map 1 KB/2 KB", 1024},
      {"counters a|b", 3 + 2 * (1 + 1 + 3)},
  };
  for (const auto& [text, bytes] : cases) {
    const Attribute attribute = Parsed(text);
    EXPECT_EQ(attribute.bytes.typical, bytes) << text;
    EXPECT_TRUE(attribute.size_stated) << text;
  }
}

TEST(AttributeText, AGuessedSizeIsToldFromAStatedOne) {
  EXPECT_EQ(Parsed("str").bytes.typical, 20);
  for (const std::string_view text : {"str", "num", "map", "list", "strset", "bin", "counter"}) {
    EXPECT_FALSE(Parsed(text).size_stated) << text;
  }
}

TEST(AttributeText, CountersHaveNames) {
  EXPECT_EQ(Parsed("counters mon..sun").counters.size(), 7U);
  EXPECT_EQ(Parsed("counters 0..23").counters.back(), "23");
  EXPECT_EQ(Parsed("counters a|b|c").counters.size(), 3U);
  EXPECT_TRUE(Parsed("counter").counter);
  EXPECT_FALSE(ReadAttribute("counters 0..1e9", {}));
  EXPECT_FALSE(ReadAttribute("counters 1e300..1e300", {}));
}

TEST(AttributeText, ANamedTypeIsRefined) {
  NamedTypes types;
  types.emplace("Act", Parsed("str 20 no=# norm=trim"));
  const Attribute a = Parsed("Act opt", types);
  EXPECT_EQ(a.bytes.typical, 20);
  EXPECT_EQ(a.forbidden, "#");
  EXPECT_TRUE(a.optional);
  EXPECT_EQ(Parsed("Act 40", types).bytes.typical, 40);
}

TEST(AttributeText, ProblemsNameTheNearestWord) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"string 12", "unknown type `string`"},
      {"sttr 12", "did you mean `str`?"},
      {"str optt", "did you mean `opt`?"},
      {"str epoch_s", "unit of num"},
      {"str enm=a|b", "did you mean `enum`?"},
      {"str norm=lowr", "did you mean `lower`?"},
      {"str 20/10", "below the usual"},
      {"num range=5..1", "not a range"},
      {"", "expected a type"},
  };
  for (const auto& [text, message] : cases) {
    const auto attribute = ReadAttribute(text, {});
    ASSERT_FALSE(attribute) << text;
    EXPECT_NE(attribute.error().find(message), std::string::npos) << attribute.error();
  }
}

RC_GTEST_PROP(AttributeText, AnyTextIsReadOrRefused, (const std::string& words)) {
  const auto attribute = ReadAttribute("str " + words, {});
  RC_ASSERT(!attribute || attribute->type == Type::kS);
}

}  // namespace attribute_text_test
}  // namespace stator::model
