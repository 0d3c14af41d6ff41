#include "engine/expiry/expiry.h"

#include <charconv>

#include "engine/catalog/row_key.h"
#include "engine/write/write_path.h"
#include "value/key_codec.h"
#include "value/number.h"

namespace stator {
namespace {

constexpr std::size_t kTableBytes = 4;
constexpr std::size_t kSecondBytes = 8;
constexpr std::size_t kPrefixBytes = 1 + kTableBytes + kSecondBytes;

void AppendBigEndian(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t left = bytes; left != 0; --left) {
    out.push_back(static_cast<char>((value >> ((left - 1) * 8)) & 0xFF));
  }
}

std::uint64_t ReadBigEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

std::string TablePrefix(TableNumber table) {
  std::string key(1, kExpirySpace);
  AppendBigEndian(key, table, kTableBytes);
  return key;
}

std::string SecondPrefix(TableNumber table, std::int64_t second) {
  std::string key = TablePrefix(table);
  AppendBigEndian(key, static_cast<std::uint64_t>(second), kSecondBytes);
  return key;
}

std::optional<std::int64_t> SecondOf(const Table& table, std::optional<ItemView> item) {
  return item ? ExpirySecond(table.time_to_live->attribute, *item) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> ExpirySecond(std::string_view attribute, ItemView item) {
  const std::optional<ValueView> value = item.Find(attribute);
  if (!value || value->type() != Type::kN) return std::nullopt;
  std::string text;
  AppendNumberText(text, value->number());
  // What is behind the point does not change the second; what does not fit is no time.
  const std::string_view whole = std::string_view(text).substr(0, text.find('.'));
  std::int64_t second = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), second);
  if (error != std::errc() || text.front() == '-') return std::nullopt;
  return second;
}

std::string ExpiryKey(TableNumber table, std::int64_t second, std::string_view row_key) {
  std::string key = SecondPrefix(table, second);
  key.append(row_key.substr(kRowPrefixBytes));
  return key;
}

std::optional<ExpiryRow> ReadExpiryKey(std::string_view key) {
  if (key.size() < kPrefixBytes + sizeof(Hash128) || key.front() != kExpirySpace) {
    return std::nullopt;
  }
  const auto table = static_cast<TableNumber>(ReadBigEndian(key.substr(1, kTableBytes)));
  ExpiryRow row{static_cast<std::int64_t>(ReadBigEndian(key.substr(1 + kTableBytes, kSecondBytes))),
                IndexRows(table, 0).begin};
  row.row_key.append(key.substr(kPrefixBytes));
  return row;
}

KeyRange ExpiryRows(TableNumber table) {
  const std::string prefix = TablePrefix(table);
  return {prefix, PrefixEnd(prefix)};
}

KeyRange ExpiryRows(TableNumber table, std::int64_t first, std::int64_t end) {
  return {SecondPrefix(table, first), SecondPrefix(table, end)};
}

void WriteExpiry(const ItemChange& change, WriteBatch& batch) {
  const std::optional<std::int64_t> before = SecondOf(change.table, change.before);
  const std::optional<std::int64_t> after = SecondOf(change.table, change.after);
  if (before == after) return;
  if (before) batch.Delete(ExpiryKey(change.table.number, *before, change.row_key));
  if (after) batch.Put(ExpiryKey(change.table.number, *after, change.row_key), {});
}

}  // namespace stator
