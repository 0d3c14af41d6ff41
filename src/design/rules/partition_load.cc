#include "rules/partition_load.h"

#include <algorithm>

#include "model/estimate/population.h"

namespace stator::model {
namespace {

double WriteUnitsOf(const Estimate& estimate, const KeySchema& schema) {
  if (schema.index == nullptr) return estimate.write_units.typical;
  double units = 0;
  for (const auto& [index, amount] : estimate.index_write_units) {
    if (index == schema.index) units += amount.typical;
  }
  return units;
}

// Different values of one source; absent: not known.
std::optional<double> DifferentValues(const Entity& entity, const std::string& source) {
  const Attribute* attribute = entity.FindAttribute(source);
  if (attribute == nullptr) return std::nullopt;
  if (attribute->cardinality) return attribute->cardinality;
  if (!ValuesOf(entity, source).empty()) return 1;
  const std::optional<Amount> total = TotalItems(entity);
  for (const auto& [names, amount] : entity.volume.per) {
    if (names.size() == 1 && names[0] == source && total && amount.typical > 0) {
      return std::max(1.0, total->typical / amount.typical);
    }
  }
  return std::nullopt;
}

}  // namespace

Load PeakLoad(const Subject& subject, const KeySchema& schema) {
  Load load;
  for (const Estimate& estimate : subject.estimates) {
    const Plan& plan = *estimate.plan;
    if (!plan.pattern->rate || !estimate.known || plan.table != schema.table) continue;
    const double rate = plan.pattern->rate->per_second * subject.model.assume.peak;
    const double written = WriteUnitsOf(estimate, schema) * rate;
    if (written > 0) load.rates_known = true;
    load.write_units_per_s += written;
    if (plan.index == schema.index && estimate.read_units.typical > 0) {
      load.read_units_per_s += estimate.read_units.typical * rate;
      load.rates_known = true;
    }
  }
  return load;
}

std::optional<double> Partitions(const KeySchema& schema, const Entity& entity) {
  double count = 1;
  for (const std::string& source : PartitionSources(schema, entity)) {
    const std::optional<double> values = DifferentValues(entity, source);
    if (!values) return std::nullopt;
    count *= std::max(*values, 1.0);
  }
  return count;
}

std::optional<double> Partitions(const Model& model, const KeySchema& schema) {
  double count = 0;
  for (const Entity* entity : model.EntitiesOf(*schema.table)) {
    if (!Holds(schema, *entity)) continue;
    const std::optional<double> own = Partitions(schema, *entity);
    if (!own) return std::nullopt;
    count += *own;
  }
  if (count <= 0) return std::nullopt;
  return count;
}

int ShardCount(const KeySchema& schema) {
  if (schema.index == nullptr || !schema.index->shards) return 1;
  return std::max(schema.index->shards->count, 1);
}

}  // namespace stator::model
