#include "systems/homeops/cost_report.h"

#include <fmt/format.h>

#include <set>

#include "systems/program/text_table.h"

namespace stator::systems::homeops {
namespace {

constexpr double kClassifiedPerDay = 60;
constexpr double kOtherPerDay = 140;

std::string Units(double read, double write) { return fmt::format("{:.2f} + {:.2f}", read, write); }

std::string Stage(const MessageCosts& costs, std::string_view stage) {
  const auto found = costs.stages.find(stage);
  if (found == costs.stages.end() || costs.messages == 0) return "-";
  const auto each = double(costs.messages);
  return Units(found->second.read / each, found->second.write / each);
}

}  // namespace

void MessageCosts::Add(const Outcome& outcome) {
  ++messages;
  for (const StageCost& cost : outcome.costs) {
    read += cost.read;
    write += cost.write;
    StageCost& sum = stages.try_emplace(std::string(cost.stage)).first->second;
    sum.read += cost.read;
    sum.write += cost.write;
  }
}

EntityResult<CostReport> MeasureCosts(Entities& entities, TurnableClock& clock,
                                      const std::vector<Message>& log) {
  const VocabularyClassifier classifier;
  Bot bot(entities, classifier);
  std::set<std::string> chats;
  CostReport report;
  for (const Message& message : log) {
    if (chats.insert(message.chat).second) {
      if (auto loaded = bot.aliases().LoadSeeds(message.chat); !loaded) {
        return std::unexpected(loaded.error());
      }
    }
    clock.Set(TimeMs(std::chrono::seconds(message.at)));
    const auto outcome = bot.Handle(message);
    if (!outcome) return std::unexpected(outcome.error());
    if (outcome->decision.kind == "none") report.none.Add(*outcome);
    const bool is_done = outcome->decision.kind == "chore" || outcome->decision.kind == "recovery";
    if (is_done) report.classified.Add(*outcome);
  }
  return report;
}

std::string CostText(const CostReport& report) {
  const MessageCosts& done = report.classified;
  const MessageCosts& none = report.none;
  std::string text = TextTable({
      {"step (RRU + WRU a message)", "the seed", "classified", "none"},
      {"1 save the raw message", "0 + 1", Stage(done, "save"), Stage(none, "save")},
      {"2 alias lookup", "1-8 + 0", Stage(done, "aliases"), Stage(none, "aliases")},
      {"  record the decision", "-", Stage(done, "decide"), Stage(none, "decide")},
      {"4 save the activity", "0 + 3", Stage(done, "activity"), "-"},
      {"5-9 effort, habit, preference, response", "4 + 4", Stage(done, "learn"), "-"},
      {"  members met", "-", Stage(done, "member"), Stage(none, "member")},
      {"together", "5 + 8 | 1-8 + 1", Units(done.ReadEach(), done.WriteEach()),
       Units(none.ReadEach(), none.WriteEach())},
  });
  const double read = kClassifiedPerDay * done.ReadEach() + kOtherPerDay * none.ReadEach();
  const double write = kClassifiedPerDay * done.WriteEach() + kOtherPerDay * none.WriteEach();
  text += fmt::format(
      "\na day (60 classified, 140 others): {:.0f} RRU + {:.0f} WRU; the seed: 860 + 620\n", read,
      write);
  text += fmt::format(
      "a month: ${:.4f} on demand in us-east-1 (0.125 and 0.625 a million); no free tier "
      "covers on-demand requests\n",
      30 * (read * 0.125 + write * 0.625) / 1e6);
  text +=
      "more writes than the seed's 8: every count goes together with a stamp on its message, in a\n"
      "transaction at twice the price, so that no message counts twice; fewer reads: eventual "
      "ones\n"
      "cost half, and aliases that were read in the last five minutes nothing\n";
  return text;
}

}  // namespace stator::systems::homeops
