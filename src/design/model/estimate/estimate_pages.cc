#include "model/estimate/estimate_pages.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "capacity/units.h"

namespace stator::model {
namespace {

constexpr double kPageBytes = 1 << 20;
constexpr double kMaxBytes = 1e15;  // stays exact in a double and inside std::size_t

std::size_t WholeBytes(double bytes) {
  return static_cast<std::size_t>(std::clamp(std::ceil(bytes - 1e-6), 0.0, kMaxBytes));
}

double PageUnits(double bytes, bool strong) {
  return ReadUnits(ReadBlocks(WholeBytes(bytes)), strong);
}

}  // namespace

double ItemReadUnits(double bytes, bool strong) { return PageUnits(bytes, strong); }
double ItemWriteUnits(double bytes) { return WriteUnits1KB(WholeBytes(bytes)); }

PageTotals ReadPages(const PageRun& run) {
  const double fit = run.entry_bytes > 0 ? std::ceil(kPageBytes / run.entry_bytes) : run.available;
  const double full = std::max(1.0, std::min(fit, run.limit));
  // A request reads its page to the end, whether or not what is wanted is among the first.
  double items = std::min(run.available, std::ceil(run.wanted / full) * full);
  if (run.one_request) items = std::min(items, full);
  PageTotals totals{.items = items, .bytes = items * run.entry_bytes};
  const double whole = std::floor(items / full);
  const double rest = items - whole * full;
  totals.units = whole * PageUnits(full * run.entry_bytes, run.strong);
  totals.pages = whole;
  const bool ends_full = whole > 0 && rest <= 0;
  const bool asks_again = !run.one_request && items < run.wanted;
  if (!ends_full || asks_again) {
    totals.units += PageUnits(rest * run.entry_bytes, run.strong);
    ++totals.pages;
  }
  return totals;
}

}  // namespace stator::model
