#include "storage/directory_reader.h"

#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/sst_file_reader.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/try.h"
#include "storage/rocksdb/checkpoint_directory.h"
#include "storage/rocksdb/data_directory.h"
#include "storage/rocksdb/directory_check.h"
#include "storage/rocksdb/files.h"
#include "storage/rocksdb/manifest.h"
#include "storage/rocksdb/rocks_calls.h"

namespace stator {
namespace {

// Keys are told apart by their first bytes when the end of a damaged block is searched.
constexpr std::size_t kSearchedBytes = 64;

// A number of kSearchedBytes bytes, as the beginning of a key.
std::string SearchedPrefix(std::string_view key) {
  std::string number(key.substr(0, kSearchedBytes));
  number.resize(kSearchedBytes, '\0');
  return number;
}

// number + 2^bit; absent if that is too large.
std::optional<std::string> PlusBit(std::string number, std::size_t bit) {
  unsigned carry = 1U << bit % 8;
  for (std::size_t at = kSearchedBytes - bit / 8; at-- > 0 && carry != 0;) {
    const unsigned sum = static_cast<unsigned char>(number[at]) + carry;
    number[at] = static_cast<char>(sum & 0xffU);
    carry = sum >> 8;
  }
  if (carry != 0) return std::nullopt;
  return number;
}

std::string HexOf(std::string_view key) {
  std::string hex;
  for (const char c : key.substr(0, 24)) {
    hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return hex + (key.size() > 24 ? "…" : "");
}

class RocksRows final : public ReadableRows {
 public:
  RocksRows(std::unique_ptr<rocksdb::DB> db, std::string reading)
      : db_(std::move(db)), reading_(std::move(reading)) {}

  StorageResult<bool> Get(std::string_view key, std::string& value) const override {
    return GetFromRocks(*db_, key, value, reading_);
  }

  // REQUIRES: forward.
  StorageResult<void> Scan(const KeyRange& range, Direction, const Visitor& visit) const override {
    return CatchingRocks(reading_, [&]() -> StorageResult<void> {
      const rocksdb::Slice end(range.end);
      rocksdb::ReadOptions options;
      options.fill_cache = false;
      options.total_order_seek = true;
      if (!range.end.empty()) options.iterate_upper_bound = &end;
      std::optional<std::string> from = range.begin;
      while (from) {
        const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(options));
        std::string last = *from;
        for (at->Seek(*from); at->Valid(); at->Next()) {
          if (!visit(at->key().ToStringView(), at->value().ToStringView())) return {};
          last = at->key().ToString();
        }
        if (at->status().ok()) return {};
        from = FirstReadableAfter(last, options);
        Skip(last, from, at->status());
      }
      return {};
    });
  }

  std::vector<std::string> Skipped() const override {
    const std::scoped_lock lock(mutex_);
    return skipped_;
  }

 private:
  // The first key from `from` on. Nullopt if it cannot be read; empty if there is none.
  std::optional<std::string> KeyFrom(const std::string& from,
                                     const rocksdb::ReadOptions& options) const {
    const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(options));
    at->Seek(from);
    if (at->Valid()) return at->key().ToString();
    return at->status().ok() ? std::optional<std::string>("") : std::nullopt;
  }

  // A key behind the damage that begins after `last`, as near as can be found; nullopt if there is
  // none. Doubles the distance until something can be read, then halves it again.
  std::optional<std::string> FirstReadableAfter(std::string_view last,
                                                const rocksdb::ReadOptions& options) const {
    std::string unreadable = SearchedPrefix(last);
    for (std::size_t bit = 0; bit < kSearchedBytes * 8; ++bit) {
      const std::optional<std::string> far = PlusBit(unreadable, bit);
      if (!far) return std::nullopt;
      std::optional<std::string> found = KeyFrom(*far, options);
      if (!found) continue;
      for (std::size_t smaller = bit; smaller-- > 0;) {
        const std::string middle = *PlusBit(unreadable, smaller);
        if (std::optional<std::string> nearer = KeyFrom(middle, options)) {
          found = std::move(nearer);
        } else {
          unreadable = middle;
        }
      }
      if (found->empty()) return std::nullopt;
      return found;
    }
    return std::nullopt;
  }

  void Skip(std::string_view last, const std::optional<std::string>& next,
            const rocksdb::Status& status) const {
    const std::scoped_lock lock(mutex_);
    skipped_.push_back(fmt::format("rows between {} and {} cannot be read ({})", HexOf(last),
                                   next ? HexOf(*next) : "the end", status.ToString()));
  }

