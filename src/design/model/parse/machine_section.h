// The state machine of an entity.
#ifndef STATOR_MODEL_PARSE_MACHINE_SECTION_H_
#define STATOR_MODEL_PARSE_MACHINE_SECTION_H_

#include "model/model.h"
#include "model/parse/node.h"
#include "model/parse/problems.h"

namespace stator::model {

// Every state that `initial` and the moves name is one of `states`, or reported.
Machine ReadMachine(Problems& problems, const Node& node);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_MACHINE_SECTION_H_
