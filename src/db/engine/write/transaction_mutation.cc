#include "engine/write/transaction_mutation.h"

#include <utility>

#include "base/try.h"
#include "capacity/units.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "value/size.h"

namespace stator {
namespace {

// Of the table's own units; indexes cost what they always do.
constexpr double kTransactionFactor = 2;

std::size_t BytesOf(std::optional<ItemView> item) { return item ? ItemSizeBytes(*item) : 0; }

CancellationReason DuplicateItem() {
  return {.code = "DuplicateItem", .message = "Duplicate primary key exists in table", .item = {}};
}

}  // namespace

TransactionKeys KeysOf(const KeyHasher& hasher, std::string_view account,
                       const Transaction& transaction) {
  TransactionKeys keys;
  keys.rows.reserve(transaction.actions.size() + 1);
  for (const TransactionAction& action : transaction.actions) {
    if (action.refused) continue;
    keys.rows.push_back(ItemRowKey(hasher, *action.write.table, action.write.item.view()));
  }
  if (transaction.token) {
    keys.token = HashToken(hasher, account, transaction.token->token);
    keys.request = hasher.HashBytes(transaction.token->request);
    keys.rows.push_back(TokenKey(*keys.token));
  }
  return keys;
}

TransactionMutation::TransactionMutation(const Catalog& catalog, const KeyHasher& hasher,
                                         WriteGate& gate, const Clock& clock,
                                         std::vector<TransactionAction> actions,
                                         TransactionKeys keys, ItemClaims::Claim claim,
                                         TransactionCallback done)
    : catalog_(catalog),
      hasher_(hasher),
      gate_(gate),
      clock_(clock),
      actions_(std::move(actions)),
      keys_(std::move(keys)),
      claim_(std::move(claim)),
      done_(std::move(done)) {}

Mutation::Verdict TransactionMutation::Decide(Values values, WriteBatch& batch) {
  counts_.clear();
  outcome_ = TransactionOutcome();
  now_ = clock_.Now();
  std::optional<TokenRow> row;
  if (keys_.token && values.back()) row = DecodeTokenRow(*values.back());
  if (std::optional<Result<TransactionOutcome>> known = Recall(row)) {
    outcome_ = *std::move(known);
    return Verdict::kAbandon;
  }
  Result<std::vector<Decided>> decided = DecideAll(values);
  if (!decided) {
    outcome_ = std::unexpected(std::move(decided).error());
    return Verdict::kAbandon;
  }
  WriteAll(*decided, batch);
  if (keys_.token) WriteToken(*decided, row, batch);
  return Verdict::kCommit;
}

std::optional<Result<TransactionOutcome>> TransactionMutation::Recall(
    const std::optional<TokenRow>& row) const {
  if (!row || row->expiry() <= now_) return std::nullopt;
  if (row->request != keys_.request) {
    return std::unexpected(Error::IdempotentParameterMismatch());
  }
  TransactionOutcome outcome{.is_replay = true, .units = {}};
  for (const std::uint32_t blocks : row->blocks) {
    outcome.units.push_back({.table = kTransactionFactor * ReadUnits(blocks, /*consistent=*/true),
                             .global_indexes = {},
                             .local_indexes = {}});
  }
  // A row that does not fit the request cannot be one of ours.
  outcome.units.resize(actions_.size());
  return outcome;
}

// Every action is decided, so that all reasons are told and not only the first.
Result<std::vector<TransactionMutation::Decided>> TransactionMutation::DecideAll(Values values) {
  std::vector<CancellationReason> reasons(actions_.size());
  std::vector<Decided> decided;
  decided.reserve(actions_.size());
  bool is_cancelled = false;
  std::size_t next_value = 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < actions_.size(); ++i) {
    TransactionAction& action = actions_[i];
    std::optional<Error> error = action.refused;
    if (!error) {
      Result<Decided> one = DecideOne(action.write, values[next_value++]);
      if (one) {
        bytes += BytesOf(one->after.view());
        decided.push_back(*std::move(one));
        continue;
      }
      error = std::move(one).error();
      // A table that went away meanwhile is nothing that one action could be blamed for.
      if (error->code() == ErrorCode::kResourceNotFound) return std::unexpected(*std::move(error));
    }
    std::optional<CancellationReason> reason = ReasonOf(*error);
    if (!reason) return std::unexpected(*std::move(error));
    const bool is_duplicate =
        action.is_insert && error->code() == ErrorCode::kConditionalCheckFailed;
    reasons[i] = is_duplicate ? DuplicateItem() : *std::move(reason);
    is_cancelled = true;
  }
  if (is_cancelled) return std::unexpected(Error::TransactionCanceled(std::move(reasons)));
  if (bytes > kMaxTransactionBytes) return std::unexpected(TransactionTooLarge());
  return decided;
}

Result<TransactionMutation::Decided> TransactionMutation::DecideOne(
    ItemWrite& write, std::optional<std::string_view> value) {
  // The table may have gained or lost an index, or be gone, since the request was checked.
  TablePtr table = catalog_.Newest(write.table);
  if (!table || table->status == TableStatus::kDeleting) {
    return std::unexpected(Error::ResourceNotFound());
  }
  write.table = std::move(table);
  Decided decided;
  if (value) decided.before.emplace(*value);
  ASSIGN_OR_RETURN(decided.after, DecideItem(*write.table, write, decided.before));
  return decided;
}

void TransactionMutation::WriteAll(const std::vector<Decided>& decided, WriteBatch& batch) {
  outcome_->units.resize(decided.size());
  for (std::size_t i = 0; i < decided.size(); ++i) {
    const ItemWrite& write = actions_[i].write;
    const ItemChange change{*write.table, keys_.rows[i], decided[i].before, decided[i].after.view(),
                            now_,         write.origin};
    WriteUnits& units = outcome_->units[i];
    WriteChange(hasher_, change, batch, counts_, write.want_units ? &units : nullptr);
    units.table *= kTransactionFactor;
  }
}

void TransactionMutation::WriteToken(const std::vector<Decided>& decided,
                                     const std::optional<TokenRow>& expired,
                                     WriteBatch& batch) const {
  TokenRow row{.completed = now_, .request = keys_.request, .blocks = {}};
  for (const Decided& one : decided) {
    row.blocks.push_back(static_cast<std::uint32_t>(ReadBlocks(BytesOf(one.after.view()))));
  }
  if (expired) batch.Delete(TokenExpiryKey(expired->expiry(), *keys_.token));
  batch.Put(keys_.rows.back(), EncodeTokenRow(row));
  batch.Put(TokenExpiryKey(row.expiry(), *keys_.token), {});
}

void TransactionMutation::Done(StorageResult<void> status) {
  if (status && outcome_) {
    for (const CountChange& change : counts_) {
      change.counts->items.fetch_add(change.items, std::memory_order_relaxed);
      change.counts->bytes.fetch_add(change.bytes, std::memory_order_relaxed);
    }
  }
  gate_.Leave();
  // Who has the answer may touch the items at once.
  claim_.Release();
  if (!status) return done_(std::unexpected(FromStorage(status.error())));
  done_(std::move(outcome_));
}

}  // namespace stator
