#include "bench/endpoint.h"

#include <gtest/gtest.h>

namespace stator::bench {
namespace endpoint_test {

TEST(Endpoint, SaysWhatToDoInsteadOfTls) {
  const auto refused = ParseEndpoint("https://dynamodb.eu-west-1.amazonaws.com");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("plain HTTP"), std::string::npos);
}

}  // namespace endpoint_test
}  // namespace stator::bench
