// ST: can every item reach an end, by moves that look before they leap?
#include <array>

#include "rules/families.h"
#include "rules/state_rules.h"

namespace stator::model {

std::span<const Rule> StateMachineRules() {
  static const std::array kRules = {kMoveWithoutSource, kStateWithoutExit, kUnreachableState,
                                    kMoveWithoutStamp, kUnknownValue};
  return kRules;
}

}  // namespace stator::model
