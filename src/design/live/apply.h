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

// Called while a table is made what its model says.
struct ApplyObserver {
  std::function<void(const Step& step)> begin;          // before each step
  std::function<void(const StepOutcome& outcome)> end;  // after each step that was carried out
  LiveProgressCallback progress;                        // may be empty
};

struct TableOutcome {
  std::size_t steps = 0;
  bool complete = true;  // false: a step cannot be done, was stopped, or what it shows is wrong
};

// Plans the steps that make the table what the model says, and carries them out.
Result<TableOutcome> ApplyTable(Endpoint& endpoint, const model::Model& model,
                                const model::Table& table, const ApplyOptions& options,
                                const ApplyObserver& observer);

}  // namespace stator::live

#endif  // STATOR_LIVE_APPLY_H_
