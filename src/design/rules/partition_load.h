// What is asked of one partition of a table or an index at peak.
#ifndef STATOR_RULES_PARTITION_LOAD_H_
#define STATOR_RULES_PARTITION_LOAD_H_

#include <optional>

#include "model/keys/key_access.h"
#include "rules/rules.h"

namespace stator::model {

// DynamoDB's limits of one partition.
inline constexpr double kPartitionWriteUnits = 1000;
inline constexpr double kPartitionReadUnits = 3000;

struct Load {
  double write_units_per_s = 0;
  double read_units_per_s = 0;
  bool rates_known = false;  // at least one pattern with a rate touches it
};

// Of all partitions together, at peak.
Load PeakLoad(const Subject& subject, const KeySchema& schema);

// In how many partitions the items of `entity` lie, at least, without {shard}. An enum counts as one
// value: at a time most writes carry the same. Absent: the model does not say; take them as many.
std::optional<double> Partitions(const KeySchema& schema, const Entity& entity);

// … of all entities in it together: the fewest that carry the load.
std::optional<double> Partitions(const Model& model, const KeySchema& schema);

// 1, or the number of shards of a sharded index.
int ShardCount(const KeySchema& schema);

}  // namespace stator::model

#endif  // STATOR_RULES_PARTITION_LOAD_H_
