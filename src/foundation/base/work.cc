#include "base/work.h"

#include <time.h>

#include <algorithm>

namespace stator {
namespace {

// Reading the clock costs as much as looking at a few hundred bytes.
constexpr std::uint64_t kBytesBetweenLooks = std::uint64_t{64} << 10;

std::int64_t ThreadProcessorNs() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

}  // namespace

constinit thread_local Work* Work::current_ = nullptr;

Work::Work(const Limits& limits)
    : limits_(limits),
      outer_(current_),
      credit_(static_cast<std::int64_t>(std::min(limits.bytes, kBytesBetweenLooks))),
      bytes_left_(limits.bytes - static_cast<std::uint64_t>(credit_)) {
  current_ = this;
}

bool Work::Refill() {
  if (end_ != End::kNotYet) return EndAs(end_);
  if (limits_.unwanted != nullptr && limits_.unwanted->load(std::memory_order_relaxed)) {
    return EndAs(End::kUnwanted);
  }
  if (limits_.processor_time != std::chrono::nanoseconds::max()) {
    const std::int64_t now = ThreadProcessorNs();
    // The clock is first read here: short work never pays for it.
    if (ends_at_ns_ == 0) ends_at_ns_ = now + limits_.processor_time.count();
    if (now >= ends_at_ns_) return EndAs(End::kOutOfTime);
  }
  // What was charged beyond the credit counts too.
  const std::uint64_t next = std::min(bytes_left_, kBytesBetweenLooks);
  bytes_left_ -= next;
  credit_ += static_cast<std::int64_t>(next);
  if (credit_ >= 0) return true;
  const auto beyond = static_cast<std::uint64_t>(-credit_);
  if (beyond > bytes_left_) return EndAs(End::kElsewhere);
  bytes_left_ -= beyond;
  credit_ = 0;
  return true;
}

bool Work::EndAs(End end) {
  if (end_ == End::kNotYet) end_ = end;
  credit_ = -1;
  return false;
}

}  // namespace stator
