#include "api/member_reader.h"

#include <gtest/gtest.h>

#include <functional>

namespace stator {
namespace member_reader_test {

constexpr std::string_view kModel = "com.amazonaws.dynamodb.v20120810.";

// What `read` answers for the body, as an error's message; "" when it is content.
std::string Read(std::string_view body, const std::function<void(MemberReader&)>& read) {
  JsonDocument document;
  EXPECT_TRUE(document.Parse(body)) << body;
  MemberReader in(document.root());
  read(in);
  const Result<int> finished = in.Finish(0);
  if (finished) return "";
  EXPECT_EQ(finished.error().code(), ErrorCode::kSerialization);
  return finished.error().message();
}

struct Case {
  std::string_view json;
  std::string message;
};

void ExpectMessages(const std::vector<Case>& cases,
                    const std::function<void(MemberReader&)>& read) {
  for (const Case& one : cases) {
    EXPECT_EQ(Read("{\"M\":" + std::string(one.json) + "}", read), one.message) << one.json;
  }
}

constexpr const char* kObjectSent = "Start of structure or map found where not expected";

TEST(MemberReader, WrongShapesOfAString) {
  ExpectMessages({{"\"x\"", ""},
                  {"null", ""},
                  {"true", "TRUE_VALUE cannot be converted to String"},
                  {"false", "FALSE_VALUE cannot be converted to String"},
                  {"23", "NUMBER_VALUE cannot be converted to String"},
                  {"2.5", "DECIMAL_VALUE cannot be converted to String"},
                  {"[]", "Unrecognized collection type class java.lang.String"},
                  {"{}", kObjectSent}},
                 [](MemberReader& in) { in.String("M"); });
}

TEST(MemberReader, WrongShapesOfAnInteger) {
  ExpectMessages({{"23", ""},
                  {"2.9", ""},
                  {"\"1\"", "STRING_VALUE cannot be converted to Long"},
                  {"true", "TRUE_VALUE cannot be converted to Long"},
                  {"[]", "Unrecognized collection type class java.lang.Long"},
                  {"{}", kObjectSent}},
                 [](MemberReader& in) { in.Integer("M", "Long"); });
}

TEST(MemberReader, FractionsOfIntegersAreCutOff) {
  EXPECT_EQ(Read(R"({"M":2.9})", [](MemberReader& in) { EXPECT_EQ(in.Integer("M"), 2); }), "");
}

TEST(MemberReader, WrongShapesOfABoolean) {
  ExpectMessages({{"true", ""},
                  {"1", "NUMBER_VALUE cannot be converted to Boolean"},
                  {"1.5", "DECIMAL_VALUE cannot be converted to Boolean"},
                  {"\"maybe\"", "Unexpected token received from parser"},
                  {"[]", "Unrecognized collection type class java.lang.Boolean"},
                  {"{}", kObjectSent}},
                 [](MemberReader& in) { in.Boolean("M"); });
}

TEST(MemberReader, SomeWordsAreBooleans) {
  for (const char* word : {"true", "TRUE", "1", "Yes"}) {
    EXPECT_EQ(Read("{\"M\":\"" + std::string(word) + "\"}",
                   [](MemberReader& in) { EXPECT_EQ(in.Boolean("M"), true); }),
              "");
  }
  for (const char* word : {"false", "0", "NO"}) {
    EXPECT_EQ(Read("{\"M\":\"" + std::string(word) + "\"}",
                   [](MemberReader& in) { EXPECT_EQ(in.Boolean("M"), false); }),
              "");
  }
}

TEST(MemberReader, WrongShapesOfAList) {
  ExpectMessages({{"[]", ""},
                  {"[\"a\"]", ""},
                  {"\"a\"", "Unexpected field type"},
                  {"1", "Unexpected field type"},
                  {"{}", kObjectSent},
                  {"[1]", "NUMBER_VALUE cannot be converted to String"}},
                 [](MemberReader& in) { in.Strings("M"); });
}

TEST(MemberReader, WrongShapesOfAMap) {
  ExpectMessages({{"{}", ""},
                  {"\"a\"", "Unexpected field type"},
                  {"[]",
                   "Unrecognized collection type java.util.Map<java.lang.String, "
                   "java.lang.String>"},
                  {"{\"#a\":1}", "NUMBER_VALUE cannot be converted to String"}},
                 [](MemberReader& in) { in.Names("M"); });
  ExpectMessages({{"{}", ""},
                  {"[]", "Unrecognized collection type java.util.Map<java.lang.String, " +
                             std::string(kModel) + "AttributeValue>"}},
                 [](MemberReader& in) { in.Values("M", Wording::kClassic); });
  ExpectMessages(
      {{"[]", "Unrecognized collection type java.util.Map<java.lang.String, " +
                  std::string(kModel) + "Condition>"},
       {"{\"a\":1}", "Unexpected value type in payload"},
       {"{\"a\":[]}", "Unrecognized collection type class " + std::string(kModel) + "Condition"}},
      [](MemberReader& in) { in.Conditions("M", Wording::kClassic); });
}

TEST(MemberReader, WrongShapesOfAStructure) {
  const auto read = [](MemberReader& in, int&) { in.String("Name"); };
  ExpectMessages({{"{}", ""},
                  {"1", "Unexpected field type"},
                  {"[]", "Unrecognized collection type class " + std::string(kModel) + "Thing"},
                  {"{\"Name\":1}", "NUMBER_VALUE cannot be converted to String"}},
                 [&](MemberReader& in) { in.Structure<int>("M", "Thing", read); });
  ExpectMessages({{"[{}]", ""},
                  {"[1]", "Unexpected value type in payload"},
                  {"[[]]", "Unrecognized collection type class " + std::string(kModel) + "Thing"}},
                 [&](MemberReader& in) { in.Structures<int>("M", "Thing", read); });
}

TEST(MemberReader, TheFirstMismatchAnswers) {
  EXPECT_EQ(Read(R"({"A":"fine","B":1,"C":true})",
                 [](MemberReader& in) {
                   EXPECT_EQ(in.String("A"), "fine");
                   EXPECT_EQ(in.String("B"), std::nullopt);
                   EXPECT_EQ(in.String("C"), std::nullopt);
                 }),
            "NUMBER_VALUE cannot be converted to String");
}

TEST(MemberReader, ABodyThatIsNoObjectIsRefused) {
  JsonDocument document;
  ASSERT_TRUE(document.Parse("[1]"));
  MemberReader in(document.root());
  EXPECT_TRUE(in.failed());
  EXPECT_EQ(in.String("TableName"), std::nullopt);
  const Result<int> finished = in.Finish(0);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code(), ErrorCode::kSerialization);
}

TEST(MemberReader, UnknownWordsOfAnEnumerationAreKept) {
  EXPECT_EQ(Read(R"({"K":"HASH","U":"hash"})",
                 [](MemberReader& in) {
                   const auto known = in.Enum<KeyType>("K");
                   ASSERT_TRUE(known && known->is_known());
                   EXPECT_EQ(known->value(), KeyType::kHash);
                   const auto unknown = in.Enum<KeyType>("U");
                   ASSERT_TRUE(unknown && !unknown->is_known());
                   EXPECT_EQ(unknown->unknown(), "hash");
                 }),
            "");
}

TEST(MemberReader, LegacyConditionsAreReadInFull) {
  const std::string body = R"({"E":{"a":{"Value":{"S":"x"},"Exists":true},
                                    "b":{"ComparisonOperator":"IN",
                                         "AttributeValueList":[{"N":"1"},{"N":"2"}]}},
                               "U":{"c":{"Action":"ADD","Value":{"N":"3"}}}})";
  EXPECT_EQ(Read(body,
                 [](MemberReader& in) {
                   const auto expected = in.Expected("E", Wording::kClassic);
                   ASSERT_TRUE(expected && expected->size() == 2);
                   EXPECT_EQ((*expected)[0].first, "a");
                   EXPECT_EQ((*expected)[0].second.value, AttributeValue("x"));
                   EXPECT_EQ((*expected)[0].second.exists, true);
                   EXPECT_EQ((*expected)[1].second.attribute_value_list->size(), 2U);
                   const auto updates = in.AttributeUpdates("U", Wording::kClassic);
                   ASSERT_TRUE(updates && updates->size() == 1);
                   EXPECT_EQ((*updates)[0].second.action->value(), AttributeAction::kAdd);
                 }),
            "");
}

}  // namespace member_reader_test
}  // namespace stator
