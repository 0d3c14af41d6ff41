// How long to wait before an attempt is made again: a random time whose bound doubles each time
// ("full jitter"), so that clients that failed together do not come back together.
#ifndef STATOR_CLIENT_BACKOFF_H_
#define STATOR_CLIENT_BACKOFF_H_

#include <chrono>
#include <cstdint>
#include <functional>

namespace stator {

class Backoff {
 public:
  using Milliseconds = std::chrono::milliseconds;
  // The bound of the first wait, as AWS's SDKs have it for DynamoDB, and of the longest.
  static constexpr Milliseconds kFirst{25};
  static constexpr Milliseconds kLongest{5'000};

  // What tests put in place of the system's.
  struct Means {
    std::function<void(Milliseconds)> sleep;
    std::function<std::uint64_t(std::uint64_t bound)> random;  // 0 … bound
  };
  static Means OfSystem();

  explicit Backoff(const Means& means) : means_(means) {}
  // `failures` is the number of attempts that have failed in a row, at least 1.
  void Wait(int failures) const;

 private:
  const Means& means_;
};

}  // namespace stator

#endif  // STATOR_CLIENT_BACKOFF_H_
