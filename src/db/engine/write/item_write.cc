// Single writes and batches: the mutations that carry them through the store.
#include "engine/write/item_write.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "base/try.h"
#include "capacity/units.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/store_access.h"
#include "engine/write/write_path.h"
#include "value/size.h"

namespace stator {
namespace {

Result<WriteOutcome> DecideWrite(GatedChanges& changes, TimeMs now, ItemWrite& write,
                                 std::string_view row_key, std::optional<std::string_view> value,
                                 WriteBatch& batch) {
  RETURN_IF_ERROR(BringUpToDate(changes.context().catalog, write.table));
  const Table& table = *write.table;
  std::optional<ItemView> before;
  if (value) before.emplace(*value);
  ASSIGN_OR_RETURN(DecidedItem after, DecideItem(table, write, before));

  WriteOutcome outcome;
  const ItemChange change{table, row_key, before, after.view(), now, write.origin};
  changes.Write(change, batch, write.want_units ? &outcome.units : nullptr);
  if (write.want_before && before) outcome.before = Item::FromView(*before);
  if (write.want_after && change.after) {
    outcome.after = after.made ? *std::move(after.made) : Item::FromView(*change.after);
  }
  return outcome;
}

// One write, the usual case: all that it needs is in one block of memory.
class OneWriteMutation final : public Mutation {
 public:
  OneWriteMutation(const WriteContext& context, ItemWrite&& write, OneWriteCallback done);

  std::span<const std::string> Keys() const override { return {&row_key_, 1}; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override;
  void Done(StorageResult<void> status) override;
  bool IsRefusable() const override { return write_.origin == ChangeOrigin::kClient; }

 private:
  void CountFailure();

  GatedChanges changes_;
  ItemWrite write_;
  const std::string row_key_;
  OneWriteCallback done_;

  // What Decide found; reset each time it runs.
  Result<WriteOutcome> outcome_;
  double failed_units_ = 0;  // what a failed condition is charged
};

OneWriteMutation::OneWriteMutation(const WriteContext& context, ItemWrite&& write,
                                   OneWriteCallback done)
    : changes_(context),
      write_(std::move(write)),
      row_key_(ItemRowKey(context.hasher, *write_.table, write_.item.view())),
      done_(std::move(done)) {}

Mutation::Verdict OneWriteMutation::Decide(std::span<const std::optional<std::string_view>> values,
                                           WriteBatch& batch) {
  changes_.Restart();
  const WriteContext& context = changes_.context();
  outcome_ = DecideWrite(changes_, context.clock.Now(), write_, row_key_, values[0], batch);
  if (outcome_) return Verdict::kCommit;
  if (context.unit_counts != nullptr) {
    failed_units_ = WriteUnits1KB(values[0] ? ItemSizeBytes(ItemView(*values[0])) : 0);
  }
  return Verdict::kAbandon;
}

// The answer does not say what a failed condition costs, so its units are counted here.
void OneWriteMutation::CountFailure() {
  UnitCounts* const unit_counts = changes_.context().unit_counts;
  if (unit_counts == nullptr || write_.origin != ChangeOrigin::kClient) return;
  if (outcome_.error().code() != ErrorCode::kConditionalCheckFailed) return;
  unit_counts->Add(UnitCounts::Kind::kWrite, write_.table->name, {}, failed_units_);
}

void OneWriteMutation::Done(StorageResult<void> status) {
  if (status && !outcome_) CountFailure();
  changes_.Finish(status && outcome_);
  if (!status) return done_(std::unexpected(FromStorage(status.error())));
  done_(std::move(outcome_));
}

// All writes or none. REQUIRES: no two writes on the same item.
class BatchMutation final : public Mutation {
 public:
  BatchMutation(const WriteContext& context, std::vector<ItemWrite> writes, WriteCallback done);

  std::span<const std::string> Keys() const override { return row_keys_; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override;
  void Done(StorageResult<void> status) override;
  bool IsRefusable() const override { return true; }

 private:
  GatedChanges changes_;
  std::vector<ItemWrite> writes_;
  std::vector<std::string> row_keys_;
  WriteCallback done_;

  // What Decide found; reset each time it runs.
  Result<std::vector<WriteOutcome>> outcomes_;
};

BatchMutation::BatchMutation(const WriteContext& context, std::vector<ItemWrite> writes,
                             WriteCallback done)
    : changes_(context), writes_(std::move(writes)), done_(std::move(done)) {
  row_keys_.reserve(writes_.size());
  for (const ItemWrite& write : writes_) {
    row_keys_.push_back(ItemRowKey(context.hasher, *write.table, write.item.view()));
  }
}

Mutation::Verdict BatchMutation::Decide(std::span<const std::optional<std::string_view>> values,
                                        WriteBatch& batch) {
  changes_.Restart();
  outcomes_ = std::vector<WriteOutcome>();
  outcomes_->reserve(writes_.size());
  // One time for all writes, so that no point in time lies between them.
  const TimeMs now = changes_.context().clock.Now();
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    Result<WriteOutcome> outcome =
        DecideWrite(changes_, now, writes_[i], row_keys_[i], values[i], batch);
    if (!outcome) {
      outcomes_ = std::unexpected(std::move(outcome).error());
      return Verdict::kAbandon;
    }
    outcomes_->push_back(*std::move(outcome));
  }
  return Verdict::kCommit;
}

void BatchMutation::Done(StorageResult<void> status) {
  changes_.Finish(status && outcomes_);
  if (!status) return done_(std::unexpected(FromStorage(status.error())));
  done_(std::move(outcomes_));
}

}  // namespace

void Engine::WriteItem(ItemWrite&& write, OneWriteCallback done) {
  if (claims_ && IsInTransaction(*write.table, write.item.view())) {
    return done(std::unexpected(Error::TransactionConflict()));
  }
  gate_.Enter(*store_, std::make_unique<OneWriteMutation>(MakeWriteContext(), std::move(write),
                                                          std::move(done)));
}

void Engine::WriteItems(std::vector<ItemWrite> writes, WriteCallback done) {
  if (claims_ && std::ranges::any_of(writes, [this](const ItemWrite& write) {
        return IsInTransaction(*write.table, write.item.view());
      })) {
    return done(std::unexpected(Error::TransactionConflict()));
  }
  gate_.Enter(*store_, std::make_unique<BatchMutation>(MakeWriteContext(), std::move(writes),
                                                       std::move(done)));
}

}  // namespace stator
