#include "bench/session.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include "bench/key_chooser.h"
#include "bench/load_source.h"
#include "bench/workload_source.h"

namespace stator::bench {
namespace {

constexpr std::chrono::milliseconds kProgressInterval{200};

// Runs one loop a thread until all have ended.
class Threads {
 public:
  explicit Threads(const Plan& plan) : plan_(plan), live_(static_cast<std::size_t>(plan.threads)) {}

  // `source_of` gives the source of thread i; each must live until Wait returns.
  void Start(LoopPlan loop, const std::function<RequestSource&(std::size_t)>& source_of) {
    const auto count = static_cast<std::size_t>(plan_.threads);
    loop.address = plan_.address;
    loop.requests_per_second /= plan_.threads;
    running_ = count;
    for (std::size_t i = 0; i < count; ++i) {
      const auto connections = static_cast<std::size_t>(plan_.connections);
      loop.connections = static_cast<int>(connections / count + (i < connections % count ? 1 : 0));
      threads_.emplace_back([this, i, loop, &source = source_of(i)] {
        const Tally tally = ClientLoop(loop, source, live_[i]).Run();
        const std::scoped_lock lock(mutex_);
        tally_.Merge(tally);
        --running_;
        one_ended_.notify_one();
      });
    }
  }

  Tally Wait(const std::function<void()>& now_and_then) {
    {
      std::unique_lock lock(mutex_);
      while (!one_ended_.wait_for(lock, kProgressInterval, [this] { return running_ == 0; })) {
        now_and_then();
      }
    }
    for (std::thread& thread : threads_) thread.join();
    return std::move(tally_);
  }

  std::uint64_t Answers() const { return Sum(&LiveCounts::answers); }
  std::uint64_t Errors() const { return Sum(&LiveCounts::errors); }

 private:
  std::uint64_t Sum(std::atomic<std::uint64_t> LiveCounts::* member) const {
    std::uint64_t sum = 0;
    for (const LiveCounts& live : live_) sum += (live.*member).load(std::memory_order_relaxed);
    return sum;
  }

  const Plan& plan_;
  std::deque<LiveCounts> live_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable one_ended_;
  std::size_t running_ = 0;
  Tally tally_;
};

std::uint64_t Nanoseconds(double seconds) { return static_cast<std::uint64_t>(seconds * 1e9); }

}  // namespace

std::expected<double, std::string> LoadItems(const Plan& plan, std::uint64_t seed,
                                             const OnProgress& progress) {
  LoadProgress shared;
  std::deque<LoadSource> sources;
  for (int i = 0; i < plan.threads; ++i) {
    sources.emplace_back(plan.data, shared, RequestFactory(plan.endpoint, plan.signer), seed);
  }
  Threads threads(plan);
  threads.Start({.end_ns = std::numeric_limits<std::uint64_t>::max()},
                [&](std::size_t i) -> RequestSource& { return sources[i]; });
  const Tally tally = threads.Wait([&] { progress(shared.items_stored, threads.Errors()); });
  for (const LoadSource& source : sources) {
    if (!source.failure().empty()) return std::unexpected("loading failed: " + source.failure());
  }
  if (shared.items_stored != plan.data.items) return std::unexpected("loading ended too early");
  return tally.run_seconds;
}

Tally RunWorkload(const Plan& plan, const Options& options, const OnProgress& progress) {
  KeyChooser keys(plan.keys, plan.data.items);
  std::deque<WorkloadSource> sources;
  for (int i = 0; i < plan.threads; ++i) {
    sources.emplace_back(*plan.workload, plan.data, keys,
                         RequestFactory(plan.endpoint, plan.signer),
                         options.seed * 1'000'003 + static_cast<std::uint64_t>(i));
  }
  const std::uint64_t begin_ns = NowNs();
  const std::uint64_t from_ns = begin_ns + Nanoseconds(options.warmup_seconds);
  Threads threads(plan);
  threads.Start({.requests_per_second = options.rate,
                 .measure_from_ns = from_ns,
                 .end_ns = from_ns + Nanoseconds(options.seconds)},
                [&](std::size_t i) -> RequestSource& { return sources[i]; });
  return threads.Wait([&] { progress(threads.Answers(), threads.Errors()); });
}

}  // namespace stator::bench
