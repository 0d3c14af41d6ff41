#include "engine/activity.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace stator {
namespace activity_test {

using std::chrono::milliseconds;

TEST(Activity, CountsTheRequestsOfAllThreads) {
  Activity clients;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 20; ++i) {
      threads.emplace_back([&clients] {
        for (int request = 0; request < 100; ++request) clients.CountRequest();
      });
    }
  }
  EXPECT_EQ(clients.Requests(), 2'000U);
}

const Pace::RealTime kBegan(std::chrono::hours(1));

TEST(Pace, ThereIsNoRestWhileNobodyAsksForAnything) {
  Activity clients;
  clients.CountRequest();
  Pace pace(clients);
  EXPECT_EQ(pace.RestAfter(kBegan, kBegan + milliseconds(100)), milliseconds(0));
}

TEST(Pace, MostOfTheTimeIsTheClients) {
  Activity clients;
  Pace pace(clients);
  clients.CountRequest();
  EXPECT_GE(pace.RestAfter(kBegan, kBegan + milliseconds(3)), milliseconds(12));
}

TEST(Pace, EvenTheLongestSliceIsSoonFollowedByTheNext) {
  Activity clients;
  Pace pace(clients);
  clients.CountRequest();
  EXPECT_LT(pace.RestAfter(kBegan, kBegan + milliseconds(500)), milliseconds(100));
}

TEST(Pace, ASliceThatTookNoTimeIsFollowedByARestAsWell) {
  Activity clients;
  Pace pace(clients);
  clients.CountRequest();
  EXPECT_GT(pace.RestAfter(kBegan, kBegan), milliseconds(0));
}

TEST(Pace, ClientsAreGoneWhenTheyHaveAskedForNothingForSeconds) {
  Activity clients;
  Pace pace(clients);
  clients.CountRequest();
  EXPECT_GT(pace.RestAfter(kBegan, kBegan), milliseconds(0));
  EXPECT_GT(pace.RestAfter(kBegan, kBegan + std::chrono::seconds(1)), milliseconds(0));
  EXPECT_EQ(pace.RestAfter(kBegan, kBegan + std::chrono::seconds(5)), milliseconds(0));
}

}  // namespace activity_test
}  // namespace stator
