// Writes expressions: every name and value gets a placeholder, so that reserved words and unusual
// names never matter.
#ifndef STATOR_ENTITY_EXPRESSION_H_
#define STATOR_ENTITY_EXPRESSION_H_

#include <string>
#include <string_view>

#include "model/keys/derive.h"
#include "model/model.h"
#include "stator/expression.h"

namespace stator::entity {

class ExpressionText {
 public:
  // "#n0"; the same name gives the same placeholder. A path "a.b" gives "#n0.#n1".
  std::string Name(std::string_view path);
  std::string Value(const AttributeValue& value);

  std::string Equals(std::string_view path, const AttributeValue& value) {
    return Name(path) + " = " + Value(value);
  }
  // The attribute has the value, or is absent if there is none.
  std::string StillIs(std::string_view name, std::optional<ValueView> value);

  // The predicate as a condition of DynamoDB. `problem` says which parameter was not given.
  std::string Condition(const model::Predicate& predicate, const model::Entity& entity, TimeMs now,
                        const model::Parameters& parameters, std::string& problem);
  std::string Condition(const model::Term& term, const model::Entity& entity, TimeMs now,
                        const model::Parameters& parameters, std::string& problem);

  std::optional<NameMap> names() const;
  std::optional<ValueMap> values() const;

 private:
  NameMap names_;
  ValueMap values_;
};

// Appends `more`, after " AND " unless the condition is empty.
void AndAlso(std::string& condition, std::string_view more);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_EXPRESSION_H_
