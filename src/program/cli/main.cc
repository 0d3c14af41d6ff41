// The stator program.
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "bench/run.h"
#include "cli/commands.h"

namespace {

int Run(const stator::cli::Task& task) { return task.run(); }
int Run(const stator::cli::PrintCommand& print) {
  std::fputs(print.text.c_str(), print.exit_code == 0 ? stdout : stderr);
  return print.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  const stator::cli::Command command = stator::cli::ParseCommandLine(
      std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  return std::visit([](const auto& given) { return Run(given); }, command);
}
