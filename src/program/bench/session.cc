#include "bench/session.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/try.h"
#include "bench/client_loop.h"
#include "bench/key_chooser.h"
#include "bench/request_sources.h"

namespace stator::bench {
namespace {

constexpr std::uint64_t kCallPatienceNs = 30'000'000'000;

struct CallAnswer {
  int status = 0;
  std::string body;
};

class OneRequest final : public RequestSource {
 public:
  explicit OneRequest(std::string_view bytes) : bytes_(bytes) {}

  Supply Next(Slot&, std::string_view& bytes) override {
    if (was_sent_) return Supply::kNever;
    was_sent_ = true;
    bytes = bytes_;
    return Supply::kRequest;
  }
  bool WantsBodies() const override { return true; }
  bool GivesUp() const override { return is_over_; }
  void OnAnswer(Slot&, int status, std::string_view body) override {
    is_over_ = true;
    if (status != 0) answer = {status, std::string(body)};
  }

  std::optional<CallAnswer> answer;

 private:
  std::string_view bytes_;
  bool was_sent_ = false;
  bool is_over_ = false;
};

// Sends a single request, outside the load. Waits for the answer, or gives up with a text for people.
std::expected<CallAnswer, std::string> Call(const sockaddr_storage& address,
                                            RequestFactory& factory, std::string_view operation,
                                            std::string_view body) {
  Request request = factory.Make(operation, body);
  factory.Sign(request, std::time(nullptr));
  OneRequest source(request.bytes());
  LiveCounts live;
  const LoopPlan plan{.address = address, .connections = 1, .end_ns = NowNs() + kCallPatienceNs};
  const Tally tally = ClientLoop(plan, source, live).Run();
  if (source.answer) return *std::move(source.answer);
  const std::string reason = tally.errors.empty() ? "no answer" : tally.errors.begin()->first;
  return std::unexpected(std::string(operation) + " failed: " + reason);
}

constexpr std::chrono::milliseconds kPollInterval{50};
constexpr std::chrono::seconds kTablePatience{120};  // AWS needs some ten seconds

std::string TableNameBody(const DataPlan& data) {
  return R"({"TableName":")" + data.table_name + "\"}";
}

std::string Refusal(std::string_view operation, const CallAnswer& answer) {
  return std::string(operation) + " was refused: " + answer.body;
}

constexpr std::chrono::milliseconds kProgressInterval{200};

// Runs one loop per thread until all have ended.
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

std::expected<void, std::string> CreateTable(const Plan& plan) {
  RequestFactory factory(plan.endpoint, plan.signer);
  ASSIGN_OR_RETURN(const CallAnswer created,
                   Call(plan.address, factory, "CreateTable", CreateTableBody(plan.data)));
  if (ErrorNameIn(created.body) == "ResourceInUseException") {
    return std::unexpected("table " + plan.data.table_name +
                           " exists already. Use --skip-load if it holds the right items, "
                           "or --table for another name");
  }
  if (created.status != kStatusOk) return std::unexpected(Refusal("CreateTable", created));
  const auto deadline = std::chrono::steady_clock::now() + kTablePatience;
  while (std::chrono::steady_clock::now() < deadline) {
    ASSIGN_OR_RETURN(const CallAnswer described,
                     Call(plan.address, factory, "DescribeTable", TableNameBody(plan.data)));
    const bool is_waiting = described.body.find("\"CREATING\"") != std::string::npos ||
                            described.body.find("\"UPDATING\"") != std::string::npos;
    if (described.status == kStatusOk && !is_waiting) return {};
    std::this_thread::sleep_for(kPollInterval);
  }
  return std::unexpected("table " + plan.data.table_name + " did not become active");
}

std::expected<void, std::string> DeleteTable(const Plan& plan) {
  RequestFactory factory(plan.endpoint, plan.signer);
  ASSIGN_OR_RETURN(const CallAnswer deleted,
                   Call(plan.address, factory, "DeleteTable", TableNameBody(plan.data)));
  if (deleted.status != kStatusOk) return std::unexpected(Refusal("DeleteTable", deleted));
  return {};
}

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
