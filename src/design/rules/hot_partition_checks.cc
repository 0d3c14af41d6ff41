// HP: can one partition carry what is asked of it?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/estimate/population.h"
#include "model/names.h"
#include "rules/checks.h"
#include "rules/entity_keys.h"

namespace stator::model {
namespace {

// ---- What is asked of one partition of a table or an index at peak

// DynamoDB's limits of one partition.
constexpr double kPartitionWriteUnits = 1000;
constexpr double kPartitionReadUnits = 3000;

struct Load {
  double write_units_per_s = 0;
  double read_units_per_s = 0;
  bool rates_known = false;  // at least one pattern with a rate touches it
};

double WriteUnitsOf(const Estimate& estimate, const KeySchema& schema) {
  if (schema.index == nullptr) return estimate.write_units.typical;
  double units = 0;
  for (const auto& [index, amount] : estimate.index_write_units) {
    if (index == schema.index) units += amount.typical;
  }
  return units;
}

// How many different values the attribute has; absent: not known.
std::optional<double> DifferentValues(const Entity& entity, const std::string& source) {
  const Attribute* attribute = entity.FindAttribute(source);
  if (attribute == nullptr) return std::nullopt;
  if (attribute->cardinality) return attribute->cardinality;
  if (const auto skew = entity.volume.skew.find(source); skew != entity.volume.skew.end()) {
    return 1 / skew->second;
  }
  if (!ValuesOf(entity, source).empty()) return 1;
  const std::optional<Amount> total = TotalItems(entity);
  for (const auto& [names, amount] : entity.volume.per) {
    if (names.size() == 1 && names[0] == source && total && amount.typical > 0) {
      return std::max(1.0, total->typical / amount.typical);
    }
  }
  return std::nullopt;
}

// The largest share of the entity's traffic that goes to one partition: that of each attribute of
// the key together. Absent: no `skew` is said; or not how many values another one has, so that
// there may be many.
std::optional<double> LargestShare(const KeySchema& schema, const Entity& entity) {
  double share = 1;
  bool said = false;
  for (const std::string& source : PartitionSources(schema, entity)) {
    const auto skew = entity.volume.skew.find(source);
    if (skew != entity.volume.skew.end()) {
      share *= skew->second;
      said = true;
    } else if (const std::optional<double> values = DifferentValues(entity, source)) {
      share /= std::max(*values, 1.0);
    } else {
      return std::nullopt;
    }
  }
  return said ? std::optional(share) : std::nullopt;
}

// The load of all partitions together, at peak; of one entity, or of all.
Load PeakLoad(const Subject& subject, const KeySchema& schema, const Entity* entity = nullptr) {
  Load load;
  for (const PatternCharges& pattern : subject.charges) {
    for (const Charge& charge : pattern.charges) {
      const Estimate& estimate = charge.estimate;
      const Plan& plan = *estimate.plan;
      if (!estimate.known || plan.table != schema.table) continue;
      if (entity != nullptr && plan.entity != nullptr && plan.entity != entity) continue;
      const double written = WriteUnitsOf(estimate, schema) * charge.peak_runs_per_second;
      if (written > 0) load.rates_known = true;
      load.write_units_per_s += written;
      if (plan.index == schema.index && estimate.read_units.typical > 0) {
        load.read_units_per_s += estimate.read_units.typical * charge.peak_runs_per_second;
        load.rates_known = true;
      }
    }
  }
  return load;
}

// The least number of partitions that hold the items of `entity`, shards not counted. An enum
// counts as one value: at any time most writes carry the same one. Absent: the model does not say;
// assume many.
std::optional<double> Partitions(const KeySchema& schema, const Entity& entity) {
  double count = 1;
  for (const std::string& source : PartitionSources(schema, entity)) {
    const std::optional<double> values = DifferentValues(entity, source);
    if (!values) return std::nullopt;
    count *= std::max(*values, 1.0);
  }
  return count;
}

// The same for all entities together.
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

// 1, or the number of shards of a sharded index.
int ShardCount(const KeySchema& schema) {
  if (schema.index == nullptr || !schema.index->shards) return 1;
  return std::max(schema.index->shards->count, 1);
}

// ---- Limits, keys and shards

constexpr double kBusy = 0.5;        // share of a partition's limits that leaves no room for a peak
constexpr double kNoticeable = 0.1;  // below this share few partitions do no harm
constexpr double kSecondsPerDay = 86400;

bool IsSharded(const KeySchema& schema) { return ShardCount(schema) > 1; }

Place PlaceOf(const KeySchema& schema) {
  return schema.index == nullptr ? schema.table->place : schema.index->place;
}

double PartOfLimits(const Load& load) {
  return std::max(load.write_units_per_s / kPartitionWriteUnits,
                  load.read_units_per_s / kPartitionReadUnits);
}

int NeededShards(double part_of_limits) {
  return std::max(1, static_cast<int>(std::ceil(part_of_limits / kBusy)));
}

Load InOnePartition(Load load, double partitions) {
  load.write_units_per_s /= partitions;
  load.read_units_per_s /= partitions;
  return load;
}

// What the partition with the most traffic gets: an even part of everything, or the largest share
// of one entity's, where the model says it. Absent: it does not say how many partitions there are.
std::optional<Load> BusiestPartition(const Subject& subject, const KeySchema& schema) {
  std::optional<Load> busiest;
  const auto consider = [&](const Load& load) {
    if (!busiest || PartOfLimits(load) > PartOfLimits(*busiest)) busiest = load;
  };
  const double shards = ShardCount(schema);
  if (const std::optional<double> partitions = Partitions(subject.model, schema)) {
    consider(InOnePartition(PeakLoad(subject, schema), *partitions * shards));
  }
  for (const Entity* entity : subject.model.EntitiesOf(*schema.table)) {
    if (!Holds(schema, *entity)) continue;
    const std::optional<double> share = LargestShare(schema, *entity);
    if (share) consider(InOnePartition(PeakLoad(subject, schema, entity), shards / *share));
  }
  return busiest;
}

bool StartsWithTime(const KeyUse& use) {
  for (const TemplatePart& part : use.made.parts) {
    if (!part.is_placeholder) continue;
    const Attribute* attribute = use.entity->FindAttribute(part.text);
    if (attribute == nullptr) return false;
    return IsTime(attribute->unit) || attribute->unit == Unit::kUlid;
  }
  return false;
}

// The partition key is a constant, or made only from attributes with few values.
struct FewValues {
  bool few = false;
  std::string text;  // "is the constant ORDER", "has 5 values"
};

constexpr double kFewValues = 10;

FewValues FewValuesOf(const KeySchema& schema, const Entity& entity) {
  // Many values of which one has most of the traffic are few.
  if (const std::optional<double> share = LargestShare(schema, entity);
      share && 1 / *share < kFewValues) {
    return {true, fmt::format("has one value with {:.0f} % of the traffic", 100 * *share)};
  }
  double values = 1;
  bool constant = true;
  for (const std::string& source : PartitionSources(schema, entity)) {
    constant = false;
    const std::vector<std::string> listed = ValuesOf(entity, source);
    const Attribute* attribute = entity.FindAttribute(source);
    if (!listed.empty()) {
      values *= static_cast<double>(listed.size());
    } else if (attribute != nullptr && attribute->cardinality) {
      values *= *attribute->cardinality;
    } else {
      return {};
    }
  }
  if (constant) {
    return {true, fmt::format("is the constant {}",
                              BaseTemplateFor(entity, schema.partition.front()->name).text)};
  }
  return {values < kFewValues, fmt::format("has only {:.0f} values", values)};
}

bool IsSingleton(const Entity& entity) {
  const std::optional<Amount> total = TotalItems(entity);
  return total && total->max <= 1;
}

void CheckReaders(const Subject& subject, const KeySchema& schema, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (plan.index != schema.index || plan.pattern->read.all_shards || !plan.resolved()) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("{} asks one of the {} shards of {} and misses the others",
                             plan.pattern->name, ShardCount(schema), schema.Name()),
                 "shards: all (the queries run side by side and are merged by sort key)");
  }
}

