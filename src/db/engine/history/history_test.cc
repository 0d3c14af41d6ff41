#include "engine/history/history.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace stator {
namespace history_test {

const std::string kKey(20, 'k');

TEST(HistoryRecord, ReadsBackWhatWasWritten) {
  const Item item{{"pk", "a"}, {"n", 1}};
  const TimeMs time{std::chrono::milliseconds(1'769'860'800'123)};
  const std::string with_item = EncodeHistoryRecord({time, kKey, item.view()});
  const std::string without = EncodeHistoryRecord({time, kKey, std::nullopt});

  const auto read = DecodeHistoryRecord(with_item);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->time, time);
  EXPECT_EQ(read->key, kKey);
  EXPECT_EQ(read->old, item.view());
  const auto read_without = DecodeHistoryRecord(without);
  ASSERT_TRUE(read_without);
  EXPECT_EQ(read_without->old, std::nullopt);
}

TEST(HistoryRecord, AnEmptyItemIsNotTheSameAsNone) {
  const auto read = DecodeHistoryRecord(EncodeHistoryRecord({TimeMs(), kKey, ItemView()}));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->old.has_value());
}

TEST(HistoryRecord, EveryCutIsRefused) {
  const Item item{{"pk", "a"}, {"list", "some text that is long enough"}};
  const std::string whole = EncodeHistoryRecord({TimeMs(), kKey, item.view()});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(DecodeHistoryRecord(std::string_view(whole).substr(0, size))) << size;
  }
  EXPECT_FALSE(DecodeHistoryRecord(whole + "x"));
}

TEST(HistoryRecord, AnyBytesAreRefusedOrReadBackTheSame) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    const auto record = DecodeHistoryRecord(bytes);
    if (record) RC_ASSERT(EncodeHistoryRecord(*record) == bytes);
  }));
}

TEST(HistoryRecord, RowsOfATableAreItsLog) {
  const KeyRange rows = HistoryRows(7);
  const std::string row = LogKey(HistoryLog(7), 300);
  EXPECT_GE(row, rows.begin);
  EXPECT_LT(row, rows.end);
  EXPECT_EQ(HistoryNumber(row), 300U);
  EXPECT_LT(LogKey(HistoryLog(6), UINT64_MAX), rows.begin);
}

}  // namespace history_test
}  // namespace stator
