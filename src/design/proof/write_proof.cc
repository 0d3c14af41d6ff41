// Writes: each is made on the item as it was before, and the units of the table and of every index
// are compared. What happens in only a share of the runs is run separately and weighted by its
// share.
#include <algorithm>

#include "base/try.h"
#include "model/estimate/item_size.h"
#include "model/plan/write_effects.h"
#include "proof/proof.h"
#include "proof/proof_parts.h"
#include "proof/scenario.h"
#include "proof/write_steps.h"

namespace stator::proof {
namespace {

void Count(const ConsumedCapacity& consumed, Measure& measure) {
  measure.write_units += consumed.table_units.value_or(consumed.capacity_units);
  for (const IndexUnits* indexes :
       {&consumed.global_secondary_indexes, &consumed.local_secondary_indexes}) {
    for (const auto& [index, units] : *indexes) {
      if (units > 0) measure.AddIndexUnits(index, units);
    }
  }
}

constexpr auto kIndexes = ReturnConsumedCapacity::kIndexes;

Result<WriteItemResponse> WriteOne(Database& database, const TransactWriteItem& write) {
  if (write.put) {
    return database.PutItem({.table_name = write.put->table_name,
                             .item = write.put->item,
                             .return_consumed_capacity = kIndexes,
                             .condition_expression = write.put->condition_expression,
                             .expression_attribute_names = write.put->expression_attribute_names});
  }
  if (write.update) {
    return database.UpdateItem(
        {.table_name = write.update->table_name,
         .key = write.update->key,
         .return_consumed_capacity = kIndexes,
         .update_expression = write.update->update_expression,
         .condition_expression = write.update->condition_expression,
         .expression_attribute_names = write.update->expression_attribute_names,
         .expression_attribute_values = write.update->expression_attribute_values});
  }
  return database.DeleteItem(
      {.table_name = write.delete_item->table_name,
       .key = write.delete_item->key,
       .return_consumed_capacity = kIndexes,
       .condition_expression = write.delete_item->condition_expression,
       .expression_attribute_names = write.delete_item->expression_attribute_names});
}

double CountedWrites(const Database& database) {
  double units = 0;
  for (const Database::ConsumedUnits& place : database.GetStats().consumed_units) {
    units += place.writes;
  }
  return units;
}

// The write with a condition that does not hold. The error has no units; the database counts them.
// REQUIRES: the item exists.
Result<double> FailOnce(Database& database, TransactWriteItem write, const std::string& key) {
  const auto forbid = [&](auto& one) {
    one->condition_expression = "attribute_not_exists(#key)";
    if (!one->expression_attribute_names) one->expression_attribute_names.emplace();
    one->expression_attribute_names->emplace_back("#key", key);
    std::erase_if(*one->expression_attribute_names,
                  [](const auto& name) { return name.first == "#pk"; });
  };
  if (write.put) forbid(write.put);
  if (write.update) forbid(write.update);
  if (write.delete_item) forbid(write.delete_item);
  const double before = CountedWrites(database);
  const Result<WriteItemResponse> response = WriteOne(database, write);
  if (response) return std::unexpected(Error::Validation("a condition that must fail held"));
  if (response.error().code() != ErrorCode::kConditionalCheckFailed) {
    return std::unexpected(response.error());
  }
  return CountedWrites(database) - before;
}

Result<void> WriteAlone(Database& database, const Steps& steps, Measure& measure) {
  const TransactWriteItem& write = steps.writes.front();
  const bool fails = steps.failing_share > 0;
  const double happens = 1 - steps.failing_share;
  double failed_units = 0;
  const auto fail = [&]() -> Result<void> {
    const Meter meter(database);
    ASSIGN_OR_RETURN(failed_units, FailOnce(database, write, steps.key));
    meter.AddTo(measure.metered, steps.failing_share);
    return {};
  };
  if (fails && !steps.before.empty()) RETURN_IF_ERROR(fail());
  const Meter meter(database);
  ASSIGN_OR_RETURN(const WriteItemResponse response, WriteOne(database, write));
  Count(*response.consumed_capacity, measure);
  meter.AddTo(measure.metered, happens);
  if (fails && steps.before.empty()) RETURN_IF_ERROR(fail());
  measure.write_units = happens * measure.write_units + steps.failing_share * failed_units;
  for (auto& [index, units] : measure.index_write_units) units *= happens;
  return {};
}

using model::IndexEffect;
using model::Plan;
using model::WriteKind;

// Runs the requests, and adds what they consume.
Result<void> RunSteps(Database& database, const Steps& steps, Measure& measure) {
  for (const auto& [table, item] : steps.before) {
    RETURN_IF_ERROR(database.PutItem({.table_name = table, .item = item}));
  }
  const Meter meter(database);
  if (!steps.gets.empty()) {
    ASSIGN_OR_RETURN(const TransactGetItemsResponse got,
                     database.TransactGetItems(
                         {.transact_items = steps.gets, .return_consumed_capacity = kIndexes}));
    for (const ConsumedCapacity& consumed : *got.consumed_capacity) {
      measure.read_units += consumed.capacity_units;
    }
    measure.items_read = measure.items_returned = static_cast<double>(steps.gets.size());
  }
  for (const GetItemRequest& read : steps.reads_first) {
    ASSIGN_OR_RETURN(const GetItemResponse got, database.GetItem(read));
    measure.items_read += got.item ? 1 : 0;
    measure.read_units += got.consumed_capacity->capacity_units;
  }
  if (steps.writes.empty() || !steps.transaction) meter.AddTo(measure.metered);
  if (steps.writes.empty()) return {};
  if (!steps.transaction) return WriteAlone(database, steps, measure);
  ASSIGN_OR_RETURN(const TransactWriteItemsResponse written,
                   database.TransactWriteItems(
                       {.transact_items = steps.writes, .return_consumed_capacity = kIndexes}));
  for (const ConsumedCapacity& consumed : *written.consumed_capacity) Count(consumed, measure);
  meter.AddTo(measure.metered);
  return {};
}

// A run in which one part of the write does this to an index that it does not always change, and
// the other parts do nothing to it.
struct Variant {
  const model::Index* index = nullptr;  // null: the usual run
  const Plan* part = nullptr;
  IndexEffect::Kind kind = IndexEffect::Kind::kNone;
};

class WriteRuns {
 public:
  // REQUIRES: all outlive the object. `frame` has no requests yet.
  WriteRuns(const model::Model& model, const std::vector<const Plan*>& parts, const Steps& frame)
      : model_(model), parts_(parts), frame_(frame) {}

