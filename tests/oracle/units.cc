#include "tests/oracle/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace stator::oracle {
namespace {

double Blocks(std::size_t bytes, std::size_t block_bytes) {
  return static_cast<double>(std::max<std::size_t>(1, (bytes + block_bytes - 1) / block_bytes));
}

double WriteBlocks(const Attributes& item) { return Blocks(SizeBytes(item), 1024); }

bool SameKeys(const IndexSchema& index, const Attributes& a, const Attributes& b) {
  return Schema::SamePartition(&index, a, b) && Schema::CompareEntries(&index, a, b) == 0;
}

// Zero when the index is not touched.
double IndexWriteUnits(const IndexSchema& index, const Attributes* before,
                       const Attributes* after) {
  const auto entry = [&](const Attributes* item) {
    return item ? Schema::EntryOf(&index, *item) : std::nullopt;
  };
  const std::optional<Attributes> old_entry = entry(before);
  const std::optional<Attributes> new_entry = entry(after);
  const double old_blocks = old_entry ? WriteBlocks(*old_entry) : 0;
  const double new_blocks = new_entry ? WriteBlocks(*new_entry) : 0;
  if (!old_entry || !new_entry) return old_blocks + new_blocks;
  if (*old_entry == *new_entry) return 0;
  if (SameKeys(index, *old_entry, *new_entry)) return std::max(old_blocks, new_blocks);
  return old_blocks + new_blocks;
}

std::map<std::string, double> AsMap(const IndexUnits& units) {
  return {units.begin(), units.end()};
}

std::string Show(const std::map<std::string, double>& arms) {
  std::string text;
  for (const auto& [name, units] : arms) text += fmt::format(" {}={}", name, units);
  return text;
}

std::string ArmDifference(const char* what, const std::map<std::string, double>& expected,
                          std::map<std::string, double> actual) {
  if (expected == actual) return {};
  return fmt::format("{} units:{} expected,{} answered", what, Show(expected), Show(actual));
}

}  // namespace

double Units::Total() const {
  double total = table;
  for (const auto& [name, units] : global) total += units;
  for (const auto& [name, units] : local) total += units;
  return total;
}

Units& Units::operator+=(const Units& other) {
  table += other.table;
  for (const auto& [name, units] : other.global) global[name] += units;
  for (const auto& [name, units] : other.local) local[name] += units;
  return *this;
}

Units WriteUnits(const Schema& schema, const Attributes* before, const Attributes* after) {
  Units units{.table = 1};
  for (const Attributes* item : {before, after}) {
    if (item) units.table = std::max(units.table, WriteBlocks(*item));
  }
  for (const IndexSchema& index : schema.indexes()) {
    const double arm = IndexWriteUnits(index, before, after);
    if (arm > 0) (index.global ? units.global : units.local)[index.name] = arm;
  }
  return units;
}

double ReadUnits(std::size_t bytes, bool consistent) {
  return Blocks(bytes, 4096) * (consistent ? 1.0 : 0.5);
}

Units PageUnits(const IndexSchema* index, std::size_t bytes, bool consistent) {
  Units units;
  const double read = ReadUnits(bytes, consistent);
  if (!index) {
    units.table = read;
  } else {
    (index->global ? units.global : units.local)[index->name] = read;
  }
  return units;
}

std::string Difference(const Units& expected, ReturnConsumedCapacity asked,
                       const std::optional<ConsumedCapacity>& answer, const std::string& unjudged) {
  if (asked == ReturnConsumedCapacity::kNone) return answer ? "ConsumedCapacity not asked for" : "";
  if (!answer) return "no ConsumedCapacity";
  if (answer->table_name != kTableName) return "ConsumedCapacity of " + answer->table_name;
  if (asked == ReturnConsumedCapacity::kTotal) {
    if (answer->table_units || !answer->global_secondary_indexes.empty() ||
        !answer->local_secondary_indexes.empty()) {
      return "TOTAL has arms";
    }
    if (!unjudged.empty() || answer->capacity_units == expected.Total()) return {};
    return fmt::format("CapacityUnits: {} expected, {} answered", expected.Total(),
                       answer->capacity_units);
  }
  if (answer->table_units != expected.table) {
    return fmt::format("table units: {} expected, {} answered", expected.table,
                       answer->table_units.value_or(-1));
  }
  std::map<std::string, double> global = AsMap(answer->global_secondary_indexes);
  double total = expected.Total();
  if (const auto extra = global.find(unjudged); extra != global.end()) {
    total += extra->second;
    global.erase(extra);
  }
  std::string difference = ArmDifference("global index", expected.global, global);
  if (difference.empty()) {
    difference =
        ArmDifference("local index", expected.local, AsMap(answer->local_secondary_indexes));
  }
  if (difference.empty() && answer->capacity_units != total) {
    difference =
        fmt::format("CapacityUnits: {} expected, {} answered", total, answer->capacity_units);
  }
  return difference;
}

}  // namespace stator::oracle
