// Work on independent numbers by a few threads.
#ifndef STATOR_SYSTEMS_RECONCILER_PARALLEL_H_
#define STATOR_SYSTEMS_RECONCILER_PARALLEL_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace stator::systems::reconciler {

// Calls work(0) … work(count - 1), each once, on up to `threads` threads, and waits for all.
inline void ForEach(std::size_t count, int threads,
                    const std::function<void(std::size_t index)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  const std::size_t more = std::min(count, static_cast<std::size_t>(std::max(threads, 1)));
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < more; ++i) others.emplace_back(run);
  run();
}

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_PARALLEL_H_
