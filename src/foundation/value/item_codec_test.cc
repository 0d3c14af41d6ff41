#include "value/item_codec.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <optional>

#include "value/item_json.h"
#include "value/size.h"
#include "value/testing/arbitrary.h"

namespace stator {
namespace item_codec_test {

TEST(ItemCodec, WritesTheDocumentedBytes) {
  EXPECT_EQ((Item{{"a", "xy"}, {"b", true}}).encoded(), std::string("\x02\x01"
                                                                    "aS\x02xy\x01"
                                                                    "bT"));
  EXPECT_EQ(AttributeValue::StringSet({"b", "a"}).encoded(), std::string("s\x05\0\0\0\x02\x01"
                                                                         "a\x01"
                                                                         "b",
                                                                         10));
  EXPECT_EQ(AttributeValue::Map({}).encoded(), std::string("M\x01\0\0\0\0", 6));
  EXPECT_EQ(AttributeValue::List({AttributeValue::Null()}).encoded(), std::string("L\x02\0\0\0\x01"
                                                                                  "0",
                                                                                  7));
  EXPECT_EQ(AttributeValue(0).encoded(), std::string("N\x01\x80"));
}

TEST(ItemCodec, LengthsGrowWithTheirVarints) {
  for (const std::size_t length : {0U, 127U, 128U, 16383U, 16384U, 300000U}) {
    const Item item{{"name", std::string(length, 'x')}, {"z", 1}};
    EXPECT_EQ(item.Find("name")->S().size(), length);
    EXPECT_EQ(item.Find("z")->N(), "1");
    EXPECT_TRUE(IsWellFormedItem(item.encoded()));
  }
}

TEST(ItemCodec, ProjectionKeepsTheNamedAttributes) {
  const Item item{{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}};
  const std::vector<std::string> names = {"0", "b", "bb", "d", "e"};
  EXPECT_EQ(ProjectTopLevel(item.view(), names), (Item{{"b", 2}, {"d", 4}}).encoded());
  EXPECT_EQ(ProjectTopLevel(item.view(), {}), Item().encoded());
}

TEST(ItemCodec, SeveralAttributesAreFoundInOneWalk) {
  const Item item{{"a", 1}, {"b", 2}, {"bb", 3}, {"d", 4}};
  const std::vector<std::string_view> names = {"", "0", "b", "b", "ba", "bb", "d", "e"};
  std::vector<std::optional<ValueView>> found(names.size(), item.Find("a"));
  FindSorted(item.view(), names, found);
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(found[i], item.Find(names[i])) << i;
  FindSorted(ItemView(), names, found);
  for (const auto& value : found) EXPECT_FALSE(value.has_value());
  FindSorted(item.view(), {}, {});
}

TEST(ItemCodec, OneWalkFindsWhatSingleSearchesFind) {
  EXPECT_TRUE(rc::check([](std::vector<std::string> texts) {
    const Item item = testing::DrawItem();
    for (const auto& [name, value] : item) texts.emplace_back(name);
    std::ranges::sort(texts);
    const std::vector<std::string_view> names(texts.begin(), texts.end());
    std::vector<std::optional<ValueView>> found(names.size());
    FindSorted(item.view(), names, found);
    for (std::size_t i = 0; i < names.size(); ++i) RC_ASSERT(found[i] == item.Find(names[i]));
  }));
}

TEST(ItemCodec, NamesThatBeginAlikeAreToldApart) {
  const Item item{{"name", 1}, {"namea", 2}, {"nb", 3}, {"\xC3\xA9", 4}};
  EXPECT_EQ(item.Find("name")->N(), "1");
  EXPECT_EQ(item.Find("namea")->N(), "2");
  EXPECT_EQ(item.Find("nb")->N(), "3");
  EXPECT_EQ(item.Find("\xC3\xA9")->N(), "4");
  for (const std::string_view missing : {"", "n", "nam", "nameb", "z", "\xC3", "\xC3\xAA"}) {
    EXPECT_FALSE(item.Find(missing).has_value()) << missing;
  }
}

TEST(ItemCodec, DepthCountsListsAndMaps) {
  EXPECT_EQ(NestingDepth(AttributeValue(1).view()), 0);
  EXPECT_EQ(NestingDepth(AttributeValue::StringSet({"a"}).view()), 0);
  EXPECT_EQ(NestingDepth(AttributeValue::List({}).view()), 1);
  EXPECT_EQ(NestingDepth(AttributeValue::List({1, AttributeValue::Map({{"a", 1}})}).view()), 2);
}

TEST(ItemCheck, AcceptsEverythingThatIsWritten) {
  EXPECT_TRUE(rc::check([] {
    const Item item = testing::DrawItem();
    RC_ASSERT(IsWellFormedItem(item.encoded()));
    for (const auto& [name, value] : item) RC_ASSERT(IsWellFormedValue(value.encoded()));
  }));
}

// Reads everything there is to read.
std::size_t Walk(ItemView item) {
  std::string out;
  JsonWriter json(out);
  WriteItem(json, item);
  for (const auto& [name, value] : item) {
    out += DebugText(value);
    if (!item.Find(name)) out.clear();
  }
  return out.size() + ItemSizeBytes(item);
}

TEST(ItemCheck, WhateverItAcceptsCanBeReadAndIsCanonical) {
  EXPECT_TRUE(rc::check([] {
    std::string bytes = testing::DrawItem().encoded();
    const int changes = *rc::gen::inRange(1, 4);
    for (int i = 0; i < changes && !bytes.empty(); ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
      switch (*rc::gen::inRange(0, 3)) {
        case 0:
          bytes[at] = *rc::gen::arbitrary<char>();
          break;
        case 1:
          bytes.erase(at, *rc::gen::inRange<std::size_t>(1, 5));
          break;
        default:
          bytes.insert(at, 1, *rc::gen::arbitrary<char>());
      }
    }
    if (!IsWellFormedItem(bytes)) return;
    RC_ASSERT(Walk(ItemView(bytes)) >= 2U);
    std::vector<std::pair<std::string, AttributeValue>> attributes;
    for (const auto& [name, value] : ItemView(bytes)) {
      attributes.emplace_back(name, AttributeValue::FromView(value));
    }
    RC_ASSERT(Item(attributes).encoded() == bytes);
  }));
}

TEST(ItemCheck, RefusesEveryTruncation) {
  const std::string bytes =
      Item{{"a", "x"},
           {"b", AttributeValue::NumberSet({"1", "-2.5"})},
           {"c", AttributeValue::Map({{"k", AttributeValue::List({1, "é"})}})}}
          .encoded();
  EXPECT_TRUE(IsWellFormedItem(bytes));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(IsWellFormedItem(std::string_view(bytes).substr(0, length))) << length;
  }
  EXPECT_FALSE(IsWellFormedItem(bytes + '\0'));
}

TEST(ItemCheck, RefusesBytesThatAreNotCanonical) {
  using std::string;
  const std::vector<string> bad = {
      string("S\x81\0x", 4),                                // varint not the shortest
      string("S\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),  // longer than anything
      string("S\x01\xff"),                                  // not UTF-8
      string("N\x02\x80\x80"),                              // two numbers
      string("s\x05\0\0\0\x02\x01"
             "b\x01"
             "a",
             10),  // not sorted
      string("s\x05\0\0\0\x02\x01"
             "a\x01"
             "a",
             10),                  // twice
      string("s\x01\0\0\0\0", 6),  // empty set
      string("s\x06\0\0\0\x02\x01"
             "a\x01"
             "bX",
             11),                             // size counts a byte too many
      string("n\x03\0\0\0\x01\x01\x79", 8),   // not a number
      string("M\x05\0\0\0\x01\0S\x01x", 10),  // empty name
      string("M\x07\0\0\0\x02\x01"
             "bT\x01"
             "aT",
             12),                        // names not sorted
      string("L\xff\xff\xff\xff\x01T"),  // size beyond the end
      string("X"),
      string()};
  for (const string& bytes : bad) EXPECT_FALSE(IsWellFormedValue(bytes)) << bytes;
}

TEST(ItemCheck, DepthIsBounded) {
  std::string value(1, 'T');
  for (int i = 0; i < 1000; ++i) {
    std::string wrapped;
    const std::size_t begun = BeginContainer(wrapped, Type::kL, 1);
    wrapped += value;
    EndContainer(wrapped, begun);
    value = wrapped;
    EXPECT_EQ(IsWellFormedValue(value), i < kMaxNesting);
  }
}

}  // namespace item_codec_test
}  // namespace stator
