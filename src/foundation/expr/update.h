// Update expressions, and AttributeUpdates, their legacy form.
#ifndef STATOR_EXPR_UPDATE_H_
#define STATOR_EXPR_UPDATE_H_

#include <cstdint>
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

struct UpdateProgram;

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
  // Whether it takes away and nothing else: REMOVE and DELETE clauses. It then makes no new item.
  bool OnlyRemoves() const;
  // The first target, by path, that is this attribute or lies in it. Null if none does.
  const Target* TargetIn(std::string_view attribute) const;
  // Every path that is read on a right-hand side.
  std::vector<Path> OperandPaths() const;

  // The item after the update; `before` has at least the key attributes. All right-hand sides see
  // `before`. Run-time errors of §5.4. Does not check the size of the result.
  Result<Item> Apply(ItemView before) const;

  // Only the targets, nested structure kept, list elements compacted: the UPDATED_OLD / UPDATED_NEW
  // image. Empty when none of them exists in `item`.
  Item SelectTargets(ItemView item) const;

  // The statement's own size that DynamoDB charges (§6.3); of one that is larger than an item may
  // be, only that it is. `before`: as for Apply. 0 for AttributeUpdates.
  std::size_t StatementBytes(ItemView before) const;

 private:
  explicit Update(std::shared_ptr<const UpdateProgram> program) : program_(std::move(program)) {}
  std::shared_ptr<const UpdateProgram> program_;
};

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

// The checked form of an update.
struct UpdateProgram {
  // Expressions and AttributeUpdates differ in how they report a mismatch of types and in what they
  // charge.
  enum class Origin : std::uint8_t { kExpression, kLegacy };

  Origin origin = Origin::kExpression;
  std::vector<Update::Target> targets;
  // What a SET assigns, one per target. An ADD or DELETE has its operand in the target.
  std::vector<UpdateOperand> values;
  // The targets' positions, sorted by path.
  std::vector<std::uint32_t> by_path;

  // Fills by_path. Call it after the last target was added.
  void SortTargets();
};

}  // namespace stator

#endif  // STATOR_EXPR_UPDATE_H_