// How much a partition takes, and how much is asked of it.
std::string Headroom(const Load& load) {
  const double millions = kPartitionWriteUnits * kSecondsPerDay / 1e6;
  return fmt::format(
      "a partition takes 1000 write units a second ({:.1f} million a day); all "
      "writes together need {:.3g} a second at peak",
      millions, load.write_units_per_s);
}

}  // namespace

void CheckPartitionLoad(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    for (const KeySchema& schema : SchemasOf(table)) {
      const std::optional<Load> load = BusiestPartition(subject, schema);
      if (!load) continue;
      const double part = PartOfLimits(*load);
      if (part <= kBusy) continue;
      findings.Add(schema.Name(), PlaceOf(schema),
                   fmt::format("one partition of {} gets {:.0f} write and {:.0f} read units a "
                               "second at peak; it takes {:.0f} and {:.0f}",
                               schema.Name(), load->write_units_per_s, load->read_units_per_s,
                               kPartitionWriteUnits, kPartitionReadUnits),
                   fmt::format("shards: {{n: {}}} and {{shard}} in the partition key",
                               NeededShards(part) * ShardCount(schema)));
    }
  }
}

void CheckCardinality(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    for (const KeySchema& schema : SchemasOf(table)) {
      if (schema.partition.empty() || IsSharded(schema)) continue;
      for (const Entity* entity : subject.model.EntitiesOf(table)) {
        if (!Holds(schema, *entity) || IsSingleton(*entity)) continue;
        const FewValues found = FewValuesOf(schema, *entity);
        if (!found.few) continue;
        const Load load = PeakLoad(subject, schema);
        const bool harmless = load.rates_known && PartOfLimits(load) < kNoticeable;
        const std::string message = fmt::format(
            "the partition key of {} for {} {}: {}", schema.Name(), entity->name, found.text,
            harmless ? fmt::format("at {:.2g} write units a second it does no harm yet",
                                   load.write_units_per_s)
                     : "all traffic meets in few partitions");
        const std::string fix = "a key with more values, or {shard} with `shards: {n: …}`";
        Finding& finding = harmless ? findings.Note(schema.Name(), PlaceOf(schema), message, fix)
                                    : findings.Add(schema.Name(), PlaceOf(schema), message, fix);
        finding.parties = {entity->name};
      }
    }
  }
}

