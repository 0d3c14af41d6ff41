// next, last, timeline, lookup.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "systems/calls/answers.h"
#include "systems/calls/commands.h"
#include "systems/calls/time_text.h"

namespace stator::systems::calls {
namespace {

struct ReadOptions {
  std::string of;  // a user, a call or a provider
  std::string from = "now";
  bool json = false;
  bool oldest_first = false;
  bool newest_first = false;
  std::optional<std::int64_t> limit;
  std::string cursor;

  PageOptions page() const {
    PageOptions options{.limit = limit, .cursor = cursor, .descending = {}};
    if (oldest_first) options.descending = false;
    if (newest_first) options.descending = true;
    return options;
  }
};

void AddJson(CLI::App& command, ReadOptions& options) {
  command.add_flag("--json", options.json, "One JSON object a line");
}

void AddPaging(CLI::App& command, ReadOptions& options) {
  auto* oldest = command.add_flag("--oldest", options.oldest_first, "Oldest first");
  command.add_flag("--newest", options.newest_first, "Newest first")->excludes(oldest);
  command.add_option("--limit", options.limit, "Calls on a page (25)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000}));
  command.add_option("--cursor", options.cursor, "Where the page before has ended");
  AddJson(command, options);
}

void AddNext(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("next", "The next scheduled call of a user")->fallthrough();
  const auto options = std::make_shared<ReadOptions>();
  command->add_option("USER", options->of, "Whose")->required();
  command->add_option("--from", options->from, "At this time or later (now)");
  AddJson(*command, *options);
  command->callback([=, &action] {
    action = [=](Program& program) {
      const auto from = ParseTime(options->from, program.entities.Now());
      if (!from) return Misuse(from.error());
      return ShowCall(
          program.book.Next(options->of, *from),
          fmt::format("{} has no call scheduled from {} on", options->of, TimeText(*from)),
          options->json);
    };
  });
}

void AddLast(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("last", "The completed call of a user with the latest scheduled time")
          ->fallthrough();
  const auto options = std::make_shared<ReadOptions>();
  command->add_option("USER", options->of, "Whose")->required();
  AddJson(*command, *options);
  command->callback([=, &action] {
    action = [=](Program& program) {
      return ShowCall(program.book.Last(options->of), options->of + " has completed no call",
                      options->json);
    };
  });
}

void AddTimeline(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("timeline", "The calls of a user in the order of their times")
          ->fallthrough();
  const auto options = std::make_shared<ReadOptions>();
  const auto which = std::make_shared<Timeline>(Timeline::kAll);
  command->add_option("USER", options->of, "Whose")->required();
  auto* upcoming = command->add_flag_callback(
      "--upcoming", [=] { *which = Timeline::kUpcoming; }, "Scheduled calls only, oldest first");
  command
      ->add_flag_callback(
          "--completed", [=] { *which = Timeline::kCompleted; },
          "Completed calls only, newest first")
      ->excludes(upcoming);
  AddPaging(*command, *options);
  command->callback([=, &action] {
    action = [=](Program& program) {
      return ShowPage(program.book.ReadTimeline(options->of, *which, options->page()),
                      options->json);
    };
  });
}

void AddLookup(CLI::App& app, Action& action) {
  CLI::App* lookup =
      app.add_subcommand("lookup", "A call by its id, or the calls of a provider")->fallthrough();
  lookup->require_subcommand(1);
  const auto options = std::make_shared<ReadOptions>();
  CLI::App* call = lookup->add_subcommand("call", "The call with an id")->fallthrough();
  call->add_option("CALL", options->of, "The id")->required();
  AddJson(*call, *options);
  call->callback([=, &action] {
    action = [=](Program& program) {
      return ShowCall(program.book.Find(options->of), "there is no call " + options->of,
                      options->json);
    };
  });
  CLI::App* provider =
      lookup->add_subcommand("provider", "The calls of a provider, newest first")->fallthrough();
  provider->add_option("PROVIDER", options->of, "The id")->required();
  AddPaging(*provider, *options);
  provider->callback([=, &action] {
    action = [=](Program& program) {
      return ShowPage(program.book.OfProvider(options->of, options->page()), options->json);
    };
  });
}

}  // namespace

void AddReadCommands(CLI::App& app, Action& action) {
  AddNext(app, action);
  AddLast(app, action);
  AddTimeline(app, action);
  AddLookup(app, action);
}

}  // namespace stator::systems::calls
