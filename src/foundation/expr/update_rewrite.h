// Writes an item anew with changes at some of its paths.
#ifndef STATOR_EXPR_UPDATE_REWRITE_H_
#define STATOR_EXPR_UPDATE_REWRITE_H_

#include <span>

#include "expr/path.h"
#include "expr/update_program.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator {

struct PathChange {
  const Path* path;
  Update::Action action;
  ValueView value;  // not for REMOVE
};

// Everything that no change touches is copied as it is. Run-time errors of behaviour.md §5.4.
// REQUIRES: `changes` sorted by PathBefore, their paths disjoint.
Result<Item> Rewrite(ItemView before, std::span<const PathChange> changes,
                     UpdateProgram::Origin origin);

}  // namespace stator

#endif  // STATOR_EXPR_UPDATE_REWRITE_H_
