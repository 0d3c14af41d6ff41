#include "storage/backup_archive.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <rocksdb/env.h>
#include <rocksdb/utilities/backup_engine.h>
#include <sys/file.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "base/try.h"
#include "storage/rocksdb/checkpoint_directory.h"
#include "storage/rocksdb/data_directory.h"
#include "storage/rocksdb/directory_check.h"
#include "storage/rocksdb/files.h"
#include "storage/rocksdb/rocks_calls.h"

namespace stator {
namespace {

namespace fs = std::filesystem;
using rocksdb::BackupEngine;
using rocksdb::BackupEngineOptions;
using rocksdb::BackupEngineReadOnly;
using rocksdb::BackupInfo;
using Kind = StorageError::Kind;

constexpr std::string_view kArchiveMarkerName = "STATOR-BACKUPS";
constexpr std::string_view kArchiveMarker = "stator backup directory, format 1\n";
constexpr std::string_view kArchiveLockName = "STATOR.lock";

// Leaves most of a disk to those who write to the database.
constexpr std::uint64_t kCopyBytesPerSecond = std::uint64_t{128} << 20;

std::unexpected<StorageError> ArchiveFailure(Kind kind, std::string message) {
  return std::unexpected(StorageError{kind, std::move(message)});
}

// A full archive is no full store.
StorageError FromEngine(const rocksdb::Status& status, std::string_view doing) {
  StorageError error = FromRocks(status, doing);
  if (error.kind == Kind::kNoSpace) error.kind = Kind::kIo;
  return error;
}

StorageResult<void> CheckEngine(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) return {};
  return std::unexpected(FromEngine(status, doing));
}

BackupEngineOptions EngineSettings(const std::string& directory) {
  BackupEngineOptions options(directory);
  options.backup_rate_limit = kCopyBytesPerSecond;
  return options;
}

// --- What RocksDB keeps with a copy: CHECKSUM " " ID "\n" DESCRIPTION ------------------------------
//
// The checksum is that of all that follows it, in sixteen hexadecimal digits: RocksDB guards the files
// of a copy, but not this text.

constexpr std::size_t kChecksumDigits = 16;

std::string EncodeLabel(std::string_view id, std::string_view description) {
  const std::string text = fmt::format("{}\n{}", id, description);
  return fmt::format("{:016x} {}", XXH3_64bits(text.data(), text.size()), text);
}

std::optional<BackupArchive::Copy> DecodeLabel(std::string_view label) {
  if (label.size() <= kChecksumDigits) return std::nullopt;
  const std::string_view text = label.substr(kChecksumDigits + 1);
  const std::size_t end_of_id = text.find('\n');
  if (end_of_id == std::string_view::npos) return std::nullopt;
  const std::string checksum = fmt::format("{:016x} ", XXH3_64bits(text.data(), text.size()));
  if (!label.starts_with(checksum)) return std::nullopt;
  return BackupArchive::Copy{.id = std::string(text.substr(0, end_of_id)),
                             .description = std::string(text.substr(end_of_id + 1))};
}

// --- A copy that RocksDB does not list, because a file is missing ----------------------------------
//
//   meta/N := TIME "\n" NUMBER "\n" ["metadata " HEX "\n"] COUNT "\n" { PATH " crc32 " CHECKSUM "\n" }

struct BrokenCopy {
  std::string id;       // empty if that cannot be told
  std::string problem;  // "FILE is missing"
};

std::string FromHex(std::string_view hex) {
  std::string bytes;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1])));
  }
  return bytes;
}

BrokenCopy ExamineBroken(const std::string& directory, rocksdb::BackupID number) {
  constexpr std::string_view kMetadata = "metadata ";
  const std::string path = fmt::format("{}/meta/{}", directory, number);
  BrokenCopy broken{.id = {}, .problem = path + " is damaged"};
  std::ifstream meta(path, std::ios::binary);
  std::optional<BackupArchive::Copy> label;
  for (std::string line; std::getline(meta, line);) {
    if (line.starts_with(kMetadata)) label = DecodeLabel(FromHex(line.substr(kMetadata.size())));
    const std::size_t end_of_name = line.find(" crc32 ");
    if (!label || end_of_name == std::string::npos) continue;
    broken.id = label->id;
    const std::string file = fmt::format("{}/{}", directory, line.substr(0, end_of_name));
    std::error_code error;
    if (!fs::exists(file, error)) {
      broken.problem = fmt::format("{} is missing, which the backup {} needs", file, label->id);
      break;
    }
  }
  return broken;
}

