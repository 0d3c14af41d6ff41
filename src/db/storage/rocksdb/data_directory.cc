#include "storage/rocksdb/data_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/try.h"

namespace stator {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMarkerName = "STATOR";
constexpr std::string_view kNewMarkerName = "STATOR.new";
constexpr std::string_view kLockName = "STATOR.lock";
constexpr std::string_view kMarkerPrefix = "stator data directory, format ";
constexpr std::string_view kDataFormat = "1";

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

// The first bytes of a file; nullopt if it cannot be read.
std::optional<std::string> ReadStart(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return std::nullopt;
  std::array<char, 256> buffer;
  const ssize_t size = read(file.get(), buffer.data(), buffer.size());
  if (size < 0) return std::nullopt;
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

StorageResult<void> WriteFile(const std::string& path, std::string_view text) {
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (file.get() < 0) return IoFailure("create", path, errno);
  const ssize_t written = write(file.get(), text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size())) {
    return IoFailure("write", path, written < 0 ? errno : ENOSPC);
  }
  return {};
}

StorageResult<void> MakeDirectory(const std::string& path) {
  if (path.empty()) return Fail(StorageError::Kind::kIo, "no directory is named for the data");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return {};
  if (fs::exists(status)) {
    return Fail(StorageError::Kind::kIo,
                fmt::format("{} is not a directory; name a directory for the data", path));
  }
  fs::create_directories(path, error);
  if (error) return IoFailure("create the directory", path, error.value());
  return {};
}

// Refuses a directory that has no marker but holds something else, before anything is written there.
StorageResult<void> CheckNotForeign(const std::string& path) {
  std::error_code error;
  if (fs::exists(Join(path, kMarkerName), error)) return {};
  const bool is_half_made = fs::exists(Join(path, kNewMarkerName), error);
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name == kNewMarkerName || name == kLockName || name == "lost+found") continue;
    if (is_half_made && name == "db") continue;
    return Fail(
        StorageError::Kind::kForeign,
        fmt::format("{} is not a data directory of Stator: it has no file {}, but holds {}; "
                    "name a new or an empty directory",
                    path, kMarkerName, name));
  }
  if (error) return IoFailure("list", path, error.value());
  return {};
}

// Returns the descriptor of the locked file.
StorageResult<int> Lock(const std::string& directory) {
  const std::string path = Join(directory, kLockName);
  FileDescriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (file.get() < 0) return IoFailure("open", path, errno);
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return IoFailure("lock", path, errno);
    const std::string holder = ReadStart(path).value_or("");
    return Fail(StorageError::Kind::kLocked,
                fmt::format("{} is in use by {}; stop it or name another directory", directory,
                            holder.empty() ? "another process" : "process " + holder));
  }
  const std::string holder = std::to_string(getpid());
  // Only the message above needs it, so a failure to write it is ignored.
  if (ftruncate(file.get(), 0) == 0) {
    [[maybe_unused]] const ssize_t ignored = pwrite(file.get(), holder.data(), holder.size(), 0);
  }
  return file.Release();
}

std::string MarkerText() { return fmt::format("{}{}\n", kMarkerPrefix, kDataFormat); }

}  // namespace

std::unexpected<StorageError> IoFailure(std::string_view doing, const std::string& path,
                                        int error) {
  return Fail(StorageError::Kind::kIo,
              fmt::format("cannot {} {}: {}", doing, path, std::generic_category().message(error)));
}

StorageResult<void> SyncDirectory(const std::string& path) {
  const FileDescriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0 || fsync(directory.get()) != 0) return IoFailure("sync", path, errno);
  return {};
}

StorageResult<DataDirectory> DataDirectory::Open(const std::string& path) {
  RETURN_IF_ERROR(MakeDirectory(path));
  RETURN_IF_ERROR(CheckNotForeign(path));
  ASSIGN_OR_RETURN(const int lock_fd, Lock(path));
  DataDirectory directory(path, lock_fd);
  std::error_code error;
  directory.is_new_ = !fs::exists(Join(path, kMarkerName), error);
  RETURN_IF_ERROR(directory.is_new_ ? directory.StartCreation() : directory.ReadMarker());
  return directory;
}

DataDirectory::~DataDirectory() {
  if (lock_fd_ >= 0) close(lock_fd_);
}

StorageResult<void> DataDirectory::ReadMarker() {
  const std::string marker_path = Join(path_, kMarkerName);
  const std::optional<std::string> text = ReadStart(marker_path);
  if (!text) return IoFailure("read", marker_path, errno);
  if (!text->starts_with(kMarkerPrefix)) {
    return Fail(
        StorageError::Kind::kForeign,
        fmt::format("{} is not a data directory of Stator: its file {} says something else; "
                    "name another directory",
                    path_, kMarkerName));
  }
  const std::string format =
      text->substr(kMarkerPrefix.size(), text->find('\n') - kMarkerPrefix.size());
  if (format == kDataFormat) return {};
  return Fail(StorageError::Kind::kForeign,
              fmt::format("{} has data format {}, but this program knows only format {}; use the "
                          "version of Stator that wrote it",
                          path_, format, kDataFormat));
}

StorageResult<void> DataDirectory::StartCreation() {
  // Left by an earlier attempt that never got as far as the marker.
  std::error_code error;
  fs::remove_all(DatabasePath(), error);
  if (error) return IoFailure("remove", DatabasePath(), error.value());
  return WriteFile(Join(path_, kNewMarkerName), MarkerText());
}

StorageResult<void> DataDirectory::FinishCreation() {
  const std::string from = Join(path_, kNewMarkerName);
  const std::string to = Join(path_, kMarkerName);
  // Everything created so far, parent directories included, in one call.
  if (syncfs(lock_fd_) != 0) return IoFailure("sync", path_, errno);
  if (rename(from.c_str(), to.c_str()) != 0) return IoFailure("create", to, errno);
  RETURN_IF_ERROR(SyncDirectory(path_));
  is_new_ = false;
  return {};
}

}  // namespace stator
