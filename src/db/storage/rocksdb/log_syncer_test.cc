#include "storage/rocksdb/log_syncer.h"

#include <gtest/gtest.h>

#include <latch>

namespace stator {
namespace log_syncer_test {

TEST(LogSyncer, CallsAgainAndAgainUntilItIsDestroyed) {
  std::latch thrice(3);
  int calls = 0;
  {
    const LogSyncer syncer(std::chrono::milliseconds(1), [&] {
      if (++calls <= 3) thrice.count_down();
    });
    thrice.wait();
  }
  EXPECT_GE(calls, 3);
}

TEST(LogSyncer, DestructionDoesNotWaitForTheNextCall) {
  int calls = 0;
  {
    const LogSyncer syncer(std::chrono::hours(1), [&] { ++calls; });
  }
  EXPECT_EQ(calls, 0);
}

}  // namespace log_syncer_test
}  // namespace stator
