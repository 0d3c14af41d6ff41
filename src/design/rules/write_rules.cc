// WR: do writes keep derived keys, guards and expressions right?
#include "rules/write_rules.h"

#include <array>

#include "rules/families.h"

namespace stator::model {

std::span<const Rule> WriteRules() {
  static const std::array kRules = {
      kStaleDerivedKey,  kUnguardedUpdate, kUnguardedCreate,   kSparseKeyLeftover, kLostUpdate,
      kOverlappingPaths, kMissingParent,   kInvalidExpression, kForeignMember,     kBareName,
      kEmptySet,         kListSetMismatch, kTransactionSize,   kSendWithoutOutbox, kItemSize};
  return kRules;
}

}  // namespace stator::model
