// Several writes that happen together or not at all, and the token that makes a retry harmless.
//
//   engine.Transact({.actions = …, .token = …}, [](Result<TransactionOutcome> outcome) { … });
#ifndef STATOR_ENGINE_WRITE_TRANSACTION_H_
#define STATOR_ENGINE_WRITE_TRANSACTION_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/write/item_write.h"
#include "stator/error.h"
#include "stator/result.h"

namespace stator {

// All items of a transaction together.
inline constexpr std::size_t kMaxTransactionBytes = std::size_t{4} << 20;

struct TransactionAction {
  ItemWrite write;
  // What is already known to be wrong with it: then nothing is written, `write` is not looked at,
  // and the other actions are decided all the same, for the reasons they may have.
  std::optional<Error> refused;
  // An item that must be new: a failed condition is called DuplicateItem.
  bool is_insert = false;
};

struct TransactionToken {
  std::string token;
  std::string request;  // any bytes that are equal in a retry and different in another request
};

// REQUIRES: no two actions on the same item.
struct Transaction {
  std::vector<TransactionAction> actions;
  std::optional<TransactionToken> token;
};

struct TransactionOutcome {
  // An equal request with this token was carried out before, and nothing happened now.
  bool is_replay = false;
  // One an action: what those cost that want units. Of a replay: what reading the items costs.
  std::vector<WriteUnits> units;
};

using TransactionCallback = std::move_only_function<void(Result<TransactionOutcome>)>;

// Why an action that fails with `error` stops its transaction. Absent for an error that says
// nothing about the action: it is the error of the whole.
std::optional<CancellationReason> ReasonOf(const Error& error);

// All items together are too large.
Error TransactionTooLarge();

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_TRANSACTION_H_
