// reconciler: finds the calls that need a second look, and sees to it that each gets one.
#include "systems/program/model_text.h"
#include "systems/reconciler/commands.h"

namespace {

constexpr const char* kAbout =
    R"(Finds phone calls whose audio is missing or whose processing failed or never finished, and
asks for their reconciliation, once each.

A first round:
  stator serve ./data &
  reconciler ingest calls.jsonl --endpoint http://127.0.0.1:8000
  reconciler poll --lookback 7d --out payloads.jsonl --endpoint http://127.0.0.1:8000
  reconciler report --endpoint http://127.0.0.1:8000

`reconciler demo` shows all of it and needs nothing.
Exit code: 0 all well, 1 something went wrong, 2 the command line was not understood.)";

}  // namespace

int main(int argc, char** argv) {
  using namespace stator::systems;
  Program program("reconciler", kAbout, reconciler::ModelText());
  reconciler::AddIngest(program);
  reconciler::AddPoll(program);
  reconciler::AddLoad(program);
  reconciler::AddReport(program);
  reconciler::AddDemo(program);
  return program.Main(argc, argv);
}
