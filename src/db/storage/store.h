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

// Thread-safe.
class Store {
 public:
  virtual ~Store() = default;

  // Queues a mutation. Mutations are decided one after the other, each seeing the writes of those
  // before it.
  virtual void Mutate(std::unique_ptr<Mutation> mutation) = 0;

  // Replaces `value` with the value of the key. False if there is no such key.
  virtual StorageResult<bool> Get(std::string_view key, std::string& value) const = 0;
  // All from the same view.
  virtual StorageResult<std::vector<std::optional<std::string>>> MultiGet(
      std::span<const std::string> keys) const = 0;

  virtual std::unique_ptr<ReadView> Snapshot() const = 0;
  // Visits the range in key order, or in reverse, until the visitor stops it. With a null `view`: the
  // newest committed state, consistent over the whole scan.
  virtual StorageResult<void> Scan(const KeyRange& range, Direction direction, const Visitor& visit,
                                   const ReadView* view = nullptr) const = 0;

  // Why mutations are refused; nullopt if they are not. A kNoSpace goes by itself when space is back,
  // everything else lasts until the store is opened again. Reads go on either way.
  virtual std::optional<StorageError> WriteFailure() const { return std::nullopt; }

  // Roughly how many bytes the range occupies on disk.
  virtual std::uint64_t ApproximateBytes(const KeyRange& range) const = 0;

  // Checkpoints live as long as the data: those of a store on disk still exist when it is opened
  // again. An id consists of letters, digits and '-', and names one checkpoint at a time.

  // Keeps all that has been committed before the call, and perhaps what is committed during the call,
  // but never a part of a commit. All or nothing, even if the process crashes.
  virtual StorageResult<void> MakeCheckpoint(std::string_view id);
  // REQUIRES: the checkpoint is not deleted while it is open.
  virtual StorageResult<std::unique_ptr<Checkpoint>> OpenCheckpoint(std::string_view id) const;
  // Succeeds if there is no such checkpoint.
  virtual StorageResult<void> DeleteCheckpoint(std::string_view id);
  // All ids, ascending.
  virtual StorageResult<std::vector<std::string>> ListCheckpoints() const;

  // Copies the whole store into an archive (backup_archive.h), under this id.
  virtual StorageResult<void> CopyInto(BackupArchive& archive, std::string_view id,
                                       std::string_view description);

  struct Stats {
    std::uint64_t commits = 0;    // group commits
    std::uint64_t mutations = 0;  // mutations in them
    std::uint64_t syncs = 0;      // fsyncs of the log
    std::uint64_t disk_bytes = 0;
    std::uint64_t cache_bytes = 0;
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

}  // namespace stator

#endif  // STATOR_STORAGE_STORE_H_
