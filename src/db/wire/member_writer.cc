#include "wire/member_writer.h"

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

void MemberWriter::Value(const ItemList& items) {
  json_.BeginArray();
  for (std::size_t i = 0; i < items.size(); ++i) WriteItem(json_, items[i]);
  json_.EndArray();
}

void MemberWriter::Note(const ValueProblem* problem) {
  if (problem == nullptr || problem_ == nullptr || *problem_) return;
  *problem_ = ProblemError(*problem, Wording::kCurrent);
}

}  // namespace stator
