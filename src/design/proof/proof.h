// Whether the engine does what a model's estimates say.
//
// For every pattern, a database in memory is filled with items of the declared volume and size, the
// operation that the pattern resolves to is run on it, and what it returns and consumes is compared
// with the estimate. Volumes are rounded to whole items and reduced to what is quick to load.
#ifndef STATOR_PROOF_PROOF_H_
#define STATOR_PROOF_PROOF_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/estimate/estimate.h"

namespace stator::proof {

// At most this many items are loaded for one read, unless the caller asks for more.
inline constexpr double kUsualItems = 20000;

// What one run reads and consumes.
struct Measure {
  double items_read = 0;
  double items_returned = 0;
  double pages = 0;
  double read_units = 0;
  double write_units = 0;  // of tables
  std::vector<std::pair<std::string, double>> index_write_units;

  double IndexUnits(std::string_view index) const;
  void AddIndexUnits(std::string_view index, double units);
};

struct Proof {
  const model::Pattern* pattern = nullptr;
  std::string operation;
  bool ran = false;
  std::string note;  // why it was not run, or what was scaled
  Measure predicted;
  Measure measured;
  double read_slack = 0;   // RRU by which the two may differ: items of several sizes, many pages
  std::string difference;  // empty: they agree
  bool ok() const { return !ran || difference.empty(); }
};

// One for each pattern, in order.
std::vector<Proof> ProvePatterns(const model::Model& model, double max_items = kUsualItems);

}  // namespace stator::proof

#endif  // STATOR_PROOF_PROOF_H_