// --- The directory -------------------------------------------------------------------------------

Files MachineFiles() { return Files(nullptr); }

std::string MarkerPath(const std::string& directory) {
  return fmt::format("{}/{}", directory, kArchiveMarkerName);
}

StorageResult<void> CheckMarker(const std::string& directory) {
  const Files files = MachineFiles();
  std::string problem = "says something else";
  ASSIGN_OR_RETURN(const bool has_marker, files.Exists(MarkerPath(directory)));
  if (has_marker) {
    ASSIGN_OR_RETURN(const std::string marker,
                     files.Read(MarkerPath(directory), 2 * kArchiveMarker.size()));
    if (marker == kArchiveMarker) return {};
  } else {
    problem = "is missing";
  }
  return ArchiveFailure(Kind::kForeign,
                        fmt::format("{} is not a backup directory of Stator: its file {} {}; name "
                                    "another directory",
                                    directory, kArchiveMarkerName, problem));
}

// Makes an archive of a missing or empty directory.
StorageResult<void> PrepareArchive(const std::string& directory) {
  const Files files = MachineFiles();
  ASSIGN_OR_RETURN(const bool exists, files.Exists(directory));
  RETURN_IF_ERROR(files.MakeDirectories(directory));
  std::error_code ignored;
  if (!exists) fs::permissions(directory, fs::perms::owner_all, ignored);
  ASSIGN_OR_RETURN(const bool has_marker, files.Exists(MarkerPath(directory)));
  if (has_marker) return CheckMarker(directory);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, files.List(directory));
  for (const std::string& name : names) {
    if (name == "lost+found" || name.starts_with(kArchiveMarkerName)) continue;
    return ArchiveFailure(
        Kind::kForeign,
        fmt::format("{} is not a backup directory of Stator: it has no file {}, but "
                    "holds {}; name a new or an empty directory",
                    directory, kArchiveMarkerName, name));
  }
  const std::string half_made = MarkerPath(directory) + ".new";
  RETURN_IF_ERROR(files.Write(half_made, kArchiveMarker));
  RETURN_IF_ERROR(files.Rename(half_made, MarkerPath(directory)));
  return files.SyncDirectory(directory);
}

// Unlocked by destruction.
class ArchiveLock {
 public:
  explicit ArchiveLock(int fd) : fd_(fd) {}
  ArchiveLock(ArchiveLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  ArchiveLock& operator=(ArchiveLock&&) = delete;
  ~ArchiveLock() {
    if (fd_ >= 0) close(fd_);
  }

 private:
  int fd_;
};

StorageResult<ArchiveLock> LockArchive(const std::string& directory) {
  const std::string path = fmt::format("{}/{}", directory, kArchiveLockName);
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const auto failure = [&] {
    return ArchiveFailure(
        Kind::kIo, fmt::format("cannot lock {}: {}", path, std::generic_category().message(errno)));
  };
  if (fd < 0) return failure();
  ArchiveLock lock(fd);
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) return failure();
  return ArchiveFailure(Kind::kLocked,
                        directory +
                            " is in use by another process; ask its server (--endpoint URL), "
                            "or stop it first");
}

// --- The archive ---------------------------------------------------------------------------------

class RocksArchive final : public BackupArchive {
 public:
  // `engine` is null if the archive was opened to read.
  RocksArchive(std::string directory, std::optional<ArchiveLock> lock,
               std::unique_ptr<BackupEngine> engine)
      : directory_(std::move(directory)), lock_(std::move(lock)), engine_(std::move(engine)) {}

  StorageResult<Contents> List() const override;
  StorageResult<void> Verify(std::string_view id) const override;
  StorageResult<std::unique_ptr<Checkpoint>> OpenCopy(std::string_view id) const override;
  StorageResult<void> RestoreInto(std::string_view id,
                                  const std::string& data_directory) const override;
  StorageResult<void> Make(rocksdb::DB& db, std::string_view id,
                           std::string_view description) override;
  void StopMaking() override { engine_->StopBackup(); }
  StorageResult<void> Delete(std::string_view id) override;

