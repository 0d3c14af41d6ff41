// Carries a transaction through the store: reads its items and its token, decides every action,
// writes all or nothing, and tells the caller.
#ifndef STATOR_ENGINE_WRITE_TRANSACTION_MUTATION_H_
#define STATOR_ENGINE_WRITE_TRANSACTION_MUTATION_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/catalog.h"
#include "engine/write/item_claims.h"
#include "engine/write/transaction.h"
#include "engine/write/transaction_token.h"
#include "engine/write/write_gate.h"
#include "engine/write/write_path.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

// The rows a transaction looks at: those of its actions that are not refused, in their order, then
// that of its token when it has one.
struct TransactionKeys {
  std::vector<std::string> rows;
  std::optional<Hash128> token;
  Hash128 request{};  // when there is a token
};
TransactionKeys KeysOf(const KeyHasher& hasher, std::string_view account,
                       const Transaction& transaction);

class TransactionMutation final : public Mutation {
 public:
  TransactionMutation(const Catalog& catalog, const KeyHasher& hasher, WriteGate& gate,
                      const Clock& clock, std::vector<TransactionAction> actions,
                      TransactionKeys keys, ItemClaims::Claim claim, TransactionCallback done);

  std::span<const std::string> Keys() const override { return keys_.rows; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override;
  void Done(StorageResult<void> status) override;

 private:
  using Values = std::span<const std::optional<std::string_view>>;
  // An action that nothing stands against.
  struct Decided {
    std::optional<ItemView> before;
    DecidedItem after;
  };

  // What the token's row says now: the outcome, without looking at any item; or nothing.
  std::optional<Result<TransactionOutcome>> Recall(const std::optional<TokenRow>& row) const;
  Result<std::vector<Decided>> DecideAll(Values values);
  Result<Decided> DecideOne(ItemWrite& write, std::optional<std::string_view> value);
  void WriteAll(const std::vector<Decided>& decided, WriteBatch& batch);
  void WriteToken(const std::vector<Decided>& decided, const std::optional<TokenRow>& expired,
                  WriteBatch& batch) const;

  const Catalog& catalog_;
  const KeyHasher& hasher_;
  WriteGate& gate_;
  const Clock& clock_;
  std::vector<TransactionAction> actions_;
  TransactionKeys keys_;
  ItemClaims::Claim claim_;
  TransactionCallback done_;

  // What Decide found; reset each time it runs.
  TimeMs now_{};
  Result<TransactionOutcome> outcome_;
  std::vector<CountChange> counts_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_TRANSACTION_MUTATION_H_