  const std::unique_ptr<rocksdb::DB> db_;
  const std::string reading_;
  mutable std::mutex mutex_;
  mutable std::vector<std::string> skipped_;  // guarded by mutex_
};

StorageResult<std::unique_ptr<ReadableRows>> OpenRows(const std::string& path,
                                                      rocksdb::WALRecoveryMode mode) {
  rocksdb::Options options = ReadingOptions(Files(nullptr));
  options.wal_recovery_mode = mode;
  rocksdb::DB* db = nullptr;
  const std::string reading = "read the rows in " + path;
  RETURN_IF_ERROR(CheckRocks(rocksdb::DB::OpenForReadOnly(options, path, &db), reading));
  return std::make_unique<RocksRows>(std::unique_ptr<rocksdb::DB>(db), reading);
}

// Reads every block of the table files of a database.
void CheckBlocks(const std::string& database_path, const DirectoryCheck& check,
                 const BytesProgress& progress, DirectoryReport& report) {
  std::uint64_t done = 0;
  for (const auto& [number, table] : check.tables) report.table_bytes += table.bytes;
  for (const auto& [number, table] : check.tables) {
    const std::string name = TableName(number);
    rocksdb::SstFileReader reader(ReadingOptions(Files(nullptr)));
    rocksdb::Status status = reader.Open(fmt::format("{}/{}", database_path, name));
    // A file that is not there has been named already.
    const bool is_there = !status.IsNotFound() && !status.IsPathNotFound() && !status.IsIOError();
    if (status.ok()) status = reader.VerifyChecksum(rocksdb::ReadOptions());
    if (!status.ok() && is_there) {
      report.problems.push_back(fmt::format("{} is damaged ({})", name, status.ToString()));
    }
    done += table.bytes;
    ++report.table_files;
    if (progress) progress(done, report.table_bytes);
  }
}

std::unexpected<StorageError> Failed(const std::string& doing, const std::error_code& error) {
  return std::unexpected(
      StorageError{StorageError::Kind::kIo, fmt::format("cannot {}: {}", doing, error.message())});
}

struct Examined {
  DirectoryCheck check;
  OpenedDirectory opened;
};

Examined Examine(const DataDirectory& directory, const BytesProgress& progress) {
  Examined examined;
  examined.check =
      CheckDirectory(*directory.files().env()->GetFileSystem(), directory.path(),
                     directory.DatabasePath(), directory.has_ledger(), SyncMode::kAlways);
  const DirectoryCheck& check = examined.check;
  DirectoryReport& report = examined.opened.report;
  report.problems = check.problems;
  report.remarks = check.remarks;
  report.has_ledger = check.has_ledger;
  report.was_closed = check.is_clean;
  report.last_commit = check.last_number;
  report.dropped_bytes = check.dropped_bytes;
  if (!check.has_ledger && check.problems.empty()) {
    report.remarks.emplace_back(
        "the directory is of a version without a ledger: whether a log or a part of one is missing "
        "cannot be told");
  }
  CheckBlocks(directory.DatabasePath(), check, progress, report);
  return examined;
}

// Copies the table files and logs, and lets RocksDB put together what it can make of them.
StorageResult<void> RepairCopy(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::create_directories(to, error);
  if (error) return Failed("create " + to, error);
  for (std::filesystem::directory_iterator file(from, error), end; !error && file != end;
       file.increment(error)) {
    const std::filesystem::path name = file->path().filename();
    if (name.extension() != ".sst" && name.extension() != ".log") continue;
    std::filesystem::copy_file(file->path(), to / name, error);
    if (error) break;
  }
  if (error) return Failed("copy " + from, error);
  return CheckRocks(rocksdb::RepairDB(to, ReadingOptions(Files(nullptr))),
                    "put together the files in " + to);
}

}  // namespace

StorageResult<OpenedDirectory> VerifyFiles(const std::string& path, const BytesProgress& progress) {
  return CatchingRocks("verify " + path, [&]() -> StorageResult<OpenedDirectory> {
    ASSIGN_OR_RETURN(const DataDirectory directory,
                     DataDirectory::OpenToRead(path, Files(nullptr)));
    Examined examined = Examine(directory, progress);
    OpenedDirectory& opened = examined.opened;
    if (!examined.check.has_tables) return std::move(opened);
    auto rows = OpenRows(directory.DatabasePath(), rocksdb::WALRecoveryMode::kPointInTimeRecovery);
    if (rows) {
      opened.rows = *std::move(rows);
    } else {
      opened.report.problems.push_back(rows.error().message);
    }
    return std::move(opened);
  });
}

StorageResult<OpenedDirectory> SalvageFiles(const std::string& path, const std::string& scratch,
                                            const BytesProgress& progress) {
  return CatchingRocks("read " + path, [&]() -> StorageResult<OpenedDirectory> {
    ASSIGN_OR_RETURN(const DataDirectory directory,
                     DataDirectory::OpenToRead(path, Files(nullptr)));
    Examined examined = Examine(directory, progress);
    OpenedDirectory& opened = examined.opened;
    if (examined.check.has_tables) {
      auto rows =
          OpenRows(directory.DatabasePath(), rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords);
      if (rows) {
        opened.rows = *std::move(rows);
        return std::move(opened);
      }
    }
    RETURN_IF_ERROR(RepairCopy(directory.DatabasePath(), scratch));
    ASSIGN_OR_RETURN(opened.rows,
                     OpenRows(scratch, rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords));
    return std::move(opened);
  });
}

}  // namespace stator
