#include "client/backoff.h"

#include <algorithm>
#include <random>
#include <thread>

namespace stator {

Backoff::Means Backoff::OfSystem() {
  return {.sleep = [](Milliseconds time) { std::this_thread::sleep_for(time); },
          .random =
              [](std::uint64_t bound) {
                thread_local std::minstd_rand generator(std::random_device{}());
                return std::uniform_int_distribution<std::uint64_t>(0, bound)(generator);
              }};
}

void Backoff::Wait(int failures) const {
  // Far enough for kLongest, and no shift beyond a word.
  const int doublings = std::clamp(failures - 1, 0, 16);
  const Milliseconds bound = std::min(kLongest, kFirst * (1 << doublings));
  means_.sleep(Milliseconds(means_.random(static_cast<std::uint64_t>(bound.count()))));
}

}  // namespace stator
