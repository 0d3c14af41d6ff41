// The requests that fill a table: BatchWriteItem until every item is there.
#ifndef STATOR_BENCH_LOAD_SOURCE_H_
#define STATOR_BENCH_LOAD_SOURCE_H_

#include <atomic>
#include <cstdint>
#include <string_view>

#include "bench/prng.h"
#include "bench/request.h"
#include "bench/request_bodies.h"
#include "bench/request_source.h"

namespace stator::bench {

// What the threads that load share.
struct LoadProgress {
  std::atomic<std::uint64_t> next_batch = 0;
  std::atomic<std::uint64_t> items_stored = 0;
  std::atomic<int> breaks_in_a_row = 0;  // of connections
  std::atomic<bool> has_failed = false;  // for a reason that trying again does not cure
};

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

}  // namespace stator::bench

#endif  // STATOR_BENCH_LOAD_SOURCE_H_
