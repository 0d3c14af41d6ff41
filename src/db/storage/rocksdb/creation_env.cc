#include "storage/rocksdb/creation_env.h"

#include <rocksdb/file_system.h>

#include <string>
#include <utility>

namespace stator {
namespace {

using Deferring = std::shared_ptr<std::atomic<bool>>;
using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

class DeferringFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  DeferringFile(std::unique_ptr<rocksdb::FSWritableFile> file, Deferring deferring)
      : FSWritableFileOwnerWrapper(std::move(file)), deferring_(std::move(deferring)) {}

  IOStatus Sync(const IOOptions& options, IODebugContext* context) override {
    if (deferring_->load()) return Flush(options, context);
    return FSWritableFileOwnerWrapper::Sync(options, context);
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* context) override {
    if (deferring_->load()) return Flush(options, context);
    return FSWritableFileOwnerWrapper::Fsync(options, context);
  }

 private:
  const Deferring deferring_;
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
                               const rocksdb::DirFsyncOptions& how) override {
    if (deferring_->load()) return IOStatus::OK();
    return FSDirectoryWrapper::FsyncWithDirOptions(options, context, how);
  }

 private:
  const Deferring deferring_;
};

class DeferringFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit DeferringFileSystem(Deferring deferring)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), deferring_(std::move(deferring)) {}

  const char* Name() const override { return "DeferringFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* context) override {
    IOStatus status = FileSystemWrapper::NewWritableFile(path, options, result, context);
    if (status.ok() && deferring_->load()) {
      *result = std::make_unique<DeferringFile>(std::move(*result), deferring_);
    }
    return status;
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

 private:
  const Deferring deferring_;
};

}  // namespace

CreationEnv::CreationEnv()
    : deferring_(std::make_shared<std::atomic<bool>>(true)),
      env_(rocksdb::NewCompositeEnv(std::make_shared<DeferringFileSystem>(deferring_))) {}

CreationEnv::~CreationEnv() = default;

}  // namespace stator
