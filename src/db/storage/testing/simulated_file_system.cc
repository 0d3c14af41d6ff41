// SimulatedDisk as RocksDB's file system. Its errors are those of the machine's.
#include <rocksdb/file_system.h>

#include <algorithm>
#include <cstring>

#include "storage/testing/simulated_disk.h"

namespace stator {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;
using Lock = std::scoped_lock<std::mutex>;

namespace {

IOStatus Missing(const std::string& path) {
  return IOStatus::PathNotFound(path, "No such file or directory");
}

class NoLogger final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
  std::size_t GetLogFileSize() const override { return 0; }
};

class SimulatedLock final : public rocksdb::FileLock {
 public:
  explicit SimulatedLock(std::string locked_path) : path(std::move(locked_path)) {}
  const std::string path;
};

}  // namespace

class SimulatedReadableFile final : public rocksdb::FSRandomAccessFile,
                                    public rocksdb::FSSequentialFile {
 public:
  SimulatedReadableFile(SimulatedDisk& disk, SimulatedDisk::NodePtr node, std::string path)
      : disk_(disk), node_(std::move(node)), path_(std::move(path)) {}

  IOStatus Read(std::uint64_t offset, std::size_t count, const IOOptions&, Slice* result,
                char* scratch, IODebugContext*) const override {
    return ReadAt(offset, count, result, scratch);
  }
  IOStatus Read(std::size_t count, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) override {
    IOStatus status = ReadAt(position_, count, result, scratch);
    if (status.ok()) position_ += result->size();
    return status;
  }
  IOStatus Skip(std::uint64_t count) override {
    position_ += count;
    return IOStatus::OK();
  }
  bool use_direct_io() const override { return false; }
  std::size_t GetRequiredBufferAlignment() const override { return 1; }
  IOStatus InvalidateCache(std::size_t, std::size_t) override { return IOStatus::OK(); }
  rocksdb::Temperature GetTemperature() const override { return rocksdb::Temperature::kUnknown; }

 private:
  IOStatus ReadAt(std::uint64_t offset, std::size_t count, Slice* result, char* scratch) const {
    const Lock lock(disk_.mutex_);
    *result = Slice();
    SimulatedDisk::Turn turn = disk_.Take(DiskCall::kRead, path_);
    if (!turn.status.ok()) return turn.status;
    const std::size_t begin = std::min<std::uint64_t>(offset, node_->bytes.size());
    const std::size_t size = std::min(count, node_->bytes.size() - begin);
    std::memcpy(scratch, node_->bytes.data() + begin, size);
    *result = Slice(scratch, size);
    return IOStatus::OK();
  }

  SimulatedDisk& disk_;
  const SimulatedDisk::NodePtr node_;
  const std::string path_;
  std::uint64_t position_ = 0;
};

class SimulatedWritableFile final : public rocksdb::FSWritableFile {
 public:
  SimulatedWritableFile(SimulatedDisk& disk, SimulatedDisk::NodePtr node, std::string path)
      : disk_(disk), node_(std::move(node)), path_(std::move(path)) {}

  using rocksdb::FSWritableFile::Append;
  IOStatus Append(const Slice& bytes, const IOOptions&, IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    SimulatedDisk::Turn turn = disk_.Take(DiskCall::kAppend, path_);
    std::string_view written = bytes.ToStringView();
    if (!turn.status.ok()) written = written.substr(0, disk_.Below(written.size() + 1));
    if (turn.happens) node_->bytes.append(written);
    return turn.status;
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions&, IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    SimulatedDisk::Turn turn = disk_.Take(DiskCall::kTruncate, path_);
    if (turn.happens) {
      node_->bytes.resize(size);
      node_->synced = std::min<std::size_t>(node_->synced, size);
    }
    return turn.status;
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    SimulatedDisk::Turn turn = disk_.Take(DiskCall::kSync, path_);
    if (turn.happens) node_->synced = node_->bytes.size();
    // After a failed sync the operating system may take the bytes for written.
    if (!turn.happens) node_->dropped.emplace_back(node_->synced, node_->bytes.size());
    return turn.status;
  }
  bool IsSyncThreadSafe() const override { return true; }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    return disk_.Take(DiskCall::kClose, path_).status;
  }
  std::uint64_t GetFileSize(const IOOptions&, IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    return node_->bytes.size();
  }

 private:
  SimulatedDisk& disk_;
  const SimulatedDisk::NodePtr node_;
  const std::string path_;
};

class SimulatedDirectory final : public rocksdb::FSDirectory {
 public:
  SimulatedDirectory(SimulatedDisk& disk, SimulatedDisk::NodePtr node, std::string path)
      : disk_(disk), node_(std::move(node)), path_(std::move(path)) {}

  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    SimulatedDisk::Turn turn = disk_.Take(DiskCall::kSyncNames, path_);
    if (turn.happens) disk_.SyncNames(node_);
    return turn.status;
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

