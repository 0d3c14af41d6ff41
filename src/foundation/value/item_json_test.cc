#include "value/item_json.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "value/item_codec.h"
#include "value/testing/arbitrary.h"
#include "value/value_problem.h"

namespace stator {
namespace item_json_test {

using Kind = ValueProblem::Kind;

Result<Item> Read(std::string_view json, Wording wording = Wording::kCurrent) {
  JsonDocument document;
  EXPECT_TRUE(document.Parse(json)) << json;
  return ReadItem(document.root(), wording);
}

Item ReadGood(std::string_view json) {
  const Result<Item> item = Read(json);
  EXPECT_TRUE(item.has_value()) << json;
  EXPECT_EQ(item->problem(), nullptr) << json;
  EXPECT_TRUE(IsWellFormedItem(item->encoded())) << json;
  return *item;
}

// The item {"a": value} as it comes back.
std::string Echo(std::string_view value) {
  std::string out;
  JsonWriter json(out);
  WriteAttributeValue(json, *ReadGood("{\"a\":" + std::string(value) + "}").Find("a"));
  return out;
}

std::string ProblemText(std::string_view item, Wording wording = Wording::kCurrent) {
  const Result<Item> read = Read(item, wording);
  EXPECT_TRUE(read.has_value()) << item;
  EXPECT_NE(read->problem(), nullptr) << item;
  EXPECT_TRUE(IsWellFormedItem(read->encoded())) << item;
  return read->problem() == nullptr ? "" : ProblemMessage(*read->problem(), wording);
}

std::string ValueProblemText(std::string_view value, Wording wording = Wording::kCurrent) {
  return ProblemText("{\"a\":" + std::string(value) + "}", wording);
}

std::string ShapeError(std::string_view item) {
  const Result<Item> read = Read(item);
  EXPECT_FALSE(read.has_value()) << item;
  if (read) return {};
  EXPECT_EQ(read.error().code(), ErrorCode::kSerialization);
  return read.error().message();
}

std::string ValueShapeError(std::string_view value) {
  return ShapeError("{\"a\":" + std::string(value) + "}");
}

std::string Nested(int wraps, std::string_view leaf) {
  std::string json(leaf);
  for (int i = 0; i < wraps; ++i) {
    json = i % 2 == 0 ? R"({"L":[)" + json + "]}" : R"({"M":{"m":)" + json + "}}";
  }
  return json;
}

TEST(ItemJson, EveryTypeComesBackNormalised) {
  EXPECT_EQ(Echo(R"({"S":"a\u00e9\n\u0000"})"), R"({"S":"aé\n\u0000"})");
  EXPECT_EQ(Echo(R"({"S":""})"), R"({"S":""})");
  EXPECT_EQ(Echo(R"({"N":"1.50e1"})"), R"({"N":"15"})");
  EXPECT_EQ(Echo(R"({"B":"AAEC/w=="})"), R"({"B":"AAEC/w=="})");
  EXPECT_EQ(Echo(R"({"B":""})"), R"({"B":""})");
  EXPECT_EQ(Echo(R"({"BOOL":true})"), R"({"BOOL":true})");
  EXPECT_EQ(Echo(R"({"BOOL":"No"})"), R"({"BOOL":false})");
  EXPECT_EQ(Echo(R"({"BOOL":"1"})"), R"({"BOOL":true})");
  EXPECT_EQ(Echo(R"({"NULL":true})"), R"({"NULL":true})");
  EXPECT_EQ(Echo(R"({"NULL":"YES"})"), R"({"NULL":true})");
  EXPECT_EQ(Echo(R"({"SS":["b","a",""]})"), R"({"SS":["","a","b"]})");
  EXPECT_EQ(Echo(R"({"NS":["10","9.0","-1"]})"), R"({"NS":["-1","9","10"]})");
  EXPECT_EQ(Echo(R"({"BS":["/w==","AA==",""]})"), R"({"BS":["","AA==","/w=="]})");
  EXPECT_EQ(Echo(R"({"L":[{"S":"x"},{"L":[]},{"N":"1"}]})"),
            R"({"L":[{"S":"x"},{"L":[]},{"N":"1"}]})");
  EXPECT_EQ(Echo(R"({"M":{"b":{"N":"1"},"a":{"M":{}}}})"), R"({"M":{"a":{"M":{}},"b":{"N":"1"}}})");
}

TEST(ItemJson, ItemsSurviveTheRoundTrip) {
  EXPECT_TRUE(rc::check([] {
    const Item item = testing::DrawItem();
    std::string out;
    JsonWriter json(out);
    WriteItem(json, item.view());
    JsonDocument document;
    RC_ASSERT(document.Parse(out));
    const Result<Item> read = ReadItem(document.root(), Wording::kClassic);
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->problem() == nullptr);
    RC_ASSERT(read->encoded() == item.encoded());
  }));
}

TEST(ItemJson, AttributesSentInAnyOrderAndAgainMakeTheSameItemAsInCode) {
  EXPECT_TRUE(rc::check([] {
    std::vector<std::pair<std::string, AttributeValue>> attributes = testing::DrawAttributes();
    for (int again = *rc::gen::inRange(0, 3); again > 0 && !attributes.empty(); --again) {
      const std::string name = (*rc::gen::elementOf(attributes)).first;
      attributes.emplace_back(name, testing::DrawValue(1));
    }
    std::string out;
    JsonWriter json(out);
    json.BeginObject();
    for (const auto& [name, value] : attributes) {
      json.Key(name);
      WriteAttributeValue(json, value.view());
    }
    json.EndObject();
    RC_ASSERT(ReadGood(out) == Item(attributes));
  }));
}

TEST(ItemJson, NamesOfEveryLengthAreOrdered) {
  // Of each length two that differ in the last byte, the greater and the longer first.
  std::string json = "{";
  std::vector<std::pair<std::string, AttributeValue>> attributes;
  for (std::size_t length = 20; length > 0; --length) {
    for (const char last : {'z', 'a'}) {
      const std::string name = std::string(length - 1, 'm') + last;
      json += (attributes.empty() ? "\"" : ",\"") + name + R"(":{"NULL":true})";
      attributes.emplace_back(name, AttributeValue::Null());
    }
  }
  EXPECT_EQ(ReadGood(json + "}"), Item(attributes));
}

