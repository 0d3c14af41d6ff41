// From the shape of an update expression to its checked form.
#ifndef STATOR_EXPR_UPDATE_BINDER_H_
#define STATOR_EXPR_UPDATE_BINDER_H_

#include "expr/placeholders.h"
#include "expr/update_parser.h"
#include "expr/update_program.h"
#include "stator/result.h"

namespace stator {

// Checks, in this order: reserved words, unknown functions, repeated sections, the number of
// operators, undefined names, undefined values, overlapping and conflicting targets, the operands
// of ADD and DELETE, the operands of functions and arithmetic.
Result<UpdateProgram> BindUpdate(const UpdateSyntax& syntax, Placeholders& placeholders);

}  // namespace stator

#endif  // STATOR_EXPR_UPDATE_BINDER_H_
