// Update expressions, and AttributeUpdates, their legacy form.
#ifndef STATOR_EXPR_UPDATE_H_
#define STATOR_EXPR_UPDATE_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/path.h"
#include "expr/placeholders.h"
#include "stator/expression.h"
#include "stator/result.h"

namespace stator {

struct UpdateProgram;  // update_program.h

// Immutable and cheap to copy; Apply may run on several threads at once.
class Update {
 public:
  // All static errors of behaviour.md §5.1, §5.4, in their order.
  static Result<Update> Parse(std::string_view text, Placeholders& placeholders);
  // §5.7
  static Result<Update> FromAttributeUpdates(const AttributeUpdateMap& updates, Wording wording);
  // A program that was checked elsewhere. REQUIRES: its targets are disjoint and sorted.
  static Update FromProgram(UpdateProgram program);

  enum class Action : std::uint8_t { kSet, kRemove, kAdd, kDelete };
  struct Target {
    Path path;
    Action action;
    // The value when the right-hand side is a single placeholder, or the operand of ADD and DELETE.
    std::optional<AttributeValue> constant;
  };
  // In written order.
  const std::vector<Target>& targets() const;
  // Every path that is read on a right-hand side.
  std::vector<Path> OperandPaths() const;

  // The item after the update; `before` has at least the key attributes. All right-hand sides see
  // `before`. Run-time errors of §5.4. Does not check the size of the result.
  Result<Item> Apply(ItemView before) const;

  // Only the targets, nested structure kept, list elements compacted: the UPDATED_OLD / UPDATED_NEW
  // image. Empty when none of them exists in `item`.
  Item SelectTargets(ItemView item) const;

  // The statement's own size that DynamoDB charges (§6.3). `before`: as for Apply. 0 for
  // AttributeUpdates.
  std::size_t StatementBytes(ItemView before) const;

 private:
  explicit Update(std::shared_ptr<const UpdateProgram> program) : program_(std::move(program)) {}
  std::shared_ptr<const UpdateProgram> program_;
};

}  // namespace stator

#endif  // STATOR_EXPR_UPDATE_H_
