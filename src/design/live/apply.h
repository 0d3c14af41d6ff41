// Brings the tables of an endpoint to what a model says, step by step.
#ifndef STATOR_LIVE_APPLY_H_
#define STATOR_LIVE_APPLY_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "live/backfill.h"
#include "live/steps.h"

namespace stator::live {

struct ApplyOptions {
  StepOptions steps;
  std::string table_prefix;
  std::string checkpoint_directory = ".stator-apply";
  std::optional<int> segments;             // default: the migration's, else 4
  std::optional<double> items_per_second;  // default: the migration's, else without limit
  bool dry_run = false;                    // plan and report the steps, change nothing
  TimeMs now;
  const std::atomic<bool>* stop = nullptr;
};

// What happened in one step, for people; an empty text: nothing worth saying.
struct StepOutcome {
  std::string text;
  bool failed = false;  // the step was carried out and its check failed
  bool stopped = false;
};

Result<StepOutcome> CarryOutStep(Endpoint& endpoint, const model::Model& model, const Step& step,
                                 const ApplyOptions& options, const LiveProgressCallback& progress);

// What a caller wants to hear of while a table is brought up to date; any may be empty.
struct ApplyEvents {
  std::function<void(const Step& step)> step;  // before it is carried out, or instead in a dry run
  std::function<void(const Step& step, const StepOutcome& outcome)> outcome;
  LiveProgressCallback progress;
};

struct ApplySummary {
  std::size_t steps = 0;  // 0: the table is as the model says
  bool complete = true;   // false: a step cannot be done, failed or was stopped
  bool stopped = false;
};

// All steps of one table, in order. A step that cannot be done is passed over, one that was stopped
// ends the work.
Result<ApplySummary> ApplyTable(Endpoint& endpoint, const model::Model& model,
                                const model::Table& table, const ApplyOptions& options,
                                const ApplyEvents& events);

}  // namespace stator::live

#endif  // STATOR_LIVE_APPLY_H_
