// MG: does a change of the tables lose or skip items on its way?
#include <array>

#include "model/rules/change_rules.h"
#include "model/rules/families.h"

namespace stator::model {

std::span<const Rule> MigrationRules() {
  static const std::array kRules = {kIndexWithoutBackfill, kBackfillBeforeWriters,
                                    kUnguardedBackfill, kIndexesTogether, kIndexDroppedInUse};
  return kRules;
}

}  // namespace stator::model
