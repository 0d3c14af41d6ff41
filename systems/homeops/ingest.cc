#include "systems/homeops/ingest.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

namespace stator::systems::homeops {
namespace {

constexpr std::size_t kLineMax = 64 * 1024;

void Take(Bot& bot, const Message& message, IngestReport& report) {
  const auto outcome = bot.Handle(message);
  if (!outcome) {
    report.failures.push_back(
        fmt::format("message {} of {}: {}", message.id, message.chat, outcome.error().message));
    return;
  }
  const Decision& decision = outcome->decision;
  const bool done = decision.kind == "chore" || decision.kind == "recovery";
  ++report.messages;
  ++report.kinds[decision.kind];
  if (done) ++report.activities[decision.activity];
  if (outcome->repeated) ++report.repeated;
  if (outcome->responded) ++report.responded;
  report.step_failures += std::ssize(outcome->failures);
  if (message.expected.empty()) return;
  ++report.judged;
  if (message.expected == (done ? decision.activity : "none")) ++report.right;
}

}  // namespace

void IngestReport::Add(const IngestReport& other) {
  messages += other.messages;
  repeated += other.repeated;
  responded += other.responded;
  judged += other.judged;
  right += other.right;
  step_failures += other.step_failures;
  for (const auto& [kind, count] : other.kinds) kinds[kind] += count;
  for (const auto& [activity, count] : other.activities) activities[activity] += count;
  failures.insert(failures.end(), other.failures.begin(), other.failures.end());
}

std::vector<Message> ReadLog(std::istream& in, std::vector<std::string>& problems) {
  std::vector<Message> log;
  std::string line;
  for (std::int64_t number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto message = line.size() > kLineMax
                       ? std::expected<Message, std::string>(std::unexpected("it is over 64 KB"))
                       : MessageOfLine(line);
    if (message) {
      log.push_back(*std::move(message));
    } else {
      problems.push_back(fmt::format("line {}: {}", number, message.error()));
    }
  }
  return log;
}

IngestReport Ingest(Bot& bot, const std::vector<Message>& log, int workers) {
  IngestReport report;
  std::set<std::string> chats;
  for (const Message& message : log) chats.insert(message.chat);
  // Without them the built-in words still do.
  for (const std::string& chat : chats) {
    if (!bot.aliases().LoadSeeds(chat)) ++report.step_failures;
  }
  const auto count = static_cast<std::size_t>(std::clamp(workers, 1, 64));
  std::vector<IngestReport> parts(count);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        for (const Message& message : log) {
          if (static_cast<std::size_t>(message.user) % count != i) continue;
          Take(bot, message, parts[i]);
        }
      });
    }
  }
  for (const IngestReport& part : parts) report.Add(part);
  return report;
}

}  // namespace stator::systems::homeops