 private:
  // The engine that writes lets nobody read meanwhile; this one does not wait for it.
  StorageResult<std::unique_ptr<BackupEngineReadOnly>> OpenReader() const;
  std::string Doing(std::string_view verb, std::string_view id) const {
    return fmt::format("{} the backup {} in {}", verb, id, directory_);
  }
  std::vector<BrokenCopy> BrokenCopies(const BackupEngineReadOnly& reader) const;
  // Why there is no copy with this id.
  StorageError NotFound(const BackupEngineReadOnly& reader, std::string_view id) const;

  const std::string directory_;
  const std::optional<ArchiveLock> lock_;
  std::mutex changing_;
  const std::unique_ptr<BackupEngine> engine_;
};

// RocksDB's number of a copy.
template <class Engine>
std::optional<BackupInfo> FindCopy(const Engine& engine, std::string_view id) {
  std::vector<BackupInfo> infos;
  engine.GetBackupInfo(&infos);
  for (BackupInfo& info : infos) {
    const std::optional<BackupArchive::Copy> copy = DecodeLabel(info.app_metadata);
    if (copy && copy->id == id) return std::move(info);
  }
  return std::nullopt;
}

StorageResult<std::unique_ptr<BackupEngineReadOnly>> RocksArchive::OpenReader() const {
  BackupEngineReadOnly* reader = nullptr;
  RETURN_IF_ERROR(CheckEngine(
      BackupEngineReadOnly::Open(rocksdb::Env::Default(), EngineSettings(directory_), &reader),
      "read the backups in " + directory_));
  return std::unique_ptr<BackupEngineReadOnly>(reader);
}

std::vector<BrokenCopy> RocksArchive::BrokenCopies(const BackupEngineReadOnly& reader) const {
  std::vector<rocksdb::BackupID> numbers;
  reader.GetCorruptedBackups(&numbers);
  std::vector<BrokenCopy> broken;
  broken.reserve(numbers.size());
  for (const rocksdb::BackupID number : numbers)
    broken.push_back(ExamineBroken(directory_, number));
  return broken;
}

StorageError RocksArchive::NotFound(const BackupEngineReadOnly& reader, std::string_view id) const {
  for (BrokenCopy& broken : BrokenCopies(reader)) {
    if (broken.id == id) return {Kind::kCorrupt, std::move(broken.problem)};
  }
  return {Kind::kForeign, fmt::format("{} holds no backup {}", directory_, id)};
}

StorageResult<BackupArchive::Contents> RocksArchive::List() const {
  return CatchingRocks("list " + directory_, [&]() -> StorageResult<Contents> {
    ASSIGN_OR_RETURN(const auto reader, OpenReader());
    Contents contents;
    std::vector<BackupInfo> infos;
    reader->GetBackupInfo(&infos);
    for (const BackupInfo& info : infos) {
      std::optional<Copy> copy = DecodeLabel(info.app_metadata);
      if (copy) {
        copy->bytes = info.size;
        contents.copies.push_back(*std::move(copy));
      } else {
        contents.damaged.push_back(ExamineBroken(directory_, info.backup_id).problem);
      }
    }
    for (BrokenCopy& broken : BrokenCopies(*reader)) {
      contents.damaged.push_back(std::move(broken.problem));
    }
    std::ranges::sort(contents.copies, {}, &Copy::id);
    return contents;
  });
}

StorageResult<void> RocksArchive::Verify(std::string_view id) const {
  const std::string doing = Doing("verify", id);
  return CatchingRocks(doing, [&]() -> StorageResult<void> {
    ASSIGN_OR_RETURN(const auto reader, OpenReader());
    const std::optional<BackupInfo> copy = FindCopy(*reader, id);
    if (!copy) return std::unexpected(NotFound(*reader, id));
    const rocksdb::Status status = reader->VerifyBackup(copy->backup_id, true);
    if (status.ok()) return {};
    StorageError error = FromEngine(status, doing);
    error.kind = Kind::kCorrupt;
    return std::unexpected(std::move(error));
  });
}

