#include "storage/rocksdb/watched_files.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "storage/rocksdb/log_format.h"
#include "storage/rocksdb/manifest.h"

namespace stator {
namespace {

using Flag = std::shared_ptr<std::atomic<bool>>;
using Deferring = Flag;  // true while syncs are deferred
using rocksdb::DataVerificationInfo;
using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// Between two renewals of the ledger a log may grow by this much.
constexpr std::uint64_t kLogStepBytes = std::uint64_t{4} << 20;

// A file whose syncs can be deferred. Subclasses learn what is appended and when it is durable.
class WatchedFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  WatchedFile(std::unique_ptr<rocksdb::FSWritableFile> file, Deferring deferring)
      : FSWritableFileOwnerWrapper(std::move(file)), deferring_(std::move(deferring)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* context) override {
    IOStatus status = FSWritableFileOwnerWrapper::Append(data, options, context);
    status.ok() ? Appended(data.ToStringView()) : Failed();
    return status;
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo& info,
                  IODebugContext* context) override {
    IOStatus status = FSWritableFileOwnerWrapper::Append(data, options, info, context);
    status.ok() ? Appended(data.ToStringView()) : Failed();
    return status;
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* context) override {
    const std::uint64_t bytes = bytes_.load();
    IOStatus status = deferring_->load() ? Flush(options, context)
                                         : FSWritableFileOwnerWrapper::Sync(options, context);
    if (status.ok()) status = Synced(bytes);
    if (!status.ok()) Failed();
    return status;
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* context) override {
    const std::uint64_t bytes = bytes_.load();
    IOStatus status = deferring_->load() ? Flush(options, context)
                                         : FSWritableFileOwnerWrapper::Fsync(options, context);
    if (status.ok()) status = Synced(bytes);
    if (!status.ok()) Failed();
    return status;
  }

 protected:
  virtual void Appended(std::string_view data) { bytes_.fetch_add(data.size()); }
  // At least so many bytes are durable.
  virtual IOStatus Synced(std::uint64_t /*bytes*/) { return IOStatus::OK(); }
  virtual void Failed() {}

 private:
  const Deferring deferring_;
  std::atomic<std::uint64_t> bytes_ = 0;
};

// One thread at a time writes to a manifest.
class WatchedManifest final : public WatchedFile {
 public:
  WatchedManifest(std::unique_ptr<rocksdb::FSWritableFile> file, Deferring deferring,
                  std::shared_ptr<LedgerKeeper> keeper, std::uint64_t number)
      : WatchedFile(std::move(file), std::move(deferring)),
        keeper_(std::move(keeper)),
        number_(number) {}

 private:
  void Appended(std::string_view data) override {
    WatchedFile::Appended(data);
    checksum_ = Crc32c(data, checksum_);
  }
  IOStatus Synced(std::uint64_t bytes) override {
    return keeper_->ManifestSynced(number_, {bytes, checksum_});
  }
  void Failed() override { keeper_->WriteFailed(); }

  const std::shared_ptr<LedgerKeeper> keeper_;
  const std::uint64_t number_;
  std::uint32_t checksum_ = 0;
};

class WatchedLog final : public WatchedFile {
 public:
  // `sync_name` makes the log's name durable; `has_failed` becomes true when the log cannot be used.
  WatchedLog(std::unique_ptr<rocksdb::FSWritableFile> file, Deferring deferring,
             std::shared_ptr<LedgerKeeper> keeper, LedgerKeeper::Durable durable,
             std::function<IOStatus()> sync_name, Flag has_failed)
      : WatchedFile(std::move(file), std::move(deferring)),
        keeper_(std::move(keeper)),
        durable_(std::move(durable)),
        sync_name_(std::move(sync_name)),
        has_failed_(std::move(has_failed)) {}

