// Units of writes: the table by the larger of the old and the new item, each index by the entries
// that change in it.
#include <algorithm>

#include "model/estimate/estimate_pages.h"
#include "model/estimate/estimate_parts.h"
#include "model/estimate/item_size.h"

namespace stator::model {
namespace {

// Attributes that most items lack and that this write gives them, or takes from them: the larger of
// the two items is billed.
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
    const bool named = std::ranges::find(names, attribute.name) != names.end();
    if (named && !attribute.usual) bytes += attribute.Bytes().typical;
  }
  return bytes;
}

bool SetsOneOf(const WriteDetail& write, const std::vector<std::string>& attributes) {
  return std::ranges::any_of(attributes, [&](const std::string& name) {
    return std::ranges::find(write.sets, name) != write.sets.end();
  });
}

// Sentinel items that keep values unique: one for each new value, one for each that goes.
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
        if (SetsOneOf(write, unique)) count += 2;
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

// The new item is another one to every index: the entries of the old go, those of the new come.
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

}  // namespace

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

}  // namespace stator::model
