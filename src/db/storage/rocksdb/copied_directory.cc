// OpenDirectoryToCopy: the rows of a data directory that another process may be writing to.
//
// RocksDB can open a database for reading while another process writes it, but promises nothing: a log
// that is deleted between the reading of the manifest and that of the logs leaves a hole which it does
// not notice. A log is deleted only after the manifest says that it is not needed. So if every log that
// was there before the opening is there afterwards, none was missed.
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "base/try.h"
#include "storage/copy_source.h"
#include "storage/rocksdb/checkpoint_directory.h"
#include "storage/rocksdb/data_directory.h"
#include "storage/rocksdb/directory_check.h"
#include "storage/rocksdb/log_tail.h"
#include "storage/rocksdb/manifest.h"
#include "storage/rocksdb/rocks_calls.h"

namespace stator {
namespace {

constexpr int kOpenAttemptsMax = 100;
constexpr std::chrono::milliseconds kBetweenAttempts{50};
constexpr std::size_t kCopyCacheBytes = std::size_t{16} << 20;
constexpr std::size_t kReadaheadBytes = std::size_t{2} << 20;

class CopiedRows final : public Checkpoint {
 public:
  CopiedRows(std::unique_ptr<rocksdb::DB> db, std::string reading)
      : db_(std::move(db)), reading_(std::move(reading)) {}

  StorageResult<bool> Get(std::string_view key, std::string& value) const override {
    return GetFromRocks(*db_, key, value, reading_);
  }
  StorageResult<void> Scan(const KeyRange& range, Direction direction,
                           const Visitor& visit) const override {
    rocksdb::ReadOptions options;
    options.fill_cache = false;
    options.readahead_size = kReadaheadBytes;
    return ScanRocks(*db_, options, range, direction, visit, reading_);
  }

  rocksdb::DB& db() const { return *db_; }

 private:
  const std::unique_ptr<rocksdb::DB> db_;
  const std::string reading_;
};

class CopiedDirectory final : public CopySource {
 public:
  CopiedDirectory(DataDirectory directory, bool is_owned)
      : directory_(std::move(directory)),
        is_owned_(is_owned),
        checkpoints_(directory_.CheckpointsPath(), directory_.files()),
        tail_(directory_.DatabasePath(), directory_.files()) {}

  StorageResult<void> Renew() override {
    // The last view of a directory that nobody writes to stays the newest.
    if (rows_ && was_owned_at_renewal_) return {};
    rows_.reset();
    was_owned_at_renewal_ = is_owned_;
    // From here on no commit that is not in the view can be missed.
    RETURN_IF_ERROR(tail_.Look());
    if (is_owned_) return OpenOwned();
    for (int attempt = 1;; ++attempt) {
      ASSIGN_OR_RETURN(const std::set<std::string> before, Logs());
      StorageResult<void> opened = OpenRows();
      ASSIGN_OR_RETURN(const std::set<std::string> after, Logs());
      const bool is_whole = opened && std::ranges::includes(after, before);
      if (is_whole) return {};
      rows_.reset();
      if (attempt == kOpenAttemptsMax) {
        if (!opened) return opened;
        return std::unexpected(StorageError{
            StorageError::Kind::kBusy,
            fmt::format("{} changes too fast to be read; try again", directory_.path())});
      }
      std::this_thread::sleep_for(kBetweenAttempts);
    }
  }

  const Checkpoint& rows() const override { return *rows_; }
  std::uint64_t number() const override { return rows_->db().GetLatestSequenceNumber(); }

  double PartBefore(const std::string& key, std::uint64_t) const override {
    const std::string last(64, '\xff');
    const std::array<rocksdb::Range, 2> ranges = {rocksdb::Range("", last),
                                                  rocksdb::Range("", key)};
    rocksdb::SizeApproximationOptions options;
    options.include_memtables = true;
    std::array<std::uint64_t, 2> bytes = {};
    const rocksdb::Status found = rows_->db().GetApproximateSizes(
        options, rows_->db().DefaultColumnFamily(), ranges.data(), 2, bytes.data());
    if (!found.ok() || bytes[0] == 0) return 0;
    return std::min(1.0, static_cast<double>(bytes[1]) / static_cast<double>(bytes[0]));
  }

  StorageResult<bool> TryToOwn() override {
    if (is_owned_) return true;
    ASSIGN_OR_RETURN(is_owned_, directory_.TryToLock());
    return is_owned_;
  }

  StorageResult<std::optional<std::uint64_t>> Changes(std::uint64_t after, std::uint64_t to,
                                                      const VisitCommit& visit) override {
    RETURN_IF_ERROR(tail_.Look());
    return tail_.Read(after, to, visit);
  }

  StorageResult<std::vector<std::string>> ListCheckpoints() const override {
    return checkpoints_.List();
  }
  StorageResult<std::unique_ptr<Checkpoint>> OpenCheckpoint(std::string_view id) const override {
    return checkpoints_.Open(id);
  }

 private:
  StorageResult<std::set<std::string>> Logs() const {
    ASSIGN_OR_RETURN(const std::vector<std::string> names,
                     directory_.files().List(directory_.DatabasePath()));
    std::set<std::string> logs;
    for (const std::string& name : names) {
      if (LogNumber(name)) logs.insert(name);
    }
    return logs;
  }

  StorageResult<void> OpenRows() {
    const std::string path = directory_.DatabasePath();
    const std::string reading = "read the rows in " + path;
    return CatchingRocks(reading, [&]() -> StorageResult<void> {
      rocksdb::Options options = ReadingOptions(directory_.files());
      // Every table file is opened now, so that all of them can be read when they are deleted.
      options.max_open_files = -1;
      rocksdb::BlockBasedTableOptions table;
      table.block_cache = rocksdb::NewLRUCache(kCopyCacheBytes);
      options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
      rocksdb::DB* db = nullptr;
      RETURN_IF_ERROR(CheckRocks(rocksdb::DB::OpenForReadOnly(options, path, &db), reading));
      rows_ = std::make_unique<CopiedRows>(std::unique_ptr<rocksdb::DB>(db), reading);
      return {};
    });
  }

  // Nobody writes any more, so the directory must be what a server would find.
  StorageResult<void> OpenOwned() {
    const DirectoryCheck check =
        CheckDirectory(*directory_.files().env()->GetFileSystem(), directory_.path(),
                       directory_.DatabasePath(), directory_.has_ledger(), SyncMode::kAlways);
    if (!check.problems.empty()) return std::unexpected(DamageError(directory_.path(), check));
    RETURN_IF_ERROR(OpenRows());
    if (number() == check.last_number) return {};
    // Only a power cut leaves such a log.
    return std::unexpected(StorageError{
        StorageError::Kind::kCorrupt,
        fmt::format("the newest log of {0} is torn: start a server on {0} once, which repairs it, "
                    "stop it and try again",
                    directory_.path())});
  }

  DataDirectory directory_;
  bool is_owned_;
  bool was_owned_at_renewal_ = false;
  const CheckpointDirectory checkpoints_;
  LogTail tail_;
  std::unique_ptr<CopiedRows> rows_;
};

}  // namespace

StorageResult<std::unique_ptr<CopySource>> OpenDirectoryToCopy(const std::string& directory,
                                                               CopyAccess access) {
  const Files files(nullptr);
  const bool is_owned = access == CopyAccess::kAlone;
  ASSIGN_OR_RETURN(DataDirectory opened, is_owned ? DataDirectory::OpenToRead(directory, files)
                                                  : DataDirectory::OpenToWatch(directory, files));
  return std::make_unique<CopiedDirectory>(std::move(opened), is_owned);
}

}  // namespace stator
