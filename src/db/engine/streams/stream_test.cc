#include "engine/streams/stream.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace stator {
namespace stream_test {

TimeMs At(std::int64_t ms) { return TimeMs(std::chrono::milliseconds(ms)); }

Stream AnyStream() {
  using rc::gen::arbitrary;
  using rc::gen::inRange;
  Stream stream;
  stream.number = *arbitrary<StreamNumber>();
  stream.table_name = "t" + std::to_string(*inRange(0, 1000));
  stream.arn = "arn/" + stream.table_name;
  stream.label = "2026-01-31T12:00:00.000";
  stream.view = static_cast<StreamViewType>(*inRange(0, 4));
  stream.keys.hash = {{"pk", ScalarType::kB}};
  if (*arbitrary<bool>()) stream.keys.range = {{"sk", ScalarType::kN}};
  stream.secret = *arbitrary<std::string>();
  stream.created_ms = *arbitrary<std::int64_t>();
  if (*arbitrary<bool>()) stream.disabled_ms = *arbitrary<std::int64_t>();
  const int shards = *inRange(0, 6);
  for (int i = 0; i < shards; ++i) {
    StreamShard shard{.number = stream.next_shard, .opened_ms = *arbitrary<std::int64_t>()};
    stream.next_shard += *inRange<ShardNumber>(1, 5);
    if (*arbitrary<bool>()) shard.parent = {*inRange<ShardNumber>(1, 99), 5};
    if (*arbitrary<bool>()) shard.end = {*inRange<std::uint64_t>(0, INT64_MAX), 7};
    stream.shards.push_back(shard);
  }
  return stream;
}

TEST(StreamCodec, EveryStreamComesBackAsItWas) {
  EXPECT_TRUE(rc::check([] {
    const Stream stream = AnyStream();
    const std::optional<Stream> decoded = DecodeStream(EncodeStream(stream));
    RC_ASSERT(decoded.has_value());
    RC_ASSERT(decoded->number == stream.number && decoded->table_name == stream.table_name);
    RC_ASSERT(decoded->arn == stream.arn && decoded->label == stream.label);
    RC_ASSERT(decoded->view == stream.view && decoded->secret == stream.secret);
    RC_ASSERT(decoded->keys.hash.size() == 1U && decoded->keys.hash[0].type == ScalarType::kB);
    RC_ASSERT(decoded->keys.range.size() == stream.keys.range.size());
    RC_ASSERT(decoded->created_ms == stream.created_ms);
    RC_ASSERT(decoded->disabled_ms == stream.disabled_ms);
    RC_ASSERT(decoded->next_shard == stream.next_shard && decoded->shards == stream.shards);
  }));
}

TEST(StreamCodec, DamagedRowsAreRefused) {
  EXPECT_TRUE(rc::check([] {
    std::string row = EncodeStream(AnyStream());
    row.resize(*rc::gen::inRange<std::size_t>(0, row.size()));
    RC_ASSERT(!DecodeStream(row));
  }));
  Stream stream;
  stream.next_shard = 3;
  stream.shards = {{.number = 2}, {.number = 2}};
  EXPECT_FALSE(DecodeStream(EncodeStream(stream)));
  stream.shards = {{.number = 3}};
  EXPECT_FALSE(DecodeStream(EncodeStream(stream)));
}

TEST(ShardId, HasTheShapeOfDynamoDbsAndNamesItsShard) {
  const StreamShard shard{.number = 26, .opened_ms = 1'769'860'800'000};
  EXPECT_EQ(shard.Id(), "shardId-00000001769860800000-0000001a");
  EXPECT_EQ(ParseShardId(shard.Id()), 26U);
  for (const char* wrong :
       {"", "shardId-", "shardId-00000001769860800000-0000001",
        "shardId-00000001769860800000x0000001a", "shardId-00000001769860800000-000000zz",
        "shardId-00000001769860800000-0000001a1a1a1a1a1a1a1a1a1a"}) {
    EXPECT_FALSE(ParseShardId(wrong)) << wrong;
  }
}

TEST(Stream, FindsAShardOnlyByItsExactId) {
  Stream stream;
  stream.shards = {{.number = 1, .opened_ms = 5}};
  EXPECT_NE(stream.FindShard("shardId-00000000000000000005-00000001", At(6)), nullptr);
  EXPECT_EQ(stream.FindShard("shardId-00000000000000000006-00000001", At(6)), nullptr);
  EXPECT_EQ(stream.FindShard("shardId-00000000000000000005-00000002", At(6)), nullptr);
  EXPECT_EQ(stream.FindShard("shardId-00000000000000000005-000000001", At(6)), nullptr);
}

TEST(SequenceNumber, GrowsAlongAShardAndFromAParentToItsChild) {
  EXPECT_TRUE(rc::check([] {
    const SequenceNumber low{*rc::gen::inRange<ShardNumber>(0, 899'998),
                             *rc::gen::inRange<std::uint64_t>(0, 1'000'000)};
    const std::string text = SequenceText(low);
    RC_ASSERT(text.size() == 24U);
    RC_ASSERT(text < SequenceText({low.shard, low.number + 1}));
    RC_ASSERT(text < SequenceText({low.shard + 1, 0}));
    const std::optional<SequenceNumber> parsed = ParseSequence(text);
    RC_ASSERT(parsed && parsed->shard == low.shard && parsed->number == low.number);
  }));
}

TEST(SequenceNumber, OtherTextsAreRefused) {
  for (const char* wrong : {"", "1", "000001000000000000000001", "0100001000000000000000001",
                            "10000100000000000000000x", "-00001000000000000000001",
                            "99999000000000000000001", "1000010000000000000000000000000000000001",
                            "10000100000000000000000000000000000000000001"}) {
    EXPECT_FALSE(ParseSequence(wrong)) << wrong;
  }
}

TEST(Stream, CanBeSeenForADayAfterItEnded) {
  Stream stream;
  EXPECT_TRUE(stream.IsVisible(At(0)));
  EXPECT_EQ(stream.status(), StreamStatus::kEnabled);
  stream.disabled_ms = 1'000;
  stream.shards = {{.number = 1}};
  EXPECT_EQ(stream.status(), StreamStatus::kDisabling);
  stream.shards[0].end = {.last_number = 0, .closed_ms = 1'000};
  EXPECT_EQ(stream.status(), StreamStatus::kDisabled);
  EXPECT_TRUE(stream.IsVisible(At(1'000 + 86'399'999)));
  EXPECT_FALSE(stream.IsVisible(At(1'000 + 86'400'000)));
}

}  // namespace stream_test
}  // namespace stator
