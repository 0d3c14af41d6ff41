#include "engine/sharing/scope.h"

#include "engine/store_access.h"

namespace stator {

constinit thread_local OperationScope* OperationScope::current_ = nullptr;
constinit thread_local bool KeeperScope::is_active_ = false;

Error CatalogIsContended() {
  return Error::InternalServerError(
      "Other servers change tables at the same time, and came first too often. Try again later.");
}

Result<void> CatchUp(Sharing& sharing) { return FromStorage(sharing.CatchUp()); }

}  // namespace stator
