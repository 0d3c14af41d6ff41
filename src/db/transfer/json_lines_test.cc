#include "transfer/json_lines.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "transfer/testing/read_all.h"
#include "value/testing/arbitrary.h"

namespace stator::transfer {
namespace json_lines_test {

using stator::testing::DrawItem;
using testing::AllRecords;
using testing::ReadText;

AllRecords Read(std::string_view text, std::size_t chunk_bytes = kChunkBytes) {
  return ReadText<JsonLinesReader>(text, chunk_bytes);
}

ChangeRecord DrawChange() {
  ChangeRecord change;
  change.write_timestamp_us = *rc::gen::arbitrary<std::int64_t>();
  change.keys = DrawItem();
  if (*rc::gen::arbitrary<bool>()) change.new_image = DrawItem();
  if (*rc::gen::arbitrary<bool>()) change.old_image = DrawItem();
  return change;
}

TEST(JsonLines, ItemsComeBackAsTheyWereWritten) {
  EXPECT_TRUE(rc::check([] {
    std::string text;
    std::vector<Item> items;
    for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
      items.push_back(DrawItem());
      AppendJsonItem(text, items.back().view());
    }
    const AllRecords all = Read(text, *rc::gen::inRange<std::size_t>(1, 50));
    RC_ASSERT(all.items == items);
    RC_ASSERT(all.problems.empty() && all.ending.empty());
  }));
}

TEST(JsonLines, ChangesComeBackAsTheyWereWritten) {
  EXPECT_TRUE(rc::check([] {
    ChangeRecord change = DrawChange();
    std::string both;
    AppendJsonChange(both, change, ExportView::kNewAndOldImages);
    RC_ASSERT(Read(both).changes == std::vector{change});
    std::string new_only;
    AppendJsonChange(new_only, change, ExportView::kNewImage);
    change.old_image.reset();
    RC_ASSERT(Read(new_only).changes == std::vector{change});
  }));
}

TEST(JsonLines, ALineLooksAsInAnExportOfTheService) {
  std::string text;
  AppendJsonItem(text, Item{{"Id", 103}, {"Title", "Book 103 Title"}}.view());
  EXPECT_EQ(text, "{\"Item\":{\"Id\":{\"N\":\"103\"},\"Title\":{\"S\":\"Book 103 Title\"}}}\n");
  text.clear();
  AppendJsonChange(text,
                   {.write_timestamp_us = 1684374845117899,
                    .keys = Item{{"pk", "a"}},
                    .new_image = Item{{"pk", "a"}, {"n", 2}},
                    .old_image = Item{{"pk", "a"}}},
                   ExportView::kNewAndOldImages);
  EXPECT_EQ(text,
            "{\"Metadata\":{\"WriteTimestampMicros\":{\"N\":\"1684374845117899\"}},"
            "\"Keys\":{\"pk\":{\"S\":\"a\"}},\"OldImage\":{\"pk\":{\"S\":\"a\"}},"
            "\"NewImage\":{\"n\":{\"N\":\"2\"},\"pk\":{\"S\":\"a\"}}}\n");
}

TEST(JsonLines, TheTimestampMayBeWrittenInThreeWays) {
  for (const std::string_view micros : {"{\"N\":\"7\"}", "\"7\"", "7"}) {
    const std::string line = "{\"Metadata\":{\"WriteTimestampMicros\":" + std::string(micros) +
                             "},\"Keys\":{\"pk\":{\"S\":\"a\"}}}";
    const AllRecords all = Read(line);
    ASSERT_EQ(all.changes.size(), 1U) << micros;
    EXPECT_EQ(all.changes[0].write_timestamp_us, 7);
  }
}

TEST(JsonLines, BlankLinesCarriageReturnsAndAByteOrderMarkAreNoRecords) {
  const AllRecords all = Read("\xEF\xBB\xBF{\"Item\":{}}\r\n\r\n  \n{\"Item\":{}}", 1);
  EXPECT_EQ(all.items.size(), 2U);
  EXPECT_TRUE(all.problems.empty());
  ASSERT_EQ(all.places.size(), 2U);
  EXPECT_EQ(all.places[1].line, 4U);
}

TEST(JsonLines, ABadLineIsNamedAndTheNextIsRead) {
  const AllRecords all = Read(
      "{\"Item\":\n"
      "[]\n"
      "{\"Other\":{}}\n"
      "{\"Item\":[]}\n"
      "{\"Item\":{\"a\":{\"N\":\"x\"}}}\n"
      "{\"Item\":{\"a\":{\"SS\":[]}}}\n"
      "{\"Item\":{\"a\":1}}\n"
      "{\"Keys\":{}}\n"
      "{\"Item\":{\"a\":{\"S\":\"\xFF\"}}}\n"
      "{\"Item\":{\"a\":{\"S\":\"good\"}}}\n");
  EXPECT_EQ(all.problems.size(), 9U);
  EXPECT_EQ(all.items, std::vector{(Item{{"a", "good"}})});
  EXPECT_EQ(all.places.back().line, 10U);
}

TEST(JsonLines, ALineBeyondBoundsEndsTheObject) {
  const AllRecords all = Read("{\"Item\":{}}\n" + std::string(kRecordBytesMax + 10, 'x'));
  EXPECT_EQ(all.items.size(), 1U);
  EXPECT_NE(all.ending.find("longer than"), std::string::npos);
}

TEST(JsonLines, EndlessBlankLinesEndTheObject) {
  EXPECT_FALSE(Read(std::string(kRecordBytesMax + 100'000, '\n')).ending.empty());
}

}  // namespace json_lines_test
}  // namespace stator::transfer
