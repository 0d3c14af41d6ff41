// The rules about time to live, which time_to_live_rules.cc puts together.
#ifndef STATOR_RULES_EXPIRY_RULES_H_
#define STATOR_RULES_EXPIRY_RULES_H_

#include "rules/rules.h"

namespace stator::model {

// expiry_value_rules.cc
extern const Rule kTtlNotEpochSeconds;  // TT01
extern const Rule kTtlOutOfRange;       // TT02
extern const Rule kShortRetention;      // TT05

// expiry_effect_rules.cc
extern const Rule kExpiredRead;     // TT03
extern const Rule kExpiringOwner;   // TT04
extern const Rule kDeadCredential;  // TT06

}  // namespace stator::model

#endif  // STATOR_RULES_EXPIRY_RULES_H_
