#include "storage/rocksdb/waitless_files.h"

#include <fcntl.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "base/work.h"

namespace stator {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

IOStatus NotInMemory() {
  Work::EndElsewhere();
  return IOStatus::Busy("not in memory");
}

class WaitlessFile final : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  WaitlessFile(std::unique_ptr<rocksdb::FSRandomAccessFile> file, int fd)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), fd_(fd) {}
  WaitlessFile(const WaitlessFile&) = delete;
  WaitlessFile& operator=(const WaitlessFile&) = delete;
  ~WaitlessFile() override { close(fd_); }

  IOStatus Read(std::uint64_t offset, std::size_t size, const IOOptions& options,
                rocksdb::Slice* result, char* scratch, IODebugContext* context) const override {
    if (Work::MayWait()) {
      return FSRandomAccessFileOwnerWrapper::Read(offset, size, options, result, scratch, context);
    }
    const iovec part{scratch, size};
    const ssize_t count = preadv2(fd_, &part, 1, static_cast<off_t>(offset), RWF_NOWAIT);
    // A short count may be the end of the file, which is not worth a second look here.
    if (count < 0 || static_cast<std::size_t>(count) < size) return NotInMemory();
    *result = {scratch, size};
    return IOStatus::OK();
  }

  IOStatus MultiRead(rocksdb::FSReadRequest* requests, std::size_t count, const IOOptions& options,
                     IODebugContext* context) override {
    if (Work::MayWait()) {
      return FSRandomAccessFileOwnerWrapper::MultiRead(requests, count, options, context);
    }
    for (std::size_t i = 0; i < count; ++i) {
      rocksdb::FSReadRequest& one = requests[i];
      one.status = Read(one.offset, one.len, options, &one.result, one.scratch, context);
    }
    return IOStatus::OK();
  }

  IOStatus Prefetch(std::uint64_t offset, std::size_t size, const IOOptions& options,
                    IODebugContext* context) override {
    if (!Work::MayWait()) return IOStatus::NotSupported();
    return FSRandomAccessFileOwnerWrapper::Prefetch(offset, size, options, context);
  }

 private:
  const int fd_;
};

class WaitlessFiles final : public rocksdb::FileSystemWrapper {
 public:
  WaitlessFiles() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}

  const char* Name() const override { return "WaitlessFiles"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* context) override {
    IOStatus status = FileSystemWrapper::NewWritableFile(path, options, result, context);
    if (status.ok()) MakePrivate(path);
    return status;
  }
  IOStatus LockFile(const std::string& path, const IOOptions& options, rocksdb::FileLock** lock,
                    IODebugContext* context) override {
    IOStatus status = FileSystemWrapper::LockFile(path, options, lock, context);
    if (status.ok()) MakePrivate(path);
    return status;
  }

  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                               IODebugContext* context) override {
    // Opening a file reads its directory.
    if (!Work::MayWait()) return NotInMemory();
    IOStatus status = FileSystemWrapper::NewRandomAccessFile(path, options, result, context);
    if (!status.ok()) return status;
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    // Without a second descriptor the file is read as ever.
    if (fd >= 0) *result = std::make_unique<WaitlessFile>(std::move(*result), fd);
    return status;
  }
};

}  // namespace

void MakePrivate(const std::string& path) {
  struct stat status{};
  // A failure changes little: nobody else can enter the directory.
  if (stat(path.c_str(), &status) != 0) return;
  static_cast<void>(chmod(path.c_str(), S_ISDIR(status.st_mode) ? 0700 : 0600));
}

const std::shared_ptr<rocksdb::FileSystem>& WaitlessFileSystem() {
  static const auto& files =
      *new std::shared_ptr<rocksdb::FileSystem>(std::make_shared<WaitlessFiles>());
  return files;
}

rocksdb::Env* WaitlessEnv() {
  static rocksdb::Env* const env = rocksdb::NewCompositeEnv(WaitlessFileSystem()).release();
  return env;
}

}  // namespace stator
