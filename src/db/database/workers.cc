#include "database/workers.h"

#include <algorithm>
#include <utility>

namespace stator {
namespace {

// Who waits for a disk needs no processor. Long tasks leave half of the processors to the event loops.
// (Threads of a lower priority would hold locks that the loops want too.)
constexpr unsigned kWaitingThreadsMin = 4;

// How much the latest task counts in what is usual.
constexpr int kLatestShare = 8;

unsigned ThreadCount(Workers::Lane lane, unsigned waiting_threads) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  if (lane != Workers::Lane::kLong && waiting_threads > 0) return waiting_threads;
  return lane == Workers::Lane::kLong ? (cores + 1) / 2 : std::max(kWaitingThreadsMin, 2 * cores);
}

}  // namespace

Workers::~Workers() {
  for (LaneState& state : lanes_) {
    std::deque<Queued> left;
    {
      const std::scoped_lock lock(state.mutex);
      state.stopping = true;
      left.swap(state.queue);
    }
    state.wake.notify_all();
    for (Queued& queued : left) queued.task(Turn::kStop);
    for (std::thread& thread : state.threads) thread.join();
  }
}

void Workers::Post(Lane lane, Task task, const std::atomic<bool>* unwanted) {
  LaneState& state = lanes_[static_cast<std::size_t>(lane)];
  Turn turn = Turn::kWork;
  {
    const std::scoped_lock lock(state.mutex);
    if (state.stopping) {
      turn = Turn::kStop;
    } else if (WouldWaitTooLong(state)) {
      turn = Turn::kRefuse;
    } else {
      state.queue.push_back({std::move(task), std::chrono::steady_clock::now(), unwanted});
      if (state.threads.empty()) Start(lane, state);
    }
  }
  if (turn != Turn::kWork) return task(turn);
  state.wake.notify_one();
}

bool Workers::WouldWaitTooLong(const LaneState& state) const {
  if (state.threads.empty()) return limits_.queued_max == 0;
  if (state.queue.size() >= limits_.queued_max) return true;
  const auto threads = static_cast<std::int64_t>(state.threads.size());
  const auto wait = [&](auto tasks_ahead) {
    return state.usual * static_cast<std::int64_t>(tasks_ahead) / threads;
  };
  if (wait(state.queue.size()) <= limits_.wait) return false;
  // What nobody wants takes no time.
  return wait(std::ranges::count_if(state.queue, [](const Queued& queued) {
           return queued.unwanted == nullptr || !queued.unwanted->load();
         })) > limits_.wait;
}

void Workers::Start(Lane lane, LaneState& state) {
  for (unsigned i = 0; i < ThreadCount(lane, limits_.waiting_threads); ++i) {
    state.threads.emplace_back([this, &state] { Run(state); });
  }
}

void Workers::Run(LaneState& state) {
  std::unique_lock lock(state.mutex);
  for (;;) {
    state.wake.wait(lock, [&] { return state.stopping || !state.queue.empty(); });
    if (state.queue.empty()) return;
    Queued next = std::move(state.queue.front());
    state.queue.pop_front();
    lock.unlock();
    const RealTime began = std::chrono::steady_clock::now();
    const bool late = began - next.since > limits_.wait;
    next.task(late ? Turn::kRefuse : Turn::kWork);
    next.task = nullptr;
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
    lock.lock();
    if (!late) state.usual += (took - state.usual) / kLatestShare;
  }
}

}  // namespace stator
