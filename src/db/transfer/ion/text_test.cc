#include "transfer/ion/reader.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "transfer/ion/writer.h"
#include "transfer/testing/read_all.h"
#include "value/testing/arbitrary.h"

namespace stator::transfer {
namespace text_test {

using stator::testing::DrawItem;
using testing::AllRecords;
using testing::ReadText;

AllRecords Read(std::string_view text, std::size_t chunk_bytes = kChunkBytes) {
  return ReadText<IonReader>(text, chunk_bytes);
}

// The value of the attribute a in {Item:{a:…}}.
AttributeValue One(std::string_view ion) {
  const AllRecords all = Read("$ion_1_0 {Item:{a:" + std::string(ion) + "}}\n", 3);
  if (all.items.size() != 1) {
    ADD_FAILURE() << ion << ": " << (all.problems.empty() ? "no record" : all.problems[0]);
    return AttributeValue::String("none");
  }
  return AttributeValue::FromView(all.items[0].Find("a").value());
}

std::string Problem(std::string_view ion) {
  const AllRecords all = Read("$ion_1_0 {Item:{a:" + std::string(ion) + "}}\n");
  EXPECT_TRUE(all.items.empty()) << ion;
  return all.problems.empty() ? all.ending : all.problems[0];
}

TEST(IonText, ItemsComeBackAsTheyWereWritten) {
  EXPECT_TRUE(rc::check([] {
    std::string text;
    std::vector<Item> items;
    for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
      items.push_back(DrawItem());
      AppendIonItem(text, items.back().view());
    }
    const AllRecords all = Read(text, *rc::gen::inRange<std::size_t>(1, 50));
    RC_ASSERT(all.items == items);
    RC_ASSERT(all.problems.empty() && all.ending.empty());
  }));
}

TEST(IonText, ChangesComeBackAsTheyWereWritten) {
  EXPECT_TRUE(rc::check([] {
    ChangeRecord change{.write_timestamp_us = *rc::gen::arbitrary<std::int64_t>(),
                        .keys = DrawItem(),
                        .new_image = DrawItem(),
                        .old_image = DrawItem()};
    std::string both;
    AppendIonChange(both, change, ExportView::kNewAndOldImages);
    RC_ASSERT(Read(both).changes == std::vector{change});
    std::string new_only;
    AppendIonChange(new_only, change, ExportView::kNewImage);
    change.old_image.reset();
    RC_ASSERT(Read(new_only).changes == std::vector{change});
  }));
}

const char kSample[] = R"($ion_1_0 {
    Item:{
        Authors:$dynamodb_SS::["Author1","Author2"],
        Dimensions:"8.5 x 11.0 x 1.5",
        ISBN:"333-3333333333",
        Id:103.,
        InPublication:false,
        PageCount:6d2,
        Price:2d3,
        ProductCategory:"Book",
        Title:"Book 103 Title"
    }
}
)";

Item SampleItem() {
  return Item{{"Authors", AttributeValue::StringSet({"Author1", "Author2"})},
              {"Dimensions", "8.5 x 11.0 x 1.5"},
              {"ISBN", "333-3333333333"},
              {"Id", 103},
              {"InPublication", false},
              {"PageCount", 600},
              {"Price", 2000},
              {"ProductCategory", "Book"},
              {"Title", "Book 103 Title"}};
}

TEST(IonText, TheServicesSampleIsRead) {
  for (const std::size_t piece : {1, 7, 4096}) {
    EXPECT_EQ(Read(kSample, piece).items, std::vector{SampleItem()});
  }
}

TEST(IonText, TheServicesSampleIsWritten) {
  std::string text;
  AppendIonItem(text, SampleItem().view());
  EXPECT_EQ(text,
            "$ion_1_0 {Item:{Authors:$dynamodb_SS::[\"Author1\",\"Author2\"],"
            "Dimensions:\"8.5 x 11.0 x 1.5\",ISBN:\"333-3333333333\",Id:103.,InPublication:false,"
            "PageCount:6d2,Price:2d3,ProductCategory:\"Book\",Title:\"Book 103 Title\"}}\n");
}

TEST(IonText, NumbersAreWrittenWithoutSuperfluousDigits) {
  const auto written = [](std::string_view number) {
    std::string out;
    AppendIonDecimal(out, number);
    return out;
  };
  EXPECT_EQ(written("0"), "0.");
  EXPECT_EQ(written("-103"), "-103.");
  EXPECT_EQ(written("1.5"), "1.5");
  EXPECT_EQ(written("0.000001"), "0.000001");
  EXPECT_EQ(written("0.0000012"), "0.0000012");
  EXPECT_EQ(written("0.00000012"), "12d-8");
  EXPECT_EQ(written("12345678901234567890123456789012345678"),
            "12345678901234567890123456789012345678.");
  EXPECT_EQ(written("100000000000000000000"), "1d20");
}

