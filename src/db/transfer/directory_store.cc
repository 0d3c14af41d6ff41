#include "transfer/directory_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/random.h"
#include "base/try.h"
#include "transfer/object_name.h"

namespace stator::transfer {
namespace {

using Kind = TransferError::Kind;

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t kFolderMode = 0777;
constexpr mode_t kFileMode = 0666;

// The failed call's errno as an error.
std::unexpected<TransferError> SystemError(std::string_view doing, std::string_view name) {
  const int error = errno;
  const Kind kind = error == ENOENT                                               ? Kind::kNotFound
                    : error == ELOOP || error == ENOTDIR || error == ENAMETOOLONG ? Kind::kBadName
                                                                                  : Kind::kIo;
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

// A folder inside another, made durably if it is not there.
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

}  // namespace

TransferResult<std::unique_ptr<DirectoryStore>> DirectoryStore::Open(const std::string& directory) {
  std::error_code ignored;  // opening it says what is wrong
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
  // O_NONBLOCK: a pipe that somebody put here must not keep us waiting.
  FileDescriptor file(
      ::openat(folder.get(), names.back().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) return SystemError("open", key);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return SystemError("look at", key);
  if (!S_ISREG(status.st_mode)) {
    return Fail(Kind::kNotFound, fmt::format("{} is not an object", key));
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

}  // namespace stator::transfer
