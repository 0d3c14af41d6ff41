// The pages of one Query or Scan, and what they cost.
#ifndef STATOR_MODEL_ESTIMATE_ESTIMATE_PAGES_H_
#define STATOR_MODEL_ESTIMATE_ESTIMATE_PAGES_H_

#include <limits>

namespace stator::model {

struct PageRun {
  double available = 0;                                     // entries in the range
  double entry_bytes = 0;                                   // of each
  double wanted = std::numeric_limits<double>::infinity();  // turns no page after so many entries
  double limit = std::numeric_limits<double>::infinity();   // entries a request
  bool one_request = false;                                 // does not turn pages
  bool strong = false;
};

struct PageTotals {
  double items = 0;
  double bytes = 0;
  double pages = 0;
  double units = 0;
};

// Every page adds up its bytes and rounds up to 4 KB by itself. A page that is full is followed by
// another, even if that one is empty: only it tells that there is no more.
PageTotals ReadPages(const PageRun& run);

// Units of one item that is read by its key.
double ItemReadUnits(double bytes, bool strong);
// Units of a write of so many bytes.
double ItemWriteUnits(double bytes);

}  // namespace stator::model

#endif  // STATOR_MODEL_ESTIMATE_ESTIMATE_PAGES_H_
