#include "api/streams/shard_iterator.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace stator {
namespace shard_iterator_test {

Stream SomeStream() {
  Stream stream;
  stream.arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Songs/stream/2026-01-31T12:00:00.000";
  stream.secret = std::string(kStreamSecretBytes, 's');
  return stream;
}

ShardIterator AnyIterator() {
  return {.shard = *rc::gen::arbitrary<ShardNumber>(),
          .position = *rc::gen::arbitrary<std::uint64_t>(),
          .issued = TimeMs(std::chrono::milliseconds(*rc::gen::arbitrary<std::int64_t>()))};
}

TEST(ShardIterator, ComesBackAsItWas) {
  EXPECT_TRUE(rc::check([] {
    const ShardIterator iterator = AnyIterator();
    const std::string text = EncodeShardIterator(SomeStream(), iterator);
    RC_ASSERT(text.starts_with(SomeStream().arn + "|1|"));
    RC_ASSERT(ArnOfShardIterator(text) == SomeStream().arn);
    RC_ASSERT(DecodeShardIterator(SomeStream(), text) == iterator);
  }));
}

TEST(ShardIterator, AnyChangedCharacterMakesItInvalid) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = EncodeShardIterator(SomeStream(), AnyIterator());
    std::string changed = text;
    changed[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::arbitrary<char>();
    RC_PRE(changed != text);
    RC_ASSERT(!DecodeShardIterator(SomeStream(), changed));
  }));
}

TEST(ShardIterator, IsOfOneStreamOnly) {
  const std::string text = EncodeShardIterator(SomeStream(), {.shard = 1, .position = 2});
  Stream other = SomeStream();
  other.secret[0] = 't';
  EXPECT_FALSE(DecodeShardIterator(other, text));
}

TEST(ShardIterator, OtherTextsAreNone) {
  for (const std::string& text :
       {std::string(), std::string("|1|"), SomeStream().arn, SomeStream().arn + "|1|",
        SomeStream().arn + "|1|AAAA", SomeStream().arn + "|1|=", SomeStream().arn + "|2|AAAA"}) {
    EXPECT_FALSE(DecodeShardIterator(SomeStream(), text)) << text;
  }
}

}  // namespace shard_iterator_test
}  // namespace stator
