// TT: does what expires do so when it should, and is nobody surprised?
#include <array>

#include "rules/expiry_rules.h"
#include "rules/families.h"

namespace stator::model {

std::span<const Rule> TimeToLiveRules() {
  static const std::array kRules = {kTtlNotEpochSeconds, kTtlOutOfRange,  kExpiredRead,
                                    kExpiringOwner,      kShortRetention, kDeadCredential};
  return kRules;
}

}  // namespace stator::model
