// How a server of this project is stopped from outside.
#ifndef STATOR_CLI_STOP_SIGNALS_H_
#define STATOR_CLI_STOP_SIGNALS_H_

#include <signal.h>

#include <string_view>

namespace stator::cli {

// SIGTERM and SIGINT: the first asks for an orderly end, the second ends the process.
// Created on the main thread before any other thread exists: all inherit the blocked signals.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // Returns the name of the first signal. From then on the next one ends the process at once.
  std::string_view WaitForFirst();

 private:
  sigset_t signals_;
};

}  // namespace stator::cli

#endif  // STATOR_CLI_STOP_SIGNALS_H_
