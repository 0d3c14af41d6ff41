#include "storage/rocksdb/data_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/try.h"
#include "storage/rocksdb/ledger.h"
#include "storage/rocksdb/waitless_files.h"

namespace stator {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMarkerName = "STATOR";
constexpr std::string_view kNewMarkerName = "STATOR.new";
constexpr std::string_view kLockName = "STATOR.lock";
constexpr std::string_view kMarkerPrefix = "stator data directory, format ";
constexpr std::string_view kDataFormat = "2";
constexpr std::string_view kFormatWithoutLedger = "1";
constexpr std::size_t kMarkerBytesMax = 256;

std::unexpected<StorageError> Fail(StorageError::Kind kind, std::string message) {
  return std::unexpected(StorageError{kind, std::move(message)});
}

std::string Join(const std::string& directory, std::string_view name) {
  return fmt::format("{}/{}", directory, name);
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

std::unexpected<StorageError> IoFailure(std::string_view doing, const std::string& path,
                                        int error) {
  return Fail(StorageError::Kind::kIo,
              fmt::format("cannot {} {}: {}", doing, path, std::generic_category().message(error)));
}

StorageResult<void> MakeDirectory(const std::string& path, const Files& files) {
  if (path.empty()) return Fail(StorageError::Kind::kIo, "no directory is named for the data");
  ASSIGN_OR_RETURN(const bool exists, files.Exists(path));
  if (!exists) return files.MakeDirectories(path);
  ASSIGN_OR_RETURN(const bool is_directory, files.IsDirectory(path));
  if (is_directory) return {};
  return Fail(StorageError::Kind::kIo,
              fmt::format("{} is not a directory; name a directory for the data", path));
}

// Refuses a directory that has no marker but holds something else, before anything is written there.
StorageResult<void> CheckNotForeign(const std::string& path, const Files& files) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, files.List(path));
  const auto holds = [&](std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  if (holds(kMarkerName)) return {};
  for (const std::string& name : names) {
    if (name == kNewMarkerName || name == kLockName || name == "lost+found") continue;
    const bool is_ours = name == "db" || name.starts_with(kLedgerName);
    if (holds(kNewMarkerName) && is_ours) continue;
    return Fail(
        StorageError::Kind::kForeign,
        fmt::format("{} is not a data directory of Stator: it has no file {}, but holds {}; "
                    "name a new or an empty directory",
                    path, kMarkerName, name));
  }
  return {};
}

// Returns the descriptor of the locked file. To read, nothing is written, and there may be none (-1).
enum class Access : std::uint8_t { kRead, kWrite };
StorageResult<int> Lock(const std::string& directory, const Files& files, Access access) {
  if (!files.IsMachines()) return -1;
  const std::string path = Join(directory, kLockName);
  const int flags = access == Access::kRead ? O_RDONLY : O_RDWR | O_CREAT;
  FileDescriptor file(open(path.c_str(), flags | O_CLOEXEC, 0600));
  if (file.get() < 0 && errno == ENOENT && access == Access::kRead) return -1;
  if (file.get() < 0) return IoFailure("open", path, errno);
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return IoFailure("lock", path, errno);
    const std::string holder = files.Read(path, kMarkerBytesMax).value_or("");
    return Fail(StorageError::Kind::kLocked,
                fmt::format("{} is in use by {}; stop it or name another directory", directory,
                            holder.empty() ? "another process" : "process " + holder));
  }
  if (access == Access::kRead) return file.Release();
  const std::string holder = std::to_string(getpid());
  // Only the message above needs it, so a failure to write it is ignored.
  if (ftruncate(file.get(), 0) == 0) {
    [[maybe_unused]] const ssize_t ignored = pwrite(file.get(), holder.data(), holder.size(), 0);
  }
  return file.Release();
}

std::string MarkerText() { return fmt::format("{}{}\n", kMarkerPrefix, kDataFormat); }

}  // namespace

StorageResult<DataDirectory> DataDirectory::Open(const std::string& path, const Files& files) {
  RETURN_IF_ERROR(MakeDirectory(path, files));
  RETURN_IF_ERROR(CheckNotForeign(path, files));
  ASSIGN_OR_RETURN(const int lock_fd, Lock(path, files, Access::kWrite));
  DataDirectory directory(path, files, lock_fd);
  // A failure is not "no": a new directory's database is removed.
  ASSIGN_OR_RETURN(const bool has_marker, files.Exists(Join(path, kMarkerName)));
  directory.is_new_ = !has_marker;
  RETURN_IF_ERROR(directory.is_new_ ? directory.StartCreation() : directory.ReadMarker());
  return directory;
}

