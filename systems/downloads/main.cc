// downloads: a daily batch of files, fetched once each.
#include <CLI/CLI.hpp>
#include <functional>

#include "systems/downloads/commands.h"
#include "systems/downloads/file_name.h"

namespace {

using stator::systems::downloads::CommandOptions;

constexpr const char* kExamples = R"(
A day on one machine:
  stator serve --port 8000 &
  downloads source --keys keys &
  downloads run        --endpoint http://127.0.0.1:8000 --date 2026-02-28
  downloads downloader --endpoint http://127.0.0.1:8000 --keys keys --out output --workers 4
  downloads poller     --endpoint http://127.0.0.1:8000 --date 2026-02-28
  downloads dashboard  --endpoint http://127.0.0.1:8000 --date 2026-02-28

Every command may be repeated and may be killed at any time. --data DIR instead of --endpoint keeps the
tables in a directory, for one process at a time.
)";

// The source has no tables, and the demo has its own.
void RefusePlace(const CommandOptions& options) {
  if (!options.connection.directory.empty() || !options.connection.endpoint.empty()) {
    throw CLI::ValidationError("--data and --endpoint are of no use here");
  }
}

CLI::App& AddCommand(CLI::App& app, CommandOptions& options, const char* name, const char* what,
                     int (*run)(const CommandOptions&), int& exit_code) {
  CLI::App& command = *app.add_subcommand(name, what);
  command.callback([&options, &exit_code, run] {
    stator::systems::RequirePlace(options.connection);
    exit_code = run(options);
  });
  return command;
}

void AddDate(CLI::App& command, CommandOptions& options) {
  command.add_option("--date", options.date, "The day, as 2026-02-28; default: today")
      ->check([](const std::string& text) {
        return stator::systems::downloads::IsDate(text) ? std::string()
                                                        : text + " is no day like 2026-02-28";
      });
}
void AddSource(CLI::App& command, CommandOptions& options) {
  command.add_option("--source", options.source_url, "Where the source answers")
      ->capture_default_str();
}
void AddWatch(CLI::App& command, CommandOptions& options) {
  command.add_option("--watch", options.watch_seconds, "Look again every so many seconds")
      ->check(CLI::PositiveNumber);
}

void AddWorking(CLI::App& app, CommandOptions& options, int& exit_code) {
  using namespace stator::systems::downloads;
  CLI::App& run = AddCommand(app, options, "run", "Create the day's batch and its jobs",
                             &RunCommand, exit_code);
  AddDate(run, options);
  AddSource(run, options);
  run.add_flag("--again", options.again, "Begin another batch if the last timed out or failed");

  CLI::App& downloader =
      AddCommand(app, options, "downloader", "Claim, download, decrypt and verify files",
                 &DownloaderCommand, exit_code);
  downloader.add_option("--keys", options.keys_directory, "Where the RSA keys are")
      ->capture_default_str();
  downloader.add_option("--out", options.output_directory, "Where the files go")
      ->capture_default_str();
  downloader.add_option("--workers", options.workers, "Files at a time")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  downloader.add_option("--name", options.name, "Who claims, for people")->capture_default_str();
  AddWatch(downloader, options);

  CLI::App& poller = AddCommand(app, options, "poller", "Complete or time out the day's batch",
                                &PollerCommand, exit_code);
  AddDate(poller, options);
  poller.add_option("--timeout", options.timeout, "From the start of the batch")
      ->capture_default_str();
  AddWatch(poller, options);

  CLI::App& requeue =
      AddCommand(app, options, "requeue", "Put back what is stuck, failed or was never claimed",
                 &RequeueCommand, exit_code);
  AddSource(requeue, options);
  requeue.add_option("--attempts", options.attempts_max, "Claims before a file is given up")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  AddWatch(requeue, options);
}

void AddOperating(CLI::App& app, CommandOptions& options, int& exit_code) {
  using namespace stator::systems::downloads;
  CLI::App& source = *app.add_subcommand(
      "source", "Publish files: manifests, signed addresses, encrypted content");
  source.callback([&options, &exit_code] {
    RefusePlace(options);
    exit_code = ServeSource(options);
  });
  source.add_option("--port", options.port, "On 127.0.0.1; 0: any")->capture_default_str();
  source.add_option("--keys", options.keys_directory, "Where the RSA keys are, or are made")
      ->capture_default_str();
  source.add_option("--files", options.files, "A day")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  source.add_option("--file-bytes", options.file_bytes, "Of a file, roughly")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  source.add_option("--bytes-per-second", options.bytes_per_second, "Of a transfer; 0: no bound")
      ->check(CLI::NonNegativeNumber);

  CLI::App& dashboard =
      AddCommand(app, options, "dashboard", "Show how things stand", &DashboardCommand, exit_code);
  AddDate(dashboard, options);

  CLI::App& setup =
      AddCommand(app, options, "setup", "Make the tables what the model says for an environment",
                 &SetUpCommand, exit_code);
  setup.add_option("--env", options.environment, "dev, test or prod (with point-in-time recovery)")
      ->check(CLI::IsMember({"dev", "test", "prod"}))
      ->capture_default_str();

  CLI::App& restore =
      AddCommand(app, options, "restore", "Bring the tables of a time back, under another prefix",
                 &RestoreCommand, exit_code);
  restore.add_option("--at", options.moment,
                     "The time, as 2026-02-28T08:00:00Z; default: the latest");
  restore.add_option("--into", options.into_prefix, "The prefix of the new tables")->required();

  app.add_subcommand("demo", "Play a day, its accidents and its end on fresh data")
      ->callback([&options, &exit_code] {
        RefusePlace(options);
        exit_code = DemoCommand();
      });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Daily batch downloads: claimed once, decrypted, verified, counted.", "downloads");
  app.require_subcommand(1);
  app.fallthrough();
  CommandOptions options;
  stator::systems::AddConnectionOptions(app, options.connection);
  int exit_code = 0;
  AddWorking(app, options, exit_code);
  AddOperating(app, options, exit_code);
  app.footer(kExamples);  // after the commands, which would repeat it
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return exit_code;
}
