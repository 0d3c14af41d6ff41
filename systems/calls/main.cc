// calls: per-user timelines of calls, lookups by call and provider, rescheduling.
#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "systems/calls/audit.h"
#include "systems/calls/call_book.h"
#include "systems/calls/demo.h"
#include "systems/calls/replay.h"
#include "systems/calls/storm.h"
#include "systems/program/model_text.h"
#include "systems/program/output.h"
#include "systems/program/program.h"
#include "systems/program/text.h"

namespace stator::systems::calls {
namespace {

constexpr const char* kAbout =
    R"(Calls between users and providers: timelines by time and status, lookups, rescheduling.

  calls --data ./calls schedule c1 --user ann --provider p1 --at 2026-03-02T09:00:00Z
  calls --data ./calls next ann
  calls --data ./calls reschedule c1 --to +1d --version 1
  calls --data ./calls timeline ann --upcoming --limit 10

A call's id is unique. Its version goes up with every change; a change that names the version it
has seen is refused if another one came first.
Exit code: 0 done, 1 refused or not found, 2 wrong usage.)";

std::string_view KindText(EntityErrorKind kind) {
  switch (kind) {
    case EntityErrorKind::kInvalid:
      return "refused";
    case EntityErrorKind::kExists:
    case EntityErrorKind::kNotUnique:
      return "taken";
    case EntityErrorKind::kMissing:
      return "not found";
    case EntityErrorKind::kConflict:
      return "conflict";
    case EntityErrorKind::kStore:
      return "failed";
  }
  return "failed";
}

// Prints the error with its kind: "conflict: …".
int FailWith(const EntityError& error) {
  return Fail(fmt::format("{}: {}", KindText(error.kind), error.message));
}

// `done` is the word for the change: "rescheduled".
int PrintChange(std::string_view done, const EntityResult<Call>& call) {
  if (!call) return FailWith(call.error());
  fmt::print("{} {}: user {}, provider {}, {}, {}, version {}\n", done, call->call_id,
             call->user_id, call->provider_id, ShortTime(call->scheduled_for), call->status,
             call->version);
  return kDone;
}

// `none` is said if there is no such call.
int PrintCall(const EntityResult<std::optional<Call>>& call, std::string_view none, bool json) {
  if (!call) return FailWith(call.error());
  if (!*call) return Fail(none);
  fmt::print("{}", json ? CallJson(**call) + "\n" : CallTable({**call}));
  return kDone;
}

int PrintPage(const EntityResult<CallPage>& page, bool json) {
  if (!page) return FailWith(page.error());
  if (json) {
    for (const Call& call : page->calls) fmt::print("{}\n", CallJson(call));
  } else {
    fmt::print("{}", CallTable(page->calls));
  }
  PrintCursor(page->cursor);
  return kDone;
}

constexpr const char* kWhenHelp = "When: 2026-03-02T09:00:00Z, or +2h from now";

void AddSchedule(Program& program) {
  Command& command =
      program.AddCommand("schedule", "Schedule a new call; its id must not be taken");
  struct Options {
    NewCall call;
    std::string at;
  };
  auto& options = command.Keep<Options>();
  command.AddArgument("CALL", &options.call.call_id, "Its id, unique among all calls");
  command.AddOption("--user", &options.call.user_id, "Whose call it is").Required();
  command.AddOption("--provider", &options.call.provider_id, "Who is called").Required();
  command.AddOption("--at", &options.at, kWhenHelp).Required();
  command.AddOption("--notes", &options.call.notes, "Anything");
  command.RunOnTables([&](Tables& tables) {
    const auto time = ParseWhen(options.at, tables.entities().Now());
    if (!time) return Fail(time.error(), kMisused);
    options.call.scheduled_for = *time;
    return PrintChange("scheduled", CallBook(tables.entities()).Schedule(options.call));
  });
}

struct ChangeOptions {
  std::string call;
  std::string value;
  std::optional<std::int64_t> version;
};

using ChangeCommand = std::function<int(CallBook& book, TimeMs now, const ChangeOptions& options)>;

// A command that changes one call. An option of its own sets `value`.
ChangeOptions& AddChange(Command& command, ChangeCommand change) {
  auto& options = command.Keep<ChangeOptions>();
  command.AddArgument("CALL", &options.call, "The call's id");
  command.AddOption("--version", &options.version,
                    "Only if the call still has this version; else it is a conflict");
  command.RunOnTables([&options, change = std::move(change)](Tables& tables) {
    CallBook book(tables.entities());
    return change(book, tables.entities().Now(), options);
  });
  return options;
}

int Complete(CallBook& book, TimeMs, const ChangeOptions& options) {
  return PrintChange("completed", book.Complete(options.call, options.version));
}

int Reschedule(CallBook& book, TimeMs now, const ChangeOptions& options) {
  const auto time = ParseWhen(options.value, now);
  if (!time) return Fail(time.error(), kMisused);
  return PrintChange("rescheduled", book.Reschedule(options.call, *time, options.version));
}

int Reassign(CallBook& book, TimeMs, const ChangeOptions& options) {
  return PrintChange("reassigned", book.Reassign(options.call, options.value, options.version));
}

int ChangeProvider(CallBook& book, TimeMs, const ChangeOptions& options) {
  return PrintChange("changed", book.ChangeProvider(options.call, options.value, options.version));
}

int Cancel(CallBook& book, TimeMs, const ChangeOptions& options) {
  return PrintChange("cancelled", book.Cancel(options.call, options.version));
}

struct ReadOptions {
  std::string of;  // a user, a call or a provider
  std::string from = "now";
  bool json = false;
  bool upcoming = false;
  bool completed = false;
  bool oldest_first = false;
  bool newest_first = false;
  std::int64_t limit = 25;
  std::string cursor;

