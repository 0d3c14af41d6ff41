// homeops: a household bot that remembers who did what.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <mutex>

#include "systems/homeops/demo.h"
#include "systems/homeops/memory/memory.h"
#include "systems/homeops/memory/stockholm.h"
#include "systems/homeops/talking/chat_commands.h"
#include "systems/homeops/understanding/classifier_choice.h"
#include "systems/homeops/upkeep/ingest.h"
#include "systems/homeops/upkeep/log_generator.h"
#include "systems/homeops/upkeep/migration.h"
#include "systems/homeops/upkeep/upkeep.h"
#include "systems/program/items.h"
#include "systems/program/model_text.h"
#include "systems/program/output.h"
#include "systems/program/program.h"

namespace stator::systems::homeops {
namespace {

constexpr const char* kAbout =
    R"(Remembers who did what in a household, and learns from it.

  homeops generate-log > chat.jsonl
  homeops --data ./home ingest chat.jsonl
  homeops --data ./home who-last diskning
  homeops --data ./home --clock fixed:2026-04-03T18:00:00Z how-often martin diskning --week
  homeops --data ./home teach "kört en maskin" tvätt
  homeops --data ./home chat --as Martin
  homeops --data ./home bot --token-file token.txt

Exit code: 0 done, 1 failed or no answer, 2 wrong usage.)";

// --- logs

int PrintReport(const IngestReport& report, const UsedUnits& used) {
  fmt::print("{} messages, {} of them known before\n", report.messages, report.repeated);
  for (const auto& [kind, count] : report.kinds) fmt::print("  {:<14}{}\n", kind, count);
  if (report.judged > 0) {
    fmt::print("understood as meant: {} of {} ({:.1f} %)\n", report.right, report.judged,
               100.0 * double(report.right) / double(report.judged));
  }
  fmt::print("answers: {}; failed steps: {}; {:.0f} read units, {:.0f} write units\n",
             report.responded, report.step_failures, used.read, used.write);
  for (const std::string& failure : report.failures) Fail(failure);
  return report.complete() ? kDone : kFailed;
}

// Tells how far a log has been read: on a terminal in place, otherwise a line now and then.
class IngestProgress {
 public:
  // Without a total the end is not known.
  IngestProgress(std::string name, std::int64_t total) : name_(std::move(name)), total_(total) {}

  void Show(std::int64_t lines) {
    line_.Show(ProgressText("reading " + name_, lines, total_));
    if (is_terminal_ || lines % kLinesBetween != 0) return;
    fmt::print(stderr, "{}\n", ProgressText("reading " + name_, lines, total_));
  }
  // A log that was too short for a line gets one at its end.
  void End(std::int64_t lines) {
    if (!is_terminal_ && lines % kLinesBetween != 0) {
      fmt::print(stderr, "{}\n", ProgressText("reading " + name_, lines, total_));
    }
  }

 private:
  static constexpr std::int64_t kLinesBetween = 1000;
  std::string name_;
  std::int64_t total_;
  bool is_terminal_ = isatty(STDERR_FILENO) == 1;
  ProgressLine line_;
};

std::int64_t LinesOf(std::ifstream& file) {
  const auto count = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  file.clear();
  file.seekg(0);
  return count;
}

int RunIngest(Tables& tables, const std::string& path, int workers,
              const ClassifierChoice& choice) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file) return Fail("cannot read " + path);
  }
  std::mutex mutex;
  const BotLog log = [&](const std::string& line) {
    const std::scoped_lock lock(mutex);
    Fail(line);
  };
  const auto classifier = MakeClassifier(choice, tables, log);
  if (!classifier) return Fail(classifier.error(), kMisused);
  Bot bot(tables.entities(), **classifier, log,
          {.aliases = {}, .reads_members_always = !choice.url.empty()});
  IngestReport report;
  {
    IngestProgress progress(path == "-" ? "messages" : path, path == "-" ? 0 : LinesOf(file));
    std::int64_t read = 0;
    report = IngestStream(bot, path == "-" ? std::cin : file,
                          {.workers = workers, .progress = [&](std::int64_t lines) {
                             read = lines;
                             progress.Show(lines);
                           }});
    progress.End(read);
  }
  return PrintReport(report, tables.entities().used());
}

