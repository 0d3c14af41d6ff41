#include "systems/homeops/upkeep/upkeep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "systems/homeops/upkeep/log_generator.h"
#include "systems/program/items.h"
#include "systems/program/output.h"

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

std::string Lookups(const MessageCosts& costs) {
  const auto of_members = costs.RequestsOf("member") - static_cast<std::uint64_t>(costs.met);
  return fmt::format("{} from new members; aliases were read {} times, members {} times", costs.met,
                     costs.RequestsOf("aliases"), of_members);
}

}  // namespace

Result<std::vector<std::string>> StateLines(Endpoint& endpoint, const std::string& table_prefix) {
  static constexpr std::array<std::string_view, 4> kTables = {
      "homeops", "homeops-activities", "homeops-messages", "homeops-response-counters"};
  std::vector<std::string> lines;
  for (const std::string_view table : kTables) {
    ScanRequest request{.table_name = table_prefix + std::string(table), .consistent_read = true};
    do {
      const auto page = endpoint.Scan(request);
      if (!page) return std::unexpected(page.error());
      for (std::size_t i = 0; page->items && i < page->items->size(); ++i) {
        lines.push_back(
            fmt::format(R"({{"table":"{}","item":{}}})", table, JsonOfItem((*page->items)[i])));
      }
      request.exclusive_start_key = page->last_evaluated_key;
    } while (request.exclusive_start_key);
  }
  std::ranges::sort(lines);
  return lines;
}

Result<void> CreatePhaseTwoTable(Endpoint& endpoint, const std::string& table_prefix) {
  const auto created = endpoint.Execute(
      "CreateTable",
      fmt::format(R"({{"TableName": "{}homeops-activities", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
          {{"AttributeName": "chatId", "AttributeType": "S"}},
          {{"AttributeName": "activityId", "AttributeType": "S"}},
          {{"AttributeName": "userId", "AttributeType": "N"}},
          {{"AttributeName": "timestamp", "AttributeType": "N"}}],
        "KeySchema": [{{"AttributeName": "chatId", "KeyType": "HASH"}},
                      {{"AttributeName": "activityId", "KeyType": "RANGE"}}],
        "GlobalSecondaryIndexes": [{{"IndexName": "userId-timestamp-index",
          "KeySchema": [{{"AttributeName": "userId", "KeyType": "HASH"}},
                        {{"AttributeName": "timestamp", "KeyType": "RANGE"}}],
          "Projection": {{"ProjectionType": "ALL"}}}}]}})",
                  table_prefix));
  if (!created) return std::unexpected(created.error());
  return {};
}

Result<void> PutPhaseTwoActivity(Endpoint& endpoint, const Message& message,
                                 const std::string& table_prefix) {
  static const Vocabulary kVocabulary;
  const KnownActivity* known = kVocabulary.Find(message.expected);
  if (known == nullptr) return {};
  const auto put = endpoint.PutItem({.table_name = table_prefix + "homeops-activities",
                                     .item = Item{{"chatId", message.chat},
                                                  {"activityId", ActivityIdOf(message)},
                                                  {"messageId", message.id},
                                                  {"userId", message.user},
                                                  {"userName", message.name},
                                                  {"timestamp", message.at},
                                                  {"activity", known->name},
                                                  {"type", known->recovery ? "recovery" : "chore"},
                                                  {"effort", known->effort},
                                                  {"confidence", 90}}});
  if (!put) return std::unexpected(put.error());
  return {};
}

void MessageCosts::Add(const Outcome& outcome, bool is_new_person) {
  ++messages;
  answered += outcome.responded ? 1 : 0;
  met += is_new_person ? 1 : 0;
  for (const StageCost& cost : outcome.costs) {
    read += cost.read;
    write += cost.write;
    StageCost& sum = stages.try_emplace(std::string(cost.stage)).first->second;
    sum.read += cost.read;
    sum.write += cost.write;
    sum.requests += cost.requests;
  }
}

std::uint64_t MessageCosts::RequestsOf(std::string_view stage) const {
  const auto found = stages.find(stage);
  return found == stages.end() ? 0 : found->second.requests;
}

std::vector<Message> CostLog(int messages) {
  return GenerateLog({.messages = messages, .per_day = 200, .slang = false});
}

EntityResult<CostReport> MeasureCosts(Entities& entities, TurnableClock& clock,
                                      const std::vector<Message>& log) {
  const VocabularyClassifier classifier;
  Bot bot(entities, classifier);
  std::set<std::string> chats;
  std::set<std::pair<std::string, std::int64_t>> people;
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
    const bool is_new = people.emplace(message.chat, message.user).second;
    if (outcome->decision.kind == "none") report.none.Add(*outcome, is_new);
    if (outcome->decision.is_done()) report.classified.Add(*outcome, is_new);
  }
  return report;
}

std::string CostText(const CostReport& report) {
  const MessageCosts& done = report.classified;
  const MessageCosts& none = report.none;
  std::string text = TextTable({
      {"step (RRU + WRU per message)", "the seed", "classified", "none"},
      {"1 save the raw message", "0 + 1", Stage(done, "save"), Stage(none, "save")},
      {"2 alias lookup", "1-8 + 0", Stage(done, "aliases"), Stage(none, "aliases")},
      {"  record the decision", "-", Stage(done, "decide"), Stage(none, "decide")},
      {"4 save the activity", "0 + 3", Stage(done, "activity"), "-"},
      {"5-9 effort, habit, preference, response", "4 + 4", Stage(done, "learn"), "-"},
      {"  members met", "-", Stage(done, "member"), Stage(none, "member")},
      {"together", "5 + 8 | 1-8 + 1", Units(done.ReadEach(), done.WriteEach()),
       Units(none.ReadEach(), none.WriteEach())},
  });
  text += fmt::format("\nclassified: {} messages, {} answered, {}\nnone: {} messages, {}\n",
                      done.messages, done.answered, Lookups(done), none.messages, Lookups(none));
  const double read = kClassifiedPerDay * done.ReadEach() + kOtherPerDay * none.ReadEach();
  const double write = kClassifiedPerDay * done.WriteEach() + kOtherPerDay * none.WriteEach();
  text += fmt::format(
      "\na day (60 classified, 140 others): {:.0f} RRU + {:.0f} WRU; the seed: 860 + 620\n", read,
      write);
  text += fmt::format(
      "a month: ${:.4f} on demand in us-east-1 (0.125 and 0.625 per million); no free tier "
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
