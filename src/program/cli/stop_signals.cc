#include "cli/stop_signals.h"

#include <pthread.h>
#include <unistd.h>

namespace stator::cli {
namespace {

// What shells report for a process that a signal ended.
constexpr int kExitBySignal = 128;

}  // namespace

StopSignals::StopSignals() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

std::string_view StopSignals::WaitForFirst() {
  int received = 0;
  while (sigwait(&signals_, &received) != 0) {
  }
  struct sigaction leave{};
  leave.sa_handler = [](int signal) { _exit(kExitBySignal + signal); };
  sigaction(SIGTERM, &leave, nullptr);
  sigaction(SIGINT, &leave, nullptr);
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  return received == SIGINT ? "SIGINT" : "SIGTERM";
}

}  // namespace stator::cli
