// The write path: every write of every kind comes through here.
//
// PutItem, UpdateItem, DeleteItem, batches, transactions and expiry all end in one question: an item
// was `before` and shall be `after`; which bytes must be written? WriteChange answers it, and it is
// the only place that knows. Its answer is committed as one: the item, its index entries, its stream
// record, its expiry and its history are never apart.
#ifndef STATOR_ENGINE_WRITE_WRITE_PATH_H_
#define STATOR_ENGINE_WRITE_WRITE_PATH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/table.h"
#include "engine/write/item_write.h"
#include "stator/item.h"
#include "stator/result.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

struct ItemChange {
  const Table& table;
  std::string_view row_key;        // of the item
  std::optional<ItemView> before;  // absent: there was none
  std::optional<ItemView> after;   // absent: there shall be none
  TimeMs now{};
  ChangeOrigin origin = ChangeOrigin::kClient;
};

// Puts into `batch` all that the change writes: the item, each index entry that really changes, and
// what the table's stream, expiry and history keep of it.
// Appends to `counts`; fills `units` unless it is null.
void WriteChange(const KeyHasher& hasher, const ItemChange& change, WriteBatch& batch,
                 std::vector<CountChange>& counts, WriteUnits* units);

// The item that a write leaves: made by an update, or given by the request or the store.
struct DecidedItem {
  std::optional<Item> made;
  std::optional<ItemView> given;
  // Absent: there shall be no item. Valid as long as this and what was given.
  std::optional<ItemView> view() const { return made ? made->view() : given; }
};

// The item after the wanted write, given the item before; absent after a delete. Checks the
// condition, runs the update, and refuses what only shows now: index keys of the wrong type, a
// result that is too large.
Result<DecidedItem> DecideItem(const Table& table, const ItemWrite& write,
                               std::optional<ItemView> before);

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_WRITE_PATH_H_
