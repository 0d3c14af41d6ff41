#include "cli/command_line.h"

#include <algorithm>
#include <utility>

#include "cli/commands.h"
#include "server/listener.h"
#include "server/options.h"

namespace stator::cli {
namespace {

constexpr const char* kProgramExamples = R"(
Examples:
  stator serve                       keep tables in ./stator-data, answer on port 8000
  stator serve --memory --port 0     keep nothing, answer on any free port
  stator backup Music --data DIR     back a table up, in its data directory
  stator backup --all --data DIR --backup-dir DIR     copy all tables to another disk
  stator restore Music Old --at 2026-01-30T12:00:00Z --endpoint URL
                                     create a table from the past of another
  stator export Music s3://exports --endpoint URL     write its items to files, as DynamoDB does
  stator import s3://inbox/people.csv People --key name:S --format csv --endpoint URL
                                     create a table from the items in files
  stator verify DIR                  check that a data directory is complete and sound
  stator repair DIR --to NEW         save what can be read of a damaged one
  stator copy --from DIR --to URL    move a database to another store
  stator bench --endpoint URL        put any DynamoDB endpoint under load
  stator check model.yaml            prove that a design serves its access patterns
  stator help serve                  all options of serve, with examples

Then use any DynamoDB client; any credentials will do unless serve was told --credentials:
  aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000
)";

}  // namespace

PrintCommand UsageError(std::string text) {
  return {"stator: " + std::move(text) + "\n", kExitUsage};
}

Command ParseCommandLine(std::vector<std::string> arguments) {
  const std::string version_text = "stator " + std::string(server::kVersion) + "\n";
  Syntax syntax("Stator: a database that speaks DynamoDB's protocol.", "stator", kProgramExamples);
  AddServeCommand(syntax);
  AddBenchCommand(syntax);
  AddTransferCommands(syntax);
  AddMaintenanceCommands(syntax);
  AddCopyCommand(syntax);
  AddMigrationCommands(syntax);
  AddAuditCommand(syntax);
  AddChartCommand(syntax);
  AddCheckCommands(syntax);
  AddCostCommand(syntax);
  AddGenerateCommands(syntax);
  syntax.Add("version", "Print the version").Gives([&] { return PrintCommand{version_text}; });
  syntax.Add("help", "Explain the program, or one command");
  // `help serve` is `serve --help`, and `help` alone explains the program.
  if (!arguments.empty() && arguments[0] == "help") {
    arguments.erase(arguments.begin());
    arguments.resize(std::min<std::size_t>(arguments.size(), 1));
    arguments.emplace_back("--help");
  }
  return syntax.Parse(std::move(arguments), version_text);
}

}  // namespace stator::cli
