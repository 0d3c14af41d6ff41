// IndexBuild: builds a new index while writers go on, slice by slice (engine/background.h).
//
// Why it needs no locks: once the index is in the catalog every writer maintains it, and a barrier
// makes sure that no writer is left that does not know it. From then on the order does not matter:
// the build indexes each item as it is at the moment of writing, and a writer that changes the item
// later changes its entry as well.
#ifndef STATOR_ENGINE_WRITE_INDEX_BUILD_H_
#define STATOR_ENGINE_WRITE_INDEX_BUILD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "engine/write/write_path.h"
#include "stator/result.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

// REQUIRES: the index is in the catalog with status CREATING.
class IndexBuild {
 public:
  IndexBuild(Store& store, Catalog& catalog, const KeyHasher& hasher, WriteGate& gate,
             TableNumber table, IndexNumber index);

  // Does a slice of the work. False when the build is finished, or no longer wanted because the index
  // or its table is being removed.
  Result<bool> Step();

 private:
  enum class Phase : std::uint8_t { kAnnounce, kIndexItems, kCountEntries };
  Result<bool> DoPhase(const TablePtr& table, const Index& index);
  Result<bool> Announce(const Index& index);
  Result<bool> IndexItems(const TablePtr& table, const Index& index);
  Result<bool> BeginCounting(const Index& index);
  Result<bool> CountEntries(const Index& index);
  Result<void> ChangeIndex(const std::function<void(Index&)>& change);

  Store& store_;
  Catalog& catalog_;
  const KeyHasher& hasher_;
  WriteGate& gate_;
  const TableNumber table_;
  const IndexNumber index_;
  Phase phase_ = Phase::kAnnounce;
  std::string cursor_;  // where the next slice begins
  int slices_since_saved_ = 0;

  // Writers count entries as if the index were complete. When it is, the build corrects the counts: it
  // counts the entries in this view, and adds what writers have changed since. The gate makes the
  // view and the counts belong to the same moment. On a shared store the view has the sums of all
  // processes too, and they are corrected instead.
  std::unique_ptr<ReadView> view_;
  std::int64_t items_before_ = 0;
  std::int64_t bytes_before_ = 0;
  std::int64_t items_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_INDEX_BUILD_H_
