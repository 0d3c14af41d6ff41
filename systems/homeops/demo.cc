#include "systems/homeops/demo.h"

#include <fmt/format.h>

#include <algorithm>

#include "stator/database.h"
#include "stator/live.h"
#include "systems/homeops/memory/memory.h"
#include "systems/homeops/memory/stockholm.h"
#include "systems/homeops/talking/chat.h"
#include "systems/homeops/upkeep/ingest.h"
#include "systems/homeops/upkeep/log_generator.h"
#include "systems/homeops/upkeep/upkeep.h"
#include "systems/program/model_text.h"
#include "systems/program/program.h"

namespace stator::systems::homeops {
namespace {

void Title(std::string_view text) { fmt::print("\n== {}\n", text); }

// Tables of the time before memory questions, with a month of activities, brought up to the model.
bool ShowMigration(Database& database, const Model& model) {
  Title("a month of old activities gets the index for \"who did it last\"");
  if (!CreatePhaseTwoTable(database)) return false;
  const auto old =
      GenerateLog({.seed = 7, .messages = 900, .first_day = "2026-02-01", .slang = false});
  for (Message message : old) {
    message.id += 1'000'000;  // another history than that of the log below
    if (!PutPhaseTwoActivity(database, message)) return false;
  }
  const auto report = ApplyModel(database, model);
  if (!report) return false;
  for (const std::string& line : report->lines) fmt::print("  {}\n", line);
  return report->complete;
}

bool Play(Bot& bot, Database& database, const std::vector<Message>& log) {
  Title(fmt::format("{} messages, {} to {}", log.size(), StockholmText(log.front().at),
                    StockholmText(log.back().at)));
  const IngestReport first = Ingest(bot, log);
  for (const auto& [kind, count] : first.kinds) fmt::print("  {:<14}{}\n", kind, count);
  fmt::print("  understood as meant: {} of {}; answered {} times\n", first.right, first.judged,
             first.responded);
  const auto before = StateLines(database, "");
  const IngestReport again = Ingest(bot, log, 2);
  const auto after = StateLines(database, "");
  const bool same = before && after && *before == *after;
  fmt::print("  the same log again, by two workers: {} known before, {}\n", again.repeated,
             same ? "nothing changed" : "SOMETHING CHANGED");
  return first.complete() && again.complete() && same;
}

bool Ask(Entities& entities, Bot& bot, std::int64_t now) {
  Title("questions");
  Memory memory(entities, bot.aliases());
  const UsedUnits before = entities.used();
  const auto who = memory.WhoLast("hemma", "Diska");
  if (!who || !*who) return false;
  const UsedUnits one = entities.used();
  fmt::print("  who did the dishes last? {}, {} ({} read units)\n", (*who)->name,
             StockholmText((*who)->at), one.read - before.read);
  const auto when = memory.WhenLast("hemma", 2, "tvätt");
  if (!when || !*when) return false;
  fmt::print("  when did Anna last do the laundry? {}\n", StockholmText((*when)->at));
  const auto often = memory.HowOften("hemma", 1, "diskning", WeekStart(now), now);
  if (!often) return false;
  fmt::print("  how often did Martin wash up since Monday, {}? {} times\n",
             StockholmText(WeekStart(now)), *often);
  auto aliases = bot.aliases().For("hemma", "tvätt");
  if (!aliases) return false;
  // Entries of an index with equal keys have no order of their own.
  std::ranges::sort(*aliases, {}, &Alias::alias);
  for (const Alias& alias : *aliases) {
    fmt::print("  \"{}\" means tvätt ({}, confirmed {} times)\n", alias.alias, alias.source,
               alias.confirmations);
  }
  const auto habits = memory.HabitsOf("hemma", 1);
  if (!habits || habits->empty()) return false;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, habits->size()); ++i) {
    const Habit& habit = (*habits)[i];
    fmt::print("  Martin: {} {} times, effort {:.2f}\n", habit.activity, habit.total, habit.effort);
  }
  return true;
}

// A member talks with the bot.
bool Talk(Entities& entities) {
  Title("a conversation");
  const VocabularyClassifier classifier;
  Bot bot(entities, classifier, {}, {.aliases = {}, .is_listened_to = true});
  Chat chat(bot, entities, {.chat = "hemma", .user = 1, .name = "Martin"},
            [](const std::string& text) { fmt::print("  {}\n", text); });
  for (const char* line : {"Vem diskade senast?", "När tvättade Anna sist?",
                           "Hur ofta har Martin diskat den här veckan?",
                           "Har diskat kläderna och handlat", "nej, jag menade tvätt", "1", "ångra",
                           "häckklippning är en aktivitet: klippt häcken", "Har klippt häcken"}) {
    fmt::print("> {}\n", line);
    if (!chat.Take(line)) return false;
  }
  return true;
}

bool ShowCosts() {
  Title("cost");
  const auto fresh = OpenInMemory(kClockMin, ModelText());
  if (!fresh) return false;
  const auto costs = MeasureCosts((*fresh)->entities(), (*fresh)->clock(), CostLog(2000));
  if (!costs) return false;
  fmt::print("{}", CostText(*costs));
  return true;
}

}  // namespace

int RunDemo() {
  const auto log = GenerateLog({.messages = 2000});
  const std::int64_t now = log.back().at + 60;
  auto database =
      Database::Open({.clock = ClockSetting::FixedAt(TimeMs(std::chrono::seconds(now)))});
  if (!database) return Fail(database.error().message());
  const auto model = Model::Parse(ModelText());
  if (!model) return Fail(model.error());
  if (!ShowMigration(**database, *model)) return Fail("the migration failed");
  Entities entities(**database, *model, {.clock = &(*database)->clock()});
  const VocabularyClassifier classifier;
  Bot bot(entities, classifier);
  if (!Play(bot, **database, log)) return Fail("the log was not taken");
  if (!Ask(entities, bot, now)) return Fail("a question has no answer");
  if (!Talk(entities)) return Fail("the bot does not listen");
  if (!ShowCosts()) return Fail("the costs could not be measured");
  return kDone;
}

}  // namespace stator::systems::homeops
