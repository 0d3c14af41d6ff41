// A household for tests: the bot on an endpoint with a clock that stands still, and short ways to
// write to it.
#ifndef STATOR_TESTS_SYSTEMS_HOMEOPS_FIXTURE_H_
#define STATOR_TESTS_SYSTEMS_HOMEOPS_FIXTURE_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "systems/homeops/memory/memory.h"
#include "systems/homeops/talking/bot.h"
#include "systems/homeops/upkeep/ingest.h"
#include "systems/homeops/upkeep/upkeep.h"
#include "systems/program/items.h"
#include "systems/program/model_text.h"
#include "tests/systems/system_fixture.h"

namespace stator::systems::homeops {

inline constexpr std::int64_t kNow = 1'772'265'600;  // 2026-02-28 08:00 UTC, 09:00 in Stockholm

class HomeOps : public ::testing::Test {
 protected:
  HomeOps() : world(ModelText()), bot(world.entities(), classifier, Logger()) {}

  BotLog Logger() {
    return [this](const std::string& line) { log.push_back(line); };
  }

  static Message Say(std::int64_t id, std::string_view text, std::int64_t at = kNow,
                     std::int64_t user = 1) {
    static const std::vector<std::string> kNames = {"Nobody", "Martin", "Anna", "Elsa", "Oskar"};
    return {.chat = "hemma",
            .id = id,
            .user = user,
            .name = kNames[static_cast<std::size_t>(user) % kNames.size()],
            .at = at,
            .text = std::string(text),
            .reply_to = std::nullopt,
            .expected = {}};
  }
  static Message Reply(std::int64_t id, std::int64_t to, std::string_view text) {
    Message message = Say(id, text);
    message.reply_to = to;
    return message;
  }

  Outcome Hear(const Message& message) {
    auto outcome = bot.Handle(message);
    EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message);
    return outcome ? *outcome : Outcome();
  }

  std::vector<std::string> State() {
    auto lines = StateLines(world.endpoint(), "");
    EXPECT_TRUE(lines);
    return lines ? *lines : std::vector<std::string>();
  }

  Item Stored(std::string_view entity, const Item& key) {
    const auto item = world.entities().Get(entity, key, {.strong = true});
    EXPECT_TRUE(item) << (item ? "" : item.error().message);
    return item && *item ? **item : Item();
  }
  Item StoredHabit(std::string_view activity, std::int64_t user = 1) {
    return Stored("Habit", Item{{"chatId", "hemma"}, {"userId", user}, {"activity", activity}});
  }
  Item StoredAlias(std::string_view alias) {
    return Stored("Alias", Item{{"chatId", "hemma"}, {"alias", alias}});
  }

  // Units read since the last call.
  double ReadUnits() {
    const double now = world.entities().used().read;
    return now - std::exchange(read_before, now);
  }

  // Sends an operation as somebody's code would.
  Result<std::string> Send(std::string_view operation, std::string_view json) {
    return world.endpoint().Execute(operation, json);
  }

  testing::SystemWorld world;
  std::vector<std::string> log;
  VocabularyClassifier classifier;
  Bot bot;
  double read_before = 0;
};

inline std::string Counter(const Item& item, std::string_view map, std::string_view name) {
  const auto counters = item.Find(map);
  const auto value = counters ? counters->Map().Find(name) : std::nullopt;
  return value ? value->N() : "(none)";
}

}  // namespace stator::systems::homeops

#endif  // STATOR_TESTS_SYSTEMS_HOMEOPS_FIXTURE_H_
