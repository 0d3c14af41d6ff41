// The stator program.
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "bench/run.h"
#include "cli/command_line.h"
#include "cli/serve.h"

int main(int argc, char** argv) {
  const stator::cli::Command command = stator::cli::ParseCommandLine(
      std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  if (const auto* serve = std::get_if<stator::cli::ServeCommand>(&command)) {
    return stator::cli::Serve(*serve);
  }
  if (const auto* bench = std::get_if<stator::bench::Options>(&command)) {
    return stator::bench::Run(*bench);
  }
  if (const auto* task = std::get_if<stator::cli::Task>(&command)) return task->run();
  const auto& print = std::get<stator::cli::PrintCommand>(command);
  std::fputs(print.text.c_str(), print.exit_code == 0 ? stdout : stderr);
  return print.exit_code;
}
