// The rules about indexes, which index_rules.cc puts together.
#ifndef STATOR_RULES_INDEX_RULES_H_
#define STATOR_RULES_INDEX_RULES_H_

#include "rules/rules.h"

namespace stator::model {

// index_use_rules.cc
extern const Rule kUnusedIndex;       // IX01
extern const Rule kIndexOverloading;  // IX07
extern const Rule kSamePartitionKey;  // IX09

// index_lookup_rules.cc
extern const Rule kAssumedUniqueness;  // IX11

// projection_rules.cc
extern const Rule kUnprojectedAttribute;  // IX02
extern const Rule kTwoProjections;        // IX03
extern const Rule kWideProjection;        // IX04

// index_key_rules.cc
extern const Rule kOptionalIndexKey;    // IX05
extern const Rule kTwoValuesInOneKey;   // IX06
extern const Rule kReusedKeyAttribute;  // IX08

// index_shape_rules.cc
extern const Rule kMultiAttributeOrder;  // IX10
extern const Rule kIndexNaming;          // IX12

// index_change_rules.cc
extern const Rule kIndexChangedInPlace;  // IX13

}  // namespace stator::model

#endif  // STATOR_RULES_INDEX_RULES_H_
