// homeops: a household bot that remembers who did what.
#include "systems/homeops/commands.h"
#include "systems/program/model_text.h"

namespace {

constexpr const char* kAbout =
    R"(Remembers who did what in a household, and learns from it.

  homeops generate-log > chat.jsonl
  homeops --data ./home ingest chat.jsonl
  homeops --data ./home who-last diskning
  homeops --data ./home --clock fixed:2026-04-03T18:00:00Z how-often martin diskning --week
  homeops --data ./home teach "kört en maskin" tvätt

Exit code: 0 done, 1 failed or no answer, 2 wrong usage.)";

}  // namespace

int main(int argc, char** argv) {
  using namespace stator::systems;
  Program program("homeops", kAbout, homeops::ModelText());
  std::string chat = "hemma";
  program.root().AddOption("--chat", &chat, "Which household");
  homeops::AddLogCommands(program);
  homeops::AddQuestionCommands(program, chat);
  homeops::AddAliasCommands(program, chat);
  homeops::AddUpkeepCommands(program);
  program.AddCommand("demo", "Plays it all in memory, in a few seconds").Run(homeops::RunDemo);
  return program.Main(argc, argv);
}
