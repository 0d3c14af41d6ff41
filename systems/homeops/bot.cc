#include "systems/homeops/bot.h"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <set>

#include "systems/program/process.h"

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

Bot::Bot(Entities& entities, const Classifier& classifier, BotLog log, AliasBookOptions options)
    : entities_(entities),
      classifier_(classifier),
      log_(std::move(log)),
      aliases_(entities, options),
      learner_(entities) {}

void Bot::Failed(const Message& message, std::string_view step, const EntityError& error,
                 Outcome& outcome) {
  outcome.failures.push_back(fmt::format("{}: {}", step, error.message));
  if (log_) {
    log_(fmt::format("message {} of {}: {}", message.id, message.chat, outcome.failures.back()));
  }
}

void Bot::Charge(std::string_view stage, UsedUnits& before, Outcome& outcome) const {
  const UsedUnits now = entities_.used();
  outcome.costs.push_back({stage, now.read - before.read, now.write - before.write});
  before = now;
}

EntityResult<Outcome> Bot::Handle(const Message& message) {
  Outcome outcome;
  UsedUnits used = entities_.used();
  auto record = Save(message, outcome);
  if (!record) return std::unexpected(record.error());
  Charge("save", used, outcome);
  record = Decide(message, *std::move(record), outcome);
  if (!record) return std::unexpected(record.error());
  used = entities_.used();
  Welcome(message, outcome);
  Charge("member", used, outcome);

  const std::string& kind = outcome.decision.kind;
  if (kind == "start") {
    Start(message, outcome);
  } else if (kind == "clarification") {
    Clarify(message, *record, outcome);
  } else if (kind != "none") {
    SaveActivity(message, outcome);
    Charge("activity", used, outcome);
    const Lesson lesson = learner_.Learn(message, outcome.decision, *record);
    outcome.responded = lesson.responded;
    Charge("learn", used, outcome);
    for (const StepFailure& failure : lesson.failures) {
      Failed(message, NameOf(failure.step), failure.error, outcome);
    }
  }
  return outcome;
}

EntityResult<Item> Bot::Save(const Message& message, Outcome& outcome) {
  auto saved = entities_.Create("Message", RecordOf(message));
  if (saved || saved.error().kind != EntityErrorKind::kExists) return saved;
  outcome.repeated = true;
  if (saved.error().item) return *std::move(saved.error().item);
  auto stored = entities_.Get("Message", KeyOf(message), {.strong = true});
  if (!stored) return std::unexpected(stored.error());
  if (!*stored) return saved;  // deleted meanwhile: to be delivered again
  return **std::move(stored);
}

EntityResult<Item> Bot::Decide(const Message& message, Item record, Outcome& outcome) {
  if (const auto decided = DecisionOf(record)) {
    outcome.decision = *decided;
    return record;
  }
  UsedUnits used = entities_.used();
  auto aliases = aliases_.Of(message.chat);
  Charge("aliases", used, outcome);
  if (!aliases) {
    Failed(message, "aliases", aliases.error(), outcome);
    aliases.emplace();
  }
  Decision decision = classifier_.Classify(message.text, message.reply_to.has_value(), *aliases);
  Change change{.set = {{"kind", AttributeValue(decision.kind)},
                        {"confidence", AttributeValue(decision.confidence)}}};
  if (!decision.activity.empty()) change.set.emplace_back("activity", decision.activity);
  if (!decision.phrase.empty()) change.set.emplace_back("phrase", decision.phrase);
  if (decision.effort > 0) change.set.emplace_back("effort", AttributeValue(decision.effort));
  auto written = entities_.Update("Message", KeyOf(message), change, {.only_if = "kind missing"});
  Charge("decide", used, outcome);
  if (written) {
    outcome.decision = std::move(decision);
    return written;
  }
  // Another worker has decided; its word stands.
  if (written.error().kind != EntityErrorKind::kConflict || !written.error().item) return written;
  const auto decided = DecisionOf(*written.error().item);
  if (!decided) return written;
  outcome.decision = *decided;
  return *std::move(written.error().item);
}

void Bot::Start(const Message& message, Outcome& outcome) {
  // An earlier message that comes late does not turn the time back.
  const auto started = entities_.Upsert(
      "DmStatus", Item{{"userId", message.user}}, {.set = {{"since", message.at}}},
      {.only_if = "since missing or since <= $at", .parameters = {{"at", message.at}}});
  if (started || started.error().kind == EntityErrorKind::kConflict) return;
  Failed(message, "direct messages", started.error(), outcome);
}

void Bot::SaveActivity(const Message& message, Outcome& outcome) {
  const Decision& decision = outcome.decision;
  const auto saved = entities_.Create("Activity", Item{{"chatId", message.chat},
                                                       {"activityId", ActivityIdOf(message)},
                                                       {"messageId", message.id},
                                                       {"userId", message.user},
                                                       {"userName", message.name},
                                                       {"timestamp", message.at},
                                                       {"activity", decision.activity},
                                                       {"type", decision.kind},
                                                       {"effort", decision.effort},
                                                       {"confidence", decision.confidence}});
  if (saved || saved.error().kind == EntityErrorKind::kExists) return;
  Failed(message, "activity", saved.error(), outcome);
}

void Bot::Clarify(const Message& message, const Item& record, Outcome& outcome) {
  if (!message.reply_to || record.Find("taughtAt")) return;
  const auto asked =
      entities_.Get("Message", Item{{"chatId", message.chat}, {"messageId", *message.reply_to}},
                    {.strong = true});
  if (!asked) return Failed(message, "clarification", asked.error(), outcome);
  const auto before = *asked ? DecisionOf(**asked) : std::nullopt;
  if (!before || before->phrase.empty()) return;
  const std::string& meant =
      outcome.decision.activity.empty() ? before->activity : outcome.decision.activity;
  if (meant.empty()) return;
  const auto taught = aliases_.Teach(message.chat, before->phrase, meant, &message);
  if (!taught) Failed(message, "clarification", taught.error(), outcome);
}

void Bot::Welcome(const Message& message, Outcome& outcome) {
  const std::string who = fmt::format("{}#{}", message.chat, message.user);
  {
    const std::scoped_lock lock(mutex_);
    if (welcomed_.contains(who)) return;
  }
  const auto joined = entities_.Create(
      "Member", Item{{"chatId", message.chat}, {"name", message.name}, {"userId", message.user}});
  if (!joined && joined.error().kind != EntityErrorKind::kExists) {
    return Failed(message, "member", joined.error(), outcome);
  }
  const std::scoped_lock lock(mutex_);
  welcomed_.insert(who);
}

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
    auto message = line.size() > kLineMax ? Fallible<Message>(std::unexpected("it is over 64 KB"))
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
  ForEach(count, workers, [&](std::size_t i) {
    for (const Message& message : log) {
      if (static_cast<std::size_t>(message.user) % count == i) Take(bot, message, parts[i]);
    }
  });
  for (const IngestReport& part : parts) report.Add(part);
  return report;
}

}  // namespace stator::systems::homeops