  PageOptions page() const {
    PageOptions options{.limit = limit, .cursor = cursor, .descending = {}};
    if (oldest_first) options.descending = false;
    if (newest_first) options.descending = true;
    return options;
  }
  Timeline timeline() const {
    if (upcoming) return Timeline::kUpcoming;
    return completed ? Timeline::kCompleted : Timeline::kAll;
  }
};

ReadOptions& AddRead(Command& command, const char* argument, const char* help) {
  auto& options = command.Keep<ReadOptions>();
  command.AddArgument(argument, &options.of, help);
  command.AddFlag("--json", &options.json, "One JSON object per line");
  return options;
}

void AddPaging(Command& command, ReadOptions& options) {
  const Option oldest = command.AddFlag("--oldest", &options.oldest_first, "Oldest first");
  command.AddFlag("--newest", &options.newest_first, "Newest first").Excludes(oldest);
  command.AddOption("--limit", &options.limit, "Calls per page").Range(1, 1000);
  command.AddOption("--cursor", &options.cursor, "Where the page before ended");
}

void AddNext(Program& program) {
  Command& command = program.AddCommand("next", "The next scheduled call of a user");
  auto& options = AddRead(command, "USER", "Whose");
  command.AddOption("--from", &options.from, "At this time or later");
  command.RunOnTables([&](Tables& tables) {
    const auto from = ParseWhen(options.from, tables.entities().Now());
    if (!from) return Fail(from.error(), kMisused);
    return PrintCall(
        CallBook(tables.entities()).Next(options.of, *from),
        fmt::format("{} has no call scheduled from {} on", options.of, ShortTime(*from)),
        options.json);
  });
}

void AddTimeline(Program& program) {
  Command& command =
      program.AddCommand("timeline", "The calls of a user in the order of their times");
  auto& options = AddRead(command, "USER", "Whose");
  const Option upcoming =
      command.AddFlag("--upcoming", &options.upcoming, "Scheduled calls only, oldest first");
  command.AddFlag("--completed", &options.completed, "Completed calls only, newest first")
      .Excludes(upcoming);
  AddPaging(command, options);
  command.RunOnTables([&](Tables& tables) {
    return PrintPage(
        CallBook(tables.entities()).ReadTimeline(options.of, options.timeline(), options.page()),
        options.json);
  });
}

void AddLookup(Program& program) {
  Command& lookup = program.AddCommand("lookup", "A call by its id, or the calls of a provider");
  Command& call = lookup.AddCommand("call", "The call with an id");
  auto& of_call = AddRead(call, "CALL", "The id");
  call.RunOnTables([&](Tables& tables) {
    return PrintCall(CallBook(tables.entities()).Find(of_call.of), "there is no call " + of_call.of,
                     of_call.json);
  });
  Command& provider = lookup.AddCommand("provider", "The calls of a provider, newest first");
  auto& of_provider = AddRead(provider, "PROVIDER", "The id");
  AddPaging(provider, of_provider);
  provider.RunOnTables([&](Tables& tables) {
    return PrintPage(CallBook(tables.entities()).OfProvider(of_provider.of, of_provider.page()),
                     of_provider.json);
  });
}

int PrintAudit(Tables& tables, bool fix = false) {
  const auto audit = AuditCalls(tables, fix);
  if (!audit) return Fail(audit.error().message());
  if (fix) fmt::print("{} flaw{} mended\n", audit->mended, audit->mended == 1 ? "" : "s");
  for (const std::string& flaw : audit->flaws) fmt::print("{}\n", flaw);
  fmt::print("audit: {} calls, {} ids held, {}\n", audit->calls, audit->sentinels,
             audit->clean() ? "nothing wrong" : fmt::format("{} flaws", audit->flaws.size()));
  return audit->clean() ? kDone : kFailed;
}

int PrintReplay(Tables& tables, const std::string& path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file) return Fail("cannot read " + path);
  }
  CallBook book(tables.entities());
  const auto report = Replay(book, path == "-" ? std::cin : file);
  if (!report) return Fail(report.error());
  fmt::print("replayed {} changes; {} had happened before\n", report->done, report->skipped);
  return kDone;
}