 private:
  IOStatus Synced(std::uint64_t bytes) override {
    // Another thread may have synced more.
    std::uint64_t known = durable_->load();
    while (known < bytes && !durable_->compare_exchange_weak(known, bytes)) {
    }
    const std::uint64_t recorded = recorded_.load();
    const bool is_first = recorded == 0 && bytes > 0;
    if (!is_first && bytes < recorded + kLogStepBytes) return IOStatus::OK();
    recorded_.store(bytes);
    // RocksDB does that, but only later.
    IOStatus status = is_first ? sync_name_() : IOStatus::OK();
    return status.ok() ? keeper_->Renew() : status;
  }
  void Failed() override {
    keeper_->WriteFailed();
    has_failed_->store(true);
  }

  const std::shared_ptr<LedgerKeeper> keeper_;
  const LedgerKeeper::Durable durable_;
  const std::function<IOStatus()> sync_name_;
  const Flag has_failed_;
  std::atomic<std::uint64_t> recorded_ = 0;
};

// Stands in for a log that could not be created. RocksDB 7.8 does not survive that in the middle of a
// flush: it fails the flush, and an assertion ends the process when the flush is tried again. With
// this log the flush goes on, and the next commit fails.
class FailedLog final : public rocksdb::FSWritableFile {
 public:
  FailedLog(IOStatus failure, Flag has_failed)
      : failure_(std::move(failure)), has_failed_(std::move(has_failed)) {}

  using rocksdb::FSWritableFile::Append;
  IOStatus Append(const Slice&, const IOOptions&, IODebugContext*) override { return Fail(); }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return Fail(); }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return Fail(); }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

 private:
  IOStatus Fail() const {
    has_failed_->store(true);
    return IOStatus(failure_);
  }

  const IOStatus failure_;
  const Flag has_failed_;
};

class DeferringDirectory final : public rocksdb::FSDirectoryWrapper {
 public:
  DeferringDirectory(std::unique_ptr<rocksdb::FSDirectory> directory, Deferring deferring)
      : FSDirectoryWrapper(std::move(directory)), deferring_(std::move(deferring)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* context) override {
    if (deferring_->load()) return IOStatus::OK();
    return FSDirectoryWrapper::Fsync(options, context);
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* context,
                               const rocksdb::DirFsyncOptions& reason) override {
    if (deferring_->load()) return IOStatus::OK();
    return FSDirectoryWrapper::FsyncWithDirOptions(options, context, reason);
  }

 private:
  const Deferring deferring_;
};

class WatchedFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  WatchedFileSystem(std::shared_ptr<rocksdb::FileSystem> below, const std::string& database_path,
                    std::shared_ptr<LedgerKeeper> keeper, Deferring deferring, Flag log_has_failed,
                    std::shared_ptr<std::atomic<std::uint64_t>> newest_log)
      : FileSystemWrapper(std::move(below)),
        prefix_(database_path + "/"),
        keeper_(std::move(keeper)),
        deferring_(std::move(deferring)),
        log_has_failed_(std::move(log_has_failed)),
        newest_log_(std::move(newest_log)) {}

  const char* Name() const override { return "WatchedFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* context) override {
    const std::optional<std::uint64_t> log = LogNumber(NameOf(path));
    // A flush that goes on would touch the log that failed, and an assertion would end the process.
    if (log && log_has_failed_->load()) return IOStatus::IOError("the log before it failed");
    if (log) newest_log_->store(*log);
    IOStatus status = BeforeChange(path);
    if (status.ok()) status = FileSystemWrapper::NewWritableFile(path, options, result, context);
    if (status.ok()) status = Watch(NameOf(path), *result);
    if (status.ok() || !log || keeper_->IsOpening()) return status;
    keeper_->WriteFailed();
    *result = std::make_unique<FailedLog>(std::move(status), log_has_failed_);
    return IOStatus::OK();
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result,
                        IODebugContext* context) override {
    IOStatus status = FileSystemWrapper::NewDirectory(path, options, result, context);
    if (status.ok() && deferring_->load()) {
      *result = std::make_unique<DeferringDirectory>(std::move(*result), deferring_);
    }
    return status;
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* context) override {
    IOStatus status = BeforeChange(to);
    if (status.ok() && NameOf(to) == "CURRENT" && !deferring_->load()) {
      status = keeper_->BeforeCurrent();
    }
    if (!status.ok()) return status;
    return FileSystemWrapper::RenameFile(from, to, options, context);
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options,
                      IODebugContext* context) override {
    IOStatus status = BeforeChange(path);
    if (status.ok()) status = FileSystemWrapper::DeleteFile(path, options, context);
    const std::optional<std::uint64_t> log = LogNumber(NameOf(path));
    if (status.ok() && log) keeper_->LogDeleted(*log);
    return status;
  }
  IOStatus Truncate(const std::string& path, std::size_t size, const IOOptions& options,
                    IODebugContext* context) override {
    IOStatus status = BeforeChange(path);
    if (!status.ok()) return status;
    return FileSystemWrapper::Truncate(path, size, options, context);
  }

 private:
  // The name of a file that is watched; empty for all others.
  std::string_view NameOf(std::string_view path) const {
    if (!path.starts_with(prefix_)) return {};
    path.remove_prefix(prefix_.size());
    // RocksDB's own log file says nothing about the data.
    return path.find('/') == std::string_view::npos && !path.starts_with("LOG")
               ? path
               : std::string_view();
  }

  static IOStatus SyncNames(rocksdb::FileSystem& files, const std::string& path) {
    std::unique_ptr<rocksdb::FSDirectory> directory;
    IOStatus status = files.NewDirectory(path, IOOptions(), &directory, nullptr);
    return status.ok() ? directory->Fsync(IOOptions(), nullptr) : status;
  }

  IOStatus BeforeChange(std::string_view path) {
    if (deferring_->load() || NameOf(path).empty()) return IOStatus::OK();
    return keeper_->BeforeChange();
  }

  IOStatus Watch(std::string_view name, std::unique_ptr<rocksdb::FSWritableFile>& file) {
    if (const std::optional<std::uint64_t> manifest = ManifestNumber(name)) {
      file = std::make_unique<WatchedManifest>(std::move(file), deferring_, keeper_, *manifest);
    } else if (const std::optional<std::uint64_t> log = LogNumber(name)) {
      const auto durable = std::make_shared<std::atomic<std::uint64_t>>(0);
      file = std::make_unique<WatchedLog>(
          std::move(file), deferring_, keeper_, durable,
          [below = target_, directory = prefix_] { return SyncNames(*below, directory); },
          log_has_failed_);
      return keeper_->LogCreated(*log, durable);
    } else if (deferring_->load()) {
      file = std::make_unique<WatchedFile>(std::move(file), deferring_);
    }
    return IOStatus::OK();
  }

  const std::string prefix_;
  const std::shared_ptr<LedgerKeeper> keeper_;
  const Deferring deferring_;
  const Flag log_has_failed_;
  const std::shared_ptr<std::atomic<std::uint64_t>> newest_log_;
};

}  // namespace

WatchedFiles::WatchedFiles(std::shared_ptr<rocksdb::FileSystem> below,
                           const std::string& database_path,
                           std::shared_ptr<LedgerKeeper> ledger_keeper, bool starts_deferring)
    : keeper(std::move(ledger_keeper)),
      defers_syncs(std::make_shared<std::atomic<bool>>(starts_deferring)),
      log_has_failed(std::make_shared<std::atomic<bool>>(false)),
      newest_log(std::make_shared<std::atomic<std::uint64_t>>(0)),
      env(rocksdb::NewCompositeEnv(std::make_shared<WatchedFileSystem>(
          std::move(below), database_path, keeper, defers_syncs, log_has_failed, newest_log))) {}

}  // namespace stator
