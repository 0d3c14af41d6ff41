#include "engine/write/write_mutation.h"

#include <utility>

#include "base/try.h"
#include "capacity/units.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "value/size.h"

namespace stator {
namespace {

// The table may have gained or lost an index, or be gone, since the request was checked. The write
// holds on to its table: that keeps the counts alive.
Result<void> BringUpToDate(const Catalog& catalog, TablePtr& table) {
  if (table->newest_version->load(std::memory_order_acquire) != table->version) {
    TablePtr newest = catalog.Newest(table);
    if (!newest) return std::unexpected(Error::ResourceNotFound());
    table = std::move(newest);
  }
  if (table->status == TableStatus::kDeleting) return std::unexpected(Error::ResourceNotFound());
  return {};
}

Result<WriteOutcome> DecideWrite(const WriteContext& context, TimeMs now, ItemWrite& write,
                                 std::string_view row_key, std::optional<std::string_view> value,
                                 WriteBatch& batch, std::vector<CountChange>& counts) {
  RETURN_IF_ERROR(BringUpToDate(context.catalog, write.table));
  const Table& table = *write.table;
  std::optional<ItemView> before;
  if (value) before.emplace(*value);
  ASSIGN_OR_RETURN(DecidedItem after, DecideItem(table, write, before));

  WriteOutcome outcome;
  const ItemChange change{table, row_key, before, after.view(), now, write.origin};
  WriteChange(context.hasher, change, batch, counts, write.want_units ? &outcome.units : nullptr);
  if (write.want_before && before) outcome.before = Item::FromView(*before);
  if (write.want_after && change.after) {
    outcome.after = after.made ? *std::move(after.made) : Item::FromView(*change.after);
  }
  return outcome;
}

void Apply(const std::vector<CountChange>& counts) {
  for (const CountChange& change : counts) {
    change.counts->items.fetch_add(change.items, std::memory_order_relaxed);
    change.counts->bytes.fetch_add(change.bytes, std::memory_order_relaxed);
  }
}

}  // namespace

OneWriteMutation::OneWriteMutation(const WriteContext& context, ItemWrite&& write,
                                   OneWriteCallback done)
    : context_(context),
      write_(std::move(write)),
      row_key_(ItemRowKey(context_.hasher, *write_.table, write_.item.view())),
      done_(std::move(done)) {}

Mutation::Verdict OneWriteMutation::Decide(std::span<const std::optional<std::string_view>> values,
                                           WriteBatch& batch) {
  counts_.clear();
  outcome_ =
      DecideWrite(context_, context_.clock.Now(), write_, row_key_, values[0], batch, counts_);
  if (outcome_) return Verdict::kCommit;
  if (context_.unit_counts != nullptr) {
    failed_units_ = WriteUnits1KB(values[0] ? ItemSizeBytes(ItemView(*values[0])) : 0);
  }
  return Verdict::kAbandon;
}

// The answer cannot say what a failed condition cost, so it is counted here.
void OneWriteMutation::CountFailure() {
  if (context_.unit_counts == nullptr || write_.origin != ChangeOrigin::kClient) return;
  if (outcome_.error().code() != ErrorCode::kConditionalCheckFailed) return;
  context_.unit_counts->Add(UnitCounts::Kind::kWrite, write_.table->name, {}, failed_units_);
}

void OneWriteMutation::Done(StorageResult<void> status) {
  if (status && outcome_) Apply(counts_);
  if (status && !outcome_) CountFailure();
  context_.gate.Leave();
  if (!status) return done_(std::unexpected(FromStorage(status.error())));
  done_(std::move(outcome_));
}

WriteMutation::WriteMutation(const WriteContext& context, std::vector<ItemWrite> writes,
                             WriteCallback done)
    : context_(context), writes_(std::move(writes)), done_(std::move(done)) {
  row_keys_.reserve(writes_.size());
  for (const ItemWrite& write : writes_) {
    row_keys_.push_back(ItemRowKey(context_.hasher, *write.table, write.item.view()));
  }
}

Mutation::Verdict WriteMutation::Decide(std::span<const std::optional<std::string_view>> values,
                                        WriteBatch& batch) {
  counts_.clear();
  outcomes_ = std::vector<WriteOutcome>();
  outcomes_->reserve(writes_.size());
  // One time for all writes: no point in time lies between them.
  const TimeMs now = context_.clock.Now();
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    Result<WriteOutcome> outcome =
        DecideWrite(context_, now, writes_[i], row_keys_[i], values[i], batch, counts_);
    if (!outcome) {
      outcomes_ = std::unexpected(std::move(outcome).error());
      return Verdict::kAbandon;
    }
    outcomes_->push_back(*std::move(outcome));
  }
  return Verdict::kCommit;
}

void WriteMutation::Done(StorageResult<void> status) {
  if (status && outcomes_) Apply(counts_);
  context_.gate.Leave();
  if (!status) return done_(std::unexpected(FromStorage(status.error())));
  done_(std::move(outcomes_));
}

}  // namespace stator
