#include "engine/write/transaction.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "capacity/units.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/store_access.h"
#include "engine/write/transaction_token.h"
#include "engine/write/write_path.h"
#include "value/size.h"

namespace stator {
namespace {

// Multiplies the table's own units; indexes cost the same as in single writes.
constexpr double kTransactionFactor = 2;

std::size_t BytesOf(std::optional<ItemView> item) { return item ? ItemSizeBytes(*item) : 0; }

CancellationReason DuplicateItem() {
  return {.code = "DuplicateItem", .message = "Duplicate primary key exists in table", .item = {}};
}

std::string_view ReasonCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kConditionalCheckFailed:
      return "ConditionalCheckFailed";
    case ErrorCode::kDuplicateItem:
      return "DuplicateItem";
    case ErrorCode::kValidation:
      return "ValidationError";
    case ErrorCode::kResourceNotFound:
      return "ResourceNotFound";
    case ErrorCode::kTransactionConflict:
      return "TransactionConflict";
    case ErrorCode::kItemCollectionSizeLimitExceeded:
      return "ItemCollectionSizeLimitExceeded";
    case ErrorCode::kProvisionedThroughputExceeded:
      return "ProvisionedThroughputExceeded";
    case ErrorCode::kThrottling:
      return "ThrottlingError";
    case ErrorCode::kAccessDenied:
      return "AccessDenied";
    default:
      return {};
  }
}

// The rows that a transaction reads: those of its actions that are not refused, in their order, then
// that of its token if it has one.
struct TransactionKeys {
  std::vector<std::string> rows;
  std::optional<Hash128> token;
  Hash128 request{};  // if there is a token
};

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

// Carries a transaction through the store: reads its items and its token, decides every action,
// writes all or nothing, and answers the caller.
class TransactionMutation final : public Mutation {
 public:
  TransactionMutation(const WriteContext& context, std::vector<TransactionAction> actions,
                      TransactionKeys keys, ItemClaims::Claim claim, TransactionCallback done)
      : changes_(context),
        actions_(std::move(actions)),
        keys_(std::move(keys)),
        claim_(std::move(claim)),
        done_(std::move(done)) {}

  std::span<const std::string> Keys() const override { return keys_.rows; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override;
  void Done(StorageResult<void> status) override;
  bool IsRefusable() const override { return true; }

 private:
  using Values = std::span<const std::optional<std::string_view>>;
  // An action that can be carried out.
  struct Decided {
    std::optional<ItemView> before;
    DecidedItem after;
  };

  // The outcome if the token's row already has it; absent if the actions must be decided.
  std::optional<Result<TransactionOutcome>> Recall(const std::optional<TokenRow>& row) const;
  Result<std::vector<Decided>> DecideAll(Values values);
  Result<Decided> DecideOne(ItemWrite& write, std::optional<std::string_view> value);
  void WriteAll(const std::vector<Decided>& decided, WriteBatch& batch);
  void WriteToken(const std::vector<Decided>& decided, const std::optional<TokenRow>& expired,
                  WriteBatch& batch) const;

  GatedChanges changes_;
  std::vector<TransactionAction> actions_;
  TransactionKeys keys_;
  ItemClaims::Claim claim_;
  TransactionCallback done_;

  // What Decide found; reset each time it runs.
  TimeMs now_{};
  Result<TransactionOutcome> outcome_;
};

Mutation::Verdict TransactionMutation::Decide(Values values, WriteBatch& batch) {
  changes_.Restart();
  outcome_ = TransactionOutcome();
  now_ = changes_.context().clock.Now();
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
  // Only a damaged row can have another number of blocks.
  outcome.units.resize(actions_.size());
  return outcome;
}

// Decides every action, because the answer names all conditions that failed and not only the first;
// but an action that is not valid is the only reason (CanceledFor).
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
      // No single action is to blame for a table that has been deleted in the meantime.
      if (error->code() == ErrorCode::kResourceNotFound) return std::unexpected(*std::move(error));
    }
    std::optional<CancellationReason> reason = ReasonOf(*error);
    if (!reason) return std::unexpected(*std::move(error));
    const bool is_duplicate =
        action.is_insert && error->code() == ErrorCode::kConditionalCheckFailed;
    reasons[i] = is_duplicate ? DuplicateItem() : *std::move(reason);
    is_cancelled = true;
    if (error->code() == ErrorCode::kValidation) break;
  }
  if (is_cancelled) return std::unexpected(CanceledFor(std::move(reasons)));
  if (bytes > kMaxTransactionBytes) return std::unexpected(TransactionTooLarge(bytes));
  return decided;
}

