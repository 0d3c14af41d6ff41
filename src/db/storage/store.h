// The storage seam: ordered bytes, atomic commits. DynamoDB's meaning lives above it.
//
// A store keeps byte keys in memcmp order. Everything that changes it goes through Mutate,
// everything that reads it through Get, MultiGet and Scan. A checkpoint is a copy of the whole store
// as it was at one moment, kept under a name. Every store passes storage/store_contract_test.cc.
#ifndef STATOR_STORAGE_STORE_H_
#define STATOR_STORAGE_STORE_H_

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocksdb {
class Env;
}

namespace stator {

class BackupArchive;

// What a store reports. The engine translates it into a client's Error in one place.
struct StorageError {
  enum class Kind : std::uint8_t {
    kIo,        // the disk or the network failed
    kCorrupt,   // what is stored cannot be what was written
    kLocked,    // another process has the directory
    kForeign,   // the directory holds something else, or a format this program does not know
    kConflict,  // other writers came first too often
    kClosed,    // the store is shutting down
    kTooLong,   // the mutation takes more time than one may
    kBusy,      // too much is queued; try again later
    kNoSpace,   // the disk is full; nothing was written
    kReadOnly,  // an earlier write failed, and only a restart tells what is stored
  };
  Kind kind = Kind::kIo;
  std::string message;  // for people: what was wrong and what to do
};

template <class T>
using StorageResult = std::expected<T, StorageError>;

// Half-open: begin ≤ key < end. An empty end means "to the last key".
struct KeyRange {
  std::string begin;
  std::string end;
};

enum class Direction : std::uint8_t { kForward, kReverse };

// The writes of one mutation, in order; later ones win.
class WriteBatch {
 public:
  virtual ~WriteBatch() = default;
  virtual void Put(std::string_view key, std::string_view value) = 0;
  virtual void Delete(std::string_view key) = 0;
  // Deletes every key that the range has now. Mutations that are decided in the same commit do not
  // see the deletion: only for ranges that nothing else touches any more.
  virtual void DeleteRange(const KeyRange& range) = 0;
  // Adds `record` to the log `log` and gives it the log's next number: 1, 2, 3 … without gaps, in
  // commit order. The record is stored under LogKey(log, number). The records are the only place
  // that knows the count, so trimming a log must leave its newest record.
  virtual void Append(std::string_view log, std::string_view record) = 0;

  // For stores that several processes share (Sharing, below); the others need neither.
  //
  // What this mutation puts and deletes, every process keeps in memory: the commit makes a new
  // edition, which all of them learn before they decide anything else.
  virtual void Announce() {}
  // Adds to the sums that the store keeps under this name, in the same commit.
  virtual void Add(std::string_view name, std::int64_t items, std::int64_t bytes) {
    (void)name, (void)items, (void)bytes;
  }
};

// The key of a log record: the log's name, then the number in eight big-endian bytes.
std::string LogKey(std::string_view log, std::uint64_t number);

// A unit of change. Its keys are read, Decide turns their values into writes, and the writes are
// committed, all or none. Done runs once: when they are durable and visible, or with the reason why
// they are not.
class Mutation {
 public:
  virtual ~Mutation() = default;

  // The keys that Decide wants to see. Constant over the life of the mutation.
  virtual std::span<const std::string> Keys() const = 0;

  enum class Verdict : std::uint8_t { kCommit, kAbandon };
  // `values` are those of Keys(), in that order; they are valid during the call. Must change nothing
  // but this object, and start afresh each time: a store may run it again when another writer came
  // first. With kAbandon nothing of the batch is written, and Done gets success.
  virtual Verdict Decide(std::span<const std::optional<std::string_view>> values,
                         WriteBatch& batch) = 0;

  // May run on any thread, must not block, and must not call Mutate from within.
  virtual void Done(StorageResult<void> status) = 0;

  // Whether it may be refused (kBusy) when too much is queued, because a client waits who can try
  // again.
  virtual bool IsRefusable() const { return false; }

