// MG: does a change of the tables lose or skip items on its way?
#include <array>

#include "rules/change_rules.h"
#include "rules/families.h"

namespace stator::model {

std::span<const Rule> MigrationRules() {
  static const std::array kRules = {kIndexWithoutBackfill, kBackfillBeforeWriters,
                                    kUnguardedBackfill, kIndexesTogether, kIndexDroppedInUse};
  return kRules;
}

}  // namespace stator::model
