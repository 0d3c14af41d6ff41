#include "storage/rocksdb/checkpoint_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <rocksdb/utilities/checkpoint.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/try.h"
#include "storage/rocksdb/rocks_checkpoint.h"
#include "storage/rocksdb/rocks_status.h"

namespace stator {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHalfMade = ".new";

std::unexpected<StorageError> Failure(std::string_view doing, const std::string& path,
                                      const std::error_code& error) {
  return std::unexpected(StorageError{
      StorageError::Kind::kIo, fmt::format("cannot {} {}: {}", doing, path, error.message())});
}

std::error_code LastError() { return {errno, std::generic_category()}; }

StorageResult<void> SyncDirectory(const std::string& path) {
  const int directory = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return Failure("open", path, LastError());
  const bool synced = fsync(directory) == 0;
  const std::error_code error = LastError();
  close(directory);
  if (!synced) return Failure("sync", path, error);
  return {};
}

StorageResult<void> RemoveAll(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) return Failure("remove", path, error);
  return {};
}

bool IsId(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

}  // namespace

std::string CheckpointDirectory::PathOf(std::string_view id) const {
  return fmt::format("{}/{}", path_, id);
}

StorageResult<void> CheckpointDirectory::Make(rocksdb::DB& db, std::string_view id) const {
  const std::string path = PathOf(id);
  const std::string half_made = path + std::string(kHalfMade);
  const std::string making = "make the checkpoint " + path;
  std::error_code error;
  if (fs::create_directory(path_, error)) {
    RETURN_IF_ERROR(SyncDirectory(fs::path(path_).parent_path()));
  }
  if (error) return Failure("create", path_, error);
  RETURN_IF_ERROR(RemoveAll(half_made));
  return CatchingRocks(making, [&]() -> StorageResult<void> {
    rocksdb::Checkpoint* made = nullptr;
    rocksdb::Status status = rocksdb::Checkpoint::Create(&db, &made);
    const std::unique_ptr<rocksdb::Checkpoint> owned(made);
    // Writes out what is only in memory, so that opening the checkpoint has no log to replay.
    if (status.ok()) status = made->CreateCheckpoint(half_made, /*log_size_for_flush=*/0);
    if (!status.ok()) {
      static_cast<void>(RemoveAll(half_made));
      return std::unexpected(FromRocks(status, making));
    }
    if (rename(half_made.c_str(), path.c_str()) != 0) return Failure("create", path, LastError());
    return SyncDirectory(path_);
  });
}

StorageResult<std::unique_ptr<Checkpoint>> CheckpointDirectory::Open(std::string_view id) const {
  return OpenRocksCheckpoint(PathOf(id));
}

StorageResult<void> CheckpointDirectory::Delete(std::string_view id) const {
  return RemoveAll(PathOf(id));
}

StorageResult<std::vector<std::string>> CheckpointDirectory::List() const {
  std::vector<std::string> ids;
  std::error_code error;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (IsId(name)) ids.push_back(std::move(name));
  }
  // There is no directory before there is a checkpoint.
  if (error && error != std::errc::no_such_file_or_directory) return Failure("list", path_, error);
  std::ranges::sort(ids);
  return ids;
}

StorageResult<void> CheckpointDirectory::RemoveHalfMade() const {
  std::vector<std::string> half_made;
  std::error_code error;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    // RocksDB adds an ending of its own while it works.
    if (name.find(kHalfMade) != std::string::npos) half_made.push_back(entry->path().string());
  }
  if (error && error != std::errc::no_such_file_or_directory) return Failure("list", path_, error);
  for (const std::string& path : half_made) RETURN_IF_ERROR(RemoveAll(path));
  return {};
}

}  // namespace stator