void CheckMonotonicSort(const Subject& subject, Findings& findings) {
  for (const KeyUse& use : KeyUses(subject.model)) {
    const bool first = use.sort && use.schema.sort.front() == use.key;
    if (!first || !StartsWithTime(use)) continue;
    const std::optional<double> partitions = Partitions(use.schema, *use.entity);
    if (!partitions) continue;
    const Load load =
        InOnePartition(PeakLoad(subject, use.schema), *partitions * ShardCount(use.schema));
    if (load.write_units_per_s < kNoticeable * 2.5 * kPartitionWriteUnits) continue;
    findings.Add(use.schema.Name(), PlaceOf(use.schema),
                 fmt::format("{:.0f} write units a second go to one partition of {}, always at its "
                             "end ({} grows): splitting the partition does not spread them",
                             load.write_units_per_s, use.schema.Name(), use.key->name),
                 "shard the partition key, or open the sort key with something that varies");
  }
}

void CheckShards(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    for (const Index& index : table.indexes) {
      const KeySchema schema = SchemaOf(table, index);
      if (!IsSharded(schema)) continue;
      CheckReaders(subject, schema, findings);
      const Load load = PeakLoad(subject, schema);
      if (!load.rates_known) continue;
      const std::optional<double> partitions = Partitions(subject.model, schema);
      const int needed = NeededShards(PartOfLimits(InOnePartition(load, partitions.value_or(1))));
      const int shards = ShardCount(schema);
      if (partitions && shards < needed) {
        findings.Add(
            schema.Name(), PlaceOf(schema),
            fmt::format("{} shards of {} are too few: {}", shards, schema.Name(), Headroom(load)),
            fmt::format("shards: {{n: {}}}", needed));
      } else if (load.write_units_per_s > 0 && shards > 4 * needed) {
        findings.Add(schema.Name(), PlaceOf(schema),
                     fmt::format("{} shards of {} are more than needed, and every read asks them "
                                 "all: {}",
                                 shards, schema.Name(), Headroom(load)),
                     needed == 1 ? "no shards" : fmt::format("shards: {{n: {}}}", needed));
      }
    }
  }
}

void CheckIndexCapacity(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    if (!table.provisioned) continue;  // on demand there is no capacity to exceed
    for (const Index& index : table.indexes) {
      if (!index.capacity) continue;
      const KeySchema schema = SchemaOf(table, index);
      const Load load = PeakLoad(subject, schema);
      const bool short_of_load = load.rates_known && load.write_units_per_s > index.capacity->write;
      const bool short_of_table =
          !load.rates_known && !index.sparse && table.provisioned->write > index.capacity->write;
      if (!short_of_load && !short_of_table) continue;
      findings.Add(
          schema.Name(), index.capacity->place.line > 0 ? index.capacity->place : index.place,
          short_of_load
              ? fmt::format("{} gets {:.3g} write units a second at peak and has {:.0f}: "
                            "writes of the table are throttled too",
                            schema.Name(), load.write_units_per_s, index.capacity->write)
              : fmt::format("{} has {:.0f} write units and the table {:.0f}: a full index "
                            "throttles writes of the table",
                            schema.Name(), index.capacity->write, table.provisioned->write),
          fmt::format("capacity: {{write: {:.0f}}}", short_of_load
                                                         ? std::ceil(load.write_units_per_s)
                                                         : table.provisioned->write));
    }
  }
}

}  // namespace stator::model
