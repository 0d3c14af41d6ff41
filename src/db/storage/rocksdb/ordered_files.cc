#include "storage/rocksdb/ordered_files.h"

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator {
namespace {

using rocksdb::DataVerificationInfo;
using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// A log that can be synced by another thread while its owner uses or closes it.
class SharedLog {
 public:
  explicit SharedLog(std::unique_ptr<rocksdb::FSWritableFile> file) : file_(std::move(file)) {}

  rocksdb::FSWritableFile* file() const { return file_.get(); }
  void Appended() { has_unsynced_.store(true); }

  IOStatus Sync(const IOOptions& options, IODebugContext* context) {
    const std::scoped_lock lock(mutex_);
    return SyncLocked(options, context);
  }
  IOStatus SyncIfNeeded() {
    const std::scoped_lock lock(mutex_);
    if (!is_closed_ && has_unsynced_.load()) return SyncLocked(IOOptions(), nullptr);
    return IOStatus(failure_);
  }
  void MarkClosed() {
    const std::scoped_lock lock(mutex_);
    is_closed_ = true;
  }

 private:
  // A sync that succeeds after one that failed says nothing about the bytes of the failed one.
  IOStatus SyncLocked(const IOOptions& options, IODebugContext* context) {
    if (!failure_.ok()) return IOStatus(failure_);
    has_unsynced_.store(false);
    failure_ = file_->Sync(options, context);
    return IOStatus(failure_);
  }

  const std::unique_ptr<rocksdb::FSWritableFile> file_;
  std::atomic<bool> has_unsynced_ = false;
  std::mutex mutex_;  // guards the rest
  bool is_closed_ = false;
  IOStatus failure_;
};

class OrderedLog final : public rocksdb::FSWritableFileWrapper {
 public:
  explicit OrderedLog(std::shared_ptr<SharedLog> log)
      : FSWritableFileWrapper(log->file()), log_(std::move(log)) {}
  OrderedLog(const OrderedLog&) = delete;
  OrderedLog& operator=(const OrderedLog&) = delete;
  ~OrderedLog() override { log_->MarkClosed(); }

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* context) override {
    log_->Appended();
    return FSWritableFileWrapper::Append(data, options, context);
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo& info,
                  IODebugContext* context) override {
    log_->Appended();
    return FSWritableFileWrapper::Append(data, options, info, context);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* context) override {
    return log_->Sync(options, context);
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* context) override {
    return log_->Sync(options, context);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* context) override {
    log_->MarkClosed();
    return FSWritableFileWrapper::Close(options, context);
  }

 private:
  const std::shared_ptr<SharedLog> log_;
};

class OrderedFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  OrderedFileSystem(std::shared_ptr<rocksdb::FileSystem> below, bool syncs_logs)
      : FileSystemWrapper(std::move(below)), syncs_logs_(syncs_logs) {}

  const char* Name() const override { return "OrderedFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* context) override {
    const bool is_log = syncs_logs_ && path.ends_with(".log");
    if (is_log) {
      IOStatus synced = SyncLogs();
      if (synced.ok()) synced = SyncParent(path, context);
      if (!synced.ok()) return synced;
    }
    IOStatus status = FileSystemWrapper::NewWritableFile(path, options, result, context);
    if (!is_log || !status.ok()) return status;
    auto log = std::make_shared<SharedLog>(std::move(*result));
    *result = std::make_unique<OrderedLog>(log);
    const std::scoped_lock lock(mutex_);
    logs_.push_back(log);
    return status;
  }

  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* context) override {
    if (to.ends_with("/CURRENT")) {
      IOStatus status = SyncParent(to, context);
      if (!status.ok()) return status;
    }
    return FileSystemWrapper::RenameFile(from, to, options, context);
  }

 private:
  IOStatus SyncParent(const std::string& path, IODebugContext* context) {
    std::unique_ptr<rocksdb::FSDirectory> directory;
    IOStatus status =
        NewDirectory(path.substr(0, path.rfind('/')), IOOptions(), &directory, context);
    return status.ok() ? directory->Fsync(IOOptions(), context) : status;
  }

  // RocksDB creates a log while nobody writes to the ones before it. All of them, because a log that
  // was created last need not be the one that is written to: its creation may have failed further up.
  IOStatus SyncLogs() {
    std::vector<std::shared_ptr<SharedLog>> open;
    {
      const std::scoped_lock lock(mutex_);
      std::erase_if(logs_, [](const std::weak_ptr<SharedLog>& log) { return log.expired(); });
      for (const std::weak_ptr<SharedLog>& log : logs_) {
        if (std::shared_ptr<SharedLog> kept = log.lock()) open.push_back(std::move(kept));
      }
    }
    for (const std::shared_ptr<SharedLog>& log : open) {
      IOStatus status = log->SyncIfNeeded();
      if (!status.ok()) return status;
    }
    return IOStatus::OK();
  }

  const bool syncs_logs_;
  std::mutex mutex_;
  std::vector<std::weak_ptr<SharedLog>> logs_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> MakeOrdered(std::shared_ptr<rocksdb::FileSystem> below,
                                                 bool syncs_logs) {
  return std::make_shared<OrderedFileSystem>(std::move(below), syncs_logs);
}

}  // namespace stator
