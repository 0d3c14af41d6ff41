#include "systems/homeops/upkeep/ingest.h"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <set>

#include "systems/program/process.h"

namespace stator::systems::homeops {
namespace {

constexpr std::size_t kLineMax = 64 * 1024;
constexpr std::size_t kBatchLines = 500;

void Take(Bot& bot, const Message& message, IngestReport& report) {
  const auto outcome = bot.Handle(message);
  if (!outcome) {
    report.failures.push_back(
        fmt::format("message {} of {}: {}", message.id, message.chat, outcome.error().message));
    return;
  }
  const Decision& decision = outcome->decision;
  ++report.messages;
  ++report.kinds[decision.kind];
  if (decision.is_done()) {
    for (const Deed& deed : decision.deeds) ++report.activities[deed.activity];
  }
  if (outcome->repeated) ++report.repeated;
  if (outcome->responded) ++report.responded;
  report.step_failures += std::ssize(outcome->failures);
  if (message.expected.empty()) return;
  ++report.judged;
  if (message.expected == (decision.is_done() ? decision.activity() : "none")) ++report.right;
}

// The message of a line; nullopt for an empty line, and for one that is a problem.
std::optional<Message> MessageIn(const std::string& line, std::int64_t number,
                                 std::vector<std::string>& problems) {
  if (line.find_first_not_of(" \t\r") == std::string::npos) return std::nullopt;
  auto message = line.size() > kLineMax ? Fallible<Message>(std::unexpected("it is over 64 KB"))
                                        : MessageOfLine(line);
  if (message) return *std::move(message);
  problems.push_back(fmt::format("line {}: {}", number, message.error()));
  return std::nullopt;
}

// Gives new chats their aliases. Without them the built-in words still do.
void LoadSeeds(Bot& bot, const std::vector<Message>& log, std::set<std::string>& chats,
               IngestReport& report) {
  for (const Message& message : log) {
    if (!chats.insert(message.chat).second) continue;
    if (!bot.aliases().LoadSeeds(message.chat)) ++report.step_failures;
  }
}

IngestReport TakeAll(Bot& bot, const std::vector<Message>& log, int workers) {
  const auto count = static_cast<std::size_t>(std::clamp(workers, 1, 64));
  std::vector<IngestReport> parts(count);
  ForEach(count, workers, [&](std::size_t i) {
    for (const Message& message : log) {
      if (static_cast<std::uint64_t>(message.user) % count == i) Take(bot, message, parts[i]);
    }
  });
  IngestReport report;
  for (const IngestReport& part : parts) report.Add(part);
  return report;
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
    if (auto message = MessageIn(line, number, problems)) log.push_back(*std::move(message));
  }
  return log;
}

IngestReport Ingest(Bot& bot, const std::vector<Message>& log, int workers) {
  IngestReport report;
  std::set<std::string> chats;
  LoadSeeds(bot, log, chats, report);
  report.Add(TakeAll(bot, log, workers));
  return report;
}

IngestReport IngestStream(Bot& bot, std::istream& in, const IngestOptions& options) {
  IngestReport report;
  std::set<std::string> chats;
  std::vector<Message> batch;
  const auto take_batch = [&] {
    LoadSeeds(bot, batch, chats, report);
    report.Add(TakeAll(bot, batch, options.workers));
    batch.clear();
  };
  std::string line;
  for (std::int64_t number = 1; std::getline(in, line); ++number) {
    if (auto message = MessageIn(line, number, report.failures)) {
      batch.push_back(*std::move(message));
    }
    if (options.workers <= 1 || batch.size() >= kBatchLines) take_batch();
    if (options.progress) options.progress(number);
  }
  take_batch();
  return report;
}

}  // namespace stator::systems::homeops
