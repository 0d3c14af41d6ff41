// Predicates; predicate.h has the grammar. Also understood: `!=`, `==`, and DynamoDB's own
// begins_with(a, b), contains(a, b), attribute_exists(a), attribute_not_exists(a).
#ifndef STATOR_MODEL_PARSE_PREDICATE_TEXT_H_
#define STATOR_MODEL_PARSE_PREDICATE_TEXT_H_

#include <cstddef>
#include <expected>
#include <optional>
#include <string>

#include "model/model.h"
#include "model/parse/fields.h"
#include "model/parse/yaml.h"

namespace stator::model {

struct PredicateMistake {
  std::string message;
  std::size_t offset = 0;  // in the text
};

// REQUIRES: `node` is text. The places of the terms are computed from the node's place.
std::expected<Predicate, PredicateMistake> ReadPredicate(const Node& node);

// The same; a mistake is reported.
std::optional<Predicate> ReadPredicate(Problems& problems, const Node& node);

// `guard:` of writes and of backfills: exists, not_exists, version or none; anything else is a
// predicate, put into `condition`. A null `condition` allows no predicate.
Guard ReadGuard(Problems& problems, const Node& node, std::optional<Predicate>* condition);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_PREDICATE_TEXT_H_
