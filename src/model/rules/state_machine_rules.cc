// ST: can every item reach an end, by moves that look before they leap?
#include "model/rules/families.h"

namespace stator::model {

std::span<const Rule> StateMachineRules() { return {}; }

}  // namespace stator::model
