#include "engine/write_mutation.h"

#include <utility>

#include "base/try.h"
#include "engine/engine.h"
#include "engine/row_key.h"

namespace stator {

WriteMutation::WriteMutation(const Catalog& catalog, const KeyHasher& hasher, WriteGate& gate,
                             const Clock& clock, std::vector<ItemWrite> writes, WriteCallback done)
    : catalog_(catalog),
      hasher_(hasher),
      gate_(gate),
      clock_(clock),
      writes_(std::move(writes)),
      done_(std::move(done)) {
  row_keys_.reserve(writes_.size());
  for (const ItemWrite& write : writes_) {
    row_keys_.push_back(ItemRowKey(hasher_, *write.table, write.item.view()));
  }
}

Mutation::Verdict WriteMutation::Decide(std::span<const std::optional<std::string_view>> values,
                                        WriteBatch& batch) {
  counts_.clear();
  outcomes_ = std::vector<WriteOutcome>();
  outcomes_->reserve(writes_.size());
  // One time for all writes: no point in time lies between them.
  now_ = clock_.Now();
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    Result<WriteOutcome> outcome = DecideOne(writes_[i], row_keys_[i], values[i], batch);
    if (!outcome) {
      outcomes_ = std::unexpected(std::move(outcome).error());
      return Verdict::kAbandon;
    }
    outcomes_->push_back(*std::move(outcome));
  }
  return Verdict::kCommit;
}

Result<WriteOutcome> WriteMutation::DecideOne(ItemWrite& write, std::string_view row_key,
                                              std::optional<std::string_view> value,
                                              WriteBatch& batch) {
  // The table may have gained or lost an index, or be gone, since the request was checked.
  TablePtr table = catalog_.Newest(write.table);
  if (!table || table->status == TableStatus::kDeleting) {
    return std::unexpected(Error::ResourceNotFound());
  }
  std::optional<ItemView> before;
  if (value) before.emplace(*value);
  ASSIGN_OR_RETURN(DecidedItem after, DecideItem(*table, write, before));

  WriteOutcome outcome;
  const ItemChange change{*table, row_key, before, after.view(), now_, write.origin};
  WriteChange(hasher_, change, batch, counts_, write.want_units ? &outcome.units : nullptr);
  if (write.want_before && before) outcome.before = Item::FromView(*before);
  if (write.want_after && change.after) {
    outcome.after = after.made ? *std::move(after.made) : Item::FromView(*change.after);
  }
  write.table = std::move(table);  // keeps the counts alive
  return outcome;
}

void WriteMutation::Done(StorageResult<void> status) {
  if (status && outcomes_) {
    for (const CountChange& change : counts_) {
      change.counts->items.fetch_add(change.items, std::memory_order_relaxed);
      change.counts->bytes.fetch_add(change.bytes, std::memory_order_relaxed);
    }
  }
  gate_.Leave();
  if (!status) return done_(std::unexpected(FromStorage(status.error())));
  done_(std::move(outcomes_));
}

}  // namespace stator
