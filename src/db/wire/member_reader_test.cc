#include "wire/member_reader.h"

#include <gtest/gtest.h>

#include <functional>

namespace stator {
namespace member_reader_test {

constexpr std::string_view kModel = "com.amazonaws.dynamodb.v20120810.";

// What `read` answers for the body, as an error's message; "" when it is content.
std::string Read(std::string_view body, const std::function<void(MemberReader&)>& read) {
  JsonDocument document;
  EXPECT_TRUE(document.Parse(body)) << body;
  ReadContext context{.wording = Wording::kClassic};
  MemberReader in(document.root(), context);
  read(in);
  if (!context.error) return "";
  EXPECT_EQ(context.error->code(), ErrorCode::kSerialization);
  return context.error->message();
}

// Reads the member called M into a T.
template <class T>
void ReadM(MemberReader& in) {
  std::optional<T> member;
  in("M", member);
}

// A structure with one member, and one that is in it.
struct Thing {
  std::optional<std::string> name;
};
template <class Visitor>
void Fields(Visitor& visit, Thing& thing) {
  visit("Name", thing.name);
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
                 ReadM<std::string>);
}

TEST(MemberReader, WrongShapesOfAnInteger) {
  ExpectMessages({{"23", ""},
                  {"2.9", ""},
                  {"\"1\"", "STRING_VALUE cannot be converted to Long"},
                  {"true", "TRUE_VALUE cannot be converted to Long"},
                  {"[]", "Unrecognized collection type class java.lang.Long"},
                  {"{}", kObjectSent}},
                 [](MemberReader& in) {
                   std::optional<std::int64_t> member;
                   in.Long("M", member);
                 });
}

TEST(MemberReader, FractionsOfIntegersAreCutOff) {
  EXPECT_EQ(Read(R"({"M":2.9})",
                 [](MemberReader& in) {
                   std::int64_t number = 0;
                   in("M", number);
                   EXPECT_EQ(number, 2);
                 }),
            "");
}

TEST(MemberReader, WrongShapesOfABoolean) {
  ExpectMessages({{"true", ""},
                  {"1", "NUMBER_VALUE cannot be converted to Boolean"},
                  {"1.5", "DECIMAL_VALUE cannot be converted to Boolean"},
                  {"\"maybe\"", "Unexpected token received from parser"},
                  {"[]", "Unrecognized collection type class java.lang.Boolean"},
                  {"{}", kObjectSent}},
                 ReadM<bool>);
}

TEST(MemberReader, SomeWordsAreBooleans) {
  for (const char* word : {"true", "TRUE", "1", "Yes"}) {
    EXPECT_EQ(Read("{\"M\":\"" + std::string(word) + "\"}",
                   [](MemberReader& in) {
                     std::optional<bool> value;
                     in("M", value);
                     EXPECT_EQ(value, true);
                   }),
              "");
  }
  for (const char* word : {"false", "0", "NO"}) {
    EXPECT_EQ(Read("{\"M\":\"" + std::string(word) + "\"}",
                   [](MemberReader& in) {
                     std::optional<bool> value;
                     in("M", value);
                     EXPECT_EQ(value, false);
                   }),
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
                 ReadM<std::vector<std::string>>);
}

TEST(MemberReader, WrongShapesOfAMap) {
  ExpectMessages({{"{}", ""},
                  {"\"a\"", "Unexpected field type"},
                  {"[]",
                   "Unrecognized collection type java.util.Map<java.lang.String, "
                   "java.lang.String>"},
                  {"{\"#a\":1}", "NUMBER_VALUE cannot be converted to String"}},
                 ReadM<NameMap>);
  ExpectMessages({{"{}", ""},
                  {"[]", "Unrecognized collection type java.util.Map<java.lang.String, " +
                             std::string(kModel) + "AttributeValue>"}},
                 ReadM<ValueMap>);
  ExpectMessages(
      {{"[]", "Unrecognized collection type java.util.Map<java.lang.String, " +
                  std::string(kModel) + "Condition>"},
       {"{\"a\":1}", "Unexpected value type in payload"},
       {"{\"a\":[]}", "Unrecognized collection type class " + std::string(kModel) + "Condition"}},
      [](MemberReader& in) {
        std::vector<std::pair<std::string, Thing>> map;
        in("M", "Condition", map);
      });
}

TEST(MemberReader, WrongShapesOfAStructure) {
  ExpectMessages({{"{}", ""},
                  {"1", "Unexpected field type"},
                  {"[]", "Unrecognized collection type class " + std::string(kModel) + "Thing"},
                  {"{\"Name\":1}", "NUMBER_VALUE cannot be converted to String"}},
                 [](MemberReader& in) {
                   std::optional<Thing> thing;
                   in("M", "Thing", thing);
                 });
  ExpectMessages({{"[{}]", ""},
                  {"[1]", "Unexpected value type in payload"},
                  {"[[]]", "Unrecognized collection type class " + std::string(kModel) + "Thing"}},
                 [](MemberReader& in) {
                   std::vector<Thing> things;
                   in("M", "Thing", things);
                 });
}

TEST(MemberReader, TheFirstMismatchAnswers) {
  EXPECT_EQ(Read(R"({"A":"fine","B":1,"C":true})",
                 [](MemberReader& in) {
                   std::optional<std::string> a, b, c;
                   in("A", a);
                   in("B", b);
                   in("C", c);
                   EXPECT_EQ(a, "fine");
                   EXPECT_EQ(c, std::nullopt);
                 }),
            "NUMBER_VALUE cannot be converted to String");
}

TEST(MemberReader, ABodyThatIsNotAnObjectIsRefused) {
  JsonDocument document;
  ASSERT_TRUE(document.Parse("[1]"));
  ReadContext context;
  MemberReader in(document.root(), context);
  EXPECT_TRUE(in.failed());
  std::optional<std::string> name;
  in("TableName", name);
  EXPECT_EQ(name, std::nullopt);
  ASSERT_TRUE(context.error);
  EXPECT_EQ(context.error->code(), ErrorCode::kSerialization);
}

TEST(MemberReader, UnknownWordsOfAnEnumerationAreKeptWhereTheyMayBe) {
  std::optional<Choice<KeyType>> known, unknown;
  EXPECT_EQ(Read(R"({"K":"HASH","U":"hash"})",
                 [&](MemberReader& in) {
                   in("K", known);
                   in("U", unknown);
                 }),
            "");
  ASSERT_TRUE(known && known->is_known());
  EXPECT_EQ(known->value(), KeyType::kHash);
  ASSERT_TRUE(unknown && !unknown->is_known());
  EXPECT_EQ(unknown->unknown(), "hash");
  EXPECT_EQ(Read(R"({"M":"hash"})", ReadM<KeyType>), "M is 'hash'");
}

TEST(MemberReader, WhatIsAbsentKeepsItsDefault) {
  std::int64_t number = 7;
  EXPECT_EQ(Read(R"({"N":null})",
                 [&](MemberReader& in) {
                   in("M", number);
                   in("N", number);
                 }),
            "");
  EXPECT_EQ(number, 7);
}

TEST(MemberReader, PairsNeedBothMembers) {
  std::vector<std::pair<std::string, KeyType>> keys;
  const auto read = [&](MemberReader& in) { in.Pairs("K", "Name", "Type", keys); };
  EXPECT_EQ(Read(R"({"K":[{"Name":"a","Type":"HASH"},{"Name":"b","Type":"RANGE"}]})", read), "");
  EXPECT_EQ(keys, (std::vector<std::pair<std::string, KeyType>>{{"a", KeyType::kHash},
                                                                {"b", KeyType::kRange}}));
  EXPECT_EQ(Read(R"({"K":[{"Name":"a"}]})", read), "half of a pair");
}

TEST(MemberReader, ValuesThatNoItemCanHoldAreKeptOrRefused) {
  JsonDocument document;
  ASSERT_TRUE(document.Parse(R"({"I":{"a":{"N":"x"}}})"));
  for (const bool refuse : {false, true}) {
    ReadContext context{.refuse_problems = refuse};
    MemberReader in(document.root(), context);
    std::optional<Item> item;
    in("I", item);
    EXPECT_EQ(in.failed(), refuse);
    EXPECT_EQ(item->problem() != nullptr, !refuse);
  }
}

}  // namespace member_reader_test
}  // namespace stator
