#include "engine/history/history_record.h"

#include "engine/catalog/row_key.h"
#include "value/item_codec.h"
#include "value/key_codec.h"

namespace stator {
namespace {

constexpr std::size_t kTimeBytes = 8;
constexpr std::size_t kLengthBytes = 2;
constexpr char kNone = 0;
constexpr char kItem = 1;

void AppendBigEndian(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t left = bytes; left-- > 0;) out.push_back(static_cast<char>(value >> (8 * left)));
}

std::uint64_t TakeBigEndian(std::string_view& from, std::size_t bytes) {
  std::uint64_t value = 0;
  for (const char byte : from.substr(0, bytes))
    value = value << 8 | static_cast<unsigned char>(byte);
  from.remove_prefix(bytes);
  return value;
}

}  // namespace

std::string EncodeHistoryRecord(const HistoryRecord& record) {
  std::string bytes;
  bytes.reserve(kTimeBytes + kLengthBytes + record.key.size() + 1 +
                (record.old ? record.old->encoded().size() : 0));
  AppendBigEndian(bytes, static_cast<std::uint64_t>(record.time.time_since_epoch().count()),
                  kTimeBytes);
  AppendBigEndian(bytes, record.key.size(), kLengthBytes);
  bytes.append(record.key);
  bytes.push_back(record.old ? kItem : kNone);
  if (record.old) bytes.append(record.old->encoded());
  return bytes;
}

std::optional<HistoryRecord> DecodeHistoryRecord(std::string_view bytes) {
  if (bytes.size() < kTimeBytes + kLengthBytes) return std::nullopt;
  HistoryRecord record;
  record.time = TimeMs(
      std::chrono::milliseconds(static_cast<std::int64_t>(TakeBigEndian(bytes, kTimeBytes))));
  const std::size_t key_bytes = TakeBigEndian(bytes, kLengthBytes);
  if (key_bytes < sizeof(Hash128) || bytes.size() < key_bytes + 1) return std::nullopt;
  record.key = bytes.substr(0, key_bytes);
  const char kind = bytes[key_bytes];
  bytes.remove_prefix(key_bytes + 1);
  if (kind == kNone && bytes.empty()) return record;
  if (kind != kItem || !IsWellFormedItem(bytes)) return std::nullopt;
  record.old.emplace(bytes);
  return record;
}

std::string HistoryLog(TableNumber table) {
  std::string log(1, kHistorySpace);
  AppendBigEndian(log, table, sizeof(table));
  return log;
}

KeyRange HistoryRows(TableNumber table) {
  std::string begin = HistoryLog(table);
  std::string end = PrefixEnd(begin);
  return {std::move(begin), std::move(end)};
}

std::uint64_t HistoryNumber(std::string_view row_key) {
  std::string_view number = row_key.substr(1 + sizeof(TableNumber));
  return TakeBigEndian(number, number.size());
}

}  // namespace stator
