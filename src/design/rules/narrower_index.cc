#include "rules/narrower_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/cost/price_list.h"
#include "rules/entity_keys.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

constexpr double kWriteUnitBytes = 1024;

double WriteUnits(double bytes) { return std::max(1.0, std::ceil(bytes / kWriteUnitBytes)); }

// Index writes that one run of a change makes.
double WritesOf(IndexEffect::Kind kind) {
  switch (kind) {
    case IndexEffect::Kind::kNone:
      return 0;
    case IndexEffect::Kind::kMove:
      return 2;
    case IndexEffect::Kind::kPut:
    case IndexEffect::Kind::kRemove:
    case IndexEffect::Kind::kUpdate:
      return 1;
  }
  return 0;
}

// Whether the write changes something that the narrow index still holds.
bool StillChanges(const Plan& plan, const Table& table, const Index& narrow) {
  const WriteDetail& write = plan.pattern->write;
  if (write.sets.empty() && write.removes.empty() && write.adds.empty()) return true;
  const auto offered = [&](const std::string& name) {
    return Offers(table, narrow, *plan.entity, name);
  };
  return std::ranges::any_of(write.sets, offered) || std::ranges::any_of(write.removes, offered) ||
         std::ranges::any_of(write.adds, offered);
}

double UnitsSavedByRun(const Model& model, const Plan& plan, const Table& table, const Index& index,
                       const Index& narrow) {
  const double wide_units = WriteUnits(EntryBytes(model, *plan.entity, index).typical);
  const double narrow_units = WriteUnits(EntryBytes(model, *plan.entity, narrow).typical);
  double saved = 0;
  for (const IndexEffect& effect : plan.effects) {
    if (effect.index != &index) continue;
    const bool gone =
        effect.kind == IndexEffect::Kind::kUpdate && !StillChanges(plan, table, narrow);
    saved += effect.share * WritesOf(effect.kind) * (wide_units - (gone ? 0 : narrow_units));
  }
  return saved;
}

}  // namespace

Index NarrowedTo(const Model& model, const Table& table, const Index& index,
                 const std::vector<std::string>& attributes) {
  Index narrow = index;
  narrow.projection = {.kind = Projection::Kind::kKeysOnly, .attributes = {}, .stated = true};
  std::vector<std::string> included;
  for (const Entity* entity : EntitiesIn(model, table, index)) {
    for (const std::string& name : attributes) {
      if (!Fills(*entity, name) || Offers(table, narrow, *entity, name)) continue;
      if (std::ranges::find(included, name) == included.end()) included.push_back(name);
    }
  }
  if (included.empty()) return narrow;
  narrow.projection.kind = Projection::Kind::kInclude;
  narrow.projection.attributes = std::move(included);
  return narrow;
}

Saving SavingOf(const Subject& subject, const Table& table, const Index& index,
                const Index& narrow) {
  const Model& model = subject.model;
  Saving saving;
  for (const Plan& plan : subject.plans) {
    if (plan.table != &table || plan.entity == nullptr || !plan.pattern->rate) continue;
    saving.write_units_per_day +=
        UnitsSavedByRun(model, plan, table, index, narrow) * plan.pattern->rate->PerDay();
  }
  for (const Entity* entity : EntitiesIn(model, table, index)) {
    if (!entity->volume.total) continue;
    const double share = index.sparse ? index.sparse->share : 1;
    saving.stored_bytes +=
        entity->volume.total->typical * share *
        (EntryBytes(model, *entity, index).typical - EntryBytes(model, *entity, narrow).typical);
  }
  const PriceList* list = FindPriceList(model.assume.price_list);
  const Prices* prices = list == nullptr ? nullptr : list->Find(model.assume.region);
  if (prices == nullptr) return saving;
  const double days = static_cast<double>(model.assume.month.count()) / 86400;
  saving.dollars_per_month = saving.write_units_per_day * days * prices->write_million / 1e6 +
                             saving.stored_bytes / (1 << 30) * prices->storage_gb;
  return saving;
}

std::string SavingText(const Saving& saving) {
  return fmt::format(
      "a narrower projection saves {} WRU a day and {} MB of storage, ${:.2f} a month",
      FigureText(saving.write_units_per_day), FigureText(saving.stored_bytes / 1e6),
      saving.dollars_per_month);
}

}  // namespace stator::model
