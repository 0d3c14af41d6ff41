// The write path: every write of every kind comes through here.
//
// PutItem, UpdateItem, DeleteItem, batches, transactions, imports and expiry all end in one question:
// an item was `before` and is to be `after`; which bytes must be written? WriteChange is the only
// place that knows. All that it writes is committed together, so the item, its index entries, its
// stream record, its expiry and its history always agree.
#ifndef STATOR_ENGINE_WRITE_WRITE_PATH_H_
#define STATOR_ENGINE_WRITE_WRITE_PATH_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "engine/sharing/sums.h"
#include "engine/write/item_write.h"
#include "stator/item.h"
#include "stator/result.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

struct ItemChange {
  const Table& table;
  std::string_view row_key;        // of the item
  std::optional<ItemView> before;  // absent: the item is new
  std::optional<ItemView> after;   // absent: the item is deleted
  TimeMs now{};
  ChangeOrigin origin = ChangeOrigin::kClient;
};

// Puts into `batch` all that the change writes: the item, each index entry that really changes, and
// what the table's stream, expiry and history keep of the change. Appends to `counts`; fills `units`
// unless it is null.
void WriteChange(const KeyHasher& hasher, const ItemChange& change, WriteBatch& batch,
                 std::vector<CountChange>& counts, WriteUnits* units);

// The item that a write leaves: made by an update, or given by the request or the store.
struct DecidedItem {
  std::optional<Item> made;
  std::optional<ItemView> given;
  // Absent: there is no item. Valid as long as this object and what was given.
  std::optional<ItemView> view() const { return made ? made->view() : given; }
};

// The item after the write, given the item before it. Checks the condition, runs the update, and
// refuses what only the result shows: index keys of the wrong type, an item that is too large.
Result<DecidedItem> DecideItem(const Table& table, const ItemWrite& write,
                               std::optional<ItemView> before);

// Lets writes pass, and can hold them back for a moment in which none is in flight: only then do a
// view of the store and what writers have counted agree. Thread-safe.
class WriteGate {
 public:
  // Hands the mutation to the store, at once or when the gate opens again. The mutation must call
  // Leave when it is done.
  void Enter(Store& store, std::unique_ptr<Mutation> mutation);
  void Leave();

  // Runs `look` while no mutation is between Enter and Leave. `look` must be quick and must not
  // write. REQUIRES: one caller at a time, which is not a mutation.
  void WhileNothingIsInFlight(Store& store, const std::function<void()>& look);

 private:
  std::atomic<std::int64_t> in_flight_ = 0;
  std::atomic<bool> closed_ = false;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Mutation>> held_;  // guarded by mutex_
};

class UnitCounts;

// What every write of items needs. Must outlive every mutation.
struct WriteContext {
  const Catalog& catalog;
  const KeyHasher& hasher;
  WriteGate& gate;
  const Clock& clock;
  UnitCounts* unit_counts = nullptr;  // null: units are not counted
  const Sharing* sharing = nullptr;   // null: the store belongs to this process alone
};

// The item changes of one mutation that has entered the gate.
class GatedChanges {
 public:
  explicit GatedChanges(const WriteContext& context) : context_(context) {}

  const WriteContext& context() const { return context_; }

  // Decide begins, perhaps for another time.
  void Restart() { counts_.clear(); }
  void Write(const ItemChange& change, WriteBatch& batch, WriteUnits* units = nullptr) {
    const std::size_t known = counts_.size();
    WriteChange(context_.hasher, change, batch, counts_, units);
    if (context_.sharing != nullptr) AddToSums(std::span(counts_).subspan(known), batch);
  }
  // The store is done with the mutation: changes the counts if it was committed, and leaves the gate.
  void Finish(bool is_committed) {
    if (is_committed) ApplyCounts(counts_);
    context_.gate.Leave();
  }

 private:
  const WriteContext context_;
  std::vector<CountChange> counts_;
};

// Replaces `table` by its newest snapshot: it may have gained or lost an index, or be gone, since the
// request was checked. The caller holds on to the table, which keeps its counts alive.
// ResourceNotFound if the table is gone or being deleted.
inline Result<void> BringUpToDate(const Catalog& catalog, TablePtr& table) {
  if (table->newest_version->load(std::memory_order_acquire) != table->version) {
    TablePtr newest = catalog.Newest(table);
    if (!newest) return std::unexpected(Error::ResourceNotFound());
    table = std::move(newest);
  }
  if (table->status == TableStatus::kDeleting) return std::unexpected(Error::ResourceNotFound());
  return {};
}

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_WRITE_PATH_H_