TEST(IonText, NumbersOfEveryFormAreNumbers) {
  EXPECT_EQ(One("0"), AttributeValue::Number("0"));
  EXPECT_EQ(One("-0."), AttributeValue::Number("0"));
  EXPECT_EQ(One("1_000"), AttributeValue::Number("1000"));
  EXPECT_EQ(One("0xff"), AttributeValue::Number("255"));
  EXPECT_EQ(One("-0b101"), AttributeValue::Number("-5"));
  EXPECT_EQ(One("0x1_0000_0000_0000_0000"), AttributeValue::Number("18446744073709551616"));
  EXPECT_EQ(One("1.5"), AttributeValue::Number("1.5"));
  EXPECT_EQ(One("15D-1"), AttributeValue::Number("1.5"));
  EXPECT_EQ(One("1.5d+3"), AttributeValue::Number("1500"));
  EXPECT_EQ(One("1.5e3"), AttributeValue::Number("1500"));
  EXPECT_EQ(One("12345678901234567890123456789012345678"),
            AttributeValue::Number("12345678901234567890123456789012345678"));
}

TEST(IonText, WhatIsNoNumberIsRefused) {
  for (const char* ion :
       {"01", "1__0", "1_", "+1", "--1", "0x", "0b2", "1e", "1d", "1.5.5", "nan", "+inf", "-inf",
        "1d126", "1d-131", "1d99999999999999999999", "123456789012345678901234567890123456789"}) {
    EXPECT_FALSE(Problem(ion).empty()) << ion;
  }
}

TEST(IonText, EveryEscapeOfAStringIsUnderstood) {
  EXPECT_EQ(One(R"("\0\a\b\t\n\f\r\v\"\'\?\\\/")"),
            AttributeValue::String(std::string_view("\0\a\b\t\n\f\r\v\"'?\\/", 13)));
  EXPECT_EQ(One(R"("\x41\u00e9\U0001F600")"), AttributeValue::String("Aé😀"));
  EXPECT_EQ(One(R"("\ud83d\ude00")"), AttributeValue::String("😀"));
  EXPECT_EQ(One("\"one\\\n two\""), AttributeValue::String("one two"));
}

TEST(IonText, LongStringsAreJoined) {
  EXPECT_EQ(One("'''one'''\n '''two\r\nthree''' // end\n"),
            AttributeValue::String("onetwo\nthree"));
  EXPECT_EQ(One("'''it's ''two'' quotes'''"), AttributeValue::String("it's ''two'' quotes"));
  EXPECT_EQ(One("''''''"), AttributeValue::String(""));
}

TEST(IonText, StringsThatAreMalformedAreRefused) {
  for (const char* ion : {"\"a\nb\"", "\"\\q\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
                          "\"\\UFFFFFFFF\"", "\"\\xg0\"", "\"\x01\"", "\"\xff\""}) {
    EXPECT_FALSE(Problem(ion).empty()) << ion;
  }
}

TEST(IonText, NullsOfEveryTypeAreNull) {
  for (const char* ion : {"null", "null.null", "null.string", "null.struct", "null.timestamp"}) {
    EXPECT_EQ(One(ion), AttributeValue::Null()) << ion;
  }
  EXPECT_FALSE(Problem("null.thing").empty());
}

TEST(IonText, SymbolsAreStringsQuotedOrNot) {
  EXPECT_EQ(One("word"), AttributeValue::String("word"));
  EXPECT_EQ(One("'two words'"), AttributeValue::String("two words"));
  EXPECT_EQ(One("$4"), AttributeValue::String("name"));
  EXPECT_EQ(One("[{'x y':true, \"z\":1, '''lo''' '''ng''':2}]"),
            AttributeValue::List({AttributeValue::Map(
                {{"x y", AttributeValue(true)}, {"z", AttributeValue(1)}, {"long", 2}})}));
}

TEST(IonText, BlobsMayHaveBlanks) {
  EXPECT_EQ(One("{{ aGVs\n bG8= }}"), AttributeValue::Binary("hello"));
  EXPECT_EQ(One("{{}}"), AttributeValue::Binary(""));
  EXPECT_FALSE(Problem("{{aGVsbG8}}").empty());
}

TEST(IonText, CommentsAndCommasMayStandWhereBlanksMay) {
  EXPECT_EQ(One("/* a */[ 1, // one\n 2 /* two */ , ]"),
            AttributeValue::List({AttributeValue(1), AttributeValue(2)}));
}

TEST(IonText, SetsAreAnnotatedLists) {
  EXPECT_EQ(One("$dynamodb_NS::[1, 2.5]"), AttributeValue::NumberSet({"1", "2.5"}));
  EXPECT_EQ(One("'$dynamodb_BS' :: [{{AA==}}]"), AttributeValue::BinarySet({std::string(1, '\0')}));
  EXPECT_EQ(One("other::[1]"), AttributeValue::List({AttributeValue(1)}));
  for (const char* ion :
       {"$dynamodb_SS::[1]", "$dynamodb_NS::[\"1\"]", "$dynamodb_BS::[null]", "$dynamodb_SS::[]",
        "$dynamodb_SS::\"a\"", "$dynamodb_SS::[\"a\",\"a\"]", "$dynamodb_SS::null.list"}) {
    EXPECT_FALSE(Problem(ion).empty()) << ion;
  }
}

