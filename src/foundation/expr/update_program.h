// The checked form of an update: what is applied to an item.
#ifndef STATOR_EXPR_UPDATE_PROGRAM_H_
#define STATOR_EXPR_UPDATE_PROGRAM_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "expr/path.h"
#include "expr/update.h"
#include "stator/item.h"

namespace stator {

// The right-hand side of a SET clause.
struct UpdateOperand {
  enum class Kind : std::uint8_t {
    kPath,         // path
    kConstant,     // constant
    kIfNotExists,  // path, one argument
    kListAppend,   // two arguments
    kPlus,         // two arguments
    kMinus,        // two arguments
  };
  Kind kind = Kind::kConstant;
  Path path;
  AttributeValue constant;
  std::vector<UpdateOperand> arguments;
};

struct UpdateProgram {
  // Expressions and AttributeUpdates differ in how they report a mismatch of types and in what they
  // charge.
  enum class Origin : std::uint8_t { kExpression, kLegacy };

  Origin origin = Origin::kExpression;
  std::vector<Update::Target> targets;
  // One for each target: what a SET assigns. An ADD or DELETE has its operand in the target.
  std::vector<UpdateOperand> values;
  // The targets' positions, sorted by path.
  std::vector<std::uint32_t> by_path;

  // Fills by_path. Call when all targets are there.
  void SortTargets();
};

}  // namespace stator

#endif  // STATOR_EXPR_UPDATE_PROGRAM_H_