StorageResult<std::unique_ptr<Checkpoint>> RocksArchive::OpenCopy(std::string_view id) const {
  const std::string doing = Doing("open", id);
  return CatchingRocks(doing, [&]() -> StorageResult<std::unique_ptr<Checkpoint>> {
    ASSIGN_OR_RETURN(const auto reader, OpenReader());
    const std::optional<BackupInfo> copy = FindCopy(*reader, id);
    if (!copy) return nullptr;
    BackupInfo info;
    RETURN_IF_ERROR(CheckEngine(reader->GetBackupInfo(copy->backup_id, &info, true), doing));
    const Files files(info.env_for_open.get());
    auto opened = OpenReadOnly(info.name_for_open, files, std::move(info.env_for_open), doing);
    // What is read of it is checked block by block. Only if that fails is it worth the time to look
    // which file is damaged.
    if (!opened) RETURN_IF_ERROR(Verify(id));
    return opened;
  });
}

StorageResult<void> RocksArchive::RestoreInto(std::string_view id,
                                              const std::string& data_directory) const {
  RETURN_IF_ERROR(Verify(id));
  const std::string doing = Doing("restore", id);
  return CatchingRocks(doing, [&]() -> StorageResult<void> {
    ASSIGN_OR_RETURN(const auto reader, OpenReader());
    const std::optional<BackupInfo> copy = FindCopy(*reader, id);
    if (!copy) return std::unexpected(NotFound(*reader, id));
    ASSIGN_OR_RETURN(DataDirectory directory, DataDirectory::Open(data_directory, MachineFiles()));
    if (!directory.is_new()) {
      return ArchiveFailure(Kind::kForeign, data_directory +
                                                " holds a database already; name a new "
                                                "or an empty directory");
    }
    const std::string path = directory.DatabasePath();
    RETURN_IF_ERROR(CheckEngine(reader->RestoreDBFromBackup(copy->backup_id, path, path), doing));
    RETURN_IF_ERROR(RecordAsComplete(directory.files(), directory.path(), path));
    return directory.FinishCreation();
  });
}

StorageResult<void> RocksArchive::Make(rocksdb::DB& db, std::string_view id,
                                       std::string_view description) {
  const std::string doing = Doing("make", id);
  const std::scoped_lock lock(changing_);
  return CatchingRocks(doing, [&]() -> StorageResult<void> {
    rocksdb::CreateBackupOptions options;
    options.flush_before_backup = true;
    return CheckEngine(
        engine_->CreateNewBackupWithMetadata(options, &db, EncodeLabel(id, description)), doing);
  });
}

StorageResult<void> RocksArchive::Delete(std::string_view id) {
  const std::string doing = Doing("delete", id);
  const std::unique_lock lock(changing_, std::try_to_lock);
  if (!lock) return ArchiveFailure(Kind::kLocked, "a backup is being made; try again later");
  return CatchingRocks(doing, [&]() -> StorageResult<void> {
    const std::optional<BackupInfo> copy = FindCopy(*engine_, id);
    if (!copy) return {};
    return CheckEngine(engine_->DeleteBackup(copy->backup_id), doing);
  });
}

}  // namespace

StorageResult<std::unique_ptr<BackupArchive>> BackupArchive::Open(
    const std::string& given_directory, Access access) {
  // RocksDB opens a copy in place only by an absolute path.
  std::error_code error;
  const std::string directory = fs::absolute(given_directory, error).string();
  const std::string opening = "open the backup directory " + directory;
  return CatchingRocks(opening, [&]() -> StorageResult<std::unique_ptr<BackupArchive>> {
    if (access == Access::kRead) {
      RETURN_IF_ERROR(CheckMarker(directory));
      return std::make_unique<RocksArchive>(directory, std::nullopt, nullptr);
    }
    RETURN_IF_ERROR(PrepareArchive(directory));
    ASSIGN_OR_RETURN(ArchiveLock lock, LockArchive(directory));
    BackupEngine* made = nullptr;
    RETURN_IF_ERROR(CheckEngine(
        BackupEngine::Open(rocksdb::Env::Default(), EngineSettings(directory), &made), opening));
    std::unique_ptr<BackupEngine> engine(made);
    RETURN_IF_ERROR(CheckEngine(engine->GarbageCollect(), opening));
    return std::make_unique<RocksArchive>(directory, std::move(lock), std::move(engine));
  });
}

}  // namespace stator
