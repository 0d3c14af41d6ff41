// The engine: tables of items with secondary indexes on an ordered store.
//
// It knows nothing about JSON, requests or the wording of messages: the api layer checks a request and
// passes plans whose keys fit the schema. Writes go through WriteItem, WriteItems and Transact
// (write/write_path.h says what they write), reads through ReadItem and ReadPage, tables through
// catalog().
#ifndef STATOR_ENGINE_ENGINE_H_
#define STATOR_ENGINE_ENGINE_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/background.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "engine/expiry/expiry_sweep.h"
#include "engine/history/recovery.h"
#include "engine/jobs/transfers.h"
#include "engine/read/read_path.h"
#include "engine/sharing/keeper_work.h"
#include "engine/sharing/learner.h"
#include "engine/sharing/shared_clock.h"
#include "engine/sharing/sums.h"
#include "engine/streams/stream_catalog.h"
#include "engine/streams/stream_lifecycle.h"
#include "engine/write/item_write.h"
#include "engine/write/transaction.h"
#include "engine/write/write_path.h"
#include "stator/result.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

// Capacity units that requests have consumed on a table or index.
struct UnitCount {
  std::string table;
  std::string index;  // empty: the table itself
  double reads = 0;
  double writes = 0;
};

// The units consumed by all requests since the database was opened. Thread-safe.
class UnitCounts {
 public:
  enum class Kind : unsigned char { kRead, kWrite };
  void Add(Kind kind, std::string_view table, std::string_view index, double units);
  std::vector<UnitCount> All() const;

 private:
  struct Sum {
    double reads = 0;
    double writes = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Sum> sums_;
};

struct EngineOptions {
  std::string region;
  std::string account;
  const Clock* clock = nullptr;
  // The same clock, if it is to be turned together with those of the processes that share the store
  // (sharing/shared_clock.h). It should run by their time, Sharing::Now.
  TurnableClock* shared_clock = nullptr;
  ShardLimits shard_limits;
  // Until a transaction is answered, other requests for its items are refused; otherwise they wait.
  bool strict_conflicts = false;
  // The directory of the buckets of exports and imports; empty: there are none.
  std::string s3_root = {};
  // Count the units of every request, whether it asks for them or not.
  bool count_units = false;
  // Where the backups that users make are kept; null: in the store. A shared store has no archive.
  std::shared_ptr<BackupArchive> archive = {};
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
  // Null if the store belongs to this process alone.
  Sharing* sharing() const { return sharing_; }
  const KeyHasher& hasher() const { return hasher_; }
  Background& background() { return background_; }
  // Makes backups: a thread of its own if that means to copy the store.
  Background& copying() { return copying_ ? *copying_ : background_; }
  Recovery& recovery() { return *recovery_; }
  Transfers& transfers() { return *transfers_; }

  // A table that the data plane may use: it exists and is neither being created nor deleted. Counts
  // as a client's request, for which background work makes room.
  Result<TablePtr> FindTable(std::string_view name) const;

  // What `find` finds in what is known of the catalog: a pointer to a table, a stream, a backup or a
  // job, perhaps null. On a shared store it looks again, after learning what others have changed, if it
  // finds nothing or may be out of date; an error if that fails, or cannot be done on this thread.
  template <class Find>
  auto LookUp(const Find& find) const -> Result<decltype(find())> {
    auto found = find();
    if (sharing_ == nullptr || (found && sharing_->IsCurrent())) [[likely]] {
      return found;
    }
    if (Result<void> learnt = Learn(); !learnt) return std::unexpected(std::move(learnt).error());
    return find();
  }
  // For a look at all of them.
  Result<void> BringCatalogUpToDate() const;
  // Makes the counts of tables include what other processes have written until a moment ago.
  Result<void> BringCountsUpToDate() const;

  // Decides and commits a write. May run `done` on another thread.
  void WriteItem(ItemWrite&& write, OneWriteCallback done);
  // Decides and commits all writes together; `done` gets one outcome per write, or the first error, in
  // which case nothing was written. May run `done` on another thread.
  void WriteItems(std::vector<ItemWrite> writes, WriteCallback done);

