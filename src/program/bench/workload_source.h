// The requests of a workload, drawn at random from those that were prepared.
#ifndef STATOR_BENCH_WORKLOAD_SOURCE_H_
#define STATOR_BENCH_WORKLOAD_SOURCE_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bench/key_chooser.h"
#include "bench/prng.h"
#include "bench/request.h"
#include "bench/request_bodies.h"
#include "bench/request_source.h"
#include "bench/workload.h"

namespace stator::bench {

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

#endif  // STATOR_BENCH_WORKLOAD_SOURCE_H_