TEST(ItemJson, AttributesMayComeInAnyOrder) {
  const Item sorted = ReadGood(R"({"a":{"N":"1"},"b":{"M":{"x":{"S":"1"},"y":{"S":"2"}}}})");
  EXPECT_EQ(ReadGood(R"({"b":{"M":{"y":{"S":"2"},"x":{"S":"1"}}},"a":{"N":"1"}})"), sorted);
}

TEST(ItemJson, LastOfRepeatedNamesCountsAndNullIsAbsent) {
  EXPECT_EQ(ReadGood(R"({"a":{"N":"1"},"b":{"N":"2"},"a":{"N":"3"}})"), (Item{{"a", 3}, {"b", 2}}));
  EXPECT_EQ(ReadGood(R"({"a":{"N":"1"},"b":null})"), (Item{{"a", 1}}));
  EXPECT_EQ(ReadGood(R"({"a":{"N":"1"},"a":null})"), Item());
  EXPECT_EQ(ReadGood(R"({"a":{"S":"x","S":"y"}})"), (Item{{"a", "y"}}));
  EXPECT_EQ(ReadGood(R"({"a":{"S":"x","N":null,"Unknown":[1]}})"), (Item{{"a", "x"}}));
}

TEST(ItemJson, AnOverriddenAttributeHasNoProblem) {
  EXPECT_EQ(ReadGood(R"({"a":{"N":"x"},"a":{"N":"1"}})"), (Item{{"a", 1}}));
  EXPECT_EQ(ReadGood(R"({"m":{"M":{"a":{"NULL":false},"a":{"N":"1"}}}})"),
            (Item{{"m", AttributeValue::Map({{"a", 1}})}}));
  EXPECT_EQ(ProblemText(R"({"a":{"N":"x"},"a":{"N":"1"},"b":{"N":"y"}})"),
            "The parameter cannot be converted to a numeric value: y");
  EXPECT_EQ(ShapeError(R"({"a":{"N":7},"a":{"N":"1"}})"),
            "NUMBER_VALUE cannot be converted to String");
}

TEST(ItemJson, CountsOfTypesAreChecked) {
  const std::string empty =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  const std::string several =
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
      "supported datatypes";
  EXPECT_EQ(ValueProblemText("{}"), empty);
  EXPECT_EQ(ValueProblemText(R"({"X":1})"), empty);
  EXPECT_EQ(ValueProblemText(R"({"s":"lower case"})"), empty);
  EXPECT_EQ(ValueProblemText(R"({"X":1,"Y":2})"), empty);
  EXPECT_EQ(ValueProblemText(R"({"S":null})"), empty);
  EXPECT_EQ(ValueProblemText(R"({"L":[null]})"), empty);
  EXPECT_EQ(ValueProblemText(R"({"S":"a","N":"1"})"), several);
  EXPECT_EQ(ValueProblemText(R"({"S":"a","N":"x"})"),
            "The parameter cannot be converted to a numeric value: x");
}

