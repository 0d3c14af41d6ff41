#include "engine/write/transaction.h"

#include <string_view>
#include <utility>

#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/write/transaction_mutation.h"

namespace stator {
namespace {

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

// The error of a transaction that another one stands in the way of.
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
  return Error::TransactionCanceled(std::move(reasons));
}

}  // namespace

std::optional<CancellationReason> ReasonOf(const Error& error) {
  const std::string_view code = ReasonCode(error.code());
  if (code.empty()) return std::nullopt;
  return CancellationReason{
      .code = std::string(code), .message = error.message(), .item = error.item()};
}

Error TransactionTooLarge() {
  return Error::Validation(
      "Collection size of items exceeded, which can also be caused by the aggregate size of the "
      "items in the transaction exceeding the 4MB limit");
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
                           *catalog_, hasher_, gate_, clock(), std::move(transaction.actions),
                           std::move(keys), std::move(claim), std::move(done)));
}

bool Engine::IsInTransaction(const Table& table, ItemView key) const {
  return claims_ && claims_->IsClaimed(ItemRowKey(hasher_, table, key));
}

}  // namespace stator
