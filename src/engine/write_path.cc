#include "engine/write_path.h"

#include <algorithm>

#include "base/try.h"
#include "capacity/units.h"
#include "engine/index_key_rules.h"
#include "engine/row_key.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace stator {
namespace {

// An index entry as it was or shall be: its row, and the projected item.
struct Entry {
  std::string row_key;
  std::string_view item;                 // the whole item
  std::optional<std::string> projected;  // absent for ALL
  std::string_view content() const { return projected ? std::string_view(*projected) : item; }
};

std::optional<Entry> MakeEntry(const KeyHasher& hasher, const Table& table, const Index& index,
                               std::optional<ItemView> item) {
  if (!item) return std::nullopt;
  std::optional<std::string> row_key = EntryRowKey(hasher, table, index, *item);
  if (!row_key) return std::nullopt;
  Entry entry{.row_key = *std::move(row_key), .item = item->encoded()};
  if (index.projection != ProjectionType::kAll) {
    entry.projected = ProjectTopLevel(*item, index.entry_attributes);
  }
  return entry;
}

std::size_t EntryBytes(const Entry& entry) { return ItemSizeBytes(ItemView(entry.content())); }

std::int64_t Signed(std::size_t bytes) { return static_cast<std::int64_t>(bytes); }

// Writes one index's share of the change and returns its units; 0 when the entry stays as it is.
double WriteEntry(const KeyHasher& hasher, const ItemChange& change, const Index& index,
                  WriteBatch& batch, std::vector<CountChange>& counts) {
  const std::optional<Entry> before = MakeEntry(hasher, change.table, index, change.before);
  const std::optional<Entry> after = MakeEntry(hasher, change.table, index, change.after);
  if (!before && !after) return 0;
  const bool same_row = before && after && before->row_key == after->row_key;
  if (same_row && before->content() == after->content()) return 0;

  if (before && !same_row) batch.Delete(before->row_key);
  if (after) batch.Put(after->row_key, after->content());
  const std::size_t old_bytes = before ? EntryBytes(*before) : 0;
  const std::size_t new_bytes = after ? EntryBytes(*after) : 0;
  counts.push_back({index.counts.get(), (after ? 1 : 0) - (before ? 1 : 0),
                    Signed(new_bytes) - Signed(old_bytes)});

  if (same_row) return WriteUnits1KB(std::max(old_bytes, new_bytes));
  return (before ? WriteUnits1KB(old_bytes) : 0) + (after ? WriteUnits1KB(new_bytes) : 0);
}

}  // namespace

void WriteChange(const KeyHasher& hasher, const ItemChange& change, WriteBatch& batch,
                 std::vector<CountChange>& counts, WriteUnits* units) {
  const std::size_t old_bytes = change.before ? ItemSizeBytes(*change.before) : 0;
  const std::size_t new_bytes = change.after ? ItemSizeBytes(*change.after) : 0;
  // A write that changes nothing is charged all the same.
  if (units) units->table = WriteUnits1KB(std::max(old_bytes, new_bytes));

  const bool unchanged = change.before.has_value() == change.after.has_value() &&
                         (!change.before || *change.before == *change.after);
  if (unchanged) return;

  if (change.after) {
    batch.Put(change.row_key, change.after->encoded());
  } else {
    batch.Delete(change.row_key);
  }
  counts.push_back({change.table.counts.get(), (change.after ? 1 : 0) - (change.before ? 1 : 0),
                    Signed(new_bytes) - Signed(old_bytes)});

  for (const Index& index : change.table.indexes) {
    if (!index.is_maintained()) continue;
    const double index_units = WriteEntry(hasher, change, index, batch, counts);
    if (units == nullptr || index_units == 0) continue;
    (index.global ? units->global_indexes : units->local_indexes)
        .emplace_back(index.name, index_units);
  }
}

Result<std::optional<Item>> DecideItem(const Table& table, const ItemWrite& write,
                                       std::optional<ItemView> before) {
  if (write.kind == ItemWrite::Kind::kUpdate && write.update) {
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
      return write.item;
    case ItemWrite::Kind::kDelete:
      return std::nullopt;
    case ItemWrite::Kind::kUpdate:
      break;
  }
  const ItemView base = before ? *before : write.item.view();
  if (!write.update) return Item::FromView(base);
  ASSIGN_OR_RETURN(Item after, write.update->Apply(base));
  RETURN_IF_ERROR(CheckUpdatedIndexKeys(table, *write.update, after.view()));
  // The encoding never is shorter than the size DynamoDB counts, so most items need no second look.
  if (after.encoded().size() > kMaxItemBytes && ItemSizeBytes(after.view()) > kMaxItemBytes) {
    return std::unexpected(UpdateTooLarge());
  }
  return after;
}

}  // namespace stator
