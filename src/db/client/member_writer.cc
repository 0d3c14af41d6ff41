#include "client/member_writer.h"

#include "value/item_json.h"
#include "value/value_problem.h"

namespace stator {

void MemberWriter::Value(const Item& item) {
  Note(item.problem());
  WriteItem(json_, item.view());
}

void MemberWriter::Value(const AttributeValue& value) {
  Note(value.problem());
  WriteAttributeValue(json_, value.view());
}

void MemberWriter::Note(const ValueProblem* problem) {
  if (problem != nullptr && !problem_) problem_ = ProblemError(*problem, Wording::kCurrent);
}

Result<std::string> MemberWriter::Finish() && {
  if (problem_) return std::unexpected(*std::move(problem_));
  return std::move(text_);
}

}  // namespace stator