 private:
  friend class MutationQueue;
  friend class Writer;
  std::chrono::steady_clock::time_point queued_at_;
  Mutation* next_ = nullptr;  // the queue is intrusive: no allocation to enqueue
};

// One consistent view of the store, without later commits. Cheap, but hold it briefly.
class ReadView {
 public:
  virtual ~ReadView() = default;
};

// Called for each key in order; return false to stop. The slices are valid during the call only.
using Visitor = std::function<bool(std::string_view key, std::string_view value)>;

// The whole store as it was when the checkpoint was made. Thread-safe.
class Checkpoint {
 public:
  virtual ~Checkpoint() = default;
  // As Store::Get and Store::Scan.
  virtual StorageResult<bool> Get(std::string_view key, std::string& value) const = 0;
  virtual StorageResult<void> Scan(const KeyRange& range, Direction direction,
                                   const Visitor& visit) const = 0;
};

// What the processes that share a store must know of each other. Thread-safe.
//
// Processes keep some rows in memory: the catalog. A commit that changes such rows announces it and
// thereby makes the next edition of them. A mutation is decided by the newest edition and committed
// before the next one: no process can commit what it decided by an older one.
class Sharing {
 public:
  virtual ~Sharing() = default;

  // Called with the keys of the rows that an edition has changed, edition after edition, also those of
  // this process. It reads them and replaces what the process has in memory; it runs on any thread,
  // never twice at once, while mutations wait to be decided, so it must not call Mutate.
  // REQUIRES: called once, before the first Mutate, and before anything is read into memory.
  using Learn = std::function<StorageResult<void>(std::span<const std::string> keys)>;
  virtual StorageResult<void> StartLearning(Learn learn) = 0;

  // The newest edition that this process has learnt. During Decide: the one by which it decides.
  virtual std::uint64_t Edition() const = 0;
  // Whether this process knows every edition that was answered for: reads may rest on what is in memory.
  // True but when the database could not be asked for a second.
  virtual bool IsCurrent() const = 0;
  // Learns every edition that exists now. Waits for the network.
  virtual StorageResult<void> CatchUp() = 0;
  // Returns when every process that is alive has learnt this process's newest edition, so that a client
  // can go to any of them. Waits for the network.
  virtual StorageResult<void> WaitUntilAllKnow() = 0;

  // Whether this process is the one that works in the background. Another takes over within seconds
  // when it is gone; that makes an edition (without keys), so within Decide the answer is certain.
  virtual bool IsKeeper() const = 0;
  // Calls `changed` on any thread after this process has become the keeper, or is it no more.
  virtual void OnKeeperChange(std::function<void()> changed) = 0;

  // The time of the database, never ahead of it; later commits of a key see later times, whichever
  // process decides them.
  virtual std::chrono::sys_time<std::chrono::milliseconds> Now() const = 0;

  // Sums of all that was added under each name (WriteBatch::Add), by all processes.
  struct Sum {
    std::string name;
    std::int64_t items = 0;
    std::int64_t bytes = 0;
  };
  // Those of the view, whose rows they belong to; with null, the newest ones. With `elsewhere`, only
  // what others have added, and what this process's store held when it was opened.
  enum class Whose : std::uint8_t { kAll, kElsewhere };
  virtual StorageResult<std::vector<Sum>> Sums(Whose whose, const ReadView* view) const = 0;
};

// Thread-safe.
class Store {
 public:
  virtual ~Store() = default;

  // Null if the store belongs to this process alone.
  virtual Sharing* sharing() const { return nullptr; }

  // Queues a mutation. Mutations are decided one after the other, each seeing the writes of those
  // before it. On a store that several processes share, this holds for those with a key in common.
  virtual void Mutate(std::unique_ptr<Mutation> mutation) = 0;

  // Replaces `value` with the value of the key. False if there is no such key.
  virtual StorageResult<bool> Get(std::string_view key, std::string& value) const = 0;
  // All from the same view.
  virtual StorageResult<std::vector<std::optional<std::string>>> MultiGet(
      std::span<const std::string> keys) const = 0;

  virtual std::unique_ptr<ReadView> Snapshot() const = 0;
  // Visits the range in key order, or in reverse, until the visitor stops it. With a null `view`: the
  // newest committed state, consistent over the whole scan. `rows_wanted` is how many rows the visitor
  // takes at most, 0 if that is not known: a store that reads ahead reads no more.
  virtual StorageResult<void> Scan(const KeyRange& range, Direction direction, const Visitor& visit,
                                   const ReadView* view = nullptr,
                                   std::int64_t rows_wanted = 0) const = 0;

  // Why mutations are refused; nullopt if they are not. A kNoSpace goes by itself when space is back,
  // everything else lasts until the store is opened again. Reads go on either way.
  virtual std::optional<StorageError> WriteFailure() const { return std::nullopt; }

  // Roughly how many bytes the range occupies on disk.
  virtual std::uint64_t ApproximateBytes(const KeyRange& range) const = 0;

