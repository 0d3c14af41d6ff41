// The range of keys that a read pattern asks for, from the values of its parameters.
#ifndef STATOR_ENTITY_KEY_RANGE_H_
#define STATOR_ENTITY_KEY_RANGE_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "entity/context.h"
#include "entity/expression.h"
#include "model/keys/derive.h"

namespace stator::entity {

// What a read pattern reads, found in the model.
struct ReadPlace {
  const model::Pattern& pattern;
  const model::Table& table;
  const model::Index* index;    // null: the table itself
  const model::Entity& entity;  // whose templates make the keys
  // Further entities whose items are returned: those that the pattern names, or all that fit it if
  // it names none.
  std::vector<const model::Entity*> others = {};

  std::vector<const model::KeyAttribute*> Partition() const;
  std::vector<const model::KeyAttribute*> Sort() const;
  bool IsKey(std::string_view attribute) const;
};

EntityResult<ReadPlace> FindReadPlace(const Context& context, std::string_view pattern);

// One clause of a key condition.
struct KeyCondition {
  std::string attribute;
  model::Comparison comparison = model::Comparison::kEqual;
  std::vector<AttributeValue> values;
};

// The values that a run of a pattern binds: of its parameters, of one value of `foreach`, of one
// shard.
struct Bindings {
  TimeMs now;
  model::Parameters parameters;
  std::optional<std::pair<std::string, AttributeValue>> foreach_value;
  std::int64_t shard = 0;
};

// Equalities on the whole partition key and, at most, a range of the sort key. The range may hold a
// little more than the terms say, at its ends: the caller checks items against the terms.
EntityResult<std::vector<KeyCondition>> BindKey(const ReadPlace& place, const Bindings& bindings);

// The one shard that can hold what is asked for, when the attribute that chooses it has one value.
// REQUIRES: the place is a sharded index.
EntityResult<std::optional<std::int64_t>> BoundShard(const ReadPlace& place,
                                                     const Bindings& bindings);

std::string KeyConditionText(const std::vector<KeyCondition>& conditions, ExpressionText& text);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_KEY_RANGE_H_