TEST(ItemJson, ValueProblemsAreReportedInBothWordings) {
  EXPECT_EQ(ValueProblemText(R"({"NULL":false})"),
            "One or more parameter values were invalid: Null attribute value types must have the "
            "value of true");
  EXPECT_EQ(ValueProblemText(R"({"SS":[]})"),
            "One or more parameter values were invalid: An string set  may not be empty");
  EXPECT_EQ(ValueProblemText(R"({"NS":[]})"),
            "One or more parameter values were invalid: An number set  may not be empty");
  EXPECT_EQ(ValueProblemText(R"({"BS":[]})"),
            "One or more parameter values were invalid: Binary sets should not be empty");
  EXPECT_EQ(ValueProblemText(R"({"SS":["b","a","b"]})"),
            "One or more parameter values were invalid: Input collection [\"a\", \"b\", \"b\"] "
            "contains duplicates.");
  EXPECT_EQ(ValueProblemText(R"({"SS":["b","a","b"]})", Wording::kClassic),
            "One or more parameter values were invalid: Input collection [b, a, b] contains "
            "duplicates.");
  EXPECT_EQ(ValueProblemText(R"({"BS":["/w==","AA==","AA=="]})", Wording::kClassic),
            "One or more parameter values were invalid: Input collection [/w==, AA==, AA==]of type "
            "BS contains duplicates.");
  EXPECT_EQ(ValueProblemText(R"({"NS":["1","1.0"]})"),
            "One or more parameter values were invalid: Input collection contains duplicates.");
  EXPECT_EQ(ValueProblemText(R"({"NS":["1","1.0"]})", Wording::kClassic),
            "Input collection contains duplicates");
  EXPECT_EQ(ValueProblemText(R"({"N":""})"),
            "The parameter cannot be converted to a numeric value: ");
  EXPECT_EQ(ValueProblemText(R"({"N":""})", Wording::kClassic),
            "The parameter cannot be converted to a numeric value");
  EXPECT_EQ(ValueProblemText(R"({"N":"1e2147483647"})"),
            "Number overflow. Attempting to store a number with magnitude larger than supported "
            "range");
  EXPECT_EQ(ValueProblemText(R"({"N":"1e2147483647"})", Wording::kClassic),
            "Number underflow. Attempting to store a number with magnitude smaller than supported "
            "range");
}

TEST(ItemJson, NumberErrorsOfASetComeBeforeItsDuplicates) {
  EXPECT_EQ(ValueProblemText(R"({"NS":["1","1","x"]})"),
            "The parameter cannot be converted to a numeric value: x");
}

TEST(ItemJson, TheFirstBadLeafIsReported) {
  EXPECT_EQ(ProblemText(R"({"z":{"L":[{"S":"ok"},{"N":"first"}]},"a":{"N":"second"}})"),
            "The parameter cannot be converted to a numeric value: first");
  EXPECT_EQ(ProblemText(R"({"z":{"M":{"y":{"N":"first"},"x":{"N":"second"}}},"a":{"N":"third"}})"),
            "The parameter cannot be converted to a numeric value: first");
  EXPECT_EQ(ProblemText(R"({"z":{"N":"over"},"y":{"N":"first"},"a":{"N":"second"},"z":{"N":"1"}})"),
            "The parameter cannot be converted to a numeric value: first");
  EXPECT_EQ(ProblemText(R"({"":{"N":"x"}})"), "Empty attribute name");
  EXPECT_EQ(ProblemText(R"({"a":{"M":{"":{"N":"1"}}}})"), "Empty attribute name");
}

TEST(ItemJson, AWrongShapeComesBeforeAnyProblem) {
  EXPECT_EQ(ShapeError(R"({"a":{"N":"bad"},"b":{"S":1}})"),
            "NUMBER_VALUE cannot be converted to String");
}

TEST(ItemJson, TheFirstWrongShapeIsReported) {
  EXPECT_EQ(ShapeError(R"({"b":{"S":1},"a":{"S":true}})"),
            "NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(ShapeError(R"({"b":{"S":"x"},"c":{"S":true},"a":{"S":1},"c":{"S":"y"}})"),
            "TRUE_VALUE cannot be converted to String");
}

