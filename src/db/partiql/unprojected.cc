#include "partiql/unprojected.h"

#include <algorithm>
#include <set>
#include <utility>

#include "partiql/key_names.h"

namespace stator::partiql {
namespace {

std::vector<std::string> MissingNames(const KeyedRead& read,
                                      const std::function<bool(std::string_view)>& is_projected) {
  std::vector<std::string> missing;
  if (!read.filter) return missing;
  std::set<std::string> seen;
  for (const Path& path : read.filter->Paths()) {
    const std::string& name = path.front().name;
    if (!is_projected(name) && seen.insert(name).second) missing.push_back(name);
  }
  return missing;
}

}  // namespace

std::vector<std::string> UnprojectedFilterNames(
    const ReadPlan& plan, const std::function<bool(std::string_view)>& is_projected) {
  if (plan.has_empty_read) return {};
  std::vector<std::string> greatest_missing;
  std::string greatest;
  for (const KeyedRead& read : plan.reads) {
    std::vector<std::string> missing = MissingNames(read, is_projected);
    if (missing.empty()) return {};
    std::string partition = OrderedBytes(read.partition.value.view());
    if (!greatest_missing.empty() && partition <= greatest) continue;
    greatest = std::move(partition);
    greatest_missing = std::move(missing);
  }
  std::ranges::sort(greatest_missing);
  return greatest_missing;
}

}  // namespace stator::partiql
