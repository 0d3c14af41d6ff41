// IX: is each index used, complete, and no wider than its readers need?
#include "model/rules/index_rules.h"

#include <array>

#include "model/rules/families.h"

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
