#include "systems/homeops/learner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "systems/homeops/stockholm.h"
#include "systems/program/fallible.h"
#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

constexpr int kRaceAttempts = 60;
constexpr std::int64_t kConversationSeconds = 60;
constexpr std::size_t kConversationMessages = 5;

// The attribute of a message that says that a step is done.
std::string StampOf(Step step) {
  return step == Step::kResponse ? "respondedAt" : fmt::format("{}At", NameOf(step));
}

std::vector<Step> OpenSteps(const Item& record, const std::vector<Step>& wanted) {
  std::vector<Step> open;
  std::ranges::copy_if(wanted, std::back_inserter(open),
                       [&](Step step) { return !record.Find(StampOf(step)); });
  return open;
}

std::string_view MetricOf(int effort) {
  if (effort <= 1) return "light";
  return effort <= 3 ? "medium" : "heavy";
}

}  // namespace

std::string_view NameOf(Step step) {
  switch (step) {
    case Step::kEffort:
      return "effort";
    case Step::kHabit:
      return "habit";
    case Step::kPreference:
      return "preference";
    case Step::kResponse:
      return "response";
  }
  return {};
}

struct Learner::Attempt {
  const Message& message;
  const Decision& decision;
  std::vector<Step> steps;
  bool newest = true;  // no later activity is known of this habit
  bool responded = false;

  Item HabitKey() const {
    return Item{
        {"chatId", message.chat}, {"userId", message.user}, {"activity", decision.activity}};
  }
};

Lesson Learner::Learn(const Message& message, const Decision& decision, const Item& record) {
  Lesson lesson;
  Attempt all{.message = message,
              .decision = decision,
              .steps = OpenSteps(record, {kSteps.begin(), kSteps.end()})};
  const auto together = Together(all);
  lesson.responded = all.responded;
  if (together) return lesson;
  // One step that fails must not take the others with it.
  for (const Step step : std::vector<Step>(all.steps)) {
    Attempt alone{.message = message, .decision = decision, .steps = {step}};
    const auto learned = Together(alone);
    if (!learned) lesson.failures.push_back({step, learned.error()});
    if (step == Step::kResponse) lesson.responded = learned && alone.responded;
  }
  return lesson;
}

EntityResult<void> Learner::Together(Attempt& attempt) {
  for (int tries = 0; !attempt.steps.empty(); ++tries) {
    EntityTransaction together = entities_.Begin();
    Change stamps;
    std::vector<std::string> missing;
    for (const Step step : attempt.steps) {
      stamps.set.emplace_back(StampOf(step), AttributeValue(attempt.message.at));
      missing.push_back(StampOf(step) + " missing");
    }
    together.Update("Message", KeyOf(attempt.message), stamps,
                    {.only_if = fmt::to_string(fmt::join(missing, ", "))});
    for (const Step step : attempt.steps) {
      if (auto added = Add(together, step, attempt); !added) return added;
    }
    auto done = together.Commit();
    if (done || !IsRace(done.error()) || tries == kRaceAttempts) return done;
    attempt.responded = false;
    std::this_thread::sleep_for(std::chrono::microseconds(200 * (tries % 8)));
    if (auto looked = LookAgain(attempt); !looked) return looked;
  }
  return {};
}

EntityResult<void> Learner::LookAgain(Attempt& attempt) {
  const auto record = entities_.Get("Message", KeyOf(attempt.message), {.strong = true});
  if (!record) return std::unexpected(record.error());
  if (*record) attempt.steps = OpenSteps(**record, attempt.steps);
  if (std::ranges::find(attempt.steps, Step::kHabit) == attempt.steps.end()) return {};
  const auto habit = entities_.Get("Habit", attempt.HabitKey(), {.strong = true});
  if (!habit) return std::unexpected(habit.error());
  attempt.newest = !*habit || NumberOf((*habit)->view(), "lastSeen") <= attempt.message.at;
  return {};
}

