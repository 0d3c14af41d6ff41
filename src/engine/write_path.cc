#include "engine/write_path.h"

#include <algorithm>

#include "base/try.h"
#include "capacity/units.h"
#include "engine/expiry.h"
#include "engine/history.h"
#include "engine/index_key_rules.h"
#include "engine/row_key.h"
#include "engine/stream_record.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace stator {
namespace {

// An item as it was or shall be, with its size.
struct Measured {
  explicit Measured(std::optional<ItemView> some) : item(some) {
    if (item) bytes = ItemSizeBytes(*item);
  }
  std::optional<ItemView> item;
  std::size_t bytes = 0;  // 0 when there is no item
};

// An index entry as it was or shall be: its row, and the projected item.
struct Entry {
  std::string row_key;
  ItemView item;  // the whole item
  std::size_t item_bytes;
  std::optional<std::string> projected;  // absent for ALL
  std::string_view content() const {
    return projected ? std::string_view(*projected) : item.encoded();
  }
  std::size_t bytes() const { return projected ? ItemSizeBytes(ItemView(*projected)) : item_bytes; }
};

std::optional<Entry> MakeEntry(const Index& index, const Measured& measured,
                               std::optional<std::string> row_key) {
  if (!row_key) return std::nullopt;
  Entry entry{*std::move(row_key), *measured.item, measured.bytes, std::nullopt};
  if (index.projection != ProjectionType::kAll) {
    entry.projected = ProjectTopLevel(entry.item, index.entry_attributes);
  }
  return entry;
}

std::optional<std::string> RowKeyOf(const KeyHasher& hasher, const Table& table, const Index& index,
                                    const Measured& measured) {
  if (!measured.item) return std::nullopt;
  return EntryRowKey(hasher, table, index, *measured.item);
}

// Both items have the same values in the key attributes of the index: then so have their entries' rows.
bool HaveSameIndexKey(const Index& index, const Measured& before, const Measured& after) {
  if (!before.item || !after.item) return false;
  const auto same = [&](const KeyAttribute& attribute) {
    return before.item->Find(attribute.name) == after.item->Find(attribute.name);
  };
  return std::ranges::all_of(index.keys.hash, same) && std::ranges::all_of(index.keys.range, same);
}

std::int64_t Signed(std::size_t bytes) { return static_cast<std::int64_t>(bytes); }

// Writes one index's share of the change and returns its units; 0 when the entry stays as it is.
double WriteEntry(const KeyHasher& hasher, const Table& table, const Index& index,
                  const Measured& old_item, const Measured& new_item, WriteBatch& batch,
                  std::vector<CountChange>& counts) {
  const bool same_row = HaveSameIndexKey(index, old_item, new_item);
  std::optional<std::string> old_row = RowKeyOf(hasher, table, index, old_item);
  std::optional<std::string> new_row =
      same_row ? old_row : RowKeyOf(hasher, table, index, new_item);
  const std::optional<Entry> before = MakeEntry(index, old_item, std::move(old_row));
  const std::optional<Entry> after = MakeEntry(index, new_item, std::move(new_row));
  if (!before && !after) return 0;
  if (same_row && before->content() == after->content()) return 0;

  if (before && !same_row) batch.Delete(before->row_key);
  if (after) batch.Put(after->row_key, after->content());
  const std::size_t old_bytes = before ? before->bytes() : 0;
  const std::size_t new_bytes = after ? after->bytes() : 0;
  counts.push_back({index.counts.get(), (after ? 1 : 0) - (before ? 1 : 0),
                    Signed(new_bytes) - Signed(old_bytes)});

  if (same_row) return WriteUnits1KB(std::max(old_bytes, new_bytes));
  return (before ? WriteUnits1KB(old_bytes) : 0) + (after ? WriteUnits1KB(new_bytes) : 0);
}

}  // namespace

void WriteChange(const KeyHasher& hasher, const ItemChange& change, WriteBatch& batch,
                 std::vector<CountChange>& counts, WriteUnits* units) {
  const Measured before(change.before);
  const Measured after(change.after);
  // A write that changes nothing is charged all the same.
  if (units) units->table = WriteUnits1KB(std::max(before.bytes, after.bytes));

  const bool unchanged = change.before.has_value() == change.after.has_value() &&
                         (!change.before || *change.before == *change.after);
  if (unchanged) return;

  if (change.after) {
    batch.Put(change.row_key, change.after->encoded());
  } else {
    batch.Delete(change.row_key);
  }
  counts.push_back({change.table.counts.get(), (change.after ? 1 : 0) - (change.before ? 1 : 0),
                    Signed(after.bytes) - Signed(before.bytes)});

  if (change.table.stream) AppendStreamRecord(change, batch);
  if (change.table.time_to_live) WriteExpiry(change, batch);
  if (change.table.recovery) AppendHistory(change, batch);

  for (const Index& index : change.table.indexes) {
    if (!index.is_maintained()) continue;
    const double index_units =
        WriteEntry(hasher, change.table, index, before, after, batch, counts);
    if (units == nullptr || index_units == 0) continue;
    (index.global ? units->global_indexes : units->local_indexes)
        .emplace_back(index.name, index_units);
  }
}

Result<DecidedItem> DecideItem(const Table& table, const ItemWrite& write,
                               std::optional<ItemView> before) {
  if (write.kind == ItemWrite::Kind::kUpdate && write.update && write.size_statement) {
    // The statement itself is sized before the condition is looked at.
    const ItemView base = before ? *before : write.item.view();
    if (write.update->StatementBytes(base) > kMaxItemBytes) {
      return std::unexpected(UpdateTooLarge());
    }
  }
  if (write.condition && !write.condition->Evaluate(before.value_or(ItemView()))) {
    const bool show = write.want_item_on_failure && before;
    return std::unexpected(
        Error::ConditionalCheckFailed(show ? std::string(before->encoded()) : std::string()));
  }
  switch (write.kind) {
    case ItemWrite::Kind::kPut:
      return DecidedItem{.given = write.item.view()};
    case ItemWrite::Kind::kDelete:
      return DecidedItem{};
    case ItemWrite::Kind::kCheck:
      return DecidedItem{.given = before};
    case ItemWrite::Kind::kUpdate:
      break;
  }
  const ItemView base = before ? *before : write.item.view();
  if (!write.update) return DecidedItem{.given = base};
  ASSIGN_OR_RETURN(Item after, write.update->Apply(base));
  RETURN_IF_ERROR(CheckUpdatedIndexKeys(table, *write.update, after.view()));
  // The encoding never is shorter than the size DynamoDB counts, so most items need no second look.
  if (after.encoded().size() > kMaxItemBytes && ItemSizeBytes(after.view()) > kMaxItemBytes) {
    return std::unexpected(UpdateTooLarge());
  }
  return DecidedItem{.made = std::move(after)};
}

}  // namespace stator
