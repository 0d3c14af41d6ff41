// Units that patterns consume over time: an estimate times its rate.
#ifndef STATOR_MODEL_COST_USAGE_H_
#define STATOR_MODEL_COST_USAGE_H_

#include "model/estimate/estimate.h"

namespace stator::model {

// Errors that people make in such figures. Computing with one of them shows whether it explains a
// figure that is not true.
struct Mistakes {
  bool no_indexes = false;     // writes to indexes are forgotten
  bool moves_once = false;     // a changed index key counts as one write
  bool all_strong = false;     // eventual reads count as strong ones
  bool all_eventual = false;   // strong reads count as eventual ones
  bool day_as_second = false;  // what a day takes is compared with what a second offers
  bool free_tier = false;      // the free tier covers requests on demand
  bool no_failures = false;    // failed conditions cost nothing
};

// Runs in a second. A cache lets one read through in its time.
double RunsPerSecond(const Pattern& pattern);

// Units of one run.
double ReadUnitsOf(const Estimate& estimate, double Amount::* pick, const Mistakes& mistakes = {});
// … of the table and its indexes together.
double WriteUnitsOf(const Estimate& estimate, double Amount::* pick, const Mistakes& mistakes = {});
double IndexWriteUnitsOf(const Estimate& estimate, const Index& index, double Amount::* pick);

}  // namespace stator::model

#endif  // STATOR_MODEL_COST_USAGE_H_
