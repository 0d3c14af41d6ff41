// From what a caller knows to a key condition.
#ifndef STATOR_MODEL_PLAN_KEY_MATCH_H_
#define STATOR_MODEL_PLAN_KEY_MATCH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/keys/key_access.h"
#include "model/keys/key_shape.h"
#include "model/plan/plan.h"

namespace stator::model {

// What the caller gives: terms, and an attribute over whose values it repeats the request.
struct Given {
  std::span<const Term> terms;
  const ReadDetail* read = nullptr;  // null: a single request, without shards or `foreach`
};

// One clause and the texts that its key can be.
struct ShapedClause {
  PlanClause clause;
  KeyShape shape;
  std::string start;  // the text before the first parameter
};

struct KeyMatch {
  std::vector<ShapedClause> partition;  // as far as it is bound
  std::vector<ShapedClause> sort;
  // begins_with of the text that opens the sort key's template, if nothing else bounds it
  std::optional<ShapedClause> sort_prefix;
  std::vector<bool> used;                 // by term
  std::vector<std::string> missing;       // what the partition key still needs
  std::vector<std::string> missing_sort;  // what the rest of the key still needs
  std::size_t given = 0;                  // values of the partition key that are bound
  std::size_t partition_terms = 0;        // terms that the partition key alone uses
  bool verbatim = false;                  // the caller gives the partition key itself
  std::int64_t calls = 1;

  bool resolves() const { return missing.empty(); }
  bool whole() const { return missing.empty() && missing_sort.empty(); }
};

// `entity` may be null if the terms name key attributes.
KeyMatch MatchKey(const KeySchema& schema, const Entity* entity, const Given& given);

// The greatest text, in values of clauses: it sorts after everything that follows a prefix.
inline constexpr std::string_view kGreatestText = "{max}";

}  // namespace stator::model

#endif  // STATOR_MODEL_PLAN_KEY_MATCH_H_