Result<TransactionMutation::Decided> TransactionMutation::DecideOne(
    ItemWrite& write, std::optional<std::string_view> value) {
  RETURN_IF_ERROR(BringUpToDate(changes_.context().catalog, write.table));
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
    changes_.Write(change, batch, write.want_units ? &units : nullptr);
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
  changes_.Finish(status && outcome_);
  // The caller may touch the items as soon as it has the answer.
  claim_.Release();
  if (!status) return done_(std::unexpected(FromStorage(status.error())));
  done_(std::move(outcome_));
}

// The error of a transaction that needs items, or a token, of another one.
Error Blocked(const Transaction& transaction, const TransactionKeys& keys,
              const std::vector<bool>& taken) {
  if (keys.token && taken.back()) return Error::TransactionInProgress();
  std::vector<CancellationReason> reasons;
  std::size_t next_key = 0;
  for (const TransactionAction& action : transaction.actions) {
    CancellationReason& reason = reasons.emplace_back();
    if (action.refused) {
      reason = ReasonOf(*action.refused).value_or(CancellationReason());
    } else if (taken[next_key++]) {
      reason = *ReasonOf(Error::TransactionConflict());
    }
  }
  return CanceledFor(std::move(reasons));
}

}  // namespace

void ItemClaims::Claim::Release() {
  ItemClaims* owner = std::exchange(owner_, nullptr);
  if (owner == nullptr) return;
  const std::scoped_lock lock(owner->mutex_);
  for (const std::string& key : keys_) owner->claimed_.erase(key);
}

std::optional<ItemClaims::Claim> ItemClaims::TryClaim(std::vector<std::string> keys,
                                                      std::vector<bool>& taken) {
  const std::scoped_lock lock(mutex_);
  taken.clear();
  for (const std::string& key : keys) taken.push_back(claimed_.contains(key));
  if (std::ranges::find(taken, true) != taken.end()) return std::nullopt;
  claimed_.insert(keys.begin(), keys.end());
  return std::optional<Claim>(std::in_place, *this, std::move(keys));
}

bool ItemClaims::IsClaimed(std::string_view key) const {
  const std::scoped_lock lock(mutex_);
  return claimed_.contains(key);
}

std::optional<CancellationReason> ReasonOf(const Error& error) {
  const std::string_view code = ReasonCode(error.code());
  if (code.empty()) return std::nullopt;
  return CancellationReason{
      .code = std::string(code), .message = error.message(), .item = error.item()};
}

Error CanceledFor(std::vector<CancellationReason> reasons) {
  const auto invalid =
      std::ranges::find(reasons, ReasonCode(ErrorCode::kValidation), &CancellationReason::code);
  for (auto reason = reasons.begin(); invalid != reasons.end() && reason != reasons.end();
       ++reason) {
    if (reason != invalid) *reason = CancellationReason();
  }
  return Error::TransactionCanceled(std::move(reasons));
}

Error TransactionTooLarge(std::size_t bytes) {
  return Error::Validation("Transaction payload size cannot exceed 4MB. Payload Size: " +
                           std::to_string(bytes));
}

void Engine::Transact(Transaction transaction, TransactionCallback done) {
  TransactionKeys keys = KeysOf(hasher_, account(), transaction);
  ItemClaims::Claim claim;
  if (claims_) {
    std::vector<bool> taken;
    std::optional<ItemClaims::Claim> claimed = claims_->TryClaim(keys.rows, taken);
    if (!claimed) return done(std::unexpected(Blocked(transaction, keys, taken)));
    claim = *std::move(claimed);
  }
  gate_.Enter(*store_, std::make_unique<TransactionMutation>(
                           MakeWriteContext(), std::move(transaction.actions), std::move(keys),
                           std::move(claim), std::move(done)));
}

bool Engine::IsInTransaction(const Table& table, ItemView key) const {
  return claims_ && claims_->IsClaimed(ItemRowKey(hasher_, table, key));
}

}  // namespace stator
