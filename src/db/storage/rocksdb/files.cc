#include "storage/rocksdb/files.h"

#include <rocksdb/env.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/try.h"
#include "storage/rocksdb/rocks_calls.h"
#include "storage/rocksdb/waitless_files.h"

namespace stator {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;

StorageResult<void> CheckFile(const rocksdb::Status& status, std::string_view doing,
                              const std::string& path) {
  if (status.ok()) return {};
  // A missing file is told by its own functions: whatever else fails here is the disk.
  return std::unexpected(StorageError{StorageError::Kind::kIo,
                                      FromRocks(status, std::string(doing) + " " + path).message});
}

bool IsMissing(const rocksdb::Status& status) {
  return status.IsNotFound() || status.IsPathNotFound();
}

}  // namespace

Files::Files(rocksdb::Env* env) : env_(env != nullptr ? env : WaitlessEnv()) {}

bool Files::IsMachines() const { return env_ == WaitlessEnv(); }

StorageResult<bool> Files::Exists(const std::string& path) const {
  const rocksdb::Status status = env_->FileExists(path);
  if (IsMissing(status)) return false;
  RETURN_IF_ERROR(CheckFile(status, "look for", path));
  return true;
}

StorageResult<bool> Files::IsDirectory(const std::string& path) const {
  bool is_directory = false;
  RETURN_IF_ERROR(CheckFile(env_->IsDirectory(path, &is_directory), "look at", path));
  return is_directory;
}

StorageResult<std::vector<std::string>> Files::List(const std::string& path) const {
  std::vector<std::string> names;
  const rocksdb::Status status = env_->GetChildren(path, &names);
  if (IsMissing(status)) return std::vector<std::string>();
  RETURN_IF_ERROR(CheckFile(status, "list", path));
  std::erase_if(names, [](const std::string& name) { return name == "." || name == ".."; });
  return names;
}

StorageResult<std::string> Files::Read(const std::string& path, std::size_t bytes_max) const {
  std::unique_ptr<rocksdb::SequentialFile> file;
  rocksdb::Status status = env_->NewSequentialFile(path, &file, rocksdb::EnvOptions());
  std::vector<char> buffer(std::min(bytes_max, kReadBytes));
  std::string text;
  while (status.ok() && text.size() < bytes_max) {
    rocksdb::Slice bytes;
    status = file->Read(std::min(buffer.size(), bytes_max - text.size()), &bytes, buffer.data());
    if (bytes.empty()) break;
    text.append(bytes.data(), bytes.size());
  }
  RETURN_IF_ERROR(CheckFile(status, "read", path));
  return text;
}

StorageResult<void> Files::MakeDirectories(const std::string& path) const {
  ASSIGN_OR_RETURN(const bool exists, Exists(path));
  if (exists) return {};
  const std::string parent = std::filesystem::path(path).parent_path();
  if (!parent.empty() && parent != path) RETURN_IF_ERROR(MakeDirectories(parent));
  return CheckFile(env_->CreateDirIfMissing(path), "create the directory", path);
}

StorageResult<void> Files::Write(const std::string& path, std::string_view text) const {
  return CheckFile(rocksdb::WriteStringToFile(env_, text, path, /*should_sync=*/true), "write",
                   path);
}

StorageResult<void> Files::Rename(const std::string& from, const std::string& to) const {
  return CheckFile(env_->RenameFile(from, to), "create", to);
}

StorageResult<void> Files::RemoveAll(const std::string& path) const {
  if (IsMachines()) {
    // Unlike what follows it takes care of symbolic links.
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (!error) return {};
    return CheckFile(rocksdb::Status::IOError(error.message()), "remove", path);
  }
  ASSIGN_OR_RETURN(const bool exists, Exists(path));
  if (!exists) return {};
  ASSIGN_OR_RETURN(const bool is_directory, IsDirectory(path));
  if (!is_directory) return CheckFile(env_->DeleteFile(path), "remove", path);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, List(path));
  for (const std::string& name : names) RETURN_IF_ERROR(RemoveAll(path + "/" + name));
  return CheckFile(env_->DeleteDir(path), "remove", path);
}

// RocksDB's file system of the machine cannot truncate.
StorageResult<void> Files::CutOff(const std::string& path, std::size_t bytes) const {
  ASSIGN_OR_RETURN(const std::string rest, Read(path, bytes));
  const std::string fresh = path + ".new";
  RETURN_IF_ERROR(Write(fresh, rest));
  RETURN_IF_ERROR(Rename(fresh, path));
  return SyncDirectory(std::filesystem::path(path).parent_path());
}

StorageResult<void> Files::SyncDirectory(const std::string& path) const {
  std::unique_ptr<rocksdb::Directory> directory;
  rocksdb::Status status = env_->NewDirectory(path, &directory);
  if (status.ok()) status = directory->Fsync();
  return CheckFile(status, "sync", path);
}

}  // namespace stator
