// Applies the checked form of an update to an item.
#ifndef STATOR_EXPR_UPDATE_EVALUATOR_H_
#define STATOR_EXPR_UPDATE_EVALUATOR_H_

#include "expr/update.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator {

// Run-time errors of behaviour.md §5.4.
Result<Item> ApplyProgram(const UpdateProgram& program, ItemView before);

}  // namespace stator

#endif  // STATOR_EXPR_UPDATE_EVALUATOR_H_