TEST(ItemJson, WhatIsLeftOfARefusedItemIsWellFormed) {
  const Result<Item> item =
      Read(R"({"z":{"N":"x"},"b":{"N":"1"},"":{"S":"y"},"b":{"S":"2"},"":{"S":"z"},"a":null})");
  ASSERT_TRUE(item.has_value());
  ASSERT_NE(item->problem(), nullptr);
  EXPECT_EQ(item->problem()->kind, Kind::kNotANumber);
  EXPECT_EQ(item->encoded(), (Item{{"b", "2"}, {"z", AttributeValue::Null()}}).encoded());
}

TEST(ItemJson, NestingIsBounded) {
  ReadGood("{\"a\":" + Nested(kMaxNesting, R"({"N":"1"})") + "}");
  const std::string too_deep =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit";
  EXPECT_EQ(ValueProblemText(Nested(kMaxNesting + 1, R"({"N":"1"})")), too_deep);
  EXPECT_EQ(ValueProblemText(Nested(kMaxNesting + 2, R"({"N":"1"})")), too_deep);
  EXPECT_EQ(ValueProblemText(Nested(200, R"({"N":"bad"})")), too_deep);
  EXPECT_EQ(ValueShapeError(Nested(200, R"({"N":1})")),
            "NUMBER_VALUE cannot be converted to String");
}

TEST(ItemJson, EmptyNameComesBeforeWhatIsTooDeepUnlessItIsInside) {
  const std::string deep = Nested(kMaxNesting + 1, R"({"N":"1"})");
  const auto kind = [](const std::string& json) { return Read(json)->problem()->kind; };
  EXPECT_EQ(kind(R"({"a":)" + deep + R"(,"":{"S":"x"}})"), Kind::kEmptyName);
  EXPECT_EQ(kind(R"({"":{"S":"x"},"a":)" + deep + "}"), Kind::kEmptyName);
  EXPECT_EQ(kind(R"({"a":{"M":{"":)" + deep + "}}}"), Kind::kTooDeep);
  EXPECT_EQ(kind(R"({"a":{"N":"x"},"b":)" + deep + R"(,"":{"S":"x"}})"), Kind::kNotANumber);
}

TEST(ItemJson, TellsWhatIsTooDeepForTheCurrentWording) {
  const auto is_for_classic = [](int levels, std::string_view before) {
    const std::string value = Nested(levels, R"({"N":"1"})");
    const Result<Item> item = Read("{" + std::string(before) + "\"m\":" + value + "}");
    return item.has_value() && item->problem() != nullptr && item->problem()->is_for_classic;
  };
  EXPECT_FALSE(is_for_classic(kMaxCurrentNesting, ""));
  EXPECT_TRUE(is_for_classic(kMaxCurrentNesting + 1, ""));
  // Also when another problem comes first, in whatever order the attributes are sent.
  EXPECT_TRUE(is_for_classic(kMaxCurrentNesting + 1, R"("a":{"N":"x"},)"));
  EXPECT_TRUE(is_for_classic(kMaxCurrentNesting + 1, R"("z":{"N":"x"},)"));
}

