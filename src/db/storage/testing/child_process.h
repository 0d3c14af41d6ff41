// For tests: a second process that writes to a store until it is killed.
#ifndef STATOR_STORAGE_TESTING_CHILD_PROCESS_H_
#define STATOR_STORAGE_TESTING_CHILD_PROCESS_H_

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace stator {

// Runs one test of this program in a new process, with these variables added to the environment.
// The child writes lines to the descriptor named by STATOR_TEST_PIPE, and ReadLine returns them.
class ChildProcess {
 public:
  ChildProcess(const std::string& test, std::vector<std::string> environment) {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
    const std::string filter = "--gtest_filter=" + test;
    environment.push_back("STATOR_TEST_PIPE=" + std::to_string(ends[1]));
    const std::array<const char*, 4> arguments = {"/proc/self/exe", filter.c_str(),
                                                  "--gtest_also_run_disabled_tests", nullptr};
    std::vector<const char*> variables;
    for (const std::string& variable : environment) variables.push_back(variable.c_str());
    for (char** own = environ; *own != nullptr; ++own) variables.push_back(*own);
    variables.push_back(nullptr);

    pid_ = fork();
    if (pid_ == 0) {
      // The parent has threads: only async-signal-safe calls from here on.
      fcntl(ends[1], F_SETFD, 0);
      const int nowhere = open("/dev/null", O_WRONLY);
      dup2(nowhere, STDOUT_FILENO);
      execve(arguments[0], const_cast<char**>(arguments.data()),
             const_cast<char**>(variables.data()));
      _exit(127);
    }
    close(ends[1]);
    output_ = fdopen(ends[0], "r");
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    Kill();
    fclose(output_);
  }

  pid_t pid() const { return pid_; }

  // The next line without its newline; empty once the process is gone and everything is read. A
  // truncated last line is left out.
  std::string ReadLine() {
    std::array<char, 256> buffer;
    if (fgets(buffer.data(), buffer.size(), output_) == nullptr) return "";
    std::string line = buffer.data();
    if (!line.ends_with('\n')) return "";
    line.pop_back();
    return line;
  }

  void Kill() {
    if (is_gone_) return;
    is_gone_ = true;
    kill(pid_, SIGKILL);
    int status = 0;
    waitpid(pid_, &status, 0);
  }

 private:
  pid_t pid_ = -1;
  bool is_gone_ = false;
  std::FILE* output_ = nullptr;
};

}  // namespace stator

#endif  // STATOR_STORAGE_TESTING_CHILD_PROCESS_H_
