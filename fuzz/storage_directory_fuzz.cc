// Any bytes as the files that say what a data directory holds: the ledger, a log, and a manifest, whose
// edits get right checksums so that they are looked into.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "storage/rocksdb/ledger.h"
#include "storage/rocksdb/log_format.h"
#include "storage/rocksdb/manifest.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

// A log of one record. REQUIRES: the record fits into a block.
std::string LogOf(std::string_view record) {
  const std::string payload = '\x01' + std::string(record);  // its type: a whole record
  const std::uint32_t crc = stator::Crc32c(payload);
  const std::uint32_t masked = ((crc >> 15U) | (crc << 17U)) + 0xa282ead8U;
  std::string log;
  for (unsigned shift = 0; shift < 32; shift += 8) log += static_cast<char>(masked >> shift);
  log += static_cast<char>(record.size());
  log += static_cast<char>(record.size() >> 8U);
  return log + payload;
}

void ReadAsLog(std::string_view bytes) {
  std::size_t record_bytes = 0;
  const stator::LogReading reading = stator::ReadLog(bytes, [&](std::string_view record) {
    record_bytes += record.size();
    static_cast<void>(stator::ReadCommitHeader(record));
  });
  Require(record_bytes <= reading.sound_bytes && reading.sound_bytes <= bytes.size());
  if (reading.record_after_damage) {
    Require(reading.is_damaged && *reading.record_after_damage < bytes.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const std::optional<stator::Ledger> ledger = stator::DecodeLedger(bytes)) {
    Require(stator::DecodeLedger(stator::EncodeLedger(*ledger)) == ledger);
  }
  ReadAsLog(bytes);
  const std::string log = LogOf(bytes.substr(0, std::min<std::size_t>(size, 32'000)));
  ReadAsLog(log);
  for (const std::string_view manifest : {bytes, std::string_view(log)}) {
    if (const auto read = stator::ReadManifest(manifest)) {
      Require(read->sound_bytes <= manifest.size());
    }
  }
  return 0;
}
