// The engine: tables of items with secondary indexes on an ordered store.
//
// It knows nothing of JSON, requests or messages' wording: the api layer checks a request, and
// hands over plans whose keys fit the schema. Writes go through WriteItem, WriteItems and Transact
// (write_path.h tells what they write), reads through ReadItem and ReadPage, tables through catalog().
#ifndef STATOR_ENGINE_ENGINE_H_
#define STATOR_ENGINE_ENGINE_H_

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/activity.h"
#include "engine/background.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "engine/expiry/expiry_sweep.h"
#include "engine/history/recovery.h"
#include "engine/jobs/transfers.h"
#include "engine/read/page.h"
#include "engine/streams/stream_catalog.h"
#include "engine/streams/stream_keeper.h"
#include "engine/unit_counts.h"
#include "engine/write/item_claims.h"
#include "engine/write/item_write.h"
#include "engine/write/transaction.h"
#include "engine/write/write_gate.h"
#include "stator/result.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

struct EngineOptions {
  std::string region;
  std::string account;
  const Clock* clock = nullptr;
  ShardLimits shard_limits;
  // Items of a transaction are refused to others until it is answered; otherwise they wait.
  bool strict_conflicts = false;
  // Where the buckets of exports and imports are; empty: there are none.
  std::string s3_root = {};
  // Count the units that every request consumes, whether it asks for them or not.
  bool count_units = false;
};

// Thread-safe.
class Engine {
 public:
  static Result<std::unique_ptr<Engine>> Open(std::unique_ptr<Store> store, EngineOptions options);
  ~Engine();

  const std::string& region() const { return options_.region; }
  const std::string& account() const { return options_.account; }
  const Clock& clock() const { return *options_.clock; }
  Catalog& catalog() { return *catalog_; }
  StreamCatalog& streams() { return *streams_; }
  const Store& store() const { return *store_; }
  const KeyHasher& hasher() const { return hasher_; }
  Background& background() { return background_; }
  Recovery& recovery() { return *recovery_; }
  Transfers& transfers() { return *transfers_; }

  // A table that the data plane may use: it exists and is neither being created nor deleted. Counts
  // as a request of a client, for which background work makes room.
  Result<TablePtr> FindTable(std::string_view name) const;

  // Decides and commits a write. May run `done` on another thread.
  void WriteItem(ItemWrite&& write, OneWriteCallback done);
  // Decides and commits all writes as one; `done` gets one outcome a write, or the first error, in
  // which case nothing was written. May run `done` on another thread.
  void WriteItems(std::vector<ItemWrite> writes, WriteCallback done);

  // The same for a transaction: errors of its actions become the reasons of one
  // TransactionCanceled, and a token makes it happen once.
  void Transact(Transaction transaction, TransactionCallback done);
  // With strict conflicts: a transaction that is not yet answered has the item. REQUIRES: the key
  // fits the table's schema.
  bool IsInTransaction(const Table& table, ItemView key) const;

  // The item with this key. REQUIRES: the key fits the table's schema.
  Result<std::optional<Item>> ReadItem(const Table& table, ItemView key) const;
  // The items with these keys, of any tables, in one consistent view; absent ones are nullopt.
  struct ItemAddress {
    const Table* table;
    ItemView key;
  };
  Result<std::vector<std::optional<Item>>> ReadItems(
      const std::vector<ItemAddress>& addresses) const;

  Result<ItemPage> ReadPage(const PagePlan& plan) const;

  // Null unless units are counted.
  UnitCounts* unit_counts() const { return unit_counts_.get(); }

  // PartiQL statements that read a whole table or index, for want of a key.
  void CountStatementScan() { statement_scans_.fetch_add(1, std::memory_order_relaxed); }
  std::uint64_t statement_scans() const { return statement_scans_.load(std::memory_order_relaxed); }

  // Builds an index in the background: marks it backfilling, then indexes the items that are there,
  // then makes it ACTIVE. The index must be in the catalog with status CREATING. Resumes after a
  // restart.
  void StartBackfill(TableNumber table, IndexNumber index);
  // Removes an index whose status is DELETING: clears its rows, then takes it out of the catalog.
  void StartIndexRemoval(TableNumber table, IndexNumber index);
  // Gives a table without time to live one, or takes it away. On the background thread only.
  Result<void> EnableTimeToLive(TableNumber table, const std::string& attribute);
  Result<void> DisableTimeToLive(TableNumber table);
  const ExpirySweep& expiry_sweep() const { return *expiry_sweep_; }
  // Clears the rows of a dropped table.
  void StartClearing(TableNumber table);
  // Shows a stream that has begun or ended with a change of its table, and closes the shards that
  // nobody writes to any more. REQUIRES: called on the background thread, the change is stored.
  Result<void> FollowStream(Stream stream);

 private:
  Engine(std::unique_ptr<Store> store, EngineOptions options, KeyHasher hasher);
  // Returns when every mutation queued before it is decided: from then on all writers know the
  // newest catalog.
  Result<void> Barrier();
  void ResumeBackgroundWork();
  void StartExpiryBuild(TableNumber table);
  // Takes the counts of the last clean close, or starts to count.
  Result<void> ResumeCounts();

  // Destroyed from the last to the first: no more background work, then the store finishes what is
  // queued while the catalog is still there to decide it.
  EngineOptions options_;
  KeyHasher hasher_;
  mutable Activity clients_;
  std::unique_ptr<Catalog> catalog_;
  WriteGate gate_;
  std::unique_ptr<ItemClaims> claims_;  // null unless conflicts are strict
  std::unique_ptr<UnitCounts> unit_counts_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<ExpirySweep> expiry_sweep_;
  std::unique_ptr<StreamCatalog> streams_;
  std::atomic<std::uint64_t> statement_scans_ = 0;
  std::atomic<bool> counts_known_ = false;  // false while rows are being counted after a crash
  std::unique_ptr<Recovery> recovery_;
  std::unique_ptr<Transfers> transfers_;
  Background background_;
  TurnSubscription turns_;  // wakes the duties when the clock is turned
};

// The client's view of a store failure: the one place where a StorageError becomes an Error.
Error FromStorage(const StorageError& error);

}  // namespace stator

#endif  // STATOR_ENGINE_ENGINE_H_
