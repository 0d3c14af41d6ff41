#include "expr/update_evaluator.h"

#include "base/try.h"
#include "value/item_codec.h"
#include "value/value_problem.h"

namespace stator {
namespace {

using Kind = UpdateOperand::Kind;

Error MissingAttribute() {
  return Error::Validation(
      "The provided expression refers to an attribute that does not exist in the item");
}

Error WrongDataType() {
  return Error::Validation("An operand in the update expression has an incorrect data type");
}

Error NotANumber(NumberProblem problem) {
  using Problem = ValueProblem::Kind;
  const Problem kind = problem == NumberProblem::kOverflow    ? Problem::kNumberOverflow
                       : problem == NumberProblem::kUnderflow ? Problem::kNumberUnderflow
                                                              : Problem::kTooManyDigits;
  return Error::Validation(ProblemMessage({.kind = kind}, Wording::kCurrent));
}

Result<std::string> Encoded(const std::expected<Number, NumberProblem>& number) {
  if (!number) return std::unexpected(NotANumber(number.error()));
  std::string encoded;
  AppendNumber(encoded, *number);
  return encoded;
}

void AppendElements(std::string& out, ListView list) {
  for (const ValueView& element : list) out.append(element.encoded());
}

Result<std::string> Combine(Kind kind, ValueView a, ValueView b) {
  const Type wanted = kind == Kind::kListAppend ? Type::kL : Type::kN;
  if (a.type() != wanted || b.type() != wanted) return std::unexpected(WrongDataType());
  if (kind == Kind::kPlus) return AddNumbers(a, b);
  if (kind == Kind::kMinus) return SubtractNumbers(a, b);
  if (a.encoded().size() + b.encoded().size() > kMaxResultBytes) {
    return std::unexpected(UpdatedItemTooLarge());
  }
  return ConcatenateLists(a.List(), b.List());
}

}  // namespace

Error UpdatedItemTooLarge() {
  return Error::Validation("Item size to update has exceeded the maximum allowed size");
}

Result<std::string> AddNumbers(ValueView a, ValueView b) {
  return Encoded(Add(Number::Decode(a.number()), Number::Decode(b.number())));
}

Result<std::string> SubtractNumbers(ValueView a, ValueView b) {
  return Encoded(Subtract(Number::Decode(a.number()), Number::Decode(b.number())));
}

std::string ConcatenateLists(ListView a, ListView b) {
  std::string encoded;
  const std::size_t begun = BeginContainer(encoded, Type::kL, a.size() + b.size());
  AppendElements(encoded, a);
  AppendElements(encoded, b);
  EndContainer(encoded, begun);
  return encoded;
}

Result<Evaluated> EvaluateOperand(const UpdateOperand& operand, ItemView before) {
  if (operand.kind == Kind::kConstant) return Evaluated(operand.constant.view());
  if (operand.kind == Kind::kPath || operand.kind == Kind::kIfNotExists) {
    if (const std::optional<ValueView> value = Resolve(before, operand.path)) {
      return Evaluated(*value);
    }
    if (operand.kind == Kind::kPath) return std::unexpected(MissingAttribute());
    return EvaluateOperand(operand.arguments.front(), before);
  }
  ASSIGN_OR_RETURN(const Evaluated first, EvaluateOperand(operand.arguments[0], before));
  ASSIGN_OR_RETURN(const Evaluated second, EvaluateOperand(operand.arguments[1], before));
  ASSIGN_OR_RETURN(std::string combined, Combine(operand.kind, first.view(), second.view()));
  return Evaluated(std::move(combined));
}

}  // namespace stator
