#include "storage/rocksdb/disk_space.h"

#include <fmt/format.h>
#include <rocksdb/env.h>

#include <limits>

#include "base/try.h"

namespace stator {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
// A log of RocksDB reserves 18 MB.
constexpr std::uint64_t kFreeBytesMin = 32 * kMegabyte;
constexpr std::uint64_t kFreeBytesPlenty = 48 * kMegabyte;

// How old an answer of the file system may be.
constexpr std::chrono::milliseconds kCheckPeriod{50};
constexpr std::size_t kBytesPerCheck = std::size_t{4} << 20;

}  // namespace

// A file system that does not say is taken to have room: its writes will tell.
std::uint64_t DiskSpace::FreeBytes() const {
  std::uint64_t bytes = 0;
  const bool is_known = files_.env()->GetFreeSpace(directory_, &bytes).ok();
  return is_known ? bytes : std::numeric_limits<std::uint64_t>::max();
}

StorageResult<void> DiskSpace::Check() const {
  const std::uint64_t free_bytes = FreeBytes();
  if (free_bytes >= kFreeBytesMin) return {};
  return std::unexpected(StorageError{
      StorageError::Kind::kNoSpace,
      fmt::format("the disk of {} is full: {} KB are free, and writing needs {} MB; free "
                  "some space there",
                  directory_, free_bytes / 1024, kFreeBytesMin / kMegabyte)});
}

StorageResult<void> DiskSpace::CheckForCommit(std::size_t commit_bytes) {
  bytes_since_check_ += commit_bytes;
  const RealTime now = std::chrono::steady_clock::now();
  if (bytes_since_check_ < kBytesPerCheck && now - checked_at_ < kCheckPeriod) return {};
  RETURN_IF_ERROR(Check());
  checked_at_ = now;
  bytes_since_check_ = 0;
  return {};
}

bool DiskSpace::HasPlenty() const { return FreeBytes() >= kFreeBytesPlenty; }

}  // namespace stator
