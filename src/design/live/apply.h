// Carries out the steps of a plan on an endpoint.
#ifndef STATOR_LIVE_APPLY_H_
#define STATOR_LIVE_APPLY_H_

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
  TimeMs now;
  const std::atomic<bool>* stop = nullptr;
};

// What happened in one step, for people; empty: nothing worth saying.
struct StepOutcome {
  std::string text;
  bool failed = false;  // the step was carried out and what it shows is wrong
  bool stopped = false;
};

Result<StepOutcome> CarryOutStep(Endpoint& endpoint, const model::Model& model, const Step& step,
                                 const ApplyOptions& options, const ProgressCallback& progress);

}  // namespace stator::live

#endif  // STATOR_LIVE_APPLY_H_
