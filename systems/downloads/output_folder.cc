#include "systems/downloads/output_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include "systems/program/process.h"
#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

constexpr std::string_view kPart = ".part-";

// Not a name that a finished file can have: an entity begins with no dot. No name has a '~', so
// the parts of one file are not taken for those of another.
std::string PartPrefix(const FileName& name) { return fmt::format("{}{}~", kPart, name.id()); }

std::unexpected<std::string> FileProblem(std::string_view what, const std::string& path) {
  return std::unexpected(fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

// Adds what is between the beginning and the end of a file; false with errno set.
bool AddFile(int fd, Sha256& sum) {
  std::array<char, 65536> buffer;
  off_t at = 0;
  ssize_t count = 0;
  while ((count = ::pread(fd, buffer.data(), buffer.size(), at)) > 0) {
    sum.Add({buffer.data(), static_cast<std::size_t>(count)});
    at += count;
  }
  return count == 0;
}

bool IsStillCalled(int fd, const std::string& path) {
  struct stat open = {};
  struct stat named = {};
  return ::fstat(fd, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

// The file, locked: the lock goes with the process that dies. -1 with errno set; EWOULDBLOCK if
// somebody has it.
int OpenLocked(const std::string& path) {
  while (true) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) return -1;
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      ::close(fd);
      errno = error;
      return -1;
    }
    if (IsStillCalled(fd, path)) return fd;
    // Its owner has published or removed it between our two steps.
    ::close(fd);
  }
}

}  // namespace

PartFile::PartFile(std::string path, int fd, bool is_kept)
    : path_(std::move(path)), fd_(fd), is_kept_(is_kept) {
  struct stat status = {};
  if (::fstat(fd_, &status) == 0) size_ = status.st_size;
}

PartFile::~PartFile() {
  if (!path_.empty() && (!is_kept_ || size_ == 0)) ::unlink(path_.c_str());
  if (fd_ >= 0) ::close(fd_);
}

Fallible<void> PartFile::Append(std::string_view bytes) {
  if (!WriteAll(fd_, bytes)) return FileProblem("write", path_);
  size_ += static_cast<std::int64_t>(bytes.size());
  return {};
}

Fallible<void> PartFile::Truncate(std::int64_t size_bytes) {
  if (::ftruncate(fd_, size_bytes) != 0) return FileProblem("write", path_);
  size_ = size_bytes;
  return {};
}

Fallible<void> PartFile::AddTo(Sha256& sum) const {
  if (!AddFile(fd_, sum)) return FileProblem("read", path_);
  return {};
}

Fallible<OutputFolder> OutputFolder::Open(std::string directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!std::filesystem::is_directory(directory, error)) {
    return std::unexpected(directory + " is not a directory");
  }
  OutputFolder folder(std::move(directory));
  folder.RemovePartsOfFinishedFiles();
  return folder;
}

void OutputFolder::RemovePartsOfFinishedFiles() const {
  std::set<std::string> finished;  // without their extensions
  std::set<std::string> begun;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory_, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kPart)) {
      begun.insert(name.substr(kPart.size(), name.find('~') - kPart.size()));
      continue;
    }
    for (std::size_t dot = name.find('.'); dot != std::string::npos;
         dot = name.find('.', dot + 1)) {
      finished.insert(name.substr(0, dot));
    }
    finished.insert(name);
  }
  for (const std::string& id : begun) {
    const auto name = ParseFileName(id);
    if (name && finished.contains(id)) RemoveOtherParts(*name, {});
  }
}

std::string OutputFolder::PathOf(const SourceFile& file) const {
  return fmt::format("{}/{}{}{}", directory_, file.name.id(), file.extension.empty() ? "" : ".",
                     file.extension);
}

bool OutputFolder::Has(const SourceFile& file) const {
  const int fd = ::open(PathOf(file).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat status = {};
  Sha256 sum;
  const bool has = ::fstat(fd, &status) == 0 && status.st_size == file.size_bytes &&
                   AddFile(fd, sum) && Hex(sum.Finish()) == file.checksum;
  ::close(fd);
  return has;
}

void OutputFolder::RemoveOtherParts(const FileName& name, const std::string& own_path) const {
  const std::string prefix = PartPrefix(name);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory_, error)) {
    const std::string path = entry.path().string();
    if (!entry.path().filename().string().starts_with(prefix) || path == own_path) continue;
    const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0) continue;
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0 && IsStillCalled(fd, path)) ::unlink(path.c_str());
    ::close(fd);
  }
}

Fallible<PartFile> OutputFolder::Begin(const SourceFile& file, std::string_view claim) const {
  const std::string prefix = directory_ + "/" + PartPrefix(file.name);
  // The checksum is in its name: what belongs to another version of the file is no beginning of
  // this one.
  std::string path = prefix + file.checksum.substr(0, 16);
  RemoveOtherParts(file.name, path);
  int fd = OpenLocked(path);
  const bool is_kept = fd >= 0;
  if (fd < 0 && errno == EWOULDBLOCK) {
    path = prefix + std::string(claim);
    fd = OpenLocked(path);
  }
  if (fd < 0) return FileProblem("create", path);
  return PartFile(std::move(path), fd, is_kept);
}

Fallible<OutputFolder::Published> OutputFolder::Publish(PartFile part,
                                                        const SourceFile& file) const {
  part.Discard();
  if (::fsync(part.fd_) != 0) return FileProblem("write", part.path_);
  const std::string path = PathOf(file);
  // Renames without replacing: of two claims that overlap, one publishes.
  if (::renameat2(AT_FDCWD, part.path_.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) != 0) {
    if (Has(file)) return Published::kWasThere;
    if (::rename(part.path_.c_str(), path.c_str()) != 0) return FileProblem("publish", path);
  }
  part.path_.clear();
  if (!SyncFolder(directory_)) return FileProblem("write", directory_);
  return Published::kNew;
}

}  // namespace stator::systems::downloads