TEST(ItemJson, ShapeErrorsNameWhatWasExpected) {
  EXPECT_EQ(ValueShapeError(R"({"S":true})"), "TRUE_VALUE cannot be converted to String");
  EXPECT_EQ(ValueShapeError(R"({"S":false})"), "FALSE_VALUE cannot be converted to String");
  EXPECT_EQ(ValueShapeError(R"({"N":1})"), "NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(ValueShapeError(R"({"N":1.5})"), "DECIMAL_VALUE cannot be converted to String");
  EXPECT_EQ(ValueShapeError(R"({"S":[]})"), "Unrecognized collection type class java.lang.String");
  EXPECT_EQ(ValueShapeError(R"({"S":{}})"), "Start of structure or map found where not expected");
  EXPECT_EQ(ValueShapeError(R"({"BOOL":1})"), "NUMBER_VALUE cannot be converted to Boolean");
  EXPECT_EQ(ValueShapeError(R"({"BOOL":"maybe"})"), "Unexpected token received from parser");
  EXPECT_EQ(ValueShapeError(R"({"NULL":[]})"),
            "Unrecognized collection type class java.lang.Boolean");
  EXPECT_EQ(ValueShapeError(R"({"NULL":{}})"),
            "Start of structure or map found where not expected");
  EXPECT_EQ(ValueShapeError(R"({"B":1})"), "only base-64-encoded strings are convertible to bytes");
  EXPECT_EQ(ValueShapeError(R"({"B":[]})"),
            "Unrecognized collection type class java.nio.ByteBuffer");
  EXPECT_EQ(ValueShapeError(R"({"SS":"a"})"), "Unexpected field type");
  EXPECT_EQ(ValueShapeError(R"({"SS":{}})"), "Start of structure or map found where not expected");
  EXPECT_EQ(ValueShapeError(R"({"SS":[1]})"), "NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(ValueShapeError(R"({"BS":[true]})"),
            "only base-64-encoded strings are convertible to bytes");
  EXPECT_EQ(ValueShapeError(R"({"L":{}})"), "Start of structure or map found where not expected");
  EXPECT_EQ(ValueShapeError(R"({"L":1})"), "Unexpected field type");
  EXPECT_EQ(ValueShapeError(R"({"L":["a"]})"), "Unexpected value type in payload");
  EXPECT_EQ(ValueShapeError(R"({"M":"a"})"), "Unexpected field type");
  EXPECT_EQ(ValueShapeError(R"({"M":[]})"),
            "Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValue>");
}

TEST(ItemJson, WhatStandsInPlaceOfAValueOrAnItemIsNamed) {
  EXPECT_EQ(ValueShapeError("\"text\""), "Unexpected value type in payload");
  EXPECT_EQ(ValueShapeError("[]"),
            "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue");
  EXPECT_EQ(ShapeError("\"text\""), "Unexpected field type");
  EXPECT_EQ(ShapeError("[]"),
            "Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValue>");
  JsonDocument document;
  ASSERT_TRUE(document.Parse("7"));
  EXPECT_EQ(
      ReadAttributeValue(document.root(), Wording::kCurrent, ValuePlace::kMember).error().message(),
      "Unexpected field type");
  EXPECT_EQ(ReadAttributeValue(document.root(), Wording::kCurrent).error().message(),
            "Unexpected value type in payload");
}

TEST(ItemJson, Base64IsStrict) {
  EXPECT_EQ(ValueShapeError(R"({"B":"abc"})"),
            "Base64 encoded length is expected a multiple of 4 bytes but found: 3");
  EXPECT_EQ(ValueShapeError(R"({"B":"A-_A"})"), "Invalid Base64 character: '-'");
  EXPECT_EQ(ValueShapeError(R"({"BS":["AA==","AB=="]})"),
            "Invalid last non-pad Base64 character dectected");
}

TEST(ItemJson, OneValueIsReadAndWritten) {
  JsonDocument document;
  ASSERT_TRUE(document.Parse(R"({"NS":["2","1"]})"));
  const auto value = ReadAttributeValue(document.root(), Wording::kCurrent);
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(*value, AttributeValue::NumberSet({"1", "2"}));
}

TEST(ItemJson, NamesHaveUpTo65535Bytes) {
  const std::string name(kMaxNameBytes, 'n');
  EXPECT_EQ(ReadGood("{\"" + name + R"(":{"N":"1"}})").Find(name)->N(), "1");
  const std::string inner = R"({"M":{"n)" + name + R"(":{"N":"1"}}})";
  EXPECT_EQ(ValueProblemText(inner), kNameTooLongMessage);
  EXPECT_EQ(ValueProblemText(R"({"L":[)" + inner + R"(,{"N":"x"}]})"), kNameTooLongMessage);
}

TEST(DebugText, ShowsValuesAsMessagesDo) {
  EXPECT_EQ(DebugText(AttributeValue("abc").view()), "{S:abc}");
  EXPECT_EQ(DebugText(AttributeValue::Number("1.50").view()), "{N:1.5}");
  EXPECT_EQ(DebugText(AttributeValue(true).view()), "{BOOL:true}");
  EXPECT_EQ(DebugText(AttributeValue::Null().view()), "{NULL:true}");
  EXPECT_EQ(DebugText(AttributeValue::Binary("f").view()), "{B:Zg==}");
  EXPECT_EQ(DebugText(AttributeValue::NumberSet({"2", "1"}).view()), "{NS:[1, 2]}");
  EXPECT_EQ(DebugText(AttributeValue::List({"a", 1}).view()), "{L:[{S:a}, {N:1}]}");
  EXPECT_EQ(DebugText(AttributeValue::Map({{"k", "v"}}).view()), "{M:{k={S:v}}}");
}

}  // namespace item_json_test
}  // namespace stator
