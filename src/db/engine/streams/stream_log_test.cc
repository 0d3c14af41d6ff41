#include "engine/streams/stream_log.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "engine/catalog/row_key.h"
#include "engine/write/write_path.h"

namespace stator {
namespace stream_log_test {

Table SongsTable() {
  Table table;
  table.keys.hash = {{"pk", ScalarType::kS}};
  table.keys.range = {{"a", ScalarType::kN}};
  return table;
}

const Item kOld{{"pk", "x"}, {"a", 1}, {"v", "old"}};
const Item kNew{{"pk", "x"}, {"a", 1}, {"v", "new"}};
const Item kKeys{{"pk", "x"}, {"a", 1}};
const TimeMs kNow{std::chrono::milliseconds(1'769'860'800'123)};

std::string Encoded(std::optional<ItemView> before, std::optional<ItemView> after,
                    StreamViewType view, ChangeOrigin origin = ChangeOrigin::kClient) {
  const Table table = SongsTable();
  return EncodeRecord({table, {}, before, after, kNow, origin}, view);
}

TEST(StreamRecord, AnInsertHasNoOldImageAndARemovalNoNewOne) {
  const std::string insert = Encoded(std::nullopt, kNew.view(), StreamViewType::kNewAndOldImages);
  const std::optional<RecordView> inserted = DecodeRecord(insert);
  ASSERT_TRUE(inserted);
  EXPECT_EQ(inserted->event, StreamEvent::kInsert);
  EXPECT_EQ(inserted->time, kNow);
  EXPECT_EQ(inserted->keys, kKeys.view());
  EXPECT_EQ(inserted->new_image, kNew.view());
  EXPECT_FALSE(inserted->old_image);

  const std::string removal = Encoded(kOld.view(), std::nullopt, StreamViewType::kNewAndOldImages);
  const std::optional<RecordView> removed = DecodeRecord(removal);
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->event, StreamEvent::kRemove);
  EXPECT_EQ(removed->keys, kKeys.view());
  EXPECT_EQ(removed->old_image, kOld.view());
  EXPECT_FALSE(removed->new_image);
}

TEST(StreamRecord, TheViewSaysWhichImagesAreKept) {
  const struct {
    StreamViewType view;
    bool has_new;
    bool has_old;
  } cases[] = {{StreamViewType::kKeysOnly, false, false},
               {StreamViewType::kNewImage, true, false},
               {StreamViewType::kOldImage, false, true},
               {StreamViewType::kNewAndOldImages, true, true}};
  for (const auto& expected : cases) {
    const std::string bytes = Encoded(kOld.view(), kNew.view(), expected.view);
    const std::optional<RecordView> record = DecodeRecord(bytes);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->event, StreamEvent::kModify);
    EXPECT_EQ(record->keys, kKeys.view());
    EXPECT_EQ(record->new_image.has_value(), expected.has_new);
    EXPECT_EQ(record->old_image.has_value(), expected.has_old);
  }
}

TEST(StreamRecord, RemembersThatTheItemHadExpired) {
  const std::string expired =
      Encoded(kOld.view(), std::nullopt, StreamViewType::kKeysOnly, ChangeOrigin::kTimeToLive);
  EXPECT_EQ(DecodeRecord(expired)->origin, ChangeOrigin::kTimeToLive);
  const std::string deleted = Encoded(kOld.view(), std::nullopt, StreamViewType::kKeysOnly);
  EXPECT_EQ(DecodeRecord(deleted)->origin, ChangeOrigin::kClient);
}

TEST(StreamRecord, EveryShorterOrLongerTextIsRefused) {
  const std::string bytes = Encoded(kOld.view(), kNew.view(), StreamViewType::kNewAndOldImages);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeRecord(std::string_view(bytes).substr(0, size))) << size;
  }
  EXPECT_FALSE(DecodeRecord(bytes + '\0'));
}

TEST(StreamRecord, AnyDamageIsSurvived) {
  const std::string whole = Encoded(kOld.view(), kNew.view(), StreamViewType::kNewAndOldImages);
  EXPECT_TRUE(rc::check([&] {
    std::string bytes = whole;
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
      bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
    }
    // Whatever it decodes to can be read.
    if (const std::optional<RecordView> record = DecodeRecord(bytes)) {
      std::size_t attributes = record->keys.size();
      for (const auto& [name, value] : record->keys) attributes -= value.encoded().empty() ? 0 : 1;
      RC_ASSERT(attributes == 0U);
    }
  }));
}

// A row key whose partition hash begins like this.
std::string RowKeyWithHash(std::uint64_t hash) {
  std::string key(kRowPrefixBytes, '\0');
  for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<char>(hash >> shift));
  return key + std::string(8, '\0');
}

TEST(StreamRecord, AShardTakesTheHashesFromItsOwnToThoseOfTheNext) {
  TableStream stream;
  stream.shards.push_back({.number = 7, .first_hash = 0});
  stream.shards.push_back({.number = 9, .first_hash = 100});
  stream.shards.push_back({.number = 8, .first_hash = std::uint64_t{1} << 63});
  EXPECT_EQ(ShardOf(stream, RowKeyWithHash(0)).number, 7U);
  EXPECT_EQ(ShardOf(stream, RowKeyWithHash(99)).number, 7U);
  EXPECT_EQ(ShardOf(stream, RowKeyWithHash(100)).number, 9U);
  EXPECT_EQ(ShardOf(stream, RowKeyWithHash((std::uint64_t{1} << 63) - 1)).number, 9U);
  EXPECT_EQ(ShardOf(stream, RowKeyWithHash(std::uint64_t{1} << 63)).number, 8U);
  EXPECT_EQ(ShardOf(stream, RowKeyWithHash(UINT64_MAX)).number, 8U);
}

}  // namespace stream_log_test
}  // namespace stator
