// Transaction: several writes that happen together or not at all, and the token that makes a retry
// harmless.
//
//   engine.Transact({.actions = …, .token = …}, [](Result<TransactionOutcome> outcome) { … });
#ifndef STATOR_ENGINE_WRITE_TRANSACTION_H_
#define STATOR_ENGINE_WRITE_TRANSACTION_H_

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/write/item_write.h"
#include "stator/error.h"
#include "stator/result.h"

namespace stator {

// Of all items of a transaction together.
inline constexpr std::size_t kMaxTransactionBytes = std::size_t{4} << 20;

struct TransactionAction {
  ItemWrite write;
  // What is already known to be wrong with it: then nothing is written and `write` is ignored. The
  // other actions are still decided, because the answer names the reasons of all of them.
  std::optional<Error> refused;
  // An item that must be new: a failed condition is called DuplicateItem.
  bool is_insert = false;
};

struct TransactionToken {
  std::string token;
  std::string request;  // bytes that are equal in a retry and differ in another request
};

// REQUIRES: no two actions on the same item.
struct Transaction {
  std::vector<TransactionAction> actions;
  std::optional<TransactionToken> token;
};

struct TransactionOutcome {
  // The same request was carried out with this token before, so nothing was done now.
  bool is_replay = false;
  // One entry per action: what it cost, if it wants units. Of a replay: what reading the items costs.
  std::vector<WriteUnits> units;
};

using TransactionCallback = std::move_only_function<void(Result<TransactionOutcome>)>;

// Why an action that fails with `error` cancels its transaction. Absent if the error is not about the
// action: then it is the error of the whole transaction.
std::optional<CancellationReason> ReasonOf(const Error& error);
// TransactionCanceled for reasons action by action. The first that is no valid action is the only one.
Error CanceledFor(std::vector<CancellationReason> reasons);

// The items are too large together.
Error TransactionTooLarge(std::size_t bytes);

// Which items are part of a transaction that has not been answered yet, for a database that refuses
// to touch them in the meantime, as DynamoDB does. Thread-safe.
class ItemClaims {
 public:
  // Holds row keys until it is released or destroyed. The ItemClaims must outlive it.
  class Claim {
   public:
    Claim() = default;
    Claim(ItemClaims& owner, std::vector<std::string> keys)
        : owner_(&owner), keys_(std::move(keys)) {}
    Claim(Claim&& other) noexcept
        : owner_(std::exchange(other.owner_, nullptr)), keys_(std::move(other.keys_)) {}
    Claim& operator=(Claim&& other) noexcept {
      std::swap(owner_, other.owner_);
      keys_.swap(other.keys_);
      return *this;
    }
    ~Claim() { Release(); }
    void Release();

   private:
    ItemClaims* owner_ = nullptr;
    std::vector<std::string> keys_;
  };

  // Claims all of the keys or none: then `taken` says by position which of them others hold.
  std::optional<Claim> TryClaim(std::vector<std::string> keys, std::vector<bool>& taken);

  bool IsClaimed(std::string_view key) const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string, std::less<>> claimed_;  // guarded by mutex_
};

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_TRANSACTION_H_