  // Checkpoints live as long as the data: those of a store on disk still exist when it is opened
  // again. An id consists of letters, digits and '-', and names one checkpoint at a time.

  // Keeps all that has been committed before the call, and perhaps what is committed during the call,
  // but never a part of a commit. All or nothing, even if the process crashes. A checkpoint has at
  // least these ranges; a store that copies row by row has no more.
  virtual StorageResult<void> MakeCheckpoint(std::string_view id, std::span<const KeyRange> ranges);
  // Of everything.
  StorageResult<void> MakeCheckpoint(std::string_view id) {
    const KeyRange all;
    return MakeCheckpoint(id, {&all, 1});
  }
  // REQUIRES: the checkpoint is not deleted while it is open.
  virtual StorageResult<std::unique_ptr<Checkpoint>> OpenCheckpoint(std::string_view id) const;
  // Succeeds if there is no such checkpoint.
  virtual StorageResult<void> DeleteCheckpoint(std::string_view id);
  // All ids, ascending.
  virtual StorageResult<std::vector<std::string>> ListCheckpoints() const;

  // Makes a checkpoint of rows that come from another store; `rows` visits them, ascending. All or
  // nothing, like MakeCheckpoint.
  using RowsToVisit = std::function<StorageResult<void>(const Visitor& visit)>;
  virtual StorageResult<void> ImportCheckpoint(std::string_view id, const RowsToVisit& rows);

  // Copies the whole store into an archive (backup_archive.h), under this id.
  virtual StorageResult<void> CopyInto(BackupArchive& archive, std::string_view id,
                                       std::string_view description);

  struct Stats {
    std::uint64_t commits = 0;    // group commits
    std::uint64_t mutations = 0;  // mutations in them
    std::uint64_t syncs = 0;      // fsyncs of the log
    std::uint64_t disk_bytes = 0;
    std::uint64_t cache_bytes = 0;
    // Of a store that processes share.
    std::uint64_t retried_rounds = 0;    // decided again, because others came first
    std::uint64_t looked_up_rounds = 0;  // the connection was lost while they were committed
    std::uint64_t open_connections = 0;
    std::uint64_t used_connections = 0;
    std::uint64_t refused_reads = 0;  // because no connection was free
    std::uint64_t lag_ms = 0;         // since the database was last heard
  };
  virtual Stats GetStats() const = 0;
};

// Runs a mutation and waits for it. REQUIRES: not called from Done.
StorageResult<void> MutateAndWait(Store& store, std::unique_ptr<Mutation> mutation);

enum class SyncMode : std::uint8_t {
  kAlways,    // every commit is on disk before it is acknowledged
  kInterval,  // on disk within a second: a process crash loses nothing, a power cut up to a second
  kOff,       // when the operating system decides: a process crash loses nothing
};

// What mutations may take from each other.
struct WriteLimits {
  // Of the one writer's processor, for one mutation; beyond it: kTooLong, and nothing is written.
  std::chrono::milliseconds processor_time{250};
  // In the queue. Beyond either, refusable mutations are refused.
  std::chrono::milliseconds wait{500};
  std::size_t queued_max = 20'000;
};

std::unique_ptr<Store> OpenMemoryStore(const WriteLimits& limits = {});

struct RocksOptions {
  std::string directory;
  SyncMode sync = SyncMode::kAlways;
  std::size_t cache_bytes = std::size_t{64} << 20;
  WriteLimits write_limits = {};
  rocksdb::Env* env = nullptr;  // the file system below; null: the machine's
  std::size_t write_buffer_bytes = std::size_t{16} << 20;  // in memory before a file is written
};
StorageResult<std::unique_ptr<Store>> OpenRocksStore(const RocksOptions& options);

struct PostgresOptions {
  // As libpq takes it, with any number of hosts.
  std::string url;  // postgres://db1,db2/stator?target_session_attrs=read-write
  int read_connections = 16;
  int write_connections = 4;  // rounds in flight
  WriteLimits write_limits = {};
  bool makes_tables = true;  // if there are none; otherwise that is an error
  bool may_keep = true;      // whether this process may become the keeper
  // Lock the rows of a round one by one, as a database must that has them on several machines.
  bool locks_each_row = false;  // set by itself on Citus
  // Where rows live on a database that spreads them over machines: equal numbers, same machine.
  std::int64_t (*part_of)(std::string_view key) = nullptr;  // null: all in one place
};
StorageResult<std::unique_ptr<Store>> OpenPostgresStore(const PostgresOptions& options);

}  // namespace stator

#endif  // STATOR_STORAGE_STORE_H_