int PrintStorm(Tables& tables, const StormOptions& options) {
  CallBook book(tables.entities());
  const auto report = RunStorm(book, tables.entities().Now(), options);
  if (!report) return FailWith(report.error());
  fmt::print(
      "{} threads on {} calls: {} reschedules, {} reassignments, {} changes of provider\n"
      "{} writers were told of a conflict, {} met a call on its way; {} attempts to give an id "
      "twice were refused\n",
      options.threads, options.calls, report->reschedules, report->reassignments,
      report->provider_changes, report->conflicts, report->not_found, report->duplicates);
  for (const std::string& problem : report->problems) fmt::print("WRONG: {}\n", problem);
  const int audited = PrintAudit(tables);
  return report->problems.empty() ? audited : kFailed;
}

void AddStorm(Program& program) {
  Command& command = program.AddCommand(
      "storm", "Change the same calls from many threads at once, then audit the book");
  struct Options {
    StormOptions storm;
    double seconds = 2;
  };
  auto& options = command.Keep<Options>();
  command.AddOption("--threads", &options.storm.threads, "Writers").Range(1, 256);
  command.AddOption("--seconds", &options.seconds, "How long").Range(0.0, 3600.0);
  command.AddOption("--calls", &options.storm.calls, "Calls, named storm-1 …").Range(1, 100'000);
  command.AddOption("--seed", &options.storm.seed, "Of the writers' choices");
  command.RunOnTables([&](Tables& tables) {
    options.storm.duration =
        std::chrono::milliseconds(static_cast<std::int64_t>(options.seconds * 1000));
    return PrintStorm(tables, options.storm);
  });
}

void AddChangeCommands(Program& program) {
  AddSchedule(program);
  AddChange(program.AddCommand("complete", "Mark a scheduled call as completed now"), Complete);
  const auto add = [&](const char* name, const char* help, const char* option,
                       const char* option_help, ChangeCommand change) {
    Command& command = program.AddCommand(name, help);
    auto& options = AddChange(command, std::move(change));
    command.AddOption(option, &options.value, option_help).Required();
  };
  add("reschedule", "Move a call to another time", "--to", kWhenHelp, Reschedule);
  add("reassign", "Give a call to another user", "--user", "To whom", Reassign);
  add("change-provider", "Let another provider be called", "--provider", "Who", ChangeProvider);
  AddChange(program.AddCommand("cancel", "Delete a call; its id is free again"), Cancel);
}

void AddReadCommands(Program& program) {
  AddNext(program);
  Command& last =
      program.AddCommand("last", "The completed call of a user with the latest scheduled time");
  auto& options = AddRead(last, "USER", "Whose");
  last.RunOnTables([&](Tables& tables) {
    return PrintCall(CallBook(tables.entities()).Last(options.of),
                     options.of + " has completed no call", options.json);
  });
  AddTimeline(program);
  AddLookup(program);
}

void AddWorkCommands(Program& program) {
  Command& replay = program.AddCommand("replay", "Play a journal of changes, each exactly once");
  auto& path = replay.Keep<std::string>();
  replay.AddArgument("FILE", &path, "JSON lines, see the README; - is standard input");
  replay.RunOnTables([&](Tables& tables) { return PrintReplay(tables, path); });
  Command& audit = program.AddCommand("audit", "Check the invariants on every stored call");
  auto& fix = audit.Keep<bool>();
  audit.AddFlag("--fix", &fix,
                "First take in what other programs wrote: derive keys, add versions and sentinels");
  audit.RunOnTables([&](Tables& tables) { return PrintAudit(tables, fix); });
  AddStorm(program);
}

int Main(int argc, char** argv) {
  Program program("calls", kAbout, ModelText());
  AddChangeCommands(program);
  AddReadCommands(program);
  AddWorkCommands(program);
  program.AddCommand("demo", "Play it all on an empty book, with what it costs")
      .RunOnTables(RunDemo, PlaceRule::kOptional);
  return program.Main(argc, argv);
}

}  // namespace
}  // namespace stator::systems::calls

int main(int argc, char** argv) { return stator::systems::calls::Main(argc, argv); }
