// Drains the calls that need reconciliation: query, lease, emit, mark.
//
// All statuses and shards are queried in parallel and merged by time. There is no position to keep:
// what was emitted stands elsewhere in the index, so that a new poller goes on where the last one
// stopped. Any number of pollers may run at once.
#ifndef STATOR_SYSTEMS_RECONCILER_POLLER_H_
#define STATOR_SYSTEMS_RECONCILER_POLLER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stator/entity.h"
#include "systems/reconciler/call_table.h"
#include "systems/reconciler/sink.h"

namespace stator::systems::reconciler {

// A lease lets one poller emit a call and record what came of it. It is one conditional write, so
// of any number of pollers one gets it. It ends with an outcome, with a new report of the call, or
// by its time; the poller that takes over an expired one goes on at the place that the first one
// wrote to.
struct LeaseTerms {
  std::string owner;  // for people who look at the table
  std::chrono::milliseconds time = std::chrono::seconds(60);
  std::string sink;
  int give_up_after = 10;  // failed attempts
};

// Leases the call of an entry of the index. nullopt if another poller was faster, or if the entry is
// no longer where it was seen.
EntityResult<std::optional<Item>> TakeLease(CallTable& table, ItemView entry,
                                            const LeaseTerms& terms);

struct PollOptions {
  std::chrono::milliseconds lookback = std::chrono::days(7);
  // A call with its audio may be PROCESSING for so long, by its own time; then it counts as stuck.
  std::chrono::milliseconds processing_older_than = std::chrono::hours(1);
  // What was emitted so long ago, and is not OK since, is emitted again; nullopt: never.
  std::optional<std::chrono::milliseconds> again_after = {};
  std::string tenant = {};  // empty: all
  bool newest_first = false;
  LeaseTerms lease = {};  // its sink is the poller's own
  int threads = 8;
  // Calls per page of the index. Every query goes to all statuses and shards, and costs at least
  // half a unit at each of them, so that few large pages are cheaper.
  std::int64_t page = 500;
  // Asked before every batch; false: stop here.
  std::function<bool()> go_on = {};
  // For tests, at the two moments when a crash hurts most; false: act as if killed there.
  std::function<bool()> after_leases = {};
  std::function<bool()> after_delivery = {};
};

struct PollSummary {
  std::int64_t found = 0;          // in the index, and due
  std::int64_t busy = 0;           // left to others, or gone by then
  std::int64_t emitted = 0;        // payloads delivered by this poller, resolved ones included
  std::int64_t there_already = 0;  // delivered by a poller that died before it could record it
  std::int64_t resolved = 0;
  std::int64_t given_up = 0;
  std::int64_t released = 0;   // not delivered; still in the index
  std::int64_t overtaken = 0;  // changed while they were being emitted
  double read_units = 0;       // of the index
  std::string problem = {};    // of the first delivery that failed
};

class Poller {
 public:
  Poller(CallTable& table, std::unique_ptr<Sink> sink, PollOptions options);

  // One round: everything that needs reconciliation and that nobody else has leased. Ends early,
  // and says why in `problem`, when its own sink fails. Fails only when the endpoint does.
  EntityResult<PollSummary> Drain();

  // What a round would find, in its order, page by page until `take` returns false; for a look
  // without consequences.
  using Take = std::function<EntityResult<bool>(const std::vector<Item>& entries)>;
  EntityResult<PollSummary> Look(const Take& take);

 private:
  struct Question;  // a pattern of the model with its parameters
  struct Work;      // a leased call, its payload and what came of it
  std::vector<Question> Questions(TimeMs now) const;
  EntityResult<bool> Ask(Entities& entities, const Question& question, const Take& take,
                         PollSummary& summary);
  EntityResult<bool> EmitBatch(const std::vector<Item>& entries, PollSummary& summary);
  EntityResult<std::vector<Work>> Lease(const std::vector<Item>& entries, PollSummary& summary);
  void Deliver(std::vector<Work>& work, std::chrono::steady_clock::time_point deadline);
  EntityResult<void> Mark(const std::vector<Work>& work, PollSummary& summary);
  bool Asked(const std::function<bool()>& question) const { return !question || question(); }

  CallTable& table_;
  Sinks sinks_;
  PollOptions options_;
};

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_POLLER_H_
