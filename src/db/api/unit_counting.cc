#include "api/unit_counting.h"

namespace stator {

UnitCounts::Kind KindOfStatement(const std::optional<std::string>& statement) {
  const std::string_view text = statement ? std::string_view(*statement) : std::string_view();
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  const bool reads = start != std::string_view::npos && (text[start] | 0x20) == 's';
  return reads ? UnitCounts::Kind::kRead : UnitCounts::Kind::kWrite;
}

void CountUnits(const OriginalCapacity& asked, ConsumedCapacity& consumed) {
  UnitCounts::Kind kind = asked.kind;
  // A transaction says itself: one that is repeated with its token is charged as reads.
  if (consumed.read_capacity_units) kind = UnitCounts::Kind::kRead;
  if (consumed.write_capacity_units) kind = UnitCounts::Kind::kWrite;
  asked.counts->Add(kind, consumed.table_name, {}, consumed.table_units.value_or(0));
  for (const auto* indexes :
       {&consumed.global_secondary_indexes, &consumed.local_secondary_indexes}) {
    for (const auto& [index, units] : *indexes) {
      asked.counts->Add(kind, consumed.table_name, index, units);
    }
  }
  if (asked.mode == ReturnConsumedCapacity::kIndexes) return;
  consumed.table_units.reset();
  consumed.global_secondary_indexes.clear();
  consumed.local_secondary_indexes.clear();
}

}  // namespace stator
