#include "tests/systems/program.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace stator::testing {

ProgramAnswer RunProgram(const std::string& command) {
  ProgramAnswer answer;
  FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return answer;
  std::array<char, 4096> part{};
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe)) {
    answer.text.append(part.data(), got);
  }
  const int ended = ::pclose(pipe);
  if (WIFEXITED(ended)) answer.status = WEXITSTATUS(ended);
  return answer;
}

ProgramTest::ProgramTest() {
  std::string path = (std::filesystem::temp_directory_path() / "stator-system-XXXXXX").string();
  folder_ = ::mkdtemp(path.data());
}

ProgramTest::~ProgramTest() { std::filesystem::remove_all(folder_); }

std::string ProgramTest::RunSystem(const std::string& arguments) {
  ProgramAnswer answer = RunProgram(std::string(STATOR_SYSTEM_PROGRAM) + " " + arguments);
  status_ = answer.status;
  return std::move(answer.text);
}

}  // namespace stator::testing
