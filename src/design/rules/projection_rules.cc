// IX02, IX03, IX04: what indexes copy, and what their readers want.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rules/entity_keys.h"
#include "rules/index_rules.h"
#include "rules/narrower_index.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

using Kind = Projection::Kind;

bool WantsWholeItems(const ReadDetail& read) {
  return read.needs.empty() && !read.count && !read.count_by_length && !read.then_get;
}

// What the query itself looks at in an entry, besides what it hands back.
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
    if (std::ranges::find(missing, name) == missing.end()) missing.push_back(name);
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

std::vector<std::string> Without(const std::vector<std::string>& names,
                                 const std::vector<std::string>& others) {
  std::vector<std::string> rest;
  for (const std::string& name : names) {
    if (std::ranges::find(others, name) == others.end()) rest.push_back(name);
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

// What every reader of the index together wants of entries. Absent: one of them wants whole items,
// or nobody reads it, which another rule says.
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

// Tools take ALL when nothing is said.
void AdviseToSay(const Table& table, const Index& index, Findings& findings) {
  if (index.projection.stated) return;
  findings.Note(IndexTarget(table, index), index.place,
                "says no projection, so every attribute is copied",
                "project: all if that is meant, else keys or a list");
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

}  // namespace

constinit const Rule kUnprojectedAttribute{
    .id = "IX02",
    .title = "a pattern needs an attribute that its index does not project",
    .severity = Severity::kError,
    .check = CheckUnprojectedAttribute,
    .lesson =
        "A query on a global index sees what the index projects and nothing else. An attribute "
        "that is not there does not raise an error: it is missing from the result, and a filter on "
        "it is never true. Either project it or fetch the items from the table afterwards, which "
        "makes one read for each of them.",
    .bad = R"(model: 1
tables:
  calls:
    key: id str
    indexes:
      ByStatus: {pk: status str, sk: at str, project: [tenant]}
entities:
  Call:
    table: calls
    attrs: {id: str ulid, status: str 8 enum=open|done, at: str iso_s, tenant: str 8, audio: bool}
    volume: {total: 1000, per: {status: 500}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  open: {query: calls.ByStatus, of: Call, where: status = open, needs: [tenant, audio], page: 25, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  calls:
    key: id str
    indexes:
      ByStatus: {pk: status str, sk: at str, project: [tenant, audio]}
entities:
  Call:
    table: calls
    attrs: {id: str ulid, status: str 8 enum=open|done, at: str iso_s, tenant: str 8, audio: bool}
    volume: {total: 1000, per: {status: 500}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  open: {query: calls.ByStatus, of: Call, where: status = open, needs: [tenant, audio], page: 25, rate: 10/day}
)",
};

constinit const Rule kTwoProjections{
    .id = "IX03",
    .title = "one index, two projections",
    .severity = Severity::kError,
    .check = CheckTwoProjections,
    .lesson =
        "When the prose, the diagram and the Terraform each list the attributes of an index, the "
        "one that is deployed wins, and readers written against another find attributes missing. "
        "A projection cannot be altered: the mistake is mended with a second index and a "
        "migration. `elsewhere` records what other documents say, so that the difference shows.",
    .bad = R"(model: 1
tables:
  calls:
    key: id str
    indexes:
      ByStatus: {pk: status str, project: [audio], elsewhere: {terraform: [tenant]}}
entities:
  Call:
    table: calls
    attrs: {id: str ulid, status: str 8 enum=open|done, tenant: str 8, audio: bool}
    volume: {total: 1000, per: {status: 500}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  open: {query: calls.ByStatus, of: Call, where: status = open, needs: [audio], page: 25, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  calls:
    key: id str
    indexes:
      ByStatus: {pk: status str, project: [audio], elsewhere: {terraform: [audio]}}
entities:
  Call:
    table: calls
    attrs: {id: str ulid, status: str 8 enum=open|done, tenant: str 8, audio: bool}
    volume: {total: 1000, per: {status: 500}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  open: {query: calls.ByStatus, of: Call, where: status = open, needs: [audio], page: 25, rate: 10/day}
)",
};

constinit const Rule kWideProjection{
    .id = "IX04",
    .title = "an index projects more than its patterns read",
    .severity = Severity::kWarning,
    .check = CheckWideProjection,
    .lesson =
        "What an index projects is written again with every change and stored again for every "
        "item; a write costs one unit for each KB of the entry. When the patterns on an index say "
        "what they need, everything else can stay out. The finding says how many write units and "
        "dollars a month that saves; when it is next to nothing, it is only a note.",
    .bad = R"(model: 1
tables:
  orders:
    key: id str
    indexes:
      ByStatus: {pk: status str, sk: at str, project: all}
entities:
  Order:
    table: orders
    attrs: {id: str ulid, status: str 8 enum=open|sent, at: str iso_s, total: num 6, letter: str 3000/9000}
    volume: {total: 1e6, per: {status: 5e5}}
patterns:
  add: {write: Order.create, guard: not_exists, rate: 100/s}
  open: {query: orders.ByStatus, of: Order, where: status = open, needs: [total], page: 25, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  orders:
    key: id str
    indexes:
      ByStatus: {pk: status str, sk: at str, project: [total]}
entities:
  Order:
    table: orders
    attrs: {id: str ulid, status: str 8 enum=open|sent, at: str iso_s, total: num 6, letter: str 3000/9000}
    volume: {total: 1e6, per: {status: 5e5}}
patterns:
  add: {write: Order.create, guard: not_exists, rate: 100/s}
  open: {query: orders.ByStatus, of: Order, where: status = open, needs: [total], page: 25, rate: 10/day}
)",
};

}  // namespace stator::model
