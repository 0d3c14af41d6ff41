// The batch of a day: started with a job for each file, its stuck and failed jobs put back,
// watched, and closed. Every step may be repeated, and taken by several processes at once.
#ifndef STATOR_SYSTEMS_DOWNLOADS_BATCH_H_
#define STATOR_SYSTEMS_DOWNLOADS_BATCH_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/downloads/job.h"
#include "systems/downloads/manifest.h"
#include "systems/program/fallible.h"

namespace stator::systems::downloads {

// --- the start

struct RunOptions {
  SourceAccess source;
  std::string date;
  bool again = false;  // a new batch after one that timed out or failed
};

struct RunReport {
  Batch batch;
  std::int64_t created = 0;           // jobs
  std::int64_t known = 0;             // created by an earlier run of the batch
  std::int64_t adopted = 0;           // of an earlier batch, whose jobs this one takes over
  std::int64_t requeued = 0;          // of those, the ones to try again
  std::vector<Refusal> refused = {};  // no jobs: what the manifest says of them makes no sense
};

// The id of a day's n-th attempt; always the same.
std::string RunIdOf(std::string_view date, int attempt);

// Creates the batch of a day and a job for each file of the manifest. May be repeated at any time,
// by anyone, also after it was killed: nothing is created twice. A file that is refused fails alone:
// the batch goes on with the others, remembers it, and cannot complete before the source has mended it.
Fallible<RunReport> StartDay(Entities& entities, const RunOptions& options);

// --- the way back: jobs become available again, with a new address, as long as there is hope

// Puts one job back, with the file's new address and key, unless somebody has moved it since `job`
// was read; false then. A job in `error` starts counting its attempts from zero.
Fallible<bool> Requeue(Entities& entities, const Job& job, const SourceFile& file);

struct RequeueOptions {
  SourceAccess source;
  std::int64_t attempts_max = 5;  // claims, before a job is given up
};

struct RequeueReport {
  std::vector<std::string> stuck;          // claimed more than 30 minutes ago
  std::vector<std::string> never_claimed;  // available for more than 30 minutes
  std::vector<std::string> failed;
  std::vector<std::string> given_up;
  std::int64_t requeued = 0;
  std::vector<std::string> refused;  // the source gives no new address; left as they were
};

Fallible<RequeueReport> RequeueAll(Entities& entities, const RequeueOptions& options);

// --- the end

struct PollOptions {
  std::chrono::milliseconds timeout = std::chrono::hours(2);  // from the batch's start
};

// Looks how far a batch has come, closes it if it is over, and returns it. Of any number of
// pollers, one closes it. Files that are `failed` may still succeed, those in `error` will not: a
// batch fails when nothing else is left, or when all that is left was refused, and times out at its
// deadline.
Fallible<Batch> Poll(Entities& entities, const Batch& batch, const PollOptions& options = {});

// The batches of a day, through PollingDateIndex; the open ones only, or all.
Fallible<std::vector<Batch>> OpenBatches(Entities& entities, const std::string& date);
Fallible<std::vector<Batch>> BatchesOf(Entities& entities, const std::string& date);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_BATCH_H_
