#include "value/json_writer.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

#include "value/json.h"
#include "value/testing/arbitrary.h"

namespace stator {
namespace json_writer_test {

TEST(JsonWriter, PutsCommasWhereTheyBelong) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("a").BeginArray().Integer(1).String("x").BeginObject().EndObject().Null().EndArray();
  json.Key("b").BeginObject().Key("c").Bool(true).Key("d").Raw("[0]").EndObject();
  json.Key("e").BeginArray().EndArray();
  json.EndObject();
  EXPECT_EQ(out, R"({"a":[1,"x",{},null],"b":{"c":true,"d":[0]},"e":[]})");
}

TEST(JsonWriter, StringsThatEndLikeContainersNeedTheirCommas) {
  std::string out;
  JsonWriter(out).BeginArray().String("{").String("[").String(":").String("").EndArray();
  EXPECT_EQ(out, R"(["{","[",":",""])");
}

TEST(JsonWriter, StartsBehindWhateverEndsInALineBreak) {
  std::string out = "header\r\n\r\n";
  JsonWriter(out).BeginObject().EndObject();
  EXPECT_EQ(out, "header\r\n\r\n{}");
}

TEST(JsonWriter, EscapesQuotesBackslashesAndControls) {
  std::string out;
  JsonWriter(out).String(std::string_view("\"\\\b\f\n\r\t\0\x1f\x7fé/", 13));
  EXPECT_EQ(out, "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\x7fé/\"");
}

TEST(JsonWriter, TextSurvivesTheParser) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *testing::Text();
    std::string out;
    JsonWriter(out).BeginObject().Key(text).String(text).EndObject();
    JsonDocument document;
    RC_ASSERT(document.Parse(out));
    const auto members = document.root().Members();
    RC_ASSERT(members.size() == 1U);
    RC_ASSERT(members[0].first == text);
    RC_ASSERT(members[0].second.string() == text);
  }));
}

TEST(JsonWriter, EveryByteIsEscapedWhereverItStands) {
  for (int byte = 0; byte < 0x80; ++byte) {
    for (std::size_t at = 0; at < 20; ++at) {
      std::string text(20, 'x');
      text[at] = static_cast<char>(byte);
      std::string out;
      JsonWriter(out).String(text);
      JsonDocument document;
      ASSERT_TRUE(document.Parse(out)) << byte;
      EXPECT_EQ(document.root().string(), text);
    }
  }
}

TEST(JsonWriter, NumbersHaveTheirForms) {
  std::string out;
  JsonWriter json(out);
  json.BeginArray();
  json.Integer(std::numeric_limits<std::int64_t>::min()).Integer(0);
  json.Units(1).Units(0.5).Units(12).Units(0).Units(1e21).Units(-2);
  json.TimestampMs(1791504762511).TimestampMs(1791504762001).TimestampMs(0).TimestampMs(-1500);
  json.EndArray();
  EXPECT_EQ(out,
            "[-9223372036854775808,0,1.0,0.5,12.0,0.0,1000000000000000000000.0,-2.0,"
            "1791504762.511,1791504762.001,0.000,-1.500]");
}

TEST(JsonWriter, UnitsThatAreNoNumbersAreZero) {
  std::string out;
  JsonWriter(out).Units(std::numeric_limits<double>::infinity());
  EXPECT_EQ(out, "0.0");
}

TEST(JsonWriter, WritesBase64) {
  std::string out;
  JsonWriter(out).BeginArray().Base64("foob").Base64("").EndArray();
  EXPECT_EQ(out, R"(["Zm9vYg==",""])");
}

}  // namespace json_writer_test
}  // namespace stator
