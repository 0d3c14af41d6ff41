// Drains the calls that need reconciliation: query, lease, emit, mark.
//
// All shards and statuses are asked in parallel and merged by time. There is no position to keep:
// what was emitted has left the index, so that a poller that starts anew goes on where the last one
// stopped. Any number of pollers may run at once.
#ifndef STATOR_SYSTEMS_RECONCILER_POLLER_H_
#define STATOR_SYSTEMS_RECONCILER_POLLER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "stator/entity.h"
#include "systems/reconciler/lease.h"
#include "systems/reconciler/sink.h"

namespace stator::systems::reconciler {

struct PollOptions {
  std::chrono::milliseconds lookback = std::chrono::days(7);
  std::string tenant = {};  // empty: all
  bool newest_first = false;
  LeaseTerms lease = {};  // its sink is the poller's own
  int threads = 8;
  // Calls that the index is asked for at once. Every question goes to all shards and statuses, and costs
  // half a unit of each at least, so that few large ones are cheaper.
  std::int64_t page = 500;
  // Asked before every batch; false: stop here.
  std::function<bool()> go_on = {};
  // For tests, at the two moments when a crash hurts most; false: act as if killed there.
  std::function<bool()> after_leases = {};
  std::function<bool()> after_delivery = {};
};

struct PollSummary {
  std::int64_t found = 0;          // in the index
  std::int64_t busy = 0;           // left to others, or no longer there
  std::int64_t emitted = 0;        // payloads delivered by this poller, resolved ones included
  std::int64_t there_already = 0;  // delivered by a poller that was gone before it could say so
  std::int64_t resolved = 0;
  std::int64_t given_up = 0;
  std::int64_t released = 0;   // not delivered; still in the index
  std::int64_t overtaken = 0;  // changed while they were being emitted
  double read_units = 0;       // of the index
  std::string problem = {};    // of the first delivery that failed
};

class Poller {
 public:
  Poller(Entities& entities, std::unique_ptr<Sink> sink, PollOptions options);

  // One round: everything that needs reconciliation and nobody else has leased. Ends early, and says
  // why in `problem`, when its own sink fails. Fails only when the endpoint does.
  EntityResult<PollSummary> Drain();

  // The next page of what a round would find; for a look without consequences.
  EntityResult<Page> Peek(const std::string& cursor);

 private:
  struct Work;  // a leased call, its payload and what came of it
  EntityResult<bool> EmitBatch(const std::vector<Item>& entries, PollSummary& summary);
  EntityResult<std::vector<Work>> Lease(const std::vector<Item>& entries, PollSummary& summary);
  void Deliver(std::vector<Work>& work, std::chrono::steady_clock::time_point deadline);
  EntityResult<void> Mark(const std::vector<Work>& work, PollSummary& summary);
  bool Asked(const std::function<bool()>& question) const { return !question || question(); }

  Entities& entities_;
  Sinks sinks_;
  PollOptions options_;
  std::string since_;
};

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_POLLER_H_
