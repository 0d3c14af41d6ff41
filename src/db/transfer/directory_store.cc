#include "transfer/directory_store.h"

#include <fmt/format.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <system_error>

#include "base/random.h"
#include "base/try.h"
#include "transfer/object_name.h"

namespace stator::transfer {
namespace {

using ErrorKind = TransferError::Kind;

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t kFolderMode = 0777;
constexpr mode_t kFileMode = 0666;

// The errno of a failed call as an error.
std::unexpected<TransferError> SystemError(std::string_view doing, std::string_view name) {
  const int error = errno;
  const ErrorKind kind = error == ENOENT ? ErrorKind::kNotFound
                         : error == ELOOP || error == ENOTDIR || error == ENAMETOOLONG
                             ? ErrorKind::kBadName
                             : ErrorKind::kIo;
  return Fail(kind,
              fmt::format("cannot {} {}: {}", doing, name, std::generic_category().message(error)));
}

class FileSource final : public ByteSource {
 public:
  FileSource(FileDescriptor file, std::string key) : file_(std::move(file)), key_(std::move(key)) {}
  TransferResult<std::size_t> Read(std::span<char> out) override {
    for (;;) {
      const ssize_t count = ::read(file_.get(), out.data(), out.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) return SystemError("read", key_);
    }
  }

 private:
  FileDescriptor file_;
  std::string key_;
};

class FileWriter final : public ObjectWriter {
 public:
  FileWriter(FileDescriptor folder, FileDescriptor file, std::string temporary, std::string name)
      : folder_(std::move(folder)),
        file_(std::move(file)),
        temporary_(std::move(temporary)),
        name_(std::move(name)) {}
  ~FileWriter() override {
    if (!committed_) ::unlinkat(folder_.get(), temporary_.c_str(), 0);
  }
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  TransferResult<void> Write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t count = ::write(file_.get(), bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return SystemError("write", name_);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
  }

  TransferResult<void> Commit() override {
    if (::fsync(file_.get()) != 0) return SystemError("sync", name_);
    if (::renameat(folder_.get(), temporary_.c_str(), folder_.get(), name_.c_str()) != 0) {
      return SystemError("name", name_);
    }
    committed_ = true;
    if (::fsync(folder_.get()) != 0) return SystemError("sync the folder of", name_);
    return {};
  }

