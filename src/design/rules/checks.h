// The functions of the families AP, KY and HP; their texts are in the …_rules.cc files.
#ifndef STATOR_RULES_CHECKS_H_
#define STATOR_RULES_CHECKS_H_

#include "rules/rules.h"

namespace stator::model {

using RuleCheck = void(const Subject& subject, Findings& findings);

// access_pattern_checks.cc
RuleCheck CheckResolved, CheckScans, CheckServedTerms, CheckFigures, CheckFed, CheckStrongReads;
// read_checks.cc
RuleCheck CheckFirstMatch, CheckAmplification, CheckKeyFilters, CheckBounded, CheckBatches,
    CheckCounts, CheckPartitionMix;
// asked_values_checks.cc
RuleCheck CheckAskedValues;

// key_order_checks.cc
RuleCheck CheckNumberWidth, CheckNumberAsText, CheckTimeFormats, CheckEnumOrder, CheckDateBounds;
// key_text_checks.cc
RuleCheck CheckSeparators, CheckCollisions, CheckPrefixes, CheckKeySize, CheckFreeText;
// key_use_checks.cc
RuleCheck CheckMutableKeys, CheckTenants, CheckAbsentKeys, CheckBoundTypes, CheckScopes;

// hot_partition_checks.cc
RuleCheck CheckPartitionLoad, CheckCardinality, CheckMonotonicSort, CheckShards, CheckIndexCapacity;

}  // namespace stator::model

#endif  // STATOR_RULES_CHECKS_H_
