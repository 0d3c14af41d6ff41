// Workers at the same time, on the same counters.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "systems/homeops/talking/bot.h"
#include "systems/homeops/upkeep/log_generator.h"
#include "tests/systems/homeops_fixture.h"

namespace stator::systems::homeops {
namespace workers_test {

using stator::testing::StressTime;
using stator::testing::Text;

class Workers : public HomeOps {
 protected:
  void ExpectCounts(std::int64_t total) {
    const std::string wanted = std::to_string(total);
    const Item habit = StoredHabit("diskning");
    EXPECT_EQ(Text(habit, "totalCount"), wanted);
    EXPECT_EQ(Counter(habit, "dayOfWeekCounts", "sat"), wanted);
    EXPECT_EQ(Counter(habit, "hourOfDayCounts", "9"), wanted);
    EXPECT_EQ(Text(Stored("Effort", Item{{"userId", 1}, {"activity", "diskning"}}), "samples"),
              wanted);
    EXPECT_EQ(Text(Stored("Preference", Item{{"userId", 1}, {"metric", "medium"}}), "count"),
              wanted);
  }
};

TEST_F(Workers, S4_19_TwoThatCountTheSameHabitLoseNothing) {
  constexpr int kEach = 40;
  const auto others = world.MoreEntities();
  Bot second(*others, classifier);
  {
    std::vector<std::jthread> threads;
    for (Bot* worker : {&bot, &second}) {
      threads.emplace_back([&, worker] {
        for (int i = 0; i < kEach; ++i) {
          const int id = 2 * i + (worker == &bot ? 1 : 2);
          const auto outcome = worker->Handle(Say(id, "Har diskat", kNow + id));
          EXPECT_TRUE(outcome && outcome->failures.empty());
        }
      });
    }
  }
  ExpectCounts(2 * kEach);
  EXPECT_EQ(LastSeen(StoredHabit("diskning")), kNow + 2 * kEach);
}

TEST_F(Workers, S4_19_TheSeedsReadModifyWriteLosesCounts) {
  // Both read 0, both write 1.
  const auto read = [&] {
    const Item habit = StoredHabit("diskning");
    return NumberOf(habit.view(), "totalCount");
  };
  const auto write = [&](std::int64_t total) {
    EXPECT_TRUE(world.endpoint().PutItem({.table_name = "homeops",
                                          .item = Item{{"pk", "PATTERN#hemma#1"},
                                                       {"sk", "diskning"},
                                                       {"chatId", "hemma"},
                                                       {"userId", 1},
                                                       {"activity", "diskning"},
                                                       {"totalCount", total}}}));
  };
  const std::int64_t first = read();
  const std::int64_t second = read();
  write(first + 1);
  write(second + 1);
  EXPECT_EQ(read(), 1);
}

TEST_F(Workers, S4_18_OfTwoThatStartAHabitBothCount) {
  for (int round = 1; round <= 20; ++round) {
    const std::string activity = round % 2 == 0 ? "Har diskat" : "Har städat";
    const std::int64_t user = 10 + round;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&, i] {
        const auto outcome = bot.Handle(Say(round * 10 + i, activity, kNow, user));
        EXPECT_TRUE(outcome && outcome->failures.empty());
      });
    }
    threads.clear();
    const Item habit = StoredHabit(round % 2 == 0 ? "diskning" : "städning", user);
    EXPECT_EQ(Counter(habit, "dayOfWeekCounts", "sat"), "2");
  }
}

TEST_F(Workers, S4_Bot_EightCountEveryMessageOnceThoughEachComesTwice) {
  constexpr int kThreads = 8;
  std::atomic<std::int64_t> next = 0;
  std::atomic<std::int64_t> failed = 0;
  const auto end = std::chrono::steady_clock::now() + StressTime();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        while (std::chrono::steady_clock::now() < end) {
          // Every number is drawn twice, close together: a message delivered to two workers.
          const std::int64_t id = 1 + next++ / 2;
          const auto outcome = bot.Handle(Say(id, "Har diskat", kNow + id % 1000));
          if (!outcome || !outcome->failures.empty()) ++failed;
        }
      });
    }
  }
  EXPECT_EQ(failed, 0);
  ExpectCounts((next + 1) / 2);
  RecordProperty("deliveries", std::to_string(next));
  EXPECT_EQ(world.Audit(), "");
}

TEST_F(Workers, SplittingALogByUsersGivesTheSameState) {
  const auto messages = GenerateLog({.messages = 300, .slang = false});
  Ingest(bot, messages, 1);
  const auto alone = State();
  testing::SystemWorld other(ModelText());
  Bot many(other.entities(), classifier);
  EXPECT_TRUE(Ingest(many, messages, 4).complete());
  const auto together = StateLines(other.endpoint(), "");
  ASSERT_TRUE(together);
  // Which messages are answered depends on what was said just before; the rest does not.
  const auto learned = [](std::vector<std::string> lines) {
    std::erase_if(lines, [](const std::string& line) {
      return line.starts_with("homeops-response-counters");
    });
    return lines;
  };
  EXPECT_EQ(learned(*together), learned(alone));
}

}  // namespace workers_test
}  // namespace stator::systems::homeops
