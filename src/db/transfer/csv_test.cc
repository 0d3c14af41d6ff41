#include "transfer/csv.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "transfer/testing/read_all.h"

namespace stator::transfer {
namespace csv_test {

using testing::AllRecords;
using testing::ReadText;

AllRecords Read(std::string_view text, const CsvOptions& options = {},
                std::size_t chunk_bytes = kChunkBytes) {
  return ReadText<CsvReader>(text, chunk_bytes, options);
}

std::string Quoted(const std::string& cell) {
  std::string out = "\"";
  for (const char c : cell) out.append(c == '"' ? "\"\"" : std::string(1, c));
  return out + "\"";
}

TEST(Csv, TheFirstLineNamesTheAttributesAndEmptyCellsAreOmitted) {
  const AllRecords all = Read(
      "PK,SK,Name,Amount\n"
      "USER#1,PROFILE,Alice,\n"
      "USER#1,ORDER#1,,99.99\r\n");
  EXPECT_EQ(all.items, (std::vector{
                           Item{{"PK", "USER#1"}, {"SK", "PROFILE"}, {"Name", "Alice"}},
                           Item{{"PK", "USER#1"}, {"SK", "ORDER#1"}, {"Amount", "99.99"}},
                       }));
}

TEST(Csv, KeysHaveTheirType) {
  const CsvOptions options{.key_types = {{"n", Type::kN}, {"b", Type::kB}}};
  const AllRecords all = Read("n,b,s\n1.50,aGk=,7\nx,aGk=,7\n1,?,7\n", options);
  EXPECT_EQ(all.items, std::vector{(Item{{"n", AttributeValue::Number("1.5")},
                                         {"b", AttributeValue::Binary("hi")},
                                         {"s", "7"}})});
  EXPECT_EQ(all.problems.size(), 2U);
}

TEST(Csv, GivenHeadersMakeTheFirstLineAnItem) {
  const CsvOptions options{.headers = {"a", "b"}};
  EXPECT_EQ(Read("1,2", options).items, std::vector{(Item{{"a", "1"}, {"b", "2"}})});
}

TEST(Csv, CellsComeBackHoweverTheyAreQuotedAndCut) {
  EXPECT_TRUE(rc::check([] {
    const char delimiter = *rc::gen::elementOf(std::string(",\t|;: "));
    const auto cell =
        rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\",\n\r ")));
    const auto cells = *rc::gen::container<std::vector<std::string>>(3, cell);
    RC_PRE(!cells[0].empty() || !cells[1].empty() || !cells[2].empty());
    std::string text = "a\tb";
    text = std::string("x") + delimiter + "y" + delimiter + "z\n";
    for (std::size_t i = 0; i < 3; ++i) {
      if (i != 0) text.push_back(delimiter);
      text.append(Quoted(cells[i]));
    }
    if (*rc::gen::arbitrary<bool>()) text.append("\r\n");
    Item expected;
    if (!cells[0].empty()) expected.Set("x", cells[0]);
    if (!cells[1].empty()) expected.Set("y", cells[1]);
    if (!cells[2].empty()) expected.Set("z", cells[2]);
    const AllRecords all =
        Read(text, {.delimiter = delimiter}, *rc::gen::inRange<std::size_t>(1, 20));
    RC_ASSERT(all.problems == std::vector<std::string>());
    RC_ASSERT(all.items == std::vector{expected});
  }));
}

TEST(Csv, TheServicesExampleOfQuotes) {
  EXPECT_EQ(Read("id,value\n\"123\",Women's Full \"Length\" Dress\n").problems.size(), 1U);
  EXPECT_EQ(Read("id,value\n\"\"\"123\"\"\",\"Women's Full \"\"Length\"\" Dress\"\n").items,
            std::vector{(Item{{"id", "\"123\""}, {"value", "Women's Full \"Length\" Dress"}})});
}

TEST(Csv, ABadRowIsNamedAndTheNextIsRead) {
  const AllRecords all = Read(
      "a,b\n"
      "1\n"
      "1,2,3\n"
      "\"x\"y,2\n"
      "\xFF,2\n"
      "\n"
      "1,2\n",
      {}, 3);
  EXPECT_EQ(all.problems.size(), 4U);
  EXPECT_EQ(all.items.size(), 1U);
  EXPECT_EQ(all.places.back().line, 7U);
}

TEST(Csv, AQuoteThatDoesNotEndIsAProblemOfItsLine) {
  const AllRecords all = Read("a,b\n\"1,2\n3,4\n");
  EXPECT_EQ(all.problems.size(), 1U);
  EXPECT_EQ(all.items, std::vector{(Item{{"a", "3"}, {"b", "4"}})});
}

TEST(Csv, HeadersMustBeUsable) {
  EXPECT_FALSE(Read("a,,b\n1,2,3\n").ending.empty());
  EXPECT_FALSE(Read("a,a\n1,2\n").ending.empty());
  EXPECT_FALSE(Read("a,\"b\n").ending.empty());
  EXPECT_TRUE(Read("").ending.empty());
  EXPECT_TRUE(Read("\xEF\xBB\xBF").ending.empty());
}

TEST(Csv, MillionsOfCellsInOneRowAreCountedNotKept) {
  const AllRecords all = Read("a,b\n" + std::string(4'000'000, ',') + "\n1,2\n");
  EXPECT_EQ(all.problems.size(), 1U);
  EXPECT_EQ(all.items.size(), 1U);
}

TEST(Csv, DelimitersAreThoseOfTheService) {
  for (const char c : std::string_view(",;:|\t ")) EXPECT_TRUE(IsCsvDelimiter(c));
  EXPECT_FALSE(IsCsvDelimiter('"'));
  EXPECT_FALSE(IsCsvDelimiter('\n'));
  EXPECT_FALSE(IsCsvDelimiter('\0'));
}

}  // namespace csv_test
}  // namespace stator::transfer
