#include "systems/downloads/output_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "systems/downloads/digest.h"

namespace stator::systems::downloads {
namespace {

// Not a name that a finished file can have: an entity begins with no dot.
std::string PartPrefix(const FileName& name) { return fmt::format(".part-{}-", name.id()); }

std::unexpected<std::string> Failed(std::string_view what, const std::string& path) {
  return std::unexpected(fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

// A rename is on disk when its directory is.
bool SyncDirectory(const std::string& directory) {
  const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool synced = ::fsync(fd) == 0;
  ::close(fd);
  return synced;
}

}  // namespace

std::expected<PartFile, std::string> PartFile::Create(std::string path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return Failed("create", path);
  return PartFile(std::move(path), fd);
}

PartFile::~PartFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!path_.empty()) ::unlink(path_.c_str());
}

std::expected<void, std::string> PartFile::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed("write", path_);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

std::expected<OutputFolder, std::string> OutputFolder::Open(std::string directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!std::filesystem::is_directory(directory, error)) {
    return std::unexpected(directory + " is no directory");
  }
  return OutputFolder(std::move(directory));
}

std::string OutputFolder::PathOf(const FileName& name) const {
  return fmt::format("{}/{}.csv", directory_, name.id());
}

bool OutputFolder::Has(const FileName& name, std::string_view checksum) const {
  const int fd = ::open(PathOf(name).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  Sha256 sum;
  std::array<char, 65536> buffer;
  ssize_t count = 0;
  while ((count = ::read(fd, buffer.data(), buffer.size())) > 0) {
    sum.Add({buffer.data(), static_cast<std::size_t>(count)});
  }
  ::close(fd);
  return count == 0 && Hex(sum.Finish()) == checksum;
}

std::expected<PartFile, std::string> OutputFolder::Begin(const FileName& name,
                                                         std::string_view claim) const {
  const std::string prefix = PartPrefix(name);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory_, error)) {
    if (entry.path().filename().string().starts_with(prefix)) {
      ::unlink(entry.path().c_str());
    }
  }
  return PartFile::Create(fmt::format("{}/{}{}", directory_, prefix, claim));
}

std::expected<OutputFolder::Published, std::string> OutputFolder::Publish(
    PartFile part, const FileName& name, std::string_view checksum) const {
  if (::fsync(part.fd_) != 0) return Failed("write", part.path_);
  const std::string path = PathOf(name);
  // Renames without replacing: of two claims that overlap, one publishes.
  if (::renameat2(AT_FDCWD, part.path_.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) != 0) {
    if (Has(name, checksum)) return Published::kWasThere;
    if (::rename(part.path_.c_str(), path.c_str()) != 0) return Failed("publish", path);
  }
  part.path_.clear();
  if (!SyncDirectory(directory_)) return Failed("write", directory_);
  return Published::kNew;
}

}  // namespace stator::systems::downloads
