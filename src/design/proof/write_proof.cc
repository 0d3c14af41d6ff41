// Writes: each is made on the item as it was, and the units of the table and of every index are
// compared. What happens in a share of the runs only is run by itself and counts by its share.
#include <algorithm>

#include "base/try.h"
#include "model/estimate/item_size.h"
#include "model/plan/plan_parts.h"
#include "proof/proof_parts.h"
#include "proof/scenario.h"
#include "proof/write_steps.h"

namespace stator::proof {
namespace {

using model::IndexEffect;
using model::Plan;
using model::WriteKind;

// A run in which one part of the write does this to an index that it does not always change, and
// the other parts do nothing to it.
struct Way {
  const model::Index* index = nullptr;  // null: whatever is usual
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
      for (const model::Index& index : table.indexes) RETURN_IF_ERROR(Weigh(index, measure));
    }
    return measure;
  }

 private:
  Result<Measure> RunOne(const Way& way) {
    Steps steps = frame_;
    std::uint64_t number = kFirstNumber;
    for (const Plan* part : parts_) {
      if (part->pattern->kind == model::PatternKind::kWrite) {
        AddWrite(model_, *part, number++, EffectsIn(way, *part), steps);
      } else {
        AddGet(model_, *part, number++, steps);
      }
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<Database> database, OpenFor(model_));
    Measure measure;
    RETURN_IF_ERROR(RunSteps(*database, steps, measure));
    return measure;
  }

  static std::vector<IndexEffect> EffectsIn(const Way& way, const Plan& part) {
    std::vector<IndexEffect> effects = EffectsOf(part);
    std::erase_if(effects,
                  [&](const IndexEffect& effect) { return !IsCertain(part, *effect.index); });
    if (way.index != nullptr && !IsCertain(part, *way.index)) {
      const bool acts = &part == way.part;
      effects.push_back(
          {.index = way.index, .kind = acts ? way.kind : IndexEffect::Kind::kNone, .share = 1});
    }
    return effects;
  }

  // Units of an index that some runs change and others do not.
  Result<void> Weigh(const model::Index& index, Measure& measure) {
    const bool is_certain =
        std::ranges::all_of(parts_, [&](const Plan* part) { return IsCertain(*part, index); });
    if (is_certain) return {};
    ASSIGN_OR_RETURN(const Measure untouched, RunOne({.index = &index}));
    double units = untouched.IndexUnits(index.name);
    for (const Plan* part : parts_) {
      if (IsCertain(*part, index)) continue;
      for (const IndexEffect& effect : EffectsOf(*part)) {
        if (effect.index != &index) continue;
        ASSIGN_OR_RETURN(const Measure touched,
                         RunOne({.index = &index, .part = part, .kind = effect.kind}));
        units += effect.share * (touched.IndexUnits(index.name) - untouched.IndexUnits(index.name));
      }
    }
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

// A transaction that is cancelled tells no units: the estimate leaves those out too.
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
