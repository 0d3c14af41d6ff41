#include "storage/rocksdb/ordered_files.h"

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace stator {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

// A file that can be synced by another thread while its owner uses or closes it.
struct SharedLog {
  explicit SharedLog(std::unique_ptr<rocksdb::FSWritableFile> opened) : file(std::move(opened)) {}

  IOStatus SyncIfOpen() {
    const std::scoped_lock lock(closing);
    return is_closed ? IOStatus::OK() : file->Sync(IOOptions(), nullptr);
  }

  const std::unique_ptr<rocksdb::FSWritableFile> file;
  std::mutex closing;
  bool is_closed = false;
};

class OrderedLog final : public rocksdb::FSWritableFileWrapper {
 public:
  explicit OrderedLog(std::shared_ptr<SharedLog> log)
      : FSWritableFileWrapper(log->file.get()), log_(std::move(log)) {}
  OrderedLog(const OrderedLog&) = delete;
  OrderedLog& operator=(const OrderedLog&) = delete;
  ~OrderedLog() override { MarkClosed(); }

  IOStatus Close(const IOOptions& options, IODebugContext* context) override {
    MarkClosed();
    return FSWritableFileWrapper::Close(options, context);
  }

 private:
  void MarkClosed() {
    const std::scoped_lock lock(log_->closing);
    log_->is_closed = true;
  }

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
      IOStatus synced = SyncNewestLog();
      if (synced.ok()) synced = SyncParent(path, context);
      if (!synced.ok()) return synced;
    }
    IOStatus status = FileSystemWrapper::NewWritableFile(path, options, result, context);
    if (!is_log || !status.ok()) return status;
    auto log = std::make_shared<SharedLog>(std::move(*result));
    *result = std::make_unique<OrderedLog>(log);
    const std::scoped_lock lock(mutex_);
    newest_log_ = log;
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

  // RocksDB creates a log while nobody writes to the one before it.
  IOStatus SyncNewestLog() {
    std::shared_ptr<SharedLog> log;
    {
      const std::scoped_lock lock(mutex_);
      log = newest_log_.lock();
    }
    return log ? log->SyncIfOpen() : IOStatus::OK();
  }

  const bool syncs_logs_;
  std::mutex mutex_;
  std::weak_ptr<SharedLog> newest_log_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> MakeOrdered(std::shared_ptr<rocksdb::FileSystem> below,
                                                 bool syncs_logs) {
  return std::make_shared<OrderedFileSystem>(std::move(below), syncs_logs);
}

}  // namespace stator
