#include "base/random.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace stator {
namespace random_test {

TEST(Random, UuidHasTheShapeOfVersionFour) {
  const std::regex shape("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  for (int i = 0; i < 100; ++i) {
    const std::string uuid = RandomUuid();
    EXPECT_TRUE(std::regex_match(uuid, shape)) << uuid;
  }
}

TEST(Random, UuidsAreDistinct) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(seen.insert(RandomUuid()).second);
}

TEST(Random, EveryByteOfALargeBufferIsFilled) {
  const std::string bytes = RandomBytes(100'000);
  EXPECT_GT(std::set<char>(bytes.end() - 10'000, bytes.end()).size(), 200U);
}

}  // namespace random_test
}  // namespace stator