  // The same for a transaction: the errors of its actions become the reasons of one
  // TransactionCanceled, and a token makes sure that it happens once.
  void Transact(Transaction transaction, TransactionCallback done);
  // With strict conflicts: whether the item is part of a transaction that is not yet answered.
  // REQUIRES: the key fits the table's schema.
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

  // Null if units are not counted.
  UnitCounts* unit_counts() const { return unit_counts_.get(); }

  // PartiQL statements that read a whole table or index because they have no key.
  void CountStatementScan() { statement_scans_.fetch_add(1, std::memory_order_relaxed); }
  std::uint64_t statement_scans() const { return statement_scans_.load(std::memory_order_relaxed); }

  // Builds an index in the background: marks it backfilling, indexes the existing items, and makes it
  // ACTIVE. Resumes after a restart. REQUIRES: the index is in the catalog with status CREATING.
  void StartBackfill(TableNumber table, IndexNumber index);
  // Removes an index whose status is DELETING: clears its rows, then takes it out of the catalog.
  void StartIndexRemoval(TableNumber table, IndexNumber index);
  // Enables time to live for a table without it, or disables it. On the background thread only.
  Result<void> EnableTimeToLive(TableNumber table, const std::string& attribute);
  Result<void> DisableTimeToLive(TableNumber table);
  const ExpirySweep& expiry_sweep() const { return *expiry_sweep_; }
  // Clears the rows of a dropped table.
  void StartClearing(TableNumber table);
  // Publishes a stream that has begun or ended with a change of its table, and closes the shards that
  // are not written any more. REQUIRES: called on the background thread; the change is stored.
  Result<void> FollowStream(Stream stream);

 private:
  Engine(std::unique_ptr<Store> store, EngineOptions options, KeyHasher hasher);
  WriteContext MakeWriteContext() {
    return {*catalog_, hasher_, gate_, clock(), unit_counts_.get(), sharing_};
  }
  // Reads everything that is kept in memory.
  Result<void> Load();
  // On a shared store, from now on: learns what others change, and is turned with their clocks.
  Result<void> JoinOthers(std::shared_ptr<Learner> learner);
  // Learns what others have changed. Fails on a thread that must not wait.
  Result<void> Learn() const;
  void ResumeBackgroundWork();
  // Starts the long work that the catalog tells of and that is not running.
  void FindWork();
  Result<void> ClearExpiryRows(TableNumber table);
  void StartExpiryBuild(TableNumber table);
  // Takes the counts that the last clean close stored, or starts counting.
  Result<void> ResumeCounts();

  // Destroyed in reverse order: first the background work ends, then the store finishes what is queued
  // while the catalog, which that needs, still exists.
  EngineOptions options_;
  KeyHasher hasher_;
  mutable Activity clients_;
  std::unique_ptr<Catalog> catalog_;
  WriteGate gate_;
  std::unique_ptr<ItemClaims> claims_;  // null without strict conflicts
  std::unique_ptr<UnitCounts> unit_counts_;
  std::unique_ptr<Store> store_;
  Sharing* const sharing_;
  std::shared_ptr<Learner> learner_;  // null, as the next two, if the store is not shared
  std::unique_ptr<SharedClock> shared_clock_;
  std::unique_ptr<SumReader> sums_;
  KeeperWork work_;
  std::unique_ptr<ExpirySweep> expiry_sweep_;
  std::unique_ptr<StreamCatalog> streams_;
  std::atomic<std::uint64_t> statement_scans_ = 0;
  std::atomic<bool> counts_known_ = false;  // false while rows are being counted after a crash
  std::unique_ptr<Recovery> recovery_;
  std::unique_ptr<Transfers> transfers_;
  Background background_;
  std::unique_ptr<Background> copying_;  // null without an archive
  TurnSubscription turns_;               // wakes the duties when the clock is turned
};

}  // namespace stator

#endif  // STATOR_ENGINE_ENGINE_H_
