#include "engine/write/write_path.h"

#include <algorithm>

#include "base/try.h"
#include "capacity/units.h"
#include "engine/catalog/row_key.h"
#include "engine/expiry/expiry.h"
#include "engine/history/history.h"
#include "engine/streams/stream_log.h"
#include "engine/write/item_rules.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace stator {
namespace {

// An item before or after the change, with its size.
struct Measured {
  explicit Measured(std::optional<ItemView> measured) : item(measured) {
    if (item) bytes = ItemSizeBytes(*item);
  }
  std::optional<ItemView> item;
  std::size_t bytes = 0;  // 0 when there is no item
};

std::int64_t Signed(std::size_t bytes) { return static_cast<std::int64_t>(bytes); }

// Writes the entries of one item, index by index.
class EntryWriter {
 public:
  EntryWriter(const KeyHasher& hasher, const Table& table, const Measured& before,
              const Measured& after, WriteBatch& batch, std::vector<CountChange>& counts)
      : hasher_(hasher), table_(table), batch_(batch), counts_(counts), names_(table) {
    if (before.item) before_.emplace(names_, before);
    if (after.item) after_.emplace(names_, after);
    base_hash_ = BaseHash(hasher, table, before_ ? before_->keys : after_->keys);
  }

  // Writes the index's share of the change and returns its units; 0 if the entry stays as it is.
  double Write(const Index& index);

 private:
  struct Side {
    Side(const TableKeyNames& names, const Measured& measured)
        : keys(names, *measured.item), item_bytes(measured.bytes) {}
    ItemKeys keys;
    std::size_t item_bytes;
  };
  // What an entry holds: the projected item.
  struct Entry {
    ItemView item;  // the whole item
    std::size_t item_bytes;
    std::optional<std::string> projected;  // absent for ALL
    std::string_view content() const {
      return projected ? std::string_view(*projected) : item.encoded();
    }
    std::size_t bytes() const {
      return projected ? ItemSizeBytes(ItemView(*projected)) : item_bytes;
    }
  };

  bool HaveSameKey(const Index& index) const;
  std::optional<std::string> RowOf(const Index& index, const std::optional<Side>& side) const;
  static Entry EntryOf(const Index& index, const Side& side);

  const KeyHasher& hasher_;
  const Table& table_;
  WriteBatch& batch_;
  std::vector<CountChange>& counts_;
  const TableKeyNames names_;
  std::optional<Side> before_;
  std::optional<Side> after_;
  Hash128 base_hash_;  // of both: they have the same primary key
};

// Whether both items have the same values in the key attributes of the index, and therefore the same
// row.
bool EntryWriter::HaveSameKey(const Index& index) const {
  if (!before_ || !after_) return false;
  const auto same = [&](const KeyAttribute& attribute) {
    return before_->keys.Find(attribute.name) == after_->keys.Find(attribute.name);
  };
  return std::ranges::all_of(index.keys.hash, same) && std::ranges::all_of(index.keys.range, same);
}

std::optional<std::string> EntryWriter::RowOf(const Index& index,
                                              const std::optional<Side>& side) const {
  if (!side) return std::nullopt;
  return EntryRowKey(hasher_, table_, index, side->keys, base_hash_);
}

EntryWriter::Entry EntryWriter::EntryOf(const Index& index, const Side& side) {
  Entry entry{side.keys.item(), side.item_bytes, std::nullopt};
  if (index.projection != ProjectionType::kAll) {
    entry.projected = ProjectTopLevel(entry.item, index.entry_attributes);
  }
  return entry;
}

double EntryWriter::Write(const Index& index) {
  const bool same_row = HaveSameKey(index);
  const std::optional<std::string> old_row = RowOf(index, before_);
  const std::optional<std::string> moved_row = same_row ? std::nullopt : RowOf(index, after_);
  const std::optional<std::string>& new_row = same_row ? old_row : moved_row;
  std::optional<Entry> before;
  std::optional<Entry> after;
  if (old_row) before = EntryOf(index, *before_);
  if (new_row) after = EntryOf(index, *after_);
  if (!before && !after) return 0;
  if (same_row && before->content() == after->content()) return 0;

  if (before && !same_row) batch_.Delete(*old_row);
  if (after) batch_.Put(*new_row, after->content());
  const std::size_t old_bytes = before ? before->bytes() : 0;
  const std::size_t new_bytes = after ? after->bytes() : 0;
  counts_.push_back({index.counts.get(),
                     (after ? 1 : 0) - (before ? 1 : 0),
                     Signed(new_bytes) - Signed(old_bytes),
                     {CountedRows::Kind::kIndex, table_.number, index.number}});

  if (same_row) return WriteUnits1KB(std::max(old_bytes, new_bytes));
  return (before ? WriteUnits1KB(old_bytes) : 0) + (after ? WriteUnits1KB(new_bytes) : 0);
}

}  // namespace