 private:
  FileDescriptor folder_;
  FileDescriptor file_;
  std::string temporary_;
  std::string name_;
  bool committed_ = false;
};

// A random name that no object has.
std::string UploadName() { return std::string(kUploadPrefix).append(RandomUuid()); }

// Opens a folder inside another; makes it durably if `make` and it does not exist.
TransferResult<FileDescriptor> EnterFolder(int parent, const std::string& name, bool make) {
  FileDescriptor folder(::openat(parent, name.c_str(), kFolderFlags));
  if (!folder.is_open() && errno == ENOENT && make) {
    if (::mkdirat(parent, name.c_str(), kFolderMode) != 0 && errno != EEXIST) {
      return SystemError("make the folder", name);
    }
    if (::fsync(parent) != 0) return SystemError("sync the folder of", name);
    folder = FileDescriptor(::openat(parent, name.c_str(), kFolderFlags));
  }
  if (!folder.is_open()) return SystemError("open the folder", name);
  return folder;
}

struct Entry {
  std::string name;
  std::uint64_t size_bytes = 0;
  bool is_folder = false;
};

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

// Files and folders whose names begin with `name_start`, without links, pipes and files that are
// being written.
TransferResult<std::vector<Entry>> ReadFolder(FileDescriptor folder, std::string_view name_start,
                                              std::size_t entries_max) {
  const int fd = folder.get();
  const std::unique_ptr<DIR, CloseDirectory> directory(::fdopendir(folder.Release()));
  if (!directory) return Fail(ErrorKind::kIo, "cannot list a folder");
  std::vector<Entry> entries;
  for (;;) {
    errno = 0;
    const dirent* found = ::readdir(directory.get());
    if (found == nullptr && errno != 0) {
      return Fail(ErrorKind::kIo,
                  "cannot list a folder: " + std::generic_category().message(errno));
    }
    if (found == nullptr) return entries;
    const std::string name = static_cast<const char*>(found->d_name);
    if (name == "." || name == ".." || name.starts_with(kUploadPrefix)) continue;
    if (!name.starts_with(name_start)) continue;
    struct stat status{};
    if (::fstatat(fd, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const bool is_folder = S_ISDIR(status.st_mode);
    if (!is_folder && !S_ISREG(status.st_mode)) continue;
    if (entries.size() == entries_max)
      return Fail(ErrorKind::kTooMany, "there are too many objects");
    entries.push_back({name, static_cast<std::uint64_t>(status.st_size), is_folder});
  }
}

}  // namespace

TransferResult<std::unique_ptr<DirectoryStore>> DirectoryStore::Open(const std::string& directory) {
  std::error_code ignored;  // opening it reports the problem
  std::filesystem::create_directories(directory, ignored);
  FileDescriptor root(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.is_open()) return SystemError("open the directory", directory);
  return std::unique_ptr<DirectoryStore>(new DirectoryStore(std::move(root)));
}

TransferResult<FileDescriptor> DirectoryStore::OpenFolder(std::string_view bucket,
                                                          std::span<const std::string> folders,
                                                          bool make) const {
  RETURN_IF_ERROR(CheckBucket(bucket));
  ASSIGN_OR_RETURN(FileDescriptor folder, EnterFolder(root_.get(), std::string(bucket), make));
  for (const std::string& name : folders) {
    ASSIGN_OR_RETURN(FileDescriptor inner, EnterFolder(folder.get(), name, make));
    folder = std::move(inner);
  }
  return folder;
}

bool DirectoryStore::HasBucket(std::string_view bucket) const {
  return OpenFolder(bucket, {}, /*make=*/false).has_value();
}

TransferResult<std::unique_ptr<ByteSource>> DirectoryStore::Open(std::string_view bucket,
                                                                 std::string_view key) const {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, SplitKey(key));
  ASSIGN_OR_RETURN(const FileDescriptor folder,
                   OpenFolder(bucket, std::span(names).first(names.size() - 1), /*make=*/false));
  // O_NONBLOCK: opening a pipe must not block.
  FileDescriptor file(
      ::openat(folder.get(), names.back().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) return SystemError("open", key);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return SystemError("look at", key);
  if (!S_ISREG(status.st_mode)) {
    return Fail(ErrorKind::kNotFound, fmt::format("{} is not an object", key));
  }
  return std::make_unique<FileSource>(std::move(file), std::string(key));
}

TransferResult<std::unique_ptr<ObjectWriter>> DirectoryStore::Create(std::string_view bucket,
                                                                     std::string_view key) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, SplitKey(key));
  ASSIGN_OR_RETURN(FileDescriptor folder,
                   OpenFolder(bucket, std::span(names).first(names.size() - 1), /*make=*/true));
  std::string temporary = UploadName();
  FileDescriptor file(::openat(folder.get(), temporary.c_str(),
                               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileMode));
  if (!file.is_open()) return SystemError("create", key);
  return std::make_unique<FileWriter>(std::move(folder), std::move(file), std::move(temporary),
                                      names.back());
}

TransferResult<std::vector<ObjectInfo>> DirectoryStore::List(std::string_view bucket,
                                                             std::string_view prefix,
                                                             std::size_t objects_max) const {
  RETURN_IF_ERROR(CheckBucket(bucket));
  if (!HasBucket(bucket)) return Fail(ErrorKind::kNotFound, fmt::format("no bucket {}", bucket));
  ASSIGN_OR_RETURN(const SplitPrefix split, SplitKeyPrefix(prefix));
  std::vector<ObjectInfo> objects;
  std::deque<std::vector<std::string>> folders = {split.folders};
  for (; !folders.empty(); folders.pop_front()) {
    const std::vector<std::string>& path = folders.front();
    TransferResult<FileDescriptor> folder = OpenFolder(bucket, path, /*make=*/false);
    // A prefix without a folder has no objects, and a folder may vanish while it is listed.
    if (!folder && folder.error().kind != ErrorKind::kIo) continue;
    if (!folder) return std::unexpected(std::move(folder).error());
    // Folders count too: memory must be bounded.
    const bool is_first = path.size() == split.folders.size();
    ASSIGN_OR_RETURN(
        const std::vector<Entry> entries,
        ReadFolder(*std::move(folder), is_first ? split.name_start : std::string(), objects_max));
    std::string base;
    for (const std::string& name : path) base.append(name).push_back('/');
    for (const Entry& entry : entries) {
      std::string key = base + entry.name;
      if (key.size() > kKeyBytesMax) continue;
      if (entry.is_folder) {
        folders.push_back(path);
        folders.back().push_back(entry.name);
      } else {
        objects.push_back({std::move(key), entry.size_bytes});
      }
    }
    if (objects.size() > objects_max || folders.size() > objects_max) {
      return Fail(ErrorKind::kTooMany, fmt::format("there are more than {} objects", objects_max));
    }
  }
  std::ranges::sort(objects, {}, &ObjectInfo::key);
  return objects;
}

}  // namespace stator::transfer
