// Item counts across restarts.
//
// Counts (RowCounts) are kept in memory, and stored when the database is closed. Reading the stored
// row deletes it, so after a crash there is none, and the rows are counted again in the background.
// Counting starts from a view that is taken before the first write, and writers add to the same
// counts meanwhile, so the sum is exact.
#ifndef STATOR_ENGINE_CATALOG_STORED_COUNTS_H_
#define STATOR_ENGINE_CATALOG_STORED_COUNTS_H_

#include <deque>
#include <memory>
#include <string>

#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

// Fills the counts of all tables from the stored row. False if there is none, or it does not fit.
Result<bool> TakeStoredCounts(Store& store, const Catalog& catalog);
Result<void> StoreCounts(Store& store, const Catalog& catalog);

// Counts the rows that all tables and indexes have when it is constructed.
class RowCounter {
 public:
  RowCounter(const Store& store, const Catalog& catalog);
  // Counts a slice of rows; true while there are more.
  StorageResult<bool> Step();

 private:
  struct Space {
    KeyRange rows;
    std::shared_ptr<RowCounts> counts;
  };
  const Store& store_;
  std::unique_ptr<ReadView> view_;
  std::deque<Space> spaces_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_CATALOG_STORED_COUNTS_H_