void WriteChange(const KeyHasher& hasher, const ItemChange& change, WriteBatch& batch,
                 std::vector<CountChange>& counts, WriteUnits* units) {
  const Measured before(change.before);
  const Measured after(change.after);
  // A write that changes nothing is charged like any other.
  if (units) units->table = WriteUnits1KB(std::max(before.bytes, after.bytes));

  const bool unchanged = change.before.has_value() == change.after.has_value() &&
                         (!change.before || *change.before == *change.after);
  if (unchanged) return;

  if (change.after) {
    batch.Put(change.row_key, change.after->encoded());
  } else {
    batch.Delete(change.row_key);
  }
  counts.push_back({change.table.counts.get(),
                    (change.after ? 1 : 0) - (change.before ? 1 : 0),
                    Signed(after.bytes) - Signed(before.bytes),
                    {CountedRows::Kind::kIndex, change.table.number, 0}});

  if (change.table.stream) AppendStreamRecord(change, batch, counts);
  if (change.table.time_to_live) WriteExpiry(change, batch);
  if (change.table.recovery) AppendHistory(change, batch);

  if (change.table.indexes.empty()) return;
  EntryWriter entries(hasher, change.table, before, after, batch, counts);
  for (const Index& index : change.table.indexes) {
    if (!index.is_maintained()) continue;
    const double index_units = entries.Write(index);
    if (units == nullptr || index_units == 0) continue;
    (index.global ? units->global_indexes : units->local_indexes)
        .emplace_back(index.name, index_units);
  }
}

Result<DecidedItem> DecideItem(const Table& table, const ItemWrite& write,
                               std::optional<ItemView> before) {
  if (write.kind == ItemWrite::Kind::kUpdate && write.update && write.size_statement) {
    // The size of the statement is checked before the condition.
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
  // There is nothing to take away, and nothing is made for it.
  if (!before && write.update->OnlyRemoves()) return DecidedItem{};
  ASSIGN_OR_RETURN(Item after, write.update->Apply(base));
  RETURN_IF_ERROR(CheckUpdatedIndexKeys(table, *write.update, after.view()));
  if (IsTooLarge(after.view())) return std::unexpected(UpdateTooLarge());
  return DecidedItem{.made = std::move(after)};
}

// Why no writer slips through: a writer first counts itself, then looks at the gate; the thread that
// closes the gate first closes it, then looks at the count. All four are sequentially consistent.
void WriteGate::Enter(Store& store, std::unique_ptr<Mutation> mutation) {
  in_flight_.fetch_add(1);
  if (closed_.load()) [[unlikely]] {
    const std::scoped_lock lock(mutex_);
    if (closed_.load()) {
      held_.push_back(std::move(mutation));
      Leave();
      return;
    }
  }
  store.Mutate(std::move(mutation));
}

void WriteGate::Leave() {
  if (in_flight_.fetch_sub(1) == 1 && closed_.load()) in_flight_.notify_all();
}

void WriteGate::WhileNothingIsInFlight(Store& store, const std::function<void()>& look) {
  closed_.store(true);
  for (std::int64_t in_flight = in_flight_.load(); in_flight != 0; in_flight = in_flight_.load()) {
    in_flight_.wait(in_flight);
  }
  look();
  std::vector<std::unique_ptr<Mutation>> held;
  {
    const std::scoped_lock lock(mutex_);
    closed_.store(false);
    held.swap(held_);
  }
  for (std::unique_ptr<Mutation>& mutation : held) Enter(store, std::move(mutation));
}

}  // namespace stator