EntityResult<void> Learner::Add(EntityTransaction& together, Step step, Attempt& attempt) {
  switch (step) {
    case Step::kEffort:
      return AddEffort(together, attempt);
    case Step::kHabit:
      AddHabit(together, attempt);
      return {};
    case Step::kPreference:
      together.Upsert(
          "Preference",
          Item{{"userId", attempt.message.user}, {"metric", MetricOf(attempt.decision.effort)}},
          {.add = {{"count", 1}}});
      return {};
    case Step::kResponse:
      return AddResponse(together, attempt);
  }
  return {};
}

EntityResult<void> Learner::AddEffort(EntityTransaction& together, const Attempt& attempt) {
  const Item key{{"userId", attempt.message.user}, {"activity", attempt.decision.activity}};
  const auto stored = entities_.Get("Effort", key, {.strong = true});
  if (!stored) return std::unexpected(stored.error());
  if (!*stored) {
    Item first = key;
    first.Set("ema", AttributeValue(attempt.decision.effort));
    first.Set("samples", AttributeValue(1));
    first.Set("updatedAt", AttributeValue(attempt.message.at));
    together.Create("Effort", first);
    return {};
  }
  const double usual = RealOf((*stored)->view(), "ema");
  const double now = kEffortWeight * attempt.decision.effort + (1 - kEffortWeight) * usual;
  together.Update("Effort", key,
                  {.set = {{"ema", AttributeValue::Number(fmt::format("{:.4f}", now))},
                           {"updatedAt", attempt.message.at}},
                   .add = {{"samples", 1}}},
                  {.expected_version = NumberOf((*stored)->view(), "version")});
  return {};
}

void Learner::AddHabit(EntityTransaction& together, const Attempt& attempt) {
  const StockholmTime local = InStockholm(attempt.message.at);
  Change change{.add = {{"dayOfWeekCounts." + local.day, 1},
                        {fmt::format("hourOfDayCounts.{}", local.hour), 1},
                        {"totalCount", 1}}};
  WriteOptions options;
  if (attempt.newest) {
    change.set.emplace_back("lastSeen", AttributeValue(attempt.message.at));
    options.only_if = "lastSeen missing or lastSeen <= $at";
    options.parameters.emplace_back("at", AttributeValue(attempt.message.at));
  }
  together.Upsert("Habit", attempt.HabitKey(), change, options);
}

EntityResult<bool> Learner::MayRespond(const Message& message) {
  const Item today{{"chatId", message.chat}, {"day", InStockholm(message.at).date}};
  const auto counter = entities_.Get("ResponseCounter", today);
  if (!counter) return std::unexpected(counter.error());
  if (*counter && NumberOf((*counter)->view(), "count") >= kResponsesPerDay) return false;
  // Nobody likes a bot that interrupts.
  const auto recent = entities_.Query("conversation", {{"chat", AttributeValue(message.chat)}});
  if (!recent) return std::unexpected(recent.error());
  const auto close = std::ranges::count_if(recent->items, [&](const Item& item) {
    const std::int64_t before = message.at - NumberOf(item.view(), "timestamp");
    return before >= 0 && before < kConversationSeconds;
  });
  return static_cast<std::size_t>(close) < kConversationMessages;
}

EntityResult<void> Learner::AddResponse(EntityTransaction& together, Attempt& attempt) {
  const auto may = MayRespond(attempt.message);
  if (!may) return std::unexpected(may.error());
  attempt.responded = *may;
  if (!*may) return {};
  together.Upsert(
      "ResponseCounter",
      Item{{"chatId", attempt.message.chat}, {"day", InStockholm(attempt.message.at).date}},
      {.add = {{"count", 1}}},
      {.only_if = "count missing or count < $most",
       .parameters = {{"most", AttributeValue(kResponsesPerDay)}}});
  return {};
}

}  // namespace stator::systems::homeops
