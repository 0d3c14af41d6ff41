// Finds the items that are there when a table gets time to live, step by step.
//
// It needs no locks for the reason that an index build needs none (engine/index_build.h): once the
// table has time to live every writer keeps the expiry rows.
#ifndef STATOR_ENGINE_EXPIRY_EXPIRY_BUILD_H_
#define STATOR_ENGINE_EXPIRY_EXPIRY_BUILD_H_

#include <string>

#include "engine/catalog/catalog.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

class ExpiryBuild {
 public:
  // The table has time to live with status ENABLING.
  ExpiryBuild(Store& store, Catalog& catalog, TableNumber table)
      : store_(store), catalog_(catalog), table_(table) {}

  // Does a slice of the work. False when time to live is ENABLED, or no longer wanted.
  Result<bool> Step();

 private:
  Result<bool> Finish();
  Result<void> SaveCursor();

  Store& store_;
  Catalog& catalog_;
  const TableNumber table_;
  bool has_begun_ = false;
  std::string cursor_;  // where the next slice begins
  int slices_since_saved_ = 0;
};

}  // namespace stator

#endif  // STATOR_ENGINE_EXPIRY_EXPIRY_BUILD_H_
