#include "engine/background.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

namespace stator {
namespace background_test {

const Activity kNoClients;

TEST(Background, TasksRunInOrder) {
  Background background(kNoClients);
  std::vector<int> ran;
  for (int i = 0; i < 100; ++i) background.Post([&ran, i] { ran.push_back(i); });
  background.WaitUntilIdle();
  ASSERT_EQ(ran.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(ran));
}

TEST(Background, LongWorkRunsInTurns) {
  Background background(kNoClients);
  std::string order;
  std::binary_semaphore begin(0);
  background.Post([&begin] { begin.acquire(); });
  for (char name : {'a', 'b'}) {
    background.PostLongWork([&order, name, left = 3]() mutable {
      order.push_back(name);
      return --left > 0;
    });
  }
  begin.release();
  background.WaitUntilIdle();
  EXPECT_EQ(order, "ababab");
}

TEST(Background, LongWorkRestsBetweenSlicesWhileClientsAreActive) {
  using Time = std::chrono::steady_clock::time_point;
  Activity active;
  Background background(active);
  std::vector<Time> ran;
  background.PostLongWork([&] {
    ran.push_back(std::chrono::steady_clock::now());
    active.CountRequest();
    return ran.size() < 3;
  });
  background.WaitUntilIdle();
  ASSERT_EQ(ran.size(), 3U);
  EXPECT_GE(ran[1] - ran[0], std::chrono::milliseconds(1));
  EXPECT_GE(ran[2] - ran[1], std::chrono::milliseconds(1));
}

TEST(Background, TasksDoNotWaitForTheRestOfLongWork) {
  Activity active;
  Background background(active);
  std::atomic<bool> has_run = false;
  std::binary_semaphore ran(0);
  background.PostLongWork([&] {
    active.CountRequest();
    return !has_run;
  });
  background.Post([&] {
    has_run = true;
    ran.release();
  });
  ran.acquire();
  background.WaitUntilIdle();
  EXPECT_TRUE(has_run);
}

TEST(Background, TasksGoBeforeTheNextSlice) {
  Background background(kNoClients);
  std::string order;
  background.PostLongWork([&, left = 3]() mutable {
    order.push_back('s');
    if (left == 3) background.Post([&order] { order.push_back('t'); });
    return --left > 0;
  });
  background.WaitUntilIdle();
  EXPECT_EQ(order, "stss");
}

TEST(Background, TheDestructorFinishesTasksAndDropsLongWork) {
  std::atomic<int> tasks = 0;
  auto held = std::make_shared<int>(0);
  {
    Background background(kNoClients);
    background.PostLongWork([held] { return true; });
    for (int i = 0; i < 10; ++i) background.Post([&tasks] { ++tasks; });
  }
  EXPECT_EQ(tasks, 10);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Background, ATaskMayPostAnother) {
  Background background(kNoClients);
  bool ran = false;
  background.Post([&] { background.Post([&ran] { ran = true; }); });
  background.WaitUntilIdle();
  EXPECT_TRUE(ran);
}

TEST(Background, ADutyRunsAtOnceAndAgainWhenItIsWoken) {
  Background background(kNoClients);
  std::atomic<int> runs = 0;
  background.AddDuty([&runs] {
    ++runs;
    return std::chrono::hours(1);
  });
  background.WaitUntilIdle();
  EXPECT_EQ(runs, 1);
  background.WakeDuties();
  background.WaitUntilIdle();
  EXPECT_EQ(runs, 2);
}

TEST(Background, ADutyThatIsWokenWhileItRunsRunsOnceMore) {
  Background background(kNoClients);
  std::binary_semaphore running(0);
  std::binary_semaphore woken(0);
  int runs = 0;
  background.AddDuty([&] {
    if (++runs == 1) {
      running.release();
      woken.acquire();
    }
    return std::chrono::hours(1);
  });
  running.acquire();
  background.WakeDuties();
  woken.release();
  background.WaitUntilIdle();
  EXPECT_EQ(runs, 2);
}

TEST(Background, ADutyWithMoreToDoTakesTurnsWithLongWork) {
  Background background(kNoClients);
  std::string order;
  std::binary_semaphore begin(0);
  background.Post([&begin] { begin.acquire(); });
  background.PostLongWork([&order, left = 3]() mutable {
    order.push_back('s');
    return --left > 0;
  });
  background.AddDuty([&order, left = 3]() mutable {
    order.push_back('d');
    return --left > 0 ? std::chrono::milliseconds(0) : std::chrono::hours(1);
  });
  begin.release();
  background.WaitUntilIdle();
  EXPECT_EQ(order, "sdsdsd");
}

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

}  // namespace background_test
}  // namespace stator
