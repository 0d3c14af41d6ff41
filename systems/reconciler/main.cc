// reconciler: finds the calls that need a second look, and sees to it that each gets one.
#include <CLI/CLI.hpp>

#include "systems/reconciler/commands.h"

namespace stator::systems::reconciler {
namespace {

constexpr const char* kAbout =
    R"(Finds phone calls whose audio is missing or whose processing failed or never finished, and
asks for their reconciliation, each once.

A first round:
  stator serve ./data &
  reconciler ingest calls.jsonl --endpoint http://127.0.0.1:8000
  reconciler poll --lookback 7d --out payloads.jsonl --endpoint http://127.0.0.1:8000
  reconciler report --endpoint http://127.0.0.1:8000

`reconciler demo` shows all of it and needs nothing.
Exit code: 0 all well, 1 something went wrong, 2 the command line was not understood.)";

constexpr const char* kAboutIngest =
    R"(Reads what is reported about calls, a JSON object a line:
  {"TenantId":"acme","CallId":"c1","CallDateTime":"2026-02-28T07:00:00Z","AudioReceived":true,
   "ProcessingStatus":"PROCESSING","UpdatedAt":"2026-02-28T07:05:00Z"}
The first line of a call needs CallDateTime; later ones hold what has changed. With UpdatedAt a line
that is older than what is known changes nothing, so that a file may be read again.)";

constexpr const char* kAboutPoll =
    R"(Emits a payload for every call that needs reconciliation, the oldest first, and marks it. Several
pollers may run at once, and each may be killed: a file gets every payload once. Over HTTP a payload
whose answer was lost comes again, with the same Idempotency-Key.)";

void AddIngest(CLI::App& app, const ConnectionOptions& where, int& code) {
  auto command = std::make_shared<IngestCommand>();
  CLI::App* ingest = app.add_subcommand("ingest", kAboutIngest);
  ingest->add_option("FILE", command->file, "Lines of JSON; - is the standard input")
      ->capture_default_str();
  ingest->add_option("--threads", command->threads, "Calls written at once")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  ingest->callback([=, &where, &code] {
    RequirePlace(where);
    code = RunIngest(where, *command);
  });
}

void AddPoll(CLI::App& app, const ConnectionOptions& where, int& code) {
  auto command = std::make_shared<PollCommand>();
  CLI::App* poll = app.add_subcommand("poll", kAboutPoll);
  poll->add_option("--lookback", command->lookback, "How old calls may be: 7d, 12h, 90m")
      ->capture_default_str();
  poll->add_option("--tenant", command->tenant,
                   "Calls of this tenant only; reads those of all, as no key serves it");
  auto* newest = poll->add_flag("--newest", command->newest, "The newest first");
  poll->add_flag("--oldest", command->oldest, "The oldest first, as without it")->excludes(newest);
  poll->add_option("--out", command->out, "A file that gets a line for each payload")
      ->type_name("FILE");
  poll->add_option("--post", command->post, "Where each payload is sent to, with retries")
      ->type_name("URL");
  poll->add_flag("--dry-run", command->dry_run, "Prints the payloads and changes nothing");
  poll->add_option("--every", command->every_seconds, "Again after so many seconds, until stopped")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.1, 1e6));
  poll->add_option("--lease", command->lease,
                   "How long other pollers leave a call to one that may have died")
      ->capture_default_str();
  poll->add_option("--owner", command->owner, "Name of this poller; default: host and process");
  poll->add_option("--give-up-after", command->give_up_after, "Attempts to deliver a payload")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  poll->callback([=, &where, &code] {
    RequirePlace(where);
    code = RunPoll(where, *command);
  });
}

void AddLoad(CLI::App& app, const ConnectionOptions& where, int& code) {
  auto command = std::make_shared<LoadCommand>();
  CLI::App* load = app.add_subcommand("load", "Makes up calls of the last six days, for measuring");
  load->add_option("--calls", command->calls, "How many")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}))
      ->capture_default_str();
  load->add_option("--bad", command->bad, "Share that needs reconciliation: 1% or 0.01")
      ->capture_default_str();
  load->add_option("--tenants", command->tenants, "How many tenants they are of")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  load->add_option("--seed", command->seed, "Another seed makes other calls")
      ->capture_default_str();
  load->add_flag("--start-pending", command->start_pending,
                 "Each call begins as PENDING, in the index, and gets its state in a second write");
  load->add_option("--threads", command->threads, "Calls written at once")
      ->check(CLI::Range(1, 512))
      ->capture_default_str();
  load->callback([=, &where, &code] {
    RequirePlace(where);
    code = RunLoad(where, *command);
  });
}

void AddReport(CLI::App& app, const ConnectionOptions& where, int& code) {
  auto json = std::make_shared<bool>(false);
  CLI::App* report = app.add_subcommand(
      "report", "Size of the index, units consumed, and what scans would have cost");
  report->add_flag("--json", *json, "For programs");
  report->callback([=, &where, &code] {
    RequirePlace(where);
    code = RunReport(where, *json);
  });
}

int Main(int argc, char** argv) {
  CLI::App app(kAbout, "reconciler");
  app.require_subcommand(1);
  app.fallthrough();
  ConnectionOptions where;
  AddConnectionOptions(app, where);
  int code = 0;
  AddIngest(app, where, code);
  AddPoll(app, where, code);
  AddLoad(app, where, code);
  AddReport(app, where, code);
  app.add_subcommand("demo", "Plays everything on fresh data and tells what happened")
      ->callback([&] { code = RunDemo(where); });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int parsed = app.exit(error);
    return parsed == 0 ? 0 : 2;
  }
  return code;
}

}  // namespace
}  // namespace stator::systems::reconciler

int main(int argc, char** argv) { return stator::systems::reconciler::Main(argc, argv); }
