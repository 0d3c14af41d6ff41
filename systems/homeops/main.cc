// homeops: a household bot that remembers who did what.
#include <CLI/CLI.hpp>

#include "systems/homeops/commands.h"

int main(int argc, char** argv) {
  using namespace stator::systems;
  CLI::App app(
      "Remembers who did what in a household, and learns from it.\n\n"
      "  homeops generate-log > chat.jsonl\n"
      "  homeops --data ./home ingest chat.jsonl\n"
      "  homeops --data ./home who-last diskning\n"
      "  homeops --data ./home --clock fixed:2026-04-03T18:00:00Z how-often martin diskning "
      "--week\n"
      "  homeops --data ./home teach \"kört en maskin\" tvätt",
      "homeops");
  homeops::Shell shell;
  app.require_subcommand(1);
  app.fallthrough();
  AddConnectionOptions(app, shell.connection);
  app.add_option("--chat", shell.chat, "Which household")->capture_default_str();
  homeops::AddLogCommands(app, shell);
  homeops::AddQuestionCommands(app, shell);
  homeops::AddAliasCommands(app, shell);
  homeops::AddUpkeepCommands(app, shell);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return shell.exit_code;
}
