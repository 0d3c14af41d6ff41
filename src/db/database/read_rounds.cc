#include "database/read_rounds.h"

#include <algorithm>
#include <utility>

#include "base/read_ahead.h"

namespace stator {
namespace {

// More would make the first of them wait for the rows of the others.
constexpr std::size_t kReadsPerRound = 64;
constexpr std::size_t kWorthwhile = 16;
constexpr std::chrono::milliseconds kWaitForOthers{5};

}  // namespace

ReadRounds::ReadRounds(const Store& store, unsigned threads, const Workers::Limits& limits)
    : store_(store), limits_(limits) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

ReadRounds::~ReadRounds() {
  std::deque<Queued> left;
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    left.swap(queue_);
  }
  arrived_.notify_all();
  in_time_.notify_all();
  for (Queued& queued : left) queued.task(Workers::Turn::kStop);
  for (std::thread& thread : threads_) thread.join();
}

void ReadRounds::Post(std::string key, Workers::Task task) {
  Workers::Turn refusal = Workers::Turn::kRefuse;
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_) refusal = Workers::Turn::kStop;
    if (!stopping_ && queue_.size() < limits_.queued_max) {
      const RealTime now = std::chrono::steady_clock::now();
      queue_.push_back({std::move(key), std::move(task), now});
      WakeOne(now);
      return;
    }
  }
  task(refusal);
}

// Few large rounds cost less than many small ones: the next one waits for enough rows or for the one in
// flight, but not for long.
bool ReadRounds::CanBegin(RealTime now) const {
  if (queue_.empty()) return false;
  return in_flight_ == 0 || queue_.size() >= kWorthwhile ||
         now - queue_.front().since >= kWaitForOthers;
}

// Threads are woken only if there is something to do for them: a switch costs as much as a read.
void ReadRounds::WakeOne(RealTime now) {
  if (CanBegin(now) || !is_timed_) {
    (idle_ > 0 ? arrived_ : in_time_).notify_one();
  }
}

std::vector<ReadRounds::Queued> ReadRounds::TakeRound() {
  std::vector<Queued> round;
  while (!queue_.empty() && round.size() < kReadsPerRound) {
    round.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return round;
}

void ReadRounds::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (CanBegin(std::chrono::steady_clock::now())) {
      std::vector<Queued> round = TakeRound();
      ++in_flight_;
      lock.unlock();
      RunRound(std::move(round));
      lock.lock();
      --in_flight_;
    } else if (!queue_.empty() && !is_timed_) {
      is_timed_ = true;
      in_time_.wait_until(lock, queue_.front().since + kWaitForOthers);
      is_timed_ = false;
    } else {
      ++idle_;
      arrived_.wait(lock);
      --idle_;
    }
  }
}

void ReadRounds::RunRound(std::vector<Queued> round) const {
  const RealTime began = std::chrono::steady_clock::now();
  std::vector<std::string> keys;
  keys.reserve(round.size());
  for (const Queued& queued : round) keys.push_back(queued.key);
  std::ranges::sort(keys);
  keys.erase(std::ranges::unique(keys).begin(), keys.end());

  ReadAhead::Rows rows;
  auto values = store_.MultiGet(keys);
  for (std::size_t i = 0; values && i < keys.size(); ++i) {
    rows.emplace(keys[i], std::move((*values)[i]));
  }
  const ReadAhead at_hand(values ? &rows : nullptr);
  for (Queued& queued : round) {
    const bool is_late = began - queued.since > limits_.wait;
    queued.task(is_late ? Workers::Turn::kRefuse : Workers::Turn::kWork);
  }
}

}  // namespace stator
