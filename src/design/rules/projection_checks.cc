// IX02–IX04: what indexes copy, and what their readers want.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/cost/price_list.h"
#include "rules/checks.h"
#include "rules/entity_keys.h"

namespace stator::model {
namespace {

// ---- What a narrower projection of an index would save

constexpr double kWriteUnitBytes = 1024;
// Dollars per month; less than this is not worth a warning.
constexpr double kPettySaving = 1;

struct Saving {
  double write_units_per_day = 0;
  double stored_bytes = 0;
  double dollars_per_month = 0;  // at the on-demand price of writes, and of storage
};

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

// The index with a projection of these attributes only; those that its keys hold are left out.
Index NarrowedTo(const Model& model, const Table& table, const Index& index,
                 const std::vector<std::string>& attributes) {
  Index narrow = index;
  narrow.projection = {.kind = Projection::Kind::kKeysOnly, .attributes = {}, .stated = true};
  std::vector<std::string> included;
  for (const Entity* entity : EntitiesIn(model, table, index)) {
    for (const std::string& name : attributes) {
      if (!Fills(*entity, name) || Offers(table, narrow, *entity, name)) continue;
      AddOnce(included, name);
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
  for (const PatternCharges& pattern : subject.charges) {
    for (const Charge& charge : pattern.charges) {
      const Plan& plan = *charge.estimate.plan;
      if (plan.table != &table || plan.entity == nullptr) continue;
      saving.write_units_per_day += UnitsSavedByRun(model, plan, table, index, narrow) *
                                    Rate{charge.runs_per_second}.PerDay();
    }
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

// "a narrower projection saves 120 WRU a day and 3 MB of storage, $0.02 a month"
std::string SavingText(const Saving& saving) {
  return fmt::format(
      "a narrower projection saves {} WRU a day and {} MB of storage, ${:.2f} a month",
      FigureText(saving.write_units_per_day), FigureText(saving.stored_bytes / 1e6),
      saving.dollars_per_month);
}

// ---- What readers want

using Kind = Projection::Kind;

bool WantsWholeItems(const ReadDetail& read) {
  return read.needs.empty() && !read.count && !read.count_by_length && !read.then_get;
}

// What the query itself looks at in an entry, besides what it returns.
void AddFilterAttributes(const Plan& plan, std::vector<std::string>& needs) {
  for (const Term& term : plan.residue) needs.push_back(term.attribute);
  if (!plan.pattern->read.filter) return;
  for (const std::vector<Term>& all_of : plan.pattern->read.filter->any_of) {
    for (const Term& term : all_of) needs.push_back(term.attribute);
  }
}

std::vector<std::string> NeededFromIndex(const Plan& plan) {
  std::vector<std::string> needs;
  if (!plan.pattern->read.then_get) needs = plan.pattern->read.needs;
  AddFilterAttributes(plan, needs);
  return needs;
}

std::vector<std::string> NotOffered(const Plan& plan, const std::vector<std::string>& needs) {
  std::vector<std::string> missing;
  for (const std::string& name : needs) {
    const bool known = Fills(*plan.entity, name);
    if (!known || Offers(*plan.table, *plan.index, *plan.entity, name)) continue;
    AddOnce(missing, name);
  }
  return missing;
}

std::vector<std::string> AttributeNames(const Entity& entity) {
  std::vector<std::string> names;
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.implicit) names.push_back(attribute.name);
  }
  return names;
}

std::vector<std::string> Without(const std::vector<std::string>& names,
                                 const std::vector<std::string>& others) {
  std::vector<std::string> rest;
  for (const std::string& name : names) {
    if (!Contains(others, name)) rest.push_back(name);
  }
  return rest;
}

bool SameProjection(const Projection& a, const Projection& b) {
  return a.kind == b.kind && Without(a.attributes, b.attributes).empty() &&
         Without(b.attributes, a.attributes).empty();
}

std::string DifferenceText(const Projection& here, const std::string& document,
                           const Projection& there) {
  if (here.kind != Kind::kInclude || there.kind != Kind::kInclude) {
    return fmt::format("projects {} here and {} in {}", ProjectionAsWritten(here),
                       ProjectionAsWritten(there), document);
  }
  const std::vector<std::string> only_here = Without(here.attributes, there.attributes);
  const std::vector<std::string> only_there = Without(there.attributes, here.attributes);
  std::string text = "the two lists of projected attributes differ:";
  if (!only_here.empty()) text += fmt::format(" {} only here", List(only_here));
  if (!only_here.empty() && !only_there.empty()) text += ",";
  if (!only_there.empty()) text += fmt::format(" {} only in {}", List(only_there), document);
  return text;
}

// What all readers of the index together want from its entries. Absent: one of them wants whole
// items, or nobody reads it, which another rule reports.
std::optional<std::vector<std::string>> WantedByAll(const Subject& subject, const Index& index) {
  std::set<std::string> wanted;
  bool read = false;
  for (const Plan& plan : subject.plans) {
    if (plan.index != &index) continue;
    read = true;
    if (plan.entity == nullptr || WantsWholeItems(plan.pattern->read)) return std::nullopt;
    for (std::string& name : NeededFromIndex(plan)) wanted.insert(std::move(name));
  }
  if (!read) return std::nullopt;
  return std::vector<std::string>(wanted.begin(), wanted.end());
}

// Attributes that entries hold and nobody asks for.
std::vector<std::string> Superfluous(const Model& model, const Table& table, const Index& index,
                                     const Index& narrow) {
  std::set<std::string> more;
  for (const Entity* entity : EntitiesIn(model, table, index)) {
    for (const std::string& name : AttributeNames(*entity)) {
      if (Offers(table, index, *entity, name) && !Offers(table, narrow, *entity, name)) {
        more.insert(name);
      }
    }
  }
  return {more.begin(), more.end()};
}

// Tools project everything when nothing is said.
void AdviseToSay(const Table& table, const Index& index, Findings& findings) {
  if (index.projection.stated) return;
  findings.Note(IndexTarget(table, index), index.place,
                "says no projection, so every attribute is copied",
                "project: all if that is meant, else keys or a list");
}

}  // namespace

void CheckUnprojectedAttribute(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (plan.index == nullptr || plan.entity == nullptr) continue;
    if (plan.index->projection.kind == Kind::kAll) continue;
    const bool whole = WantsWholeItems(plan.pattern->read);
    const std::vector<std::string> missing =
        NotOffered(plan, whole ? AttributeNames(*plan.entity) : NeededFromIndex(plan));
    if (missing.empty()) continue;
    const std::string message = fmt::format("{} {}, which {} does not project",
                                            whole ? "says no `needs`, so wants all, also" : "needs",
                                            List(missing), IndexTarget(*plan.table, *plan.index));
    if (whole) {
      findings.Note(plan.pattern->name, plan.pattern->place, message,
                    "say what it needs, or `then_get` the items");
    } else {
      findings.Add(
          plan.pattern->name, plan.pattern->place, message,
          fmt::format("add {} to `project`, or `then_get: {}`", List(missing), plan.entity->name));
    }
  }
}

void CheckTwoProjections(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    for (const Index& index : table.indexes) {
      for (const auto& [document, there] : index.elsewhere) {
        if (SameProjection(index.projection, there)) continue;
        findings.Add(IndexTarget(table, index), index.place,
                     DifferenceText(index.projection, document, there),
                     fmt::format("decide on one; a projection cannot be changed later without a "
                                 "new index"));
      }
    }
  }
}

void CheckWideProjection(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    for (const Index& index : table.indexes) {
      if (index.projection.kind == Kind::kKeysOnly) continue;
      const auto wanted = WantedByAll(subject, index);
      if (!wanted) {
        AdviseToSay(table, index, findings);
        continue;
      }
      const Index narrow = NarrowedTo(subject.model, table, index, *wanted);
      const std::vector<std::string> more = Superfluous(subject.model, table, index, narrow);
      if (more.empty()) continue;
      const Saving saving = SavingOf(subject, table, index, narrow);
      const std::string message = fmt::format("copies {}, which no pattern reads there: {}",
                                              List(more), SavingText(saving));
      const std::string fix = "project: " + ProjectionAsWritten(narrow.projection);
      if (saving.dollars_per_month < kPettySaving) {
        findings.Note(IndexTarget(table, index), index.place, message, fix);
      } else {
        findings.Add(IndexTarget(table, index), index.place, message, fix);
      }
    }
  }
}

}  // namespace stator::model