TEST(IonText, TypesThatDynamoDbDoesNotHaveAreRefusedByName) {
  EXPECT_NE(Problem("2007-02-23T12:14:33.079-08:00").find("timestamp"), std::string::npos);
  EXPECT_NE(Problem("2007T").find("timestamp"), std::string::npos);
  EXPECT_NE(Problem("{{\"clob\"}}").find("clob"), std::string::npos);
  EXPECT_NE(Problem("(a b)").find("S-expression"), std::string::npos);
}

TEST(IonText, SeveralValuesMayStandInOneLine) {
  const AllRecords all = Read("$ion_1_0 {Item:{a:1}} {Item:{a:2}}{Item:{a:3}}", 2);
  EXPECT_EQ(all.items.size(), 3U);
}

TEST(IonText, AListAtTheTopIsAListOfItems) {
  for (const std::size_t piece : {1, 1000}) {
    const AllRecords all = Read("$ion_1_0\n[\n {Item:{a:1}},\n {Item:{a:2}}\n]\n{Item:{}}", piece);
    EXPECT_EQ(all.items.size(), 3U);
    EXPECT_TRUE(all.problems.empty());
  }
}

TEST(IonText, HowTheTextIsCutDoesNotMatter) {
  const std::string_view text =
      "$ion_1_0 // one\n[ {Item:{a:1}}, /* two */ {Item:{b:'''x''' '''y'''}}, bad ]\n{Item:{}}";
  const AllRecords whole = Read(text);
  EXPECT_EQ(whole.items.size(), 3U);
  for (std::size_t chunk = 1; chunk < text.size(); ++chunk) {
    EXPECT_TRUE(testing::SameRecords(whole, Read(text, chunk))) << chunk;
  }
}

TEST(IonText, ALocalSymbolTableNamesIds) {
  const AllRecords all = Read(
      "$ion_1_0 $ion_symbol_table::{symbols:[\"Item\", \"a\"]} {$10:{$11:$11}}\n"
      "$ion_symbol_table::{imports:$ion_symbol_table, symbols:[\"b\"]} {$10:{$12:1}}\n"
      "$ion_1_0 {$10:{}}\n");
  ASSERT_EQ(all.items.size(), 2U);
  EXPECT_EQ(all.items[0], (Item{{"a", "a"}}));
  EXPECT_EQ(all.items[1], (Item{{"b", 1}}));
  EXPECT_EQ(all.problems, std::vector<std::string>{"the symbol $10 is not known"});
}

TEST(IonText, ABadRecordIsNamedAndTheNextIsRead) {
  const AllRecords all = Read(
      "$ion_1_0 {Item:{a:[1}}\n"
      "$ion_1_0 {Item:{a:1}}\n"
      "$ion_1_0 {Item:{a\n b\n c}}\n"
      "$ion_1_0 {Other:{}}\n"
      "$ion_1_0 7\n"
      "$ion_1_0 {Item:{a:2}}\n",
      5);
  EXPECT_EQ(all.items, (std::vector{Item{{"a", 1}}, Item{{"a", 2}}}));
  EXPECT_EQ(all.problems.size(), 4U);
  EXPECT_EQ(all.places.back().line, 8U);
}

TEST(IonText, DeepNestingIsRefusedWithoutRecursingFurther) {
  EXPECT_FALSE(Problem(std::string(40, '[') + std::string(40, ']')).empty());
  EXPECT_NE(Problem(std::string(100'000, '[')).find("nested too deep"), std::string::npos);
}

TEST(IonText, ManyValuesInFewBytesAreRefused) {
  std::string ion = "[";
  for (int i = 0; i < 600'000; ++i) ion += "0,";
  EXPECT_NE(Problem(ion + "]").find("too many values"), std::string::npos);
}

TEST(IonText, AnotherVersionEndsTheObject) {
  EXPECT_NE(Read("$ion_2_0 {Item:{}}").ending.find("version"), std::string::npos);
}

TEST(IonText, TextThatEndsTooEarlyIsAProblem) {
  const std::string_view sample = kSample;
  const std::size_t begin = sample.find('{');
  for (std::size_t length = begin + 1; length + 2 < sample.size(); ++length) {
    const AllRecords all = Read(sample.substr(0, length));
    EXPECT_TRUE(all.items.empty()) << length;
    EXPECT_EQ(all.problems.size(), 1U) << length;
  }
  EXPECT_FALSE(Read("{Item:{}} /* ").ending.empty());
}

}  // namespace text_test
}  // namespace stator::transfer
