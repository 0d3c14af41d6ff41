// downloads: a daily batch of files, fetched once each.
#include "systems/downloads/commands.h"
#include "systems/program/model_text.h"

namespace {

constexpr const char* kAbout =
    R"(Daily batch downloads: claimed once, decrypted, verified, counted.

A day on one machine:
  stator serve --port 8000 &
  downloads source --keys keys &
  downloads run        --endpoint http://127.0.0.1:8000 --date 2026-02-28
  downloads downloader --endpoint http://127.0.0.1:8000 --keys keys --out output --workers 4
  downloads poller     --endpoint http://127.0.0.1:8000 --date 2026-02-28
  downloads dashboard  --endpoint http://127.0.0.1:8000 --date 2026-02-28

Every command may be repeated and may be killed at any time. --data DIR instead of --endpoint keeps
the tables in a directory, for one process at a time.
Exit code: 0 done, 1 not done, 2 wrong usage.)";

}  // namespace

int main(int argc, char** argv) {
  using namespace stator::systems;
  Program program("downloads", kAbout, downloads::ModelText());
  downloads::AddPipelineCommands(program);
  downloads::AddOperationCommands(program);
  program.AddCommand("demo", "Play a day, its accidents and its end on fresh data")
      .RunAt(PlaceRule::kRefused, [](const Place&) { return downloads::RunDemo(); });
  return program.Main(argc, argv);
}
