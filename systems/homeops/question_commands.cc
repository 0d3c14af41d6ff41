// who-last, when-last, how-often, habits.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "systems/homeops/commands.h"
#include "systems/homeops/stockholm.h"
#include "systems/program/text_table.h"

namespace stator::systems::homeops {
namespace {

int Answer(const EntityResult<std::optional<Deed>>& deed) {
  if (!deed) {
    return Fail(deed.error().message +
                (deed.error().kind == EntityErrorKind::kStore ? " (did you run `migrate`?)" : ""));
  }
  if (!*deed) {
    fmt::print("nobody, as far as I know\n");
    return 1;
  }
  fmt::print("{} {} ({})\n", (*deed)->name, StockholmText((*deed)->at), (*deed)->activity);
  return 0;
}

// Runs `work` with the number of somebody who is known in the chat.
int WithUser(Desk& desk, const std::string& chat, const std::string& who,
             const std::function<int(std::int64_t user)>& work) {
  const auto user = desk.memory.FindUser(chat, who);
  if (!user) return Fail(user.error().message);
  if (!*user) return Fail(fmt::format("nobody called {} has written in {}", who, chat));
  return work(**user);
}

std::string Times(std::int64_t count) {
  return count == 1 ? "once" : fmt::format("{} times", count);
}

std::string Favourite(const std::map<std::string, std::int64_t>& counters) {
  const auto most =
      std::ranges::max_element(counters, {}, [](const auto& counter) { return counter.second; });
  return most == counters.end() ? "-" : fmt::format("{} ({})", most->first, most->second);
}

int PrintHabits(Desk& desk, const std::string& chat, std::int64_t user) {
  const auto habits = desk.memory.HabitsOf(chat, user);
  if (!habits) return Fail(habits.error().message);
  std::vector<std::vector<std::string>> rows = {
      {"activity", "times", "day", "hour", "effort", "last"}};
  for (const Habit& habit : *habits) {
    rows.push_back({habit.activity, std::to_string(habit.total), Favourite(habit.days),
                    Favourite(habit.hours), fmt::format("{:.2f}", habit.effort),
                    StockholmText(habit.last_seen)});
  }
  fmt::print("{}", TextTable(rows));
  const auto preferences = desk.memory.PreferencesOf(user);
  if (!preferences) return Fail(preferences.error().message);
  for (const Preference& preference : *preferences) {
    fmt::print("{} work: {}\n", preference.metric, Times(preference.count));
  }
  return 0;
}

struct Question {
  std::string who;
  std::string activity;
  bool week = false;
  int days = 0;
};

int PrintHowOften(Desk& desk, const std::string& chat, std::int64_t user,
                  const Question& question) {
  const std::int64_t now = desk.NowSeconds();
  const std::int64_t from =
      question.days > 0 ? now - question.days * std::int64_t{86'400} : WeekStart(now);
  const auto count = desk.memory.HowOften(chat, user, question.activity, from, now);
  if (!count) return Fail(count.error().message);
  fmt::print("{} since {}\n", Times(*count), StockholmText(from));
  return 0;
}

}  // namespace

void AddQuestionCommands(CLI::App& app, Shell& shell) {
  auto question = std::make_shared<Question>();
  auto* who = app.add_subcommand("who-last", "Who did it last, and when");
  who->add_option("ACTIVITY", question->activity, "e.g. diskning, or any alias")->required();
  who->callback([&shell, question] {
    WithDesk(shell, [&](Desk& desk) {
      return Answer(desk.memory.WhoLast(shell.chat, question->activity));
    });
  });

  auto* when = app.add_subcommand("when-last", "When somebody did it last");
  when->add_option("WHO", question->who, "A name, or the user's number")->required();
  when->add_option("ACTIVITY", question->activity, "e.g. diskning, or any alias")->required();
  when->callback([&shell, question] {
    WithDesk(shell, [&](Desk& desk) {
      return WithUser(desk, shell.chat, question->who, [&](std::int64_t user) {
        return Answer(desk.memory.WhenLast(shell.chat, user, question->activity));
      });
    });
  });

  auto* often = app.add_subcommand("how-often", "How often somebody did it this week");
  often->add_option("WHO", question->who, "A name, or the user's number")->required();
  often->add_option("ACTIVITY", question->activity, "e.g. diskning, or any alias")->required();
  auto* week =
      often->add_flag("--week", question->week, "Since Monday, 00:00 in Stockholm (the default)");
  often->add_option("--days", question->days, "Instead: in the last so many days")
      ->check(CLI::Range(1, 3660))
      ->excludes(week);
  often->callback([&shell, question] {
    WithDesk(shell, [&](Desk& desk) {
      return WithUser(desk, shell.chat, question->who, [&](std::int64_t user) {
        return PrintHowOften(desk, shell.chat, user, *question);
      });
    });
  });

  auto* habits = app.add_subcommand("habits", "What somebody does, when, and how hard it is");
  habits->add_option("WHO", question->who, "A name, or the user's number")->required();
  habits->callback([&shell, question] {
    WithDesk(shell, [&](Desk& desk) {
      return WithUser(desk, shell.chat, question->who,
                      [&](std::int64_t user) { return PrintHabits(desk, shell.chat, user); });
    });
  });
}

}  // namespace stator::systems::homeops
