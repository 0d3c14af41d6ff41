#include "engine/unit_counts.h"

namespace stator {

void UnitCounts::Add(Kind kind, std::string_view table, std::string_view index, double units) {
  // A request may name a table by its ARN.
  if (const std::size_t slash = table.rfind('/'); slash != std::string_view::npos) {
    table.remove_prefix(slash + 1);
  }
  const std::lock_guard lock(mutex_);
  Sum& sum = sums_[{std::string(table), std::string(index)}];
  (kind == Kind::kRead ? sum.reads : sum.writes) += units;
}

std::vector<UnitCount> UnitCounts::All() const {
  const std::lock_guard lock(mutex_);
  std::vector<UnitCount> all;
  all.reserve(sums_.size());
  for (const auto& [place, sum] : sums_) {
    all.push_back(
        {.table = place.first, .index = place.second, .reads = sum.reads, .writes = sum.writes});
  }
  return all;
}

}  // namespace stator
