// Computes the right-hand sides of an update.
#ifndef STATOR_EXPR_UPDATE_EVALUATOR_H_
#define STATOR_EXPR_UPDATE_EVALUATOR_H_

#include <string>
#include <utility>

#include "expr/update_program.h"
#include "stator/item.h"
#include "stator/result.h"
#include "value/number.h"
#include "value/size.h"

namespace stator {

// Values longer than this cannot be part of an acceptable item: an encoding is less than eight
// times as long as the size that DynamoDB counts. Keeps the memory of one update bounded.
inline constexpr std::size_t kMaxResultBytes = 8 * kMaxItemBytes;

// A value that is computed, or only looked at in the item or the program.
class Evaluated {
 public:
  explicit Evaluated(ValueView borrowed) : borrowed_(borrowed) {}
  explicit Evaluated(std::string encoded) : owned_(std::move(encoded)) {}
  ValueView view() const { return owned_.empty() ? borrowed_ : ValueView(owned_); }

 private:
  ValueView borrowed_;
  std::string owned_;  // no value's encoding is empty
};

// Run-time errors of behaviour.md §5.4. The result may refer to `operand` and to `before`.
Result<Evaluated> EvaluateOperand(const UpdateOperand& operand, ItemView before);

// The sum or difference of two N as a value, or the message why it is not a Number.
Result<std::string> AddNumbers(ValueView a, ValueView b);
Result<std::string> SubtractNumbers(ValueView a, ValueView b);

// One list behind the other.
std::string ConcatenateLists(ListView a, ListView b);

// "Item size to update has exceeded the maximum allowed size"
Error UpdatedItemTooLarge();

}  // namespace stator

#endif  // STATOR_EXPR_UPDATE_EVALUATOR_H_
