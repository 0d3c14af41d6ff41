// The log format of RocksDB, which its write-ahead logs and its manifests share.
//
// A log is a sequence of blocks of 32 KiB (the last may be shorter), each filled with fragments:
//
//   fragment := checksum (4 bytes, little-endian) · length (2, little-endian) · type (1) ·
//               payload (length)
//   type     := 1 a whole record | 2 its first part | 3 a middle part | 4 its last part
//
// The checksum is the masked CRC-32C of type and payload. Fewer than seven bytes at the end of a
// block are left zero. A record of a write-ahead log is a commit:
//
//   commit := number of its first change (8, little-endian) · count of changes (4) · changes
#ifndef STATOR_STORAGE_ROCKSDB_LOG_FORMAT_H_
#define STATOR_STORAGE_ROCKSDB_LOG_FORMAT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace stator {

// CRC-32C of what `crc` is the checksum of, followed by these bytes.
std::uint32_t Crc32c(std::string_view bytes, std::uint32_t crc = 0);

struct LogReading {
  std::uint64_t sound_bytes = 0;  // up to here there are whole records
  bool is_damaged = false;        // something else follows them
  // Where the next record begins behind it, if there is one.
  std::optional<std::uint64_t> record_after_damage;
};

// Visits the whole records before the first damage, in order. They are valid during the call.
LogReading ReadLog(std::string_view log, const std::function<void(std::string_view)>& visit);

// Reads a log that is still being written, from its beginning.
class LogCursor {
 public:
  // The next whole record. `bytes` are those of the log from position() on, and lose what is read.
  // Nullopt if there is no whole and undamaged record yet; then the bytes from position() on are to be
  // read again.
  std::optional<std::string> Next(std::string_view& bytes);
  std::uint64_t position() const { return position_; }

 private:
  std::uint64_t position_ = 0;
  std::string parts_;  // of a record whose last part has not come yet
  bool is_inside_ = false;
};

struct CommitHeader {
  std::uint64_t first = 0;
  std::uint32_t count = 0;
};
// Nullopt if the record is too short for a commit.
std::optional<CommitHeader> ReadCommitHeader(std::string_view record);

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_LOG_FORMAT_H_
