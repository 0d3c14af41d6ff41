// Whether the engine does what a model's estimates say.
//
// For every pattern, a database in memory is filled with items of the declared volume and size, the
// operation that the pattern resolves to is run on it, and what it returns and consumes is compared
// with the estimate. Volumes are rounded to whole items and reduced to what is quick to load.
#ifndef STATOR_PROOF_PROOF_H_
#define STATOR_PROOF_PROOF_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/estimate/estimate.h"

namespace stator::proof {

// At most this many items are loaded for one read, unless the caller asks for more.
inline constexpr double kUsualItems = 20000;

struct Units {
  double reads = 0;
  double writes = 0;
};

// A table of the model by its id, and one of its indexes; empty: the table itself.
using UnitsByPlace = std::map<std::pair<std::string, std::string>, Units>;

// What one run reads and consumes.
struct Measure {
  double items_read = 0;
  double items_returned = 0;
  double pages = 0;
  double read_units = 0;
  double write_units = 0;  // of tables
  std::vector<std::pair<std::string, double>> index_write_units;
  UnitsByPlace metered;  // what the engine has counted, without loading the items

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
  double scale = 1;        // the part of the declared items that were loaded
  bool resized = false;    // items have other sizes than usual: one word of an enum, whole bytes
  double read_slack = 0;   // RRU by which the two may differ: items of several sizes, many pages
  std::string difference;  // empty: they agree
  bool ok() const { return !ran || difference.empty(); }
};

// One pattern of the model.
Proof ProvePattern(const model::Model& model, const model::Pattern& pattern, double max_items);

// One for each pattern, in order.
std::vector<Proof> ProvePatterns(const model::Model& model, double max_items = kUsualItems);

}  // namespace stator::proof

#endif  // STATOR_PROOF_PROOF_H_
