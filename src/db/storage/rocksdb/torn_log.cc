// The log of RocksDB is a sequence of blocks of 32 KiB (the last may be shorter), each filled with
// records:
//
//   record := checksum (4 bytes, little-endian) · length (2, little-endian) · type (1) · payload
//   (length) type   := 1 a whole commit | 2 its first part | 3 a middle part | 4 its last part
//
// The checksum is the masked CRC-32C of type and payload. Fewer than seven bytes at the end of a
// block are left zero.
#include "storage/rocksdb/torn_log.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace stator {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = 32 * 1024;
constexpr std::size_t kHeaderBytes = 7;
constexpr unsigned kWhole = 1;
constexpr unsigned kFirst = 2;
constexpr unsigned kLast = 4;

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78U : 0U);
    table[byte] = crc;
  }
  return table;
}();

std::uint32_t MaskedCrc32c(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc = crc >> 8 ^ kCrcTable[(crc ^ static_cast<unsigned char>(byte)) & 0xff];
  }
  crc = ~crc;
  return (crc >> 15 | crc << 17) + 0xa282ead8U;
}

std::uint32_t LittleEndian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return number;
}

struct LogRecord {
  unsigned type = 0;
  std::size_t bytes = 0;
};

// The record at the beginning of the text, if there is a sound one.
std::optional<LogRecord> ReadRecord(std::string_view text) {
  if (text.size() < kHeaderBytes) return std::nullopt;
  const std::size_t length = LittleEndian(text.substr(4, 2));
  const unsigned type = static_cast<unsigned char>(text[6]);
  if (type < kWhole || type > kLast || text.size() < kHeaderBytes + length) return std::nullopt;
  if (LittleEndian(text.substr(0, 4)) != MaskedCrc32c(text.substr(6, 1 + length))) {
    return std::nullopt;
  }
  return LogRecord{type, kHeaderBytes + length};
}

enum class Finding : std::uint8_t { kSound, kDamaged, kCommitBehindDamage };

// Behind damage no length can be trusted: every byte may begin a record.
Finding Examine(std::string_view block, Finding finding) {
  while (block.size() >= kHeaderBytes) {
    const std::optional<LogRecord> record = ReadRecord(block);
    if (!record) {
      finding = Finding::kDamaged;
      block.remove_prefix(1);
      continue;
    }
    const bool begins_commit = record->type == kWhole || record->type == kFirst;
    if (finding == Finding::kDamaged && begins_commit) return Finding::kCommitBehindDamage;
    block.remove_prefix(record->bytes);
  }
  return finding;
}

// Names of logs are numbers of six digits or more.
std::string NewestLog(const std::string& database_path) {
  std::string newest;
  std::error_code error;
  for (fs::directory_iterator file(database_path, error), end; !error && file != end;
       file.increment(error)) {
    const std::string path = file->path().string();
    if (file->path().extension() != ".log") continue;
    if (path.size() > newest.size() || (path.size() == newest.size() && path > newest))
      newest = path;
  }
  return newest;
}

}  // namespace

bool IsNewestLogTorn(const std::string& database_path) {
  std::ifstream log(NewestLog(database_path), std::ios::binary);
  std::vector<char> block(kBlockBytes);
  Finding finding = Finding::kSound;
  while (log && finding != Finding::kCommitBehindDamage) {
    log.read(block.data(), static_cast<std::streamsize>(block.size()));
    finding = Examine({block.data(), static_cast<std::size_t>(log.gcount())}, finding);
  }
  return finding == Finding::kDamaged;
}

}  // namespace stator