StorageResult<DataDirectory> DataDirectory::OpenToWatch(const std::string& path,
                                                        const Files& files) {
  const StorageResult<bool> has_marker = files.Exists(Join(path, kMarkerName));
  if (!has_marker || !*has_marker) {
    return Fail(
        StorageError::Kind::kForeign,
        fmt::format("{} is not a data directory of Stator: it has no file {}", path, kMarkerName));
  }
  DataDirectory directory(path, files, -1);
  RETURN_IF_ERROR(directory.ReadMarker());
  return directory;
}

StorageResult<DataDirectory> DataDirectory::OpenToRead(const std::string& path,
                                                       const Files& files) {
  ASSIGN_OR_RETURN(DataDirectory directory, OpenToWatch(path, files));
  ASSIGN_OR_RETURN(directory.lock_fd_, Lock(path, files, Access::kRead));
  return directory;
}

StorageResult<bool> DataDirectory::TryToLock() {
  if (lock_fd_ >= 0) return true;
  const StorageResult<int> lock_fd = Lock(path_, files_, Access::kRead);
  if (lock_fd) {
    lock_fd_ = *lock_fd;
    return true;
  }
  if (lock_fd.error().kind == StorageError::Kind::kLocked) return false;
  return std::unexpected(lock_fd.error());
}

DataDirectory::~DataDirectory() {
  if (lock_fd_ >= 0) close(lock_fd_);
}

StorageResult<void> DataDirectory::ReadMarker() {
  const std::string marker_path = Join(path_, kMarkerName);
  ASSIGN_OR_RETURN(const std::string text, files_.Read(marker_path, kMarkerBytesMax));
  if (!text.starts_with(kMarkerPrefix)) {
    return Fail(
        StorageError::Kind::kForeign,
        fmt::format("{} is not a data directory of Stator: its file {} says something else; "
                    "name another directory",
                    path_, kMarkerName));
  }
  const std::string format =
      text.substr(kMarkerPrefix.size(), text.find('\n') - kMarkerPrefix.size());
  has_ledger_ = format != kFormatWithoutLedger;
  if (format == kDataFormat || !has_ledger_) return {};
  return Fail(
      StorageError::Kind::kForeign,
      fmt::format("{} has data format {}, but this program knows only formats up to {}; use the "
                  "version of Stator that wrote it",
                  path_, format, kDataFormat));
}

StorageResult<void> DataDirectory::StartCreation() {
  // Left by an earlier attempt that never got as far as the marker.
  RETURN_IF_ERROR(files_.RemoveAll(DatabasePath()));
  RETURN_IF_ERROR(files_.RemoveAll(Join(path_, kLedgerName)));
  MakePrivate(path_);
  // Before anything else, or a crash would leave a directory that holds something and has no marker.
  RETURN_IF_ERROR(files_.Write(Join(path_, kNewMarkerName), MarkerText()));
  RETURN_IF_ERROR(files_.SyncDirectory(path_));
  RETURN_IF_ERROR(files_.MakeDirectories(DatabasePath()));
  MakePrivate(DatabasePath());
  return {};
}

StorageResult<void> DataDirectory::FinishCreation() {
  RETURN_IF_ERROR(SyncAll());
  RETURN_IF_ERROR(files_.Rename(Join(path_, kNewMarkerName), Join(path_, kMarkerName)));
  RETURN_IF_ERROR(files_.SyncDirectory(path_));
  is_new_ = false;
  return {};
}

StorageResult<void> DataDirectory::FinishUpgrade() {
  if (files_.IsMachines()) {
    std::error_code error;
    MakePrivate(path_);
    for (fs::recursive_directory_iterator file(path_, error), end; !error && file != end;
         file.increment(error)) {
      MakePrivate(file->path());
    }
  }
  RETURN_IF_ERROR(files_.Write(Join(path_, kNewMarkerName), MarkerText()));
  RETURN_IF_ERROR(files_.Rename(Join(path_, kNewMarkerName), Join(path_, kMarkerName)));
  RETURN_IF_ERROR(files_.SyncDirectory(path_));
  has_ledger_ = true;
  return {};
}

// Everything created so far, parent directories included.
StorageResult<void> DataDirectory::SyncAll() const {
  if (files_.IsMachines()) {
    // In one call.
    if (syncfs(lock_fd_) != 0) return IoFailure("sync", path_, errno);
    return {};
  }
  for (fs::path path = path_; !path.empty(); path = path.parent_path()) {
    RETURN_IF_ERROR(files_.SyncDirectory(path));
    if (!path.has_relative_path()) break;
  }
  return {};
}

}  // namespace stator
