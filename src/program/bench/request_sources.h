// The requests of the client loops: those that fill a table, and those of a workload.
#ifndef STATOR_BENCH_REQUEST_SOURCES_H_
#define STATOR_BENCH_REQUEST_SOURCES_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bench/client_loop.h"
#include "bench/key_chooser.h"
#include "bench/prng.h"
#include "bench/request.h"
#include "bench/request_bodies.h"
#include "bench/workload.h"

namespace stator::bench {

// What the threads that load share.
struct LoadProgress {
  std::atomic<std::uint64_t> next_batch = 0;
  std::atomic<std::uint64_t> items_stored = 0;
  std::atomic<int> breaks_in_a_row = 0;  // of connections
  std::atomic<bool> has_failed = false;  // for a reason that another attempt would not cure
};

// Fills a table: BatchWriteItem until every item is stored.
class LoadSource final : public RequestSource {
 public:
  LoadSource(const DataPlan& plan, LoadProgress& progress, RequestFactory factory,
             std::uint64_t seed)
      : plan_(plan), progress_(progress), factory_(std::move(factory)), seed_(seed) {}

  Supply Next(Slot& slot, std::string_view& bytes) override;
  bool WantsBodies() const override { return true; }
  bool GivesUp() const override { return progress_.has_failed; }
  void OnAnswer(Slot& slot, int status, std::string_view body) override;

  // What made the load fail, if this source saw it.
  const std::string& failure() const { return failure_; }

 private:
  void Fail(std::string_view reason);

  const DataPlan& plan_;
  LoadProgress& progress_;
  RequestFactory factory_;
  const std::uint64_t seed_;
  Request request_;
  std::string failure_;
};

// The requests of a workload, drawn at random from those that were prepared.
class WorkloadSource final : public RequestSource {
 public:
  // All that is given by reference must outlive the source. `keys` is shared by all threads, `seed`
  // is this thread's own.
  WorkloadSource(const Workload& workload, const DataPlan& plan, KeyChooser& keys,
                 RequestFactory factory, std::uint64_t seed);

  Supply Next(Slot& slot, std::string_view& bytes) override;
  void OnAnswer(Slot& slot, int status, std::string_view body) override;

 private:
  void Prepare(Operation operation);
  Operation Choose();
  void Fill(Request& request, Slot& slot);
  void FillQuery(Request& request);

  const Workload& workload_;
  const DataPlan& plan_;
  KeyChooser& keys_;
  RequestFactory factory_;
  Prng prng_;
  std::array<std::vector<Request>, kOperationCount> prepared_;
};

}  // namespace stator::bench

#endif  // STATOR_BENCH_REQUEST_SOURCES_H_
