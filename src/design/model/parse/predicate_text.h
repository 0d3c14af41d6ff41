// Predicates; predicate.h has the grammar. Also understood: `!=`, `==`, and DynamoDB's own
// begins_with(a, b), contains(a, b), attribute_exists(a), attribute_not_exists(a).
#ifndef STATOR_MODEL_PARSE_PREDICATE_TEXT_H_
#define STATOR_MODEL_PARSE_PREDICATE_TEXT_H_

#include <cstddef>
#include <expected>
#include <string>

#include "model/keys/predicate.h"
#include "model/parse/node.h"

namespace stator::model {

struct PredicateMistake {
  std::string message;
  std::size_t offset = 0;  // in the text
};

// `node` is text; the places of the terms are computed from its own.
std::expected<Predicate, PredicateMistake> ReadPredicate(const Node& node);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_PREDICATE_TEXT_H_