 private:
  SimulatedDisk& disk_;
  const SimulatedDisk::NodePtr node_;
  const std::string path_;
};

class SimulatedFileSystem final : public rocksdb::FileSystem {
 public:
  explicit SimulatedFileSystem(SimulatedDisk& disk) : disk_(disk) {}

  const char* Name() const override { return "SimulatedFileSystem"; }

  // --- Files
  IOStatus NewSequentialFile(const std::string& path, const FileOptions&,
                             std::unique_ptr<rocksdb::FSSequentialFile>* result,
                             IODebugContext*) override {
    return Open<SimulatedReadableFile>(path, result);
  }
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions&,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                               IODebugContext*) override {
    return Open<SimulatedReadableFile>(path, result);
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions&,
                        std::unique_ptr<rocksdb::FSDirectory>* result, IODebugContext*) override {
    return Open<SimulatedDirectory>(path, result);
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions&,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    const SimulatedDisk::Turn turn = disk_.Take(DiskCall::kCreate, path);
    if (!turn.happens) return turn.status;
    const auto [directory, name] = disk_.Place(path);
    if (!directory) return Missing(path);
    // What the name stood for stays on disk until this name is durable.
    auto node = std::make_shared<SimulatedDisk::Node>();
    disk_.Change({{directory, name, node}});
    *result = std::make_unique<SimulatedWritableFile>(disk_, std::move(node), path);
    return turn.status;
  }
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* result,
                              IODebugContext* context) override {
    {
      const Lock lock(disk_.mutex_);
      if (const SimulatedDisk::NodePtr node = disk_.Find(path)) {
        const SimulatedDisk::Turn turn = disk_.Take(DiskCall::kOpen, path);
        if (!turn.status.ok()) return turn.status;
        *result = std::make_unique<SimulatedWritableFile>(disk_, node, path);
        return IOStatus::OK();
      }
    }
    return NewWritableFile(path, options, result, context);
  }
  IOStatus Truncate(const std::string& path, std::size_t size, const IOOptions& options,
                    IODebugContext* context) override {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    IOStatus status = ReopenWritableFile(path, FileOptions(), &file, context);
    return status.ok() ? file->Truncate(size, options, context) : status;
  }

  // --- Looking
  IOStatus FileExists(const std::string& path, const IOOptions&, IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    const SimulatedDisk::Turn turn = disk_.Take(DiskCall::kLook, path);
    if (!turn.status.ok()) return turn.status;
    return disk_.Find(path) ? IOStatus::OK() : IOStatus::NotFound();
  }
  IOStatus GetChildren(const std::string& path, const IOOptions&, std::vector<std::string>* result,
                       IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    result->clear();
    const SimulatedDisk::Turn turn = disk_.Take(DiskCall::kLook, path);
    if (!turn.status.ok()) return turn.status;
    const SimulatedDisk::NodePtr node = disk_.Find(path);
    if (!node) return IOStatus::NotFound();
    for (const auto& [name, child] : node->names) result->push_back(name);
    return IOStatus::OK();
  }
  IOStatus GetFileSize(const std::string& path, const IOOptions&, std::uint64_t* size,
                       IODebugContext*) override {
    return Look(path, [&](const SimulatedDisk::Node& node) { *size = node.bytes.size(); });
  }
  IOStatus GetFileModificationTime(const std::string& path, const IOOptions&, std::uint64_t* time,
                                   IODebugContext*) override {
    return Look(path, [&](const SimulatedDisk::Node&) { *time = 1; });
  }
  IOStatus IsDirectory(const std::string& path, const IOOptions&, bool* is_directory,
                       IODebugContext*) override {
    return Look(path, [&](const SimulatedDisk::Node& node) { *is_directory = node.is_directory; });
  }
  IOStatus AreFilesSame(const std::string& first, const std::string& second, const IOOptions&,
                        bool* same, IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    *same = disk_.Find(first) == disk_.Find(second);
    return IOStatus::OK();
  }
  IOStatus GetAbsolutePath(const std::string& path, const IOOptions&, std::string* result,
                           IODebugContext*) override {
    *result = path;
    return IOStatus::OK();
  }
  IOStatus GetTestDirectory(const IOOptions&, std::string* path, IODebugContext*) override {
    *path = "/test";
    return IOStatus::OK();
  }

  // --- Names
  IOStatus CreateDir(const std::string& path, const IOOptions&, IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    if (disk_.Find(path)) return IOStatus::IOError(path, "File exists");
    return MakeDirectory(path);
  }
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions&, IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    return disk_.Find(path) ? IOStatus::OK() : MakeDirectory(path);
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions&, IODebugContext*) override {
    return Remove(path, /*is_directory=*/false);
  }
  IOStatus DeleteDir(const std::string& path, const IOOptions&, IODebugContext*) override {
    return Remove(path, /*is_directory=*/true);
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions&,
                      IODebugContext*) override {
    return Move(DiskCall::kRename, from, to);
  }
  IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions&,
                    IODebugContext*) override {
    return Move(DiskCall::kLink, from, to);
  }

  // --- Locks
  IOStatus LockFile(const std::string& path, const IOOptions&, rocksdb::FileLock** result,
                    IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    *result = nullptr;
    const SimulatedDisk::Turn turn = disk_.Take(DiskCall::kLook, path);
    if (!turn.status.ok()) return turn.status;
    if (!disk_.locks_.emplace(path, true).second) return IOStatus::IOError(path, "lock held");
    *result = new SimulatedLock(path);
    return IOStatus::OK();
  }
  IOStatus UnlockFile(rocksdb::FileLock* file_lock, const IOOptions&, IODebugContext*) override {
    const Lock lock(disk_.mutex_);
    const std::unique_ptr<SimulatedLock> owned(static_cast<SimulatedLock*>(file_lock));
    disk_.locks_.erase(owned->path);
    return IOStatus::OK();
  }

  IOStatus NewLogger(const std::string&, const IOOptions&, std::shared_ptr<rocksdb::Logger>* result,
                     IODebugContext*) override {
    *result = std::make_shared<NoLogger>();
    return IOStatus::OK();
  }

 private:
  template <class File, class Pointer>
  IOStatus Open(const std::string& path, Pointer* result) {
    const Lock lock(disk_.mutex_);
    const SimulatedDisk::Turn turn = disk_.Take(DiskCall::kOpen, path);
    if (!turn.status.ok()) return turn.status;
    SimulatedDisk::NodePtr node = disk_.Find(path);
    if (!node) return Missing(path);
    *result = std::make_unique<File>(disk_, std::move(node), path);
    return IOStatus::OK();
  }

  template <class Function>
  IOStatus Look(const std::string& path, Function function) {
    const Lock lock(disk_.mutex_);
    const SimulatedDisk::Turn turn = disk_.Take(DiskCall::kLook, path);
    if (!turn.status.ok()) return turn.status;
    const SimulatedDisk::NodePtr node = disk_.Find(path);
    if (!node) return Missing(path);
    function(*node);
    return IOStatus::OK();
  }

  IOStatus MakeDirectory(const std::string& path) {
    const SimulatedDisk::Turn turn = disk_.Take(DiskCall::kCreate, path);
    if (!turn.happens) return turn.status;
    const auto [directory, name] = disk_.Place(path);
    if (!directory) return Missing(path);
    auto node = std::make_shared<SimulatedDisk::Node>();
    node->is_directory = true;
    disk_.Change({{directory, name, std::move(node)}});
    return turn.status;
  }

  IOStatus Remove(const std::string& path, bool is_directory) {
    const Lock lock(disk_.mutex_);
    const SimulatedDisk::NodePtr node = disk_.Find(path);
    if (!node && !disk_.is_off_) return Missing(path);
    const SimulatedDisk::Turn turn = disk_.Take(DiskCall::kRemove, path);
    if (!turn.happens) return turn.status;
    if (node->is_directory != is_directory) return IOStatus::IOError(path, "wrong kind");
    if (!node->names.empty()) return IOStatus::IOError(path, "Directory not empty");
    const auto [directory, name] = disk_.Place(path);
    disk_.Change({{directory, name, nullptr}});
    return turn.status;
  }

  IOStatus Move(DiskCall call, const std::string& from, const std::string& to) {
    const Lock lock(disk_.mutex_);
    const SimulatedDisk::NodePtr node = disk_.Find(from);
    if (!node && !disk_.is_off_) return Missing(from);
    const SimulatedDisk::Turn turn = disk_.Take(call, to);
    if (!turn.happens) return turn.status;
    const auto [directory, name] = disk_.Place(to);
    if (!directory) return Missing(to);
    const SimulatedDisk::NodePtr replaced = disk_.Find(to);
    if (replaced && (call == DiskCall::kLink || !replaced->names.empty())) {
      return IOStatus::IOError(to, "File exists");
    }
    SimulatedDisk::NameChange change = {{directory, name, node}};
    if (call == DiskCall::kRename) {
      const auto [from_directory, from_name] = disk_.Place(from);
      change.push_back({from_directory, from_name, nullptr});
    }
    disk_.Change(std::move(change));
    return turn.status;
  }

  SimulatedDisk& disk_;
};

std::unique_ptr<rocksdb::Env> SimulatedDisk::MakeEnv() {
  return rocksdb::NewCompositeEnv(std::make_shared<SimulatedFileSystem>(*this));
}

}  // namespace stator
