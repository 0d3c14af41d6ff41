// Trying again what may work the next time, after waits that grow.
#ifndef STATOR_SYSTEMS_DOWNLOADS_RETRY_H_
#define STATOR_SYSTEMS_DOWNLOADS_RETRY_H_

#include <chrono>
#include <functional>

#include "systems/program/http.h"

namespace stator::systems::downloads {

struct RetryOptions {
  int attempts = 4;  // in a row without any progress
  std::chrono::milliseconds first_wait{500};
  std::function<void(std::chrono::milliseconds time)> wait = {};  // default: sleeps
};

// Each wait is twice as long as the one before, and up to a half shorter by chance, so that many
// clients of a source that comes back do not come all at once.
class Backoff {
 public:
  explicit Backoff(const RetryOptions& options) : options_(options), next_(options.first_wait) {}

  // Waits and returns true; false at once if there were enough attempts.
  bool Again();
  // There was progress.
  void Reset();

 private:
  const RetryOptions& options_;
  std::chrono::milliseconds next_;
  int failures_ = 0;
};

// The server cannot answer now, and may be able to later.
constexpr bool IsTransient(int status) {
  return status == 408 || status == 425 || status == 429 || status >= 500;
}

// HttpText that tries again.
Fallible<std::string> HttpTextWithRetries(const HttpCall& call, const RetryOptions& options);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_RETRY_H_
