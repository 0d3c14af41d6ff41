#include "engine/background.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <semaphore>
#include <string>
#include <vector>

namespace stator {
namespace background_test {

const Activity clients;  // there are none

TEST(Background, TasksRunInOrder) {
  Background background(clients);
  std::vector<int> ran;
  for (int i = 0; i < 100; ++i) background.Post([&ran, i] { ran.push_back(i); });
  background.WaitUntilIdle();
  ASSERT_EQ(ran.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(ran));
}

TEST(Background, LongWorkRunsInTurns) {
  Background background(clients);
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
  Background background(clients);
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
    Background background(clients);
    background.PostLongWork([held] { return true; });
    for (int i = 0; i < 10; ++i) background.Post([&tasks] { ++tasks; });
  }
  EXPECT_EQ(tasks, 10);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Background, ATaskMayPostAnother) {
  Background background(clients);
  bool ran = false;
  background.Post([&] { background.Post([&ran] { ran = true; }); });
  background.WaitUntilIdle();
  EXPECT_TRUE(ran);
}

TEST(Background, ADutyRunsAtOnceAndAgainWhenItIsWoken) {
  Background background(clients);
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
  Background background(clients);
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
  Background background(clients);
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

}  // namespace background_test
}  // namespace stator
