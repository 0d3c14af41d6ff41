#include "engine/write/transaction_token.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "engine/catalog/row_key.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace transaction_token_test {

constexpr std::chrono::milliseconds kMillisecond{1};

TEST(TransactionToken, ARowComesBackAsItWasWritten) {
  EXPECT_TRUE(rc::check([](std::uint32_t completed, std::vector<std::uint32_t> blocks, char byte) {
    TokenRow row{.completed = TimeMs(std::chrono::milliseconds(completed)),
                 .request = {},
                 .blocks = std::move(blocks)};
    row.request.fill(byte);
    const std::optional<TokenRow> read = DecodeTokenRow(EncodeTokenRow(row));
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->completed == row.completed);
    RC_ASSERT(read->request == row.request);
    RC_ASSERT(read->blocks == row.blocks);
  }));
}

TEST(TransactionToken, OtherBytesAreNoRow) {
  EXPECT_FALSE(DecodeTokenRow(""));
  EXPECT_FALSE(DecodeTokenRow(std::string(23, 'x')));
  EXPECT_FALSE(DecodeTokenRow(std::string(25, '\0')));
  EXPECT_FALSE(DecodeTokenRow(std::string(24, '\xFF')));  // a time beyond every clock
  EXPECT_TRUE(DecodeTokenRow(std::string(28, '\0')));
}

TEST(TransactionToken, AccountsHaveTokensOfTheirOwn) {
  const KeyHasher hasher{std::array<char, KeyHasher::kSecretBytes>{}};
  EXPECT_EQ(HashToken(hasher, "1", "t"), HashToken(hasher, "1", "t"));
  EXPECT_NE(HashToken(hasher, "1", "t"), HashToken(hasher, "2", "t"));
  EXPECT_NE(HashToken(hasher, "1", "t"), HashToken(hasher, "1", "u"));
}

class TokenTrimmerTest : public ::testing::Test {
 protected:
  // A token that was used at `completed`.
  void Use(char name, TimeMs completed) {
    Hash128 token;
    token.fill(name);
    const TokenRow row{.completed = completed, .request = {}, .blocks = {1}};
    ASSERT_TRUE(MutateAndWait(*store_, MakeWrite([&](WriteBatch& batch) {
      batch.Put(TokenKey(token), EncodeTokenRow(row));
      batch.Put(TokenExpiryKey(row.expiry(), token), {});
    })));
  }
  std::size_t Rows() {
    std::size_t rows = 0;
    EXPECT_TRUE(store_->Scan({std::string(1, kTokenSpace), std::string(1, kTokenSpace + 1)},
                             Direction::kForward, [&](std::string_view, std::string_view) {
                               ++rows;
                               return true;
                             }));
    return rows;
  }

  std::unique_ptr<Store> store_ = OpenMemoryStore();
  ManualClock clock_{TimeMs(std::chrono::hours(1000))};
  TokenTrimmer trimmer_{*store_, clock_};
};

TEST_F(TokenTrimmerTest, ForgetsATokenWhenItsTimeHasComeAndNotBefore) {
  Use('a', clock_.Now());
  Use('b', clock_.Now() + kMillisecond);
  clock_.Advance(kTokenLife - kMillisecond);
  EXPECT_GT(trimmer_.Step().count(), 0);
  EXPECT_EQ(Rows(), 4U);
  clock_.Advance(kMillisecond);
  trimmer_.Step();
  EXPECT_EQ(Rows(), 2U);
  clock_.Advance(kMillisecond);
  trimmer_.Step();
  EXPECT_EQ(Rows(), 0U);
}

TEST_F(TokenTrimmerTest, KeepsATokenThatWasUsedAgain) {
  Use('a', clock_.Now());
  clock_.Advance(kTokenLife);
  Use('a', clock_.Now());
  EXPECT_EQ(Rows(), 3U);
  trimmer_.Step();
  EXPECT_EQ(Rows(), 2U);
}

TEST_F(TokenTrimmerTest, WorksInSlicesUntilAllAreForgotten) {
  for (int i = 0; i < 600; ++i) {
    Hash128 token{};
    token[0] = static_cast<char>(i);
    token[1] = static_cast<char>(i / 256);
    const TokenRow row{.completed = clock_.Now(), .request = {}, .blocks = {}};
    ASSERT_TRUE(MutateAndWait(*store_, MakeWrite([&](WriteBatch& batch) {
      batch.Put(TokenKey(token), EncodeTokenRow(row));
      batch.Put(TokenExpiryKey(row.expiry(), token), {});
    })));
  }
  clock_.Advance(kTokenLife);
  EXPECT_EQ(trimmer_.Step().count(), 0);
  EXPECT_GT(Rows(), 0U);
  EXPECT_EQ(trimmer_.Step().count(), 0);
  EXPECT_GT(trimmer_.Step().count(), 0);
  EXPECT_EQ(Rows(), 0U);
}

TEST_F(TokenTrimmerTest, GoesBackWithTheClock) {
  Use('a', clock_.Now());
  clock_.Advance(kTokenLife * 3);
  trimmer_.Step();
  clock_.Advance(-kTokenLife * 3);
  Use('b', clock_.Now());
  trimmer_.Step();
  clock_.Advance(kTokenLife);
  trimmer_.Step();
  EXPECT_EQ(Rows(), 0U);
}

}  // namespace transaction_token_test
}  // namespace stator
