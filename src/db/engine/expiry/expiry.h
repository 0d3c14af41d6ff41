// The expiry space: rows that name items by the second in which they expire (grammar:
// engine/row_key.h). While a table has time to live, every change keeps its item's row right, so
// that what has expired is found by reading it in order and nothing else.
#ifndef STATOR_ENGINE_EXPIRY_EXPIRY_H_
#define STATOR_ENGINE_EXPIRY_EXPIRY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/catalog/table.h"
#include "stator/item.h"
#include "storage/store.h"

namespace stator {

struct ItemChange;

// Items that expired longer ago than this are left alone.
inline constexpr std::int64_t kExpiryHorizonSeconds = std::int64_t{5} * 365 * 24 * 60 * 60;

// The second since the epoch that the attribute names; absent if it is no number or can be no time.
std::optional<std::int64_t> ExpirySecond(std::string_view attribute, ItemView item);

// `row_key` is that of the item.
std::string ExpiryKey(TableNumber table, std::int64_t second, std::string_view row_key);
struct ExpiryRow {
  std::int64_t second;
  std::string row_key;  // of the item
};
// Absent if this is not the key of an expiry row.
std::optional<ExpiryRow> ReadExpiryKey(std::string_view key);

// All expiry rows of a table, and those of first ≤ second < end.
KeyRange ExpiryRows(TableNumber table);
KeyRange ExpiryRows(TableNumber table, std::int64_t first, std::int64_t end);

// Moves the item's row from the old time to the new. REQUIRES: the table has time to live.
void WriteExpiry(const ItemChange& change, WriteBatch& batch);

}  // namespace stator

#endif  // STATOR_ENGINE_EXPIRY_EXPIRY_H_
