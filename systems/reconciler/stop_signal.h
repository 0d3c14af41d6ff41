// SIGINT and SIGTERM, taken note of between two steps of work.
#ifndef STATOR_SYSTEMS_RECONCILER_STOP_SIGNAL_H_
#define STATOR_SYSTEMS_RECONCILER_STOP_SIGNAL_H_

#include <csignal>

#include <chrono>

namespace stator::systems::reconciler {

// From its construction on these signals no longer end the process, which must have one thread then.
class StopSignal {
 public:
  StopSignal() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }

  // True if one has come. Waits for it so long at most.
  bool Came(std::chrono::milliseconds wait = {}) {
    const timespec time{.tv_sec = wait.count() / 1000, .tv_nsec = wait.count() % 1000 * 1'000'000};
    if (!came_) came_ = sigtimedwait(&signals_, nullptr, &time) > 0;
    return came_;
  }

 private:
  sigset_t signals_;
  bool came_ = false;
};

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_STOP_SIGNAL_H_
