// IX: is each index used, complete, and no wider than its readers need?
#include "rules/index_rules.h"

#include <array>

#include "rules/families.h"

namespace stator::model {

std::span<const Rule> IndexRules() {
  static const std::array kRules = {kUnusedIndex,         kUnprojectedAttribute, kTwoProjections,
                                    kWideProjection,      kOptionalIndexKey,     kTwoValuesInOneKey,
                                    kIndexOverloading,    kReusedKeyAttribute,   kSamePartitionKey,
                                    kMultiAttributeOrder, kAssumedUniqueness,    kIndexNaming,
                                    kIndexChangedInPlace};
  return kRules;
}

}  // namespace stator::model
