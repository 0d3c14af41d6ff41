#include "model/estimate/estimate.h"

#include <algorithm>

#include "model/estimate/estimate_read.h"
#include "model/estimate/item_size.h"
#include "model/names.h"

namespace stator::model {
namespace {

// Bytes of attributes that most items lack and that this write adds or removes: the larger of the
// old and the new item is billed.
double AddedBytes(const Model& model, const Entity& entity, const WriteDetail& write) {
  if (entity.item_bytes) return 0;
  std::vector<std::string> names = write.sets;
  names.insert(names.end(), write.adds.begin(), write.adds.end());
  names.insert(names.end(), write.removes.begin(), write.removes.end());
  const Move* move =
      entity.machine && !write.move.empty() ? entity.machine->FindMove(write.move) : nullptr;
  if (move != nullptr) names.insert(names.end(), move->sets.begin(), move->sets.end());
  double bytes = 0;
  for (const StoredAttribute& attribute : StoredAttributes(model, entity)) {
    if (Contains(names, attribute.name) && !attribute.usual) bytes += attribute.Bytes().typical;
  }
  return bytes;
}

bool SetsAnyOf(const WriteDetail& write, const std::vector<std::string>& attributes) {
  return std::ranges::any_of(attributes,
                             [&](const std::string& name) { return Contains(write.sets, name); });
}

// Sentinel items that keep values unique: one write per value added, one per value removed.
double Sentinels(const Entity& entity, const WriteDetail& write) {
  double count = 0;
  for (const std::vector<std::string>& unique : entity.unique) {
    switch (write.kind) {
      case WriteKind::kCreate:
      case WriteKind::kDelete:
        ++count;
        break;
      case WriteKind::kUpdate:
      case WriteKind::kMove:
        if (SetsAnyOf(write, unique)) count += 2;
        break;
      default:
        break;
    }
  }
  return count;
}

double EntryWrites(IndexEffect::Kind kind) {
  switch (kind) {
    case IndexEffect::Kind::kNone:
      return 0;
    case IndexEffect::Kind::kMove:
      return 2;
    default:
      return 1;
  }
}

void AddIndexUnits(Estimate& estimate, const Index* index, Pick pick, double units) {
  for (auto& [known, amount] : estimate.index_write_units) {
    if (known != index) continue;
    amount.*pick += units;
    return;
  }
  Amount amount;
  amount.*pick = units;
  estimate.index_write_units.emplace_back(index, amount);
}

// To every index the new item is a different one: the old entry is deleted and a new one put.
void AddRekeyedEntries(const Model& model, const Plan& plan, Pick pick, double happens,
                       Estimate& estimate) {
  for (const Index& index : plan.table->indexes) {
    const double share = EntryShare(model, *plan.entity, index);
    if (share <= 0) continue;
    const double each = ItemWriteUnits(EntryBytes(model, *plan.entity, index).*pick);
    AddIndexUnits(estimate, &index, pick, 2 * each * share * happens);
  }
}

void AddEntries(const Model& model, const Plan& plan, Pick pick, double added, double happens,
                Estimate& estimate) {
  for (const IndexEffect& effect : plan.effects) {
    const double writes = EntryWrites(effect.kind);
    if (effect.index == nullptr || writes == 0) continue;
    double bytes = EntryBytes(model, *plan.entity, *effect.index).*pick;
    if (effect.index->projection.kind == Projection::Kind::kAll && pick == &Amount::typical) {
      bytes += added;
    }
    AddIndexUnits(estimate, effect.index, pick,
                  writes * ItemWriteUnits(bytes) * effect.share * happens);
  }
}

void AddReadFirst(const Model& model, const Plan& plan, const WriteDetail& write, Pick pick,
                  Estimate& estimate) {
  if (write.read_first == WriteDetail::ReadFirst::kNo) return;
  const double bytes = ItemBytes(model, *plan.entity).*pick;
  const bool strong = write.read_first == WriteDetail::ReadFirst::kStrong;
  estimate.items_read.*pick += 1;
  estimate.bytes_read.*pick += bytes;
  estimate.read_units.*pick += ItemReadUnits(bytes, strong);
}

// Units of writes: the table by the larger of the old and the new item, each index by the entries
// that change in it.
void EstimateWrite(const Model& model, const Plan& plan, Estimate& estimate) {
  if (plan.entity == nullptr || plan.table == nullptr) {
    estimate.known = false;
    estimate.missing = "the entity that is written";
    return;
  }
  const WriteDetail& write = plan.pattern->write;
  const double sentinels = Sentinels(*plan.entity, write);
  const bool rekeys = write.kind == WriteKind::kRekey;
  if (sentinels > 0 || rekeys || plan.operation == Operation::kTransactWriteItems) {
    estimate.transaction_factor = 2;
  }
  for (const Pick pick : {&Amount::typical, &Amount::max}) {
    const double before = ItemBytes(model, *plan.entity).*pick;
    const double added = pick == &Amount::typical ? AddedBytes(model, *plan.entity, write) : 0;
    // A request whose condition fails is billed for the table and changes no index.
    const double happens = pick == &Amount::typical ? 1 - write.duplicate_share : 1;
    double units = ItemWriteUnits(before + added);
    if (rekeys) units += ItemWriteUnits(before);
    units += sentinels * ItemWriteUnits(0);
    estimate.write_units.*pick += units * estimate.transaction_factor;
    if (rekeys) {
      AddRekeyedEntries(model, plan, pick, happens, estimate);
    } else {
      AddEntries(model, plan, pick, added, happens, estimate);
    }
    AddReadFirst(model, plan, write, pick, estimate);
    estimate.pages.*pick += write.read_first == WriteDetail::ReadFirst::kNo ? 1 : 2;
  }
}

// Reads inside a transaction are billed twice, and strongly consistent.
constexpr double kTransactionFactor = 2;

Estimate EstimatePlan(const Model& model, const Plan& plan);

void AddIndexes(const Estimate& part, Estimate& whole) {
  for (const auto& [index, amount] : part.index_write_units) {
    bool found = false;
    for (auto& [known, sum] : whole.index_write_units) {
      if (known != index) continue;
      sum.typical += amount.typical;
      sum.max += amount.max;
      found = true;
    }
    if (!found) whole.index_write_units.emplace_back(index, amount);
  }
}

void AddPart(const Estimate& part, Estimate& whole) {
  for (const Pick pick : {&Amount::typical, &Amount::max}) {
    whole.items_read.*pick += part.items_read.*pick;
    whole.items_returned.*pick += part.items_returned.*pick;
    whole.bytes_read.*pick += part.bytes_read.*pick;
    whole.write_units.*pick += part.write_units.*pick;
    whole.read_units.*pick += part.read_units.*pick;
  }
  AddIndexes(part, whole);
  if (!part.known) {
    whole.known = false;
    whole.missing = part.missing;
  }
}

Estimate EstimateTransaction(const Model& model, const Plan& plan) {
  Estimate whole;
  whole.plan = &plan;
  whole.transaction_factor = kTransactionFactor;
  whole.pages = {1, 1};
  for (const Plan& part : plan.parts) {
    whole.parts.push_back(InTransaction(EstimatePlan(model, part)));
    AddPart(whole.parts.back(), whole);
  }
  return whole;
}

Estimate EstimatePlan(const Model& model, const Plan& plan) {
  if (plan.pattern->kind == PatternKind::kTransaction && !plan.parts.empty()) {
    return EstimateTransaction(model, plan);
  }
  Estimate estimate;
  estimate.plan = &plan;
  if (!plan.resolved()) {
    estimate.known = false;
    estimate.missing = plan.obstacle.empty() ? "the pattern resolves to nothing" : plan.obstacle;
    return estimate;
  }
  if (plan.pattern->kind == PatternKind::kWrite) {
    EstimateWrite(model, plan, estimate);
  } else {
    EstimateRead(model, plan, estimate);
  }
  return estimate;
}

}  // namespace

Estimate InTransaction(Estimate estimate) {
  const Pattern& pattern = *estimate.plan->pattern;
  const double write_factor = kTransactionFactor / estimate.transaction_factor;
  const double read_factor =
      pattern.kind == PatternKind::kGet ? kTransactionFactor * (pattern.read.strong ? 1 : 2) : 1;
  for (const Pick pick : {&Amount::typical, &Amount::max}) {
    estimate.write_units.*pick *= write_factor;
    estimate.read_units.*pick *= read_factor;
  }
  estimate.transaction_factor = kTransactionFactor;
  return estimate;
}

double Estimate::TotalWriteUnits() const {
  double units = write_units.typical;
  for (const auto& [index, amount] : index_write_units) units += amount.typical;
  return units;
}

std::vector<Estimate> EstimatePlans(const Model& model, const std::vector<Plan>& plans) {
  std::vector<Estimate> estimates;
  estimates.reserve(plans.size());
  for (const Plan& plan : plans) estimates.push_back(EstimatePlan(model, plan));
  return estimates;
}

}  // namespace stator::model
