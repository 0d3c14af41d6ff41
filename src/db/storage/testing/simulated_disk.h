// For tests: a disk in memory that loses power and fails, driven by a seed.
//
//   SimulatedDisk disk(seed);
//   const std::unique_ptr<rocksdb::Env> env = disk.MakeEnv();
//   … OpenRocksStore({.directory = "/data", .env = env.get()}) …
//   disk.CutAfter(100);      // the power fails during the 100th change from now
//   … work until disk.is_off(), destroy the store …
//   disk.Restart();          // what was not synced is lost, torn or there
//
// Bytes of a file are durable once the file is synced, names (created, renamed, linked, removed) once
// their directory is. Files are appended to and never rewritten, which is all that RocksDB does.
#ifndef STATOR_STORAGE_TESTING_SIMULATED_DISK_H_
#define STATOR_STORAGE_TESTING_SIMULATED_DISK_H_

#include <rocksdb/env.h>
#include <rocksdb/io_status.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator {

// What a call does to the disk.
enum class DiskCall : std::uint8_t {
  kOpen,  // a file or directory that exists, for reading
  kLook,  // whether a path exists, what it is, its size, the names in it
  kRead,
  kCreate,  // a file or directory
  kAppend,
  kSync,       // a file
  kSyncNames,  // a directory
  kRename,
  kLink,
  kRemove,
  kTruncate,
  kClose,
};
inline constexpr std::size_t kDiskCalls = 12;
std::string_view NameOf(DiskCall call);

struct DiskFault {
  std::uint64_t after = 1;            // the failing call, counted from now
  std::optional<DiskCall> only = {};  // counts and fails these alone
  bool persists = false;              // all later ones fail too
  bool is_full = false;               // "no space": only calls that need space fail
};

// Thread-safe.
class SimulatedDisk {
 public:
  explicit SimulatedDisk(std::uint64_t seed);
  SimulatedDisk(const SimulatedDisk&) = delete;
  SimulatedDisk& operator=(const SimulatedDisk&) = delete;
  ~SimulatedDisk();

  // The disk as RocksDB and Stator use it. The disk must outlive it.
  std::unique_ptr<rocksdb::Env> MakeEnv();

  // The power fails during the given change from now on, which may or may not happen, wholly or in
  // part. Every later call fails.
  void CutAfter(std::uint64_t changes);
  void CutNow();
  bool is_off() const;
  // Turns the power on: what was not synced is lost, torn, reordered or there. Ends all faults.
  // REQUIRES: no file of the disk is open.
  void Restart();

  void FailAfter(const DiskFault& fault);
  void EndFaults();
  // Calls that a fault made fail since the last FailAfter, and the first of them for people.
  std::uint64_t failed_calls() const;
  std::string first_failure() const;

  // Calls of any kind, and those that change something, since the disk was made.
  std::uint64_t calls() const;
  std::uint64_t changes() const;

  // What the last cut did, for people.
  std::string story() const;

 private:
  friend class SimulatedFileSystem;
  friend class SimulatedWritableFile;
  friend class SimulatedReadableFile;
  friend class SimulatedDirectory;

  struct Node;
  using NodePtr = std::shared_ptr<Node>;
  struct Node {
    bool is_directory = false;
    std::string bytes;
    std::size_t synced = 0;  // this many bytes are durable
    // Bytes whose sync failed: a later sync that succeeds does not write them either.
    std::vector<std::pair<std::size_t, std::size_t>> dropped;
    std::map<std::string, NodePtr, std::less<>> names;
    std::map<std::string, NodePtr, std::less<>> durable_names;
  };
  // Names that change together.
  struct Edit {
    NodePtr directory;
    std::string name;
    NodePtr node;  // null: the name is removed
  };
  using NameChange = std::vector<Edit>;

  // Whether a call succeeds, and whether it has its effect, which it may have without succeeding.
  struct Turn {
    rocksdb::IOStatus status;
    bool happens = true;
  };
  Turn Take(DiskCall call, std::string_view path);
  std::optional<rocksdb::IOStatus> Fail(DiskCall call, std::string_view path);

  NodePtr Find(std::string_view path) const;
  // The directory of a path and the name in it; null if there is no such directory.
  std::pair<NodePtr, std::string> Place(std::string_view path) const;
  void Change(NameChange change);
  static void Apply(const NameChange& change, bool durably);

  void SyncNames(const NodePtr& directory);

  void SettleNames();
  void SettleTree(Node& directory, std::vector<const Node*>& settled);
  void SettleBytes(Node& file, std::string_view name);
  std::uint64_t Below(std::uint64_t bound) { return random_() % bound; }

  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  NodePtr root_;
  std::vector<NameChange> pending_;  // not durable, in order
  std::map<std::string, bool> locks_;
  bool is_off_ = false;
  std::uint64_t changes_until_cut_ = 0;  // 0: never
  std::optional<DiskFault> fault_;
  std::uint64_t failed_calls_ = 0;
  std::string first_failure_;
  std::uint64_t calls_ = 0;
  std::uint64_t changes_ = 0;
  std::string story_;
};

}  // namespace stator

#endif  // STATOR_STORAGE_TESTING_SIMULATED_DISK_H_
