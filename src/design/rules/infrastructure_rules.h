// The rules about infrastructure, which infrastructure_rules.cc puts together.
#ifndef STATOR_RULES_INFRASTRUCTURE_RULES_H_
#define STATOR_RULES_INFRASTRUCTURE_RULES_H_

#include "rules/rules.h"

namespace stator::model {

// table_setting_rules.cc
extern const Rule kCapacityOnDemand;       // IA01
extern const Rule kAttributeDefinitions;   // IA02
extern const Rule kUnprotectedProduction;  // IA05

// grant_rules.cc
extern const Rule kMissingGrant;  // IA04

}  // namespace stator::model

#endif  // STATOR_RULES_INFRASTRUCTURE_RULES_H_
