// The ledger of a data directory: what must be there when it is opened again.
//
//   DIR/STATOR.ledger
//
//   stator ledger 1
//   state open | clean                    clean: written when everything was closed, and complete
//   sync always | interval | off          how the commits of the logs were written
//   last NUMBER                           of the newest commit; only if clean
//   manifest NUMBER BYTES CHECKSUM        the manifest begins with this; if clean it is this
//   log NUMBER BYTES                      so much of the log is durable; if clean that is all of it
//   file NAME BYTES CHECKSUM              any other file; only if clean
//   checksum CHECKSUM                     of the lines before
//
// RocksDB's manifest names the table files, and checksums in each file guard what it holds. Nothing in
// RocksDB guards the end of the manifest or of a log: a file that is cut between two records, or is
// gone, looks like one that never was longer. The ledger vouches for these ends.
//
// It is renewed, by an atomic replacement, whenever the manifest has grown, before RocksDB deletes
// what the manifest does not name any more; when the first commit of a log is durable, and again
// after every few megabytes of it. After an unclean stop the newest log may therefore be longer than
// the ledger says, and what it says at least is there.
#ifndef STATOR_STORAGE_ROCKSDB_LEDGER_H_
#define STATOR_STORAGE_ROCKSDB_LEDGER_H_

#include <rocksdb/file_system.h>

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

#include "storage/store.h"

namespace stator {

struct Ledger {
  struct ManifestPrefix {
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0;
    bool operator==(const ManifestPrefix&) const = default;
  };
  struct File {
    std::string name;
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0;
    bool operator==(const File&) const = default;
  };
  bool is_clean = false;
  SyncMode sync = SyncMode::kAlways;
  std::uint64_t last_number = 0;
  // By number. Two while RocksDB goes over from one to the next.
  std::map<std::uint64_t, ManifestPrefix> manifests;
  std::map<std::uint64_t, std::uint64_t> logs;  // bytes by number
  std::vector<File> files;
  bool operator==(const Ledger&) const = default;
};

inline constexpr std::string_view kLedgerName = "STATOR.ledger";

std::string EncodeLedger(const Ledger& ledger);
// Nullopt if the text is not exactly what EncodeLedger wrote.
std::optional<Ledger> DecodeLedger(std::string_view text);

// Keeps the ledger of a directory while its database is open. Thread-safe.
class LedgerKeeper {
 public:
  // `ledger` is what can be vouched for now. Nothing is written before the first change.
  LedgerKeeper(std::shared_ptr<rocksdb::FileSystem> files, std::string path, Ledger ledger)
      : files_(std::move(files)), path_(std::move(path)), ledger_(std::move(ledger)) {}

  // --- What happens to the files of the database -------------------------------------------------

  // Something will change: from now on the ledger says that the database is open.
  rocksdb::IOStatus BeforeChange();
  rocksdb::IOStatus ManifestSynced(std::uint64_t number, Ledger::ManifestPrefix durable);
  // The newest manifest will become the one that counts.
  rocksdb::IOStatus BeforeCurrent();
  // The number of durable bytes of a new log, which whoever writes it keeps up to date.
  using Durable = std::shared_ptr<std::atomic<std::uint64_t>>;
  rocksdb::IOStatus LogCreated(std::uint64_t number, const Durable& durable);
  void LogDeleted(std::uint64_t number);
  // Nobody knows what a file holds whose write has failed: the ledger will not say that it is clean.
  void WriteFailed();
  // Writes the ledger as it is now.
  rocksdb::IOStatus Renew();

  // --- The life of the database ------------------------------------------------------------------

  bool IsOpening() const;
  // The database is open: every change is recorded from now on.
  rocksdb::IOStatus Opened();
  // The database is closed and everything is durable, unless a write has failed: then the next start
  // finds out what is there, as after a crash. REQUIRES: all watched files are closed.
  rocksdb::IOStatus Closed(std::uint64_t last_number, const std::string& database_path);

 private:
  // REQUIRE mutex_.
  rocksdb::IOStatus Write();
  void KeepNewestManifest();

  const std::shared_ptr<rocksdb::FileSystem> files_;
  const std::string path_;
  mutable std::mutex mutex_;  // guards all that follows
  Ledger ledger_;
  std::map<std::uint64_t, Durable> logs_;  // that have been created since
  std::uint64_t current_ = 0;              // the manifest that counts, once the database is open
  bool is_opening_ = true;
  bool has_changed_ = false;
  bool has_failed_ = false;
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_LEDGER_H_