  Result<Measure> Run() {
    ASSIGN_OR_RETURN(Measure measure, RunOne({}));
    for (const model::Table& table : model_.tables) {
      for (const model::Index& index : table.indexes) {
        RETURN_IF_ERROR(Weigh(table, index, measure));
      }
    }
    return measure;
  }

 private:
  Result<Measure> RunOne(const Variant& variant) {
    Steps steps = frame_;
    std::uint64_t number = kFirstNumber;
    for (const Plan* part : parts_) {
      if (part->pattern->kind == model::PatternKind::kWrite) {
        AddWrite(model_, *part, number++, EffectsIn(variant, *part), steps);
      } else {
        AddGet(model_, *part, number++, steps);
      }
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<Database> database, OpenFor(model_));
    Measure measure;
    RETURN_IF_ERROR(RunSteps(*database, steps, measure));
    return measure;
  }

  static std::vector<IndexEffect> EffectsIn(const Variant& variant, const Plan& part) {
    std::vector<IndexEffect> effects = IndexChangesOf(part);
    std::erase_if(effects,
                  [&](const IndexEffect& effect) { return !IsCertain(part, *effect.index); });
    if (variant.index != nullptr && !IsCertain(part, *variant.index)) {
      const bool acts = &part == variant.part;
      effects.push_back({.index = variant.index,
                         .kind = acts ? variant.kind : IndexEffect::Kind::kNone,
                         .share = 1});
    }
    return effects;
  }

