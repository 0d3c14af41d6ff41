#include "api/next_token.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>

namespace stator {
namespace next_token_test {

KeyHasher Hasher(char secret) {
  std::array<char, KeyHasher::kSecretBytes> bytes;
  bytes.fill(secret);
  return KeyHasher(bytes);
}

std::string Refusal(const Result<ReadPosition>& position) {
  return position ? "accepted" : position.error().message();
}

TEST(NextToken, LeadsBackToItsPosition) {
  const KeyHasher hasher = Hasher('s');
  const ReadPosition position{.read = 300, .last_key = Item{{"pk", "a"}, {"sk", 7}}};
  const std::string token = MakeNextToken(hasher, "request", position);
  const Result<ReadPosition> read = ReadNextToken(hasher, "request", token);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->read, 300);
  EXPECT_EQ(read->last_key, position.last_key);
}

TEST(NextToken, IsGoodForItsRequestOnly) {
  const KeyHasher hasher = Hasher('s');
  const std::string token = MakeNextToken(hasher, "request", {.last_key = Item{{"pk", "a"}}});
  EXPECT_EQ(Refusal(ReadNextToken(hasher, "another", token)), "NextToken does not match request");
}

TEST(NextToken, OfAnotherDatabaseIsInvalid) {
  const std::string token = MakeNextToken(Hasher('s'), "request", {.last_key = Item{{"pk", "a"}}});
  EXPECT_EQ(Refusal(ReadNextToken(Hasher('t'), "request", token)), "Invalid NextToken");
}

TEST(NextToken, AnyOtherTextIsInvalid) {
  const KeyHasher hasher = Hasher('s');
  EXPECT_EQ(Refusal(ReadNextToken(hasher, "request", "")), "Invalid NextToken");
  EXPECT_EQ(Refusal(ReadNextToken(hasher, "request", "garbage")), "Invalid NextToken");
  EXPECT_EQ(Refusal(ReadNextToken(hasher, "request", std::string(4000, 'A'))), "Invalid NextToken");
  EXPECT_TRUE(rc::check([&hasher](const std::string& text) {
    RC_ASSERT(Refusal(ReadNextToken(hasher, "request", text)) == "Invalid NextToken");
  }));
}

TEST(NextToken, EveryChangedCharacterIsNoticed) {
  const KeyHasher hasher = Hasher('s');
  const std::string token = MakeNextToken(hasher, "request", {.last_key = Item{{"pk", "abc"}}});
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_EQ(Refusal(ReadNextToken(hasher, "request", changed)), "Invalid NextToken") << i;
  }
}

}  // namespace next_token_test
}  // namespace stator
