// DirectoryStore::List.
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <system_error>

#include "base/try.h"
#include "transfer/directory_store.h"
#include "transfer/object_name.h"

namespace stator::transfer {
namespace {

using Kind = TransferError::Kind;

struct Entry {
  std::string name;
  std::uint64_t size_bytes = 0;
  bool is_folder = false;
};

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

// Files and folders whose names begin so; links, pipes and files that are being written are none.
TransferResult<std::vector<Entry>> ReadFolder(FileDescriptor folder, std::string_view name_start,
                                              std::size_t entries_max) {
  const int fd = folder.get();
  const std::unique_ptr<DIR, CloseDirectory> directory(::fdopendir(folder.Release()));
  if (!directory) return Fail(Kind::kIo, "cannot list a folder");
  std::vector<Entry> entries;
  for (;;) {
    errno = 0;
    const dirent* found = ::readdir(directory.get());
    if (found == nullptr && errno != 0) {
      return Fail(Kind::kIo, "cannot list a folder: " + std::generic_category().message(errno));
    }
    if (found == nullptr) return entries;
    const std::string name = static_cast<const char*>(found->d_name);
    if (name == "." || name == ".." || name.starts_with(kUploadPrefix)) continue;
    if (!name.starts_with(name_start)) continue;
    struct stat status{};
    if (::fstatat(fd, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const bool is_folder = S_ISDIR(status.st_mode);
    if (!is_folder && !S_ISREG(status.st_mode)) continue;
    if (entries.size() == entries_max) return Fail(Kind::kTooMany, "there are too many objects");
    entries.push_back({name, static_cast<std::uint64_t>(status.st_size), is_folder});
  }
}

}  // namespace

TransferResult<std::vector<ObjectInfo>> DirectoryStore::List(std::string_view bucket,
                                                             std::string_view prefix,
                                                             std::size_t objects_max) const {
  RETURN_IF_ERROR(CheckBucket(bucket));
  if (!HasBucket(bucket)) return Fail(Kind::kNotFound, fmt::format("no bucket {}", bucket));
  ASSIGN_OR_RETURN(const SplitPrefix split, SplitKeyPrefix(prefix));
  std::vector<ObjectInfo> objects;
  std::deque<std::vector<std::string>> folders = {split.folders};
  for (; !folders.empty(); folders.pop_front()) {
    const std::vector<std::string>& path = folders.front();
    TransferResult<FileDescriptor> folder = OpenFolder(bucket, path, /*make=*/false);
    // A prefix that names no folder has no objects, and one may vanish while it is listed.
    if (!folder && folder.error().kind != Kind::kIo) continue;
    if (!folder) return std::unexpected(std::move(folder).error());
    // Folders count too: what is kept in memory must have an end.
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
      return Fail(Kind::kTooMany, fmt::format("there are more than {} objects", objects_max));
    }
  }
  std::ranges::sort(objects, {}, &ObjectInfo::key);
  return objects;
}

}  // namespace stator::transfer
