#include "systems/homeops/memory/learner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "systems/homeops/memory/stockholm.h"
#include "systems/program/fallible.h"
#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

constexpr int kRaceAttempts = 60;
constexpr std::int64_t kConversationSeconds = 60;
constexpr std::size_t kConversationMessages = 5;
constexpr std::size_t kAnswerBytesMax = 4000;  // Telegram takes 4,096 characters

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

Item TodayOf(const Message& message) {
  return Item{{"chatId", message.chat}, {"day", InStockholm(message.at).date}};
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

std::vector<std::pair<std::string, AttributeValue>> AttributesOf(const Reply& reply) {
  if (reply.text.empty()) return {};
  std::vector<std::pair<std::string, AttributeValue>> attributes = {
      {"answer", Shortened(reply.text, kAnswerBytesMax)}, {"answerState", "pending"}};
  std::vector<Button> buttons = reply.buttons;
  // No chat would take the answer with such a button.
  std::erase_if(buttons, [](const Button& button) { return button.does.size() > kButtonBytesMax; });
  if (!buttons.empty()) attributes.emplace_back("buttons", ValueOfButtons(buttons));
  return attributes;
}

struct Learner::Attempt {
  const Message& message;
  const Decision& decision;
  const Reply& reply;
  std::vector<Step> steps;
  HabitTimes times;
  bool responded = false;

  bool Has(Step step) const { return std::ranges::find(steps, step) != steps.end(); }
};

Lesson Learner::Learn(const Message& message, const Decision& decision, const Item& record,
                      const Reply& reply) {
  Lesson lesson;
  const std::vector<Step> wanted = decision.deeds.empty()
                                       ? std::vector<Step>{Step::kResponse}
                                       : std::vector<Step>(kSteps.begin(), kSteps.end());
  Attempt all{
      .message = message, .decision = decision, .reply = reply, .steps = OpenSteps(record, wanted)};
  const auto together = Together(all);
  lesson.responded = all.responded;
  if (together) return lesson;
  // One step that fails must not take the others with it.
  for (const Step step : std::vector<Step>(all.steps)) {
    Attempt alone{.message = message, .decision = decision, .reply = reply, .steps = {step}};
    const auto learned = Together(alone);
    if (!learned) lesson.failures.push_back({step, learned.error()});
    if (step == Step::kResponse) lesson.responded = learned && alone.responded;
  }
  return lesson;
}

EntityResult<void> Learner::Together(Attempt& attempt) {
  for (int tries = 0; !attempt.steps.empty(); ++tries) {
    attempt.responded = false;
    if (attempt.Has(Step::kResponse)) {
      const auto may = MayRespond(attempt.message);
      if (!may) return std::unexpected(may.error());
      attempt.responded = *may;
    }
    EntityTransaction together = entities_.Begin();
    Change stamps;
    std::vector<std::string> missing = {"undoneAt missing"};
    for (const Step step : attempt.steps) {
      stamps.set.emplace_back(StampOf(step), AttributeValue(attempt.message.at));
      missing.push_back(StampOf(step) + " missing");
    }
    if (attempt.responded) {
      for (auto& attribute : AttributesOf(attempt.reply))
        stamps.set.push_back(std::move(attribute));
    }
    together.Update("Message", KeyOf(attempt.message), stamps,
                    {.only_if = fmt::to_string(fmt::join(missing, ", "))});
    for (const Step step : attempt.steps) {
      if (auto added = Add(together, step, attempt); !added) return added;
    }
    auto done = together.Commit();
    if (done) return done;
    attempt.responded = false;
    if (!IsRace(done.error()) || tries == kRaceAttempts) return done;
    std::this_thread::sleep_for(std::chrono::microseconds(200 * (tries % 8)));
    if (auto looked = LookAgain(attempt); !looked) return looked;
  }
  return {};
}

EntityResult<void> Learner::LookAgain(Attempt& attempt) {
  const auto record = entities_.Get("Message", KeyOf(attempt.message), {.strong = true});
  if (!record) return std::unexpected(record.error());
  if (*record) attempt.steps = OpenSteps(**record, attempt.steps);
  if (*record && (*record)->Find("undoneAt")) attempt.steps.clear();  // nothing is learned from it
  if (!attempt.Has(Step::kHabit)) return {};
  auto times = ReadHabitTimes(entities_, attempt.message, attempt.decision.deeds);
  if (!times) return std::unexpected(times.error());
  attempt.times = *std::move(times);
  return {};
}

EntityResult<void> Learner::Add(EntityTransaction& together, Step step, const Attempt& attempt) {
  const std::vector<Deed>& deeds = attempt.decision.deeds;
  switch (step) {
    case Step::kEffort:
      return CountEfforts(entities_, together, attempt.message, deeds);
    case Step::kHabit:
      CountHabits(together, attempt.message, deeds, attempt.times);
      return {};
    case Step::kPreference:
      CountPreferences(together, attempt.message, deeds);
      return {};
    case Step::kResponse:
      if (!attempt.responded || attempt.message.direct) return {};
      together.Upsert("ResponseCounter", TodayOf(attempt.message), {.add = {{"count", 1}}},
                      {.only_if = "count missing or count < $most",
                       .parameters = {{"most", AttributeValue(kResponsesPerDay)}}});
      return {};
  }
  return {};
}

EntityResult<bool> Learner::MayRespond(const Message& message) {
  if (message.direct) return true;
  const auto counter = entities_.Get("ResponseCounter", TodayOf(message));
  if (!counter) return std::unexpected(counter.error());
  if (*counter && NumberOf((*counter)->view(), "count") >= kResponsesPerDay) return false;
  // Nobody likes a bot that interrupts.
  const auto recent = entities_.Query("conversation", {{"chat", AttributeValue(message.chat)}});
  if (!recent) return std::unexpected(recent.error());
  const auto close = std::ranges::count_if(recent->items, [&](const Item& item) {
    const std::int64_t before = message.at - NumberOf(item.view(), "timestamp");
    const bool is_bot = TextOf(item, "kind") == "said";
    return !is_bot && before >= 0 && before < kConversationSeconds;
  });
  return static_cast<std::size_t>(close) < kConversationMessages;
}

}  // namespace stator::systems::homeops
