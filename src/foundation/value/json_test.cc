#include "value/json.h"

#include <gtest/gtest.h>

#include <limits>

namespace stator {
namespace json_test {

TEST(Json, KnowsEveryKind) {
  JsonDocument document;
  ASSERT_TRUE(document.Parse(R"([null,true,-1,18446744073709551615,1.5,"s",[],{}])"));
  std::vector<JsonKind> kinds;
  for (const JsonValue value : document.root().Elements()) kinds.push_back(value.kind());
  EXPECT_EQ(kinds, (std::vector<JsonKind>{JsonKind::kNull, JsonKind::kBool, JsonKind::kInteger,
                                          JsonKind::kInteger, JsonKind::kDecimal, JsonKind::kString,
                                          JsonKind::kArray, JsonKind::kObject}));
}

TEST(Json, IntegersTruncateAndSaturate) {
  JsonDocument document;
  ASSERT_TRUE(document.Parse("[7,-7.9,1e300,-1e300,18446744073709551615,9223372036854775808.0]"));
  std::vector<std::int64_t> integers;
  for (const JsonValue value : document.root().Elements()) integers.push_back(value.integer());
  const auto max = std::numeric_limits<std::int64_t>::max();
  const auto min = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(integers, (std::vector<std::int64_t>{7, -7, max, min, max, max}));
  EXPECT_EQ(document.root().Elements()[0].number(), 7.0);
  EXPECT_EQ(document.root().Elements()[1].number(), -7.9);
}

TEST(Json, LastOfRepeatedMembersCountsAndNullIsAbsent) {
  JsonDocument document;
  ASSERT_TRUE(document.Parse(R"({"a":1,"b":2,"a":3,"n":null,"b":null,"c":4,"d":null,"d":5})"));
  const JsonValue root = document.root();
  EXPECT_EQ(root.Member("a")->integer(), 3);
  EXPECT_FALSE(root.Member("b"));
  EXPECT_FALSE(root.Member("n"));
  EXPECT_FALSE(root.Member("missing"));
  EXPECT_EQ(root.Member("d")->integer(), 5);
  std::vector<std::pair<std::string_view, std::int64_t>> members;
  for (const auto& [name, value] : root.Members()) members.emplace_back(name, value.integer());
  EXPECT_EQ(members,
            (std::vector<std::pair<std::string_view, std::int64_t>>{{"a", 3}, {"c", 4}, {"d", 5}}));
}

TEST(Json, StringsAreUnescaped) {
  JsonDocument document;
  ASSERT_TRUE(document.Parse(R"({"k\u0000\n":"\ud83d\ude00\u0000\""})"));
  const auto members = document.root().Members();
  ASSERT_EQ(members.size(), 1U);
  EXPECT_EQ(members[0].first, std::string_view("k\0\n", 3));
  EXPECT_EQ(members[0].second.string(), std::string_view("😀\0\"", 6));
}

TEST(Json, RefusesWhatIsNotJson) {
  JsonDocument document;
  for (const std::string_view text :
       {"", " ", "{", "{]", "{}x", "[1,]", "{\"a\"}", "nul", "'a'", "{a:1}", "\"\\ud800\"",
        "\"\xff\"", "\"\xed\xa0\x80\"", "[01]", "\"a\nb\"", "[18446744073709551616]"}) {
    EXPECT_FALSE(document.Parse(text)) << text;
  }
  EXPECT_TRUE(document.Parse("{}"));
}

TEST(Json, AValueOfNoDocumentIsNull) { EXPECT_TRUE(JsonValue().is_null()); }

TEST(Json, DepthIsBounded) {
  JsonDocument document;
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(document.Parse(nested(kJsonMaxDepth - 1)));
  EXPECT_FALSE(document.Parse(nested(kJsonMaxDepth + 1)));
  EXPECT_FALSE(document.Parse(nested(100'000)));
  EXPECT_TRUE(document.Parse(nested(3)));
}

TEST(Json, ParsesPaddedTextInPlace) {
  std::string text = R"({"a":"b"})";
  const std::size_t length = text.size();
  text.append(kJsonPadding, '}');
  JsonDocument document;
  ASSERT_TRUE(document.ParsePadded(std::string_view(text).substr(0, length)));
  EXPECT_EQ(document.root().Member("a")->string(), "b");
}

TEST(Json, ADocumentIsReusedForLargeAndSmallTexts) {
  JsonDocument document;
  for (const std::size_t length : {10U, 3'000'000U, 10U, 5'000U, 100U}) {
    ASSERT_TRUE(document.Parse("[\"" + std::string(length, 'x') + "\"]"));
    EXPECT_EQ(document.root().Elements()[0].string().size(), length);
  }
  JsonDocument moved = std::move(document);
  EXPECT_EQ(moved.root().Elements()[0].string().size(), 100U);
}

}  // namespace json_test
}  // namespace stator
