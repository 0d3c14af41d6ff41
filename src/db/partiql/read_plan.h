// How a SELECT reads a table or an index: by keys, or all of it.
#ifndef STATOR_PARTIQL_READ_PLAN_H_
#define STATOR_PARTIQL_READ_PLAN_H_

#include <optional>
#include <vector>

#include "expr/condition.h"
#include "expr/key_condition.h"
#include "partiql/key_names.h"
#include "partiql/statement.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator::partiql {

// A SELECT is at most this many reads.
inline constexpr std::size_t kMaxReads = 50;

// Rows of one partition. No two reads of a plan have a row in common.
struct KeyedRead {
  KeyClause partition;  // an equality
  std::optional<KeyClause> sort;
  std::optional<Condition> filter;  // what the keys do not say
};

struct ReadPlan {
  enum class Access : std::uint8_t { kScan, kKeys };

  Access access = Access::kScan;
  // Of a scan: the whole WHERE clause.
  std::optional<Condition> filter;
  // Of access by keys, in the order in which rows are returned. Empty: nothing can match.
  std::vector<KeyedRead> reads;
  // The direction of every read.
  bool forward = true;
  // Set when the statement reads one item of a table by its whole key, without another condition.
  std::optional<Item> item_key;
  // Some alternative asks for two partitions at once and was left out.
  bool has_empty_read = false;
};

// `keys` are those of the index that the statement names, or of the table. Errors: "Key attribute's
// data type …", "Too many decomposed read operations …", "Overlapping conditions with range keys
// …", and those of ORDER BY.
Result<ReadPlan> PlanRead(const SelectStatement& select, const KeyNames& keys);

// The first of these errors alone: transactions report it in another way.
Result<void> CheckReadKeyTypes(const SelectStatement& select, const KeyNames& keys);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_READ_PLAN_H_
