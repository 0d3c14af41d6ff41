#include "storage/rocksdb/log_tail.h"

#include <fmt/format.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <vector>

#include "base/try.h"
#include "storage/rocksdb/log_format.h"
#include "storage/rocksdb/manifest.h"
#include "storage/rocksdb/rocks_calls.h"

namespace stator {
namespace {

constexpr std::size_t kTailReadBytes = std::size_t{1} << 20;

// The writes of a commit. Their bytes are those of the batch.
class CommitWrites final : public rocksdb::WriteBatch::Handler {
 public:
  explicit CommitWrites(std::vector<Write>& writes) : writes_(writes) {}

  rocksdb::Status PutCF(std::uint32_t, const rocksdb::Slice& key,
                        const rocksdb::Slice& value) override {
    return Add(Write::Kind::kPut, key, value);
  }
  rocksdb::Status DeleteCF(std::uint32_t, const rocksdb::Slice& key) override {
    return Add(Write::Kind::kDelete, key, {});
  }
  rocksdb::Status SingleDeleteCF(std::uint32_t, const rocksdb::Slice& key) override {
    return Add(Write::Kind::kDelete, key, {});
  }
  rocksdb::Status DeleteRangeCF(std::uint32_t, const rocksdb::Slice& begin,
                                const rocksdb::Slice& end) override {
    return Add(Write::Kind::kDeleteRange, begin, end);
  }

 private:
  rocksdb::Status Add(Write::Kind kind, const rocksdb::Slice& key, const rocksdb::Slice& value) {
    writes_.push_back({kind, key.ToStringView(), value.ToStringView()});
    return rocksdb::Status::OK();
  }
  std::vector<Write>& writes_;
};

}  // namespace

class LogTail::OpenLog {
 public:
  OpenLog(std::unique_ptr<rocksdb::FSRandomAccessFile> file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}

  // Nullopt if the log has no further whole record now.
  StorageResult<std::optional<std::string>> Next() {
    while (true) {
      if (std::optional<std::string> record = cursor_.Next(unread_)) return record;
      const std::uint64_t before = cursor_.position();
      bytes_.resize(kTailReadBytes);
      rocksdb::Slice got;
      unread_ = {};
      RETURN_IF_ERROR(CheckRocks(
          file_->Read(before, kTailReadBytes, rocksdb::IOOptions(), &got, bytes_.data(), nullptr),
          "read " + name_));
      unread_ = got.ToStringView();
      if (std::optional<std::string> record = cursor_.Next(unread_)) return record;
      if (got.size() == kTailReadBytes && cursor_.position() > before) continue;
      unread_ = {};  // what is being written now is read again
      return std::nullopt;
    }
  }

 private:
  const std::unique_ptr<rocksdb::FSRandomAccessFile> file_;
  const std::string name_;
  LogCursor cursor_;
  std::string bytes_;
  std::string_view unread_;  // in bytes_, from the cursor on
};

LogTail::LogTail(std::string database_path, const Files& files)
    : database_path_(std::move(database_path)), files_(files) {}
LogTail::~LogTail() = default;

StorageResult<void> LogTail::Look() {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, files_.List(database_path_));
  for (const std::string& name : names) {
    const std::optional<std::uint64_t> number = LogNumber(name);
    if (!number || *number <= newest_log_) continue;
    const std::string path = fmt::format("{}/{}", database_path_, name);
    std::unique_ptr<rocksdb::FSRandomAccessFile> file;
    const rocksdb::Status opened = files_.env()->GetFileSystem()->NewRandomAccessFile(
        path, rocksdb::FileOptions(), &file, nullptr);
    // Deleted meanwhile. If it held a commit that has not been read, Read finds the gap.
    if (opened.IsNotFound() || opened.IsPathNotFound()) continue;
    RETURN_IF_ERROR(CheckRocks(opened, "read " + path));
    logs_.emplace(*number, std::make_unique<OpenLog>(std::move(file), path));
  }
  if (!logs_.empty()) newest_log_ = std::max(newest_log_, logs_.rbegin()->first);
  return {};
}

StorageResult<std::optional<std::string>> LogTail::NextCommit() {
  while (!logs_.empty()) {
    ASSIGN_OR_RETURN(std::optional<std::string> record, logs_.begin()->second->Next());
    if (record) return record;
    // A log gets no more commits once there is another, which existed before this one was read.
    if (logs_.size() == 1) break;
    logs_.erase(logs_.begin());
  }
  return std::nullopt;
}

StorageResult<std::optional<std::uint64_t>> LogTail::Read(std::uint64_t after, std::uint64_t to,
                                                          const CopySource::VisitCommit& visit) {
  const std::string reading = "read the logs in " + database_path_;
  return CatchingRocks(reading, [&]() -> StorageResult<std::optional<std::uint64_t>> {
    std::uint64_t reached = after;
    while (true) {
      if (!next_) {
        ASSIGN_OR_RETURN(next_, NextCommit());
      }
      if (!next_) return reached;
      const std::optional<CommitHeader> header = ReadCommitHeader(*next_);
      if (!header) {
        return std::unexpected(StorageError{StorageError::Kind::kCorrupt,
                                            "a log in " + database_path_ + " is damaged"});
      }
      const std::uint64_t last = header->first + header->count - (header->count > 0 ? 1 : 0);
      if (last > to) return reached;
      if (header->count > 0 && last > reached) {
        if (header->first != reached + 1) return std::nullopt;
        const rocksdb::WriteBatch batch(*std::move(next_));
        std::vector<Write> writes;
        writes.reserve(header->count);
        CommitWrites collect(writes);
        RETURN_IF_ERROR(CheckRocks(batch.Iterate(&collect), reading));
        reached = last;
        if (!visit(reached, writes)) {
          next_.reset();
          return reached;
        }
      }
      next_.reset();
    }
  });
}

}  // namespace stator
