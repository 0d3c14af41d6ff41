// Counts on a store that several processes share.
//
// Each process counts in memory what it has written itself, and adds the same to sums that the store
// keeps (WriteBatch::Add), in the same commit. What all the others have added is read now and then. A
// sum has a name:
//
//   0x01 table:u32 index:u16       items of a table (index = 0), or entries of an index
//   0x02 stream:u32 shard:u64      records of a shard
//
// Integers are big-endian. When what a sum counts is gone, its negation is added: what stays is a row of
// zeros, because names are never used again.
#ifndef STATOR_ENGINE_SHARING_SUMS_H_
#define STATOR_ENGINE_SHARING_SUMS_H_

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/catalog/table.h"
#include "engine/catalog/table_features.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

class Catalog;

std::string SumName(const CountedRows& rows);
// Nullopt if it is not a name.
std::optional<CountedRows> ReadSumName(std::string_view name);
// What the names of all sums of a table begin with.
std::string TableSums(TableNumber table);

// Adds the changes to the store's sums.
void AddToSums(std::span<const CountChange> changes, WriteBatch& batch);

// Adds the negation of every sum whose name begins with `prefix`. REQUIRES: nothing is added to them
// any more. Does nothing on a store of one process.
Result<void> ForgetSums(Store& store, const std::string& prefix);

// Makes a sum what was counted in the view: adds the difference, to `counts` too.
struct Counted {
  std::int64_t items = 0;
  std::int64_t bytes = 0;
};
Result<void> CorrectSum(Store& store, const ReadView& view, const CountedRows& rows,
                        const Counted& counted, RowCounts& counts);

// Keeps the parts of RowCounts that others have added up to date. Thread-safe.
class SumReader {
 public:
  SumReader(const Sharing& sharing, const Catalog& catalog)
      : sharing_(sharing), catalog_(catalog) {}

  // Reads the sums if that was last done longer ago than `age_max`. Waits for the network.
  Result<void> Refresh(std::chrono::milliseconds age_max);
  bool IsOlderThan(std::chrono::milliseconds age) const;

 private:
  void ShowIndex(const CountedRows& rows, const Sharing::Sum& sum) const;

  const Sharing& sharing_;
  const Catalog& catalog_;
  mutable std::mutex mutex_;
  std::chrono::steady_clock::time_point refreshed_;  // guarded by mutex_
  bool was_refreshed_ = false;                       // guarded by mutex_
};

}  // namespace stator

#endif  // STATOR_ENGINE_SHARING_SUMS_H_
