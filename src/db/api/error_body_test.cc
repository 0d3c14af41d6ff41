#include "api/error_body.h"

#include <gtest/gtest.h>

#include "value/json.h"

namespace stator {
namespace error_body_test {

constexpr std::size_t kBodyBytesMax = std::size_t{64} << 10;

std::string MessageIn(const std::string& body, std::string_view key = "message") {
  JsonDocument document;
  EXPECT_TRUE(document.Parse(body)) << "not JSON, or no UTF-8";
  return std::string(document.root().Member(key)->string());
}

TEST(ErrorBody, AMessageOfUsualLengthIsWhole) {
  EXPECT_EQ(ErrorBody(Error::Validation("a \"quoted\" text")),
            R"({"__type":"com.amazon.coral.validate#ValidationException",)"
            R"("message":"a \"quoted\" text"})");
}

TEST(ErrorBody, WhateverAMessageQuotesTheBodyIsBounded) {
  for (const std::string& quoted : {std::string("x"), std::string("ä"), std::string("€"),
                                    std::string("😀"), std::string("\x01"), std::string("\"\\")}) {
    std::string message = "b";
    while (message.size() < (std::size_t{1} << 20)) message += quoted;
    const std::string body = ErrorBody(Error::Validation(message));
    EXPECT_LE(body.size(), kBodyBytesMax);
    const std::string cut = MessageIn(body);
    ASSERT_TRUE(cut.ends_with("…"));
    EXPECT_TRUE(message.starts_with(cut.substr(0, cut.size() - std::string_view("…").size())));
    EXPECT_EQ((cut.size() - 1 - std::string_view("…").size()) % quoted.size(), 0U);
  }
}

TEST(ErrorBody, TheReasonsOfACancellationAreBoundedTogether) {
  const std::vector<CancellationReason> reasons(
      100, {.code = "ConditionalCheckFailed", .message = std::string(100'000, 'x'), .item = {}});
  const std::string body = ErrorBody(Error::TransactionCanceled(reasons));
  EXPECT_LE(body.size(), kBodyBytesMax);
  EXPECT_FALSE(MessageIn(body, "Message").empty());
}

}  // namespace error_body_test
}  // namespace stator
