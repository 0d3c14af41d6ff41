#include "engine/check/stored_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/expiry/expiry.h"
#include "engine/store_access.h"
#include "value/item_codec.h"

namespace stator {
namespace {

StorageResult<void> ReadSecret(const Checkpoint& rows, StoredCatalog& catalog, Findings& findings) {
  std::string secret;
  const StorageResult<bool> found = rows.Get(kSecretRow, secret);
  if (found && *found && secret.size() == KeyHasher::kSecretBytes) {
    catalog.hasher.emplace(
        std::span<const char, KeyHasher::kSecretBytes>(secret.data(), KeyHasher::kSecretBytes));
    return {};
  }
  // A database that was never used has no row at all.
  bool has_rows = false;
  RETURN_IF_ERROR(rows.Scan({}, Direction::kForward, [&](std::string_view, std::string_view) {
    has_rows = true;
    return false;
  }));
  if (has_rows) findings.Add("the secret of the keys is missing or damaged");
  return {};
}

bool HasKeys(const Table& table, ItemView item) {
  const auto has = [&](const KeyAttribute& key) {
    const std::optional<ValueView> value = item.Find(key.name);
    return value && Matches(key.type, value->type());
  };
  return std::ranges::all_of(table.keys.hash, has) && std::ranges::all_of(table.keys.range, has);
}

}  // namespace

StorageResult<StoredCatalog> ReadStoredCatalog(const Checkpoint& rows, Findings& findings) {
  StoredCatalog catalog;
  RETURN_IF_ERROR(ReadSecret(rows, catalog, findings));
  const auto number_of = [](std::string_view key, const std::string& prefix) {
    return static_cast<std::uint32_t>(ReadBigEndian(key.substr(prefix.size())));
  };
  RETURN_IF_ERROR(
      rows.Scan(RowsWithPrefix(kTableRows), Direction::kForward,
                [&](std::string_view key, std::string_view value) {
                  if (key.size() != kTableRows.size() + sizeof(TableNumber)) return true;
                  const TableNumber number = number_of(key, kTableRows);
                  if (value.empty()) {
                    catalog.dropped.insert(number);
                    return true;
                  }
                  std::optional<Table> table = DecodeTable(value);
                  if (!table || table->number != number) {
                    findings.Add(fmt::format("the definition of table {} is damaged", number));
                  } else {
                    catalog.tables[number] = std::make_shared<const Table>(*std::move(table));
                  }
                  return true;
                }));
  RETURN_IF_ERROR(rows.Scan(
      RowsWithPrefix(kStreamRowsPrefix), Direction::kForward,
      [&](std::string_view key, std::string_view value) {
        std::optional<Stream> stream = DecodeStream(value);
        if (!stream || key.size() != kStreamRowsPrefix.size() + sizeof(StreamNumber) ||
            stream->number != number_of(key, kStreamRowsPrefix)) {
          findings.Add("the row of a stream is damaged");
        } else {
          catalog.streams[stream->number] = std::make_shared<const Stream>(*std::move(stream));
        }
        return true;
      }));
  for (const auto& [number, table] : catalog.tables) {
    if (table->stream && !catalog.streams.contains(table->stream->number)) {
      findings.Add(fmt::format("table {}: its stream is missing", table->name));
    }
  }
  return catalog;
}

std::vector<DerivedRow> DerivedRows(const KeyHasher& hasher, const Table& table,
                                    std::string_view row_key, ItemView item) {
  std::vector<DerivedRow> rows;
  for (const Index& index : table.indexes) {
    if (!index.is_maintained()) continue;
    std::optional<std::string> key = EntryRowKey(hasher, table, index, item);
    if (!key) continue;
    rows.push_back({index.number, *std::move(key),
                    index.projection == ProjectionType::kAll
                        ? std::string(item.encoded())
                        : ProjectTopLevel(item, index.entry_attributes)});
  }
  if (table.time_to_live) {
    if (const auto second = ExpirySecond(table.time_to_live->attribute, item)) {
      rows.push_back({0, ExpiryKey(table.number, *second, row_key), {}});
    }
  }
  return rows;
}

bool IsItemOf(const KeyHasher& hasher, const Table& table, std::string_view row_key,
              std::string_view value) {
  if (!IsWellFormedItem(value)) return false;
  const ItemView item(value);
  return HasKeys(table, item) && ItemRowKey(hasher, table, item) == row_key;
}

std::optional<RowAddress> AddressOf(std::string_view key) {
  constexpr std::size_t kOwnerEnd = 1 + sizeof(std::uint32_t);
  if (key.size() < kOwnerEnd) return std::nullopt;
  RowAddress address{.owner = static_cast<std::uint32_t>(ReadBigEndian(key.substr(1, 4)))};
  switch (key[0]) {
    case kRowSpace:
      if (key.size() < kPartitionPrefixBytes) return std::nullopt;
      address.index = static_cast<IndexNumber>(ReadBigEndian(key.substr(kOwnerEnd, 2)));
      return address;
    case kStreamSpace:
    case kHistorySpace: {
      const std::size_t log_bytes = kOwnerEnd + (key[0] == kStreamSpace ? sizeof(ShardNumber) : 0);
      if (key.size() != log_bytes + sizeof(std::uint64_t)) return std::nullopt;
      address.log = key.substr(0, log_bytes);
      address.number = ReadBigEndian(key.substr(log_bytes));
      return address;
    }
    default:
      return address;
  }
}

}  // namespace stator