  // Units of an index that some runs change and others do not.
  Result<void> Weigh(const model::Table& table, const model::Index& index, Measure& measure) {
    const bool is_certain =
        std::ranges::all_of(parts_, [&](const Plan* part) { return IsCertain(*part, index); });
    if (is_certain) return {};
    ASSIGN_OR_RETURN(const Measure untouched, RunOne({.index = &index}));
    const auto metered = [&](const Measure& run) {
      const auto it = run.metered.find({table.id, index.name});
      return it == run.metered.end() ? 0 : it->second.writes;
    };
    double units = untouched.IndexUnits(index.name);
    double metered_units = metered(untouched);
    for (const Plan* part : parts_) {
      if (IsCertain(*part, index)) continue;
      for (const IndexEffect& effect : IndexChangesOf(*part)) {
        if (effect.index != &index) continue;
        ASSIGN_OR_RETURN(const Measure touched,
                         RunOne({.index = &index, .part = part, .kind = effect.kind}));
        units += effect.share * (touched.IndexUnits(index.name) - untouched.IndexUnits(index.name));
        metered_units += effect.share * (metered(touched) - metered(untouched));
      }
    }
    measure.metered[{table.id, index.name}].writes = metered_units;
    measure.AddIndexUnits(index.name, units - measure.IndexUnits(index.name));
    return {};
  }

  const model::Model& model_;
  const std::vector<const Plan*>& parts_;
  const Steps& frame_;
};

void Predict(const model::Estimate& estimate, Measure& predicted) {
  predicted.write_units = estimate.write_units.typical;
  predicted.items_read = estimate.items_read.typical;
  predicted.items_returned = estimate.items_returned.typical;
  predicted.read_units = estimate.read_units.typical;
  for (const auto& [index, amount] : estimate.index_write_units) {
    predicted.AddIndexUnits(index->name, amount.typical);
  }
}

bool ChangesBaseKey(const Plan& plan) {
  if (model::WritesWholeItem(*plan.pattern) || plan.pattern->write.kind == WriteKind::kRekey ||
      plan.pattern->write.kind == WriteKind::kDelete) {
    return false;
  }
  const auto changed = model::ChangedAttributes(*plan.entity, *plan.pattern);
  return std::ranges::any_of(plan.entity->keys, [&](const model::KeyTemplate& key) {
    return model::IsKeyOf(*plan.table, key.attribute) &&
           std::ranges::any_of(changed, [&](const std::string& name) { return key.Uses(name); });
  });
}

// Why the write cannot be run; empty: it can.
std::string ObstacleOf(const std::vector<const Plan*>& parts) {
  for (const Plan* part : parts) {
    if (part->entity == nullptr || part->table == nullptr || !part->table->partition) {
      return "no entity or no key";
    }
    if (part->pattern->kind == model::PatternKind::kWrite && ChangesBaseKey(*part)) {
      return "it changes the key of the table";
    }
  }
  return {};
}

// A cancelled transaction reports no units: the estimate leaves those out too.
std::string LeaveOutFailures(model::Model& model, double duplicate_share, bool alone) {
  if (!alone) {
    for (model::Pattern& pattern : model.patterns) pattern.write.duplicate_share = 0;
  }
  if (duplicate_share == 0) return {};
  return alone ? "with the share of failed conditions"
               : "failed conditions are left out: a cancelled transaction tells no units";
}

}  // namespace

void ProveWrite(model::Model& model, const std::string& name, Proof& proof) {
  const double duplicate_share = model.FindPattern(name)->write.duplicate_share;
  const Plan plan = model::ResolvePattern(model, *model.FindPattern(name));
  const bool alone = plan.operation != model::Operation::kTransactWriteItems;
  const bool together = plan.pattern->kind == model::PatternKind::kTransaction;
  proof.note = LeaveOutFailures(model, duplicate_share, alone);
  std::vector<const Plan*> parts;
  if (!together) {
    parts.push_back(&plan);
  } else {
    for (const Plan& part : plan.parts) parts.push_back(&part);
  }
  if (const std::string obstacle = ObstacleOf(parts); !obstacle.empty()) {
    proof.note = obstacle;
    return;
  }
  Steps frame;
  frame.transaction = together;
  if (alone && !together) {
    frame.failing_share = duplicate_share;
    frame.key = plan.table->partition->name;
  }
  proof.ran = true;
  Result<Measure> measured = WriteRuns(model, parts, frame).Run();
  if (!measured) {
    proof.difference = measured.error().message();
    return;
  }
  proof.measured = std::move(*measured);
  Predict(model::EstimatePlans(model, {plan}).front(), proof.predicted);
}

}  // namespace stator::proof
