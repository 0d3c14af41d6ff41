// calls: per-user timelines of calls, lookups by call and provider, rescheduling.
#include "systems/calls/commands.h"
#include "systems/program/model_text.h"

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

}  // namespace

int main(int argc, char** argv) {
  using namespace stator::systems;
  Program program("calls", kAbout, calls::ModelText());
  calls::AddChangeCommands(program);
  calls::AddReadCommands(program);
  calls::AddWorkCommands(program);
  program.AddCommand("demo", "Play it all on an empty book, with what it costs")
      .RunOnTables(calls::RunDemo, PlaceRule::kOptional);
  return program.Main(argc, argv);
}