int PrintState(Tables& tables) {
  const auto lines = StateLines(tables.endpoint(), tables.prefix());
  if (!lines) return Fail(lines.error().message());
  for (const std::string& line : *lines) fmt::print("{}\n", line);
  return kDone;
}

// --- questions

// What somebody asks in a chat, of its memory.
class Questions {
 public:
  Questions(Tables& tables, const std::string& chat)
      : now_(SecondsOf(tables.entities().Now())),
        chat_(chat),
        aliases_(tables.entities()),
        memory_(tables.entities(), aliases_) {}

  int WhoLast(const std::string& activity) { return Answer(memory_.WhoLast(chat_, activity)); }

  int WhenLast(const std::string& who, const std::string& activity) {
    const auto user = FindUser(who);
    return user ? Answer(memory_.WhenLast(chat_, *user, activity)) : Fail(user.error());
  }

  // In the last `days`; 0: since Monday.
  int HowOften(const std::string& who, const std::string& activity, int days) {
    const auto user = FindUser(who);
    if (!user) return Fail(user.error());
    const std::int64_t from = days > 0 ? now_ - days * std::int64_t{86'400} : WeekStart(now_);
    const auto count = memory_.HowOften(chat_, *user, activity, from, now_);
    if (!count) return Fail(count.error().message);
    fmt::print("{} since {}\n", Times(*count), StockholmText(from));
    return kDone;
  }

  int Habits(const std::string& who) {
    const auto user = FindUser(who);
    if (!user) return Fail(user.error());
    const auto habits = memory_.HabitsOf(chat_, *user);
    if (!habits) return Fail(habits.error().message);
    std::vector<std::vector<std::string>> rows = {
        {"activity", "times", "day", "hour", "effort", "last"}};
    for (const Habit& habit : *habits) {
      rows.push_back({habit.activity, std::to_string(habit.total), Favourite(habit.days),
                      Favourite(habit.hours), fmt::format("{:.2f}", habit.effort),
                      StockholmText(habit.last_seen)});
    }
    fmt::print("{}", TextTable(rows));
    const auto preferences = memory_.PreferencesOf(*user);
    if (!preferences) return Fail(preferences.error().message);
    for (const Preference& preference : *preferences) {
      fmt::print("{} work: {}\n", preference.metric, Times(preference.count));
    }
    return kDone;
  }

 private:
  static int Answer(const EntityResult<std::optional<DoneActivity>>& done) {
    if (!done) {
      const bool may_be_old = done.error().kind == EntityErrorKind::kStore;
      return Fail(done.error().message + (may_be_old ? " (did you run `migrate`?)" : ""));
    }
    if (!*done) {
      fmt::print("nobody, as far as I know\n");
      return kFailed;
    }
    fmt::print("{} {} ({})\n", (*done)->name, StockholmText((*done)->at), (*done)->activity);
    return kDone;
  }

  static std::string Times(std::int64_t count) {
    return count == 1 ? "once" : fmt::format("{} times", count);
  }

  static std::string Favourite(const std::map<std::string, std::int64_t>& counters) {
    const auto most =
        std::ranges::max_element(counters, {}, [](const auto& counter) { return counter.second; });
    return most == counters.end() ? "-" : fmt::format("{} ({})", most->first, most->second);
  }

  Fallible<std::int64_t> FindUser(const std::string& who) {
    TRY(const auto people, OrMessage(memory_.FindPeople(chat_, who)));
    if (people.size() == 1) return people.front().user;
    if (people.empty()) {
      return std::unexpected(fmt::format("nobody called {} has written in {}", who, chat_));
    }
    std::string candidates;
    for (const Member& person : people) {
      candidates +=
          fmt::format("{}{} ({})", candidates.empty() ? "" : ", ", person.user, person.name);
    }
    return std::unexpected(
        fmt::format("several people are called {}: {}; say the number", who, candidates));
  }

  const std::int64_t now_;
  const std::string chat_;
  AliasBook aliases_;
  Memory memory_;
};

// --- aliases

int PrintAliases(Tables& tables, const std::string& chat, const std::string& activity) {
  AliasBook book(tables.entities());
  EntityResult<std::vector<Alias>> aliases;
  if (activity.empty()) {
    aliases = book.Of(chat);
  } else {
    const auto canonical = book.Canonical(chat, activity);
    if (!canonical) return Fail(canonical.error().message);
    aliases = book.For(chat, *canonical);
  }
  if (!aliases) return Fail(aliases.error().message);
  std::vector<std::vector<std::string>> rows = {{"alias", "means", "confirmations", "source"}};
  for (const Alias& alias : *aliases) {
    rows.push_back(
        {alias.alias, alias.activity, std::to_string(alias.confirmations), alias.source});
  }
  fmt::print("{}", TextTable(rows));
  return kDone;
}

int Teach(Tables& tables, const std::string& chat, const std::string& phrase,
          const std::string& activity) {
  AliasBook book(tables.entities());
  const auto canonical = book.Canonical(chat, activity);
  if (!canonical) return Fail(canonical.error().message);
  if (Household(tables.entities()).Of(chat).vocabulary.Find(*canonical) == nullptr) {
    return Fail(fmt::format("{} is not an activity that I know", activity));
  }
  if (auto taught = book.Teach(chat, phrase, *canonical); !taught) {
    return Fail(taught.error().message);
  }
  const auto alias = book.Find(chat, phrase);
  if (!alias || !*alias) return Fail("it was taught and is gone again");
  fmt::print("{} means {} (confirmations: {})\n", (*alias)->alias, (*alias)->activity,
             (*alias)->confirmations);
  return kDone;
}

// --- upkeep

int PrintCosts(int messages) {
  const auto tables = OpenInMemory(kClockMin, ModelText());
  if (!tables) return Fail(tables.error());
  const auto report = MeasureCosts((*tables)->entities(), (*tables)->clock(), CostLog(messages));
  if (!report) return Fail(report.error().message);
  fmt::print("{}", CostText(*report));
  return kDone;
}

constexpr const char* kActivityHelp = "e.g. diskning, or any alias";
constexpr const char* kWhoHelp = "A name, or the user's number";

void AddLogCommands(Program& program) {
  Command& generate =
      program.AddCommand("generate-log", "Prints a made-up chat log, as JSON lines");
  auto& log = generate.Keep<LogOptions>();
  generate.AddOption("--seed", &log.seed, "The same seed gives the same log");
  generate.AddOption("--messages", &log.messages, "How many").Range(0, 1'000'000);
  generate.AddOption("--per-day", &log.per_day, "Messages per day").Range(1, 1000);
  generate.AddOption("--first-day", &log.first_day, "YYYY-MM-DD");
  generate.AddFlag("!--no-slang", &log.slang, "Only words that are known from the start");
  generate.Run([&] {
    for (const Message& message : GenerateLog(log)) fmt::print("{}\n", LineOf(message));
    return kDone;
  });

  Command& ingest = program.AddCommand(
      "ingest", "Reads a log and learns from it; a log that was read before changes nothing");
  struct Arguments {
    std::string path;
    int workers = 1;
  };
  auto& given = ingest.Keep<Arguments>();
  ingest.AddArgument("LOG", &given.path, "A file of JSON lines, or - for standard input");
  ingest.AddOption("--workers", &given.workers, "At the same time; each user belongs to one")
      .Range(1, 64);
  auto& choice = ingest.Keep<ClassifierChoice>();
  AddClassifierOptions(ingest, choice);
  ingest.RunOnTables(
      [&](Tables& tables) { return RunIngest(tables, given.path, given.workers, choice); });

  program.AddCommand("state", "Prints everything that is stored, one JSON object per line")
      .RunOnTables(PrintState);
}

void AddQuestionCommands(Program& program, const std::string& chat) {
  struct Question {
    std::string who;
    std::string activity;
    bool week = false;  // the default
    int days = 0;
  };
  Command& who = program.AddCommand("who-last", "Who did it last, and when");
  auto& question = who.Keep<Question>();
  who.AddArgument("ACTIVITY", &question.activity, kActivityHelp);
  who.RunOnTables(
      [&](Tables& tables) { return Questions(tables, chat).WhoLast(question.activity); });

  Command& when = program.AddCommand("when-last", "When somebody did it last");
  when.AddArgument("WHO", &question.who, kWhoHelp);
  when.AddArgument("ACTIVITY", &question.activity, kActivityHelp);
  when.RunOnTables([&](Tables& tables) {
    return Questions(tables, chat).WhenLast(question.who, question.activity);
  });

  Command& often = program.AddCommand("how-often", "How often somebody did it this week");
  often.AddArgument("WHO", &question.who, kWhoHelp);
  often.AddArgument("ACTIVITY", &question.activity, kActivityHelp);
  const Option week =
      often.AddFlag("--week", &question.week, "Since Monday, 00:00 in Stockholm (the default)");
  often.AddOption("--days", &question.days, "Instead: in the last so many days")
      .Range(1, 3660)
      .Excludes(week);
  often.RunOnTables([&](Tables& tables) {
    return Questions(tables, chat).HowOften(question.who, question.activity, question.days);
  });

  Command& habits = program.AddCommand("habits", "What somebody does, when, and how hard it is");
  habits.AddArgument("WHO", &question.who, kWhoHelp);
  habits.RunOnTables([&](Tables& tables) { return Questions(tables, chat).Habits(question.who); });
}

void AddAliasCommands(Program& program, const std::string& chat) {
  Command& aliases = program.AddCommand("aliases", "What words mean in a chat");
  auto& activity = aliases.Keep<std::string>();
  aliases.AddOption("--activity", &activity, "Only those that mean this");
  aliases.RunOnTables([&](Tables& tables) { return PrintAliases(tables, chat, activity); });

  Command& teach = program.AddCommand("teach", "Says what words mean; the same again confirms it");
  auto& phrase = teach.Keep<std::string>();
  teach.AddArgument("PHRASE", &phrase, "e.g. \"kört en maskin\"");
  teach.AddArgument("ACTIVITY", &activity, "e.g. tvätt");
  teach.RunOnTables([&](Tables& tables) { return Teach(tables, chat, phrase, activity); });
}

void AddUpkeepCommands(Program& program) {
  Command& migrate = program.AddCommand(
      "migrate",
      "Adds chatId-activity-index to tables that exist, fills it, and mends what questions would "
      "miss");
  auto& dry_run = migrate.Keep<bool>();
  migrate.AddFlag("--dry-run", &dry_run, "Only says what would be done");
  migrate.RunAt(PlaceRule::kRequired,
                [&](const Place& place) { return RunMigrate(place, dry_run); });
  program.AddCommand("audit", "Names the items that questions would miss")
      .RunAt(PlaceRule::kRequired, RunAudit);

  Command& cost =
      program.AddCommand("cost", "Measures what a message costs, beside the seed's table");
  struct Arguments {
    int messages = 2000;
  };
  auto& given = cost.Keep<Arguments>();
  cost.AddOption("--messages", &given.messages, "Of a generated log, played in memory")
      .Range(1, 100'000);
  cost.Run([&] { return PrintCosts(given.messages); });
}

int Main(int argc, char** argv) {
  Program program("homeops", kAbout, ModelText());
  std::string chat = "hemma";
  program.root().AddOption("--chat", &chat, "Which household");
  AddLogCommands(program);
  AddQuestionCommands(program, chat);
  AddAliasCommands(program, chat);
  AddChatCommands(program, chat);
  AddUpkeepCommands(program);
  program.AddCommand("demo", "Plays it all in memory, in a few seconds").Run(RunDemo);
  return program.Main(argc, argv);
}

}  // namespace
}  // namespace stator::systems::homeops

int main(int argc, char** argv) { return stator::systems::homeops::Main(argc, argv); }
