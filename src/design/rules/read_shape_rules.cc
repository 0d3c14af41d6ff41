// AP15, AP16: does the request have the shape of the question?
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "model/keys/key_access.h"
#include "model/keys/truth.h"
#include "rules/families.h"

namespace stator::model {
namespace {

bool IsBound(const Plan& plan, std::string_view attribute) {
  return std::ranges::any_of(plan.key, [&](const PlanClause& clause) {
    return clause.attribute == attribute && clause.comparison == Comparison::kEqual;
  });
}

void CheckWholeKeyQuery(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (plan.operation != Operation::kQuery || plan.index != nullptr) continue;
    if (plan.table == nullptr || !plan.table->partition) continue;
    if (!IsBound(plan, plan.table->partition->name)) continue;
    if (plan.table->sort && !IsBound(plan, plan.table->sort->name)) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("{} queries {} for one whole key: there is at most one such item",
                             plan.pattern->name, plan.table->id),
                 plan.entity != nullptr ? fmt::format("get: {}", plan.entity->name) : "get");
  }
}

bool IsFixed(const ReadDetail& read, std::string_view attribute) {
  if (read.foreach_attribute == attribute) return true;
  return std::ranges::any_of(read.where, [&](const Term& term) {
    return term.attribute == attribute && term.comparison == Comparison::kEqual;
  });
}

// The attribute by which the items of the query come in order; empty: by none.
std::string OrderOf(const Plan& plan) {
  for (const KeyAttribute* key : SchemaOf(*plan.table, plan.index).sort) {
    const KeyTemplate made = BaseTemplateFor(*plan.entity, key->name);
    for (const TemplatePart& part : made.parts) {
      if (part.is_placeholder && !IsFixed(plan.pattern->read, part.text)) return part.text;
    }
  }
  return {};
}

void CheckOrder(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    const std::string& meant = plan.pattern->read.order_by;
    if (meant.empty() || plan.operation != Operation::kQuery || plan.entity == nullptr) continue;
    const std::string real = OrderOf(plan);
    if (real == meant) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("{} means the order of {}, and {} comes in the order of {}",
                             plan.pattern->name, meant, SchemaOf(*plan.table, plan.index).Name(),
                             real.empty() ? "nothing" : real),
                 fmt::format("a sort key that begins with {}", meant));
  }
}

constexpr std::array kRules = {
    Rule{
        .id = "AP15",
        .title = "a Query for one whole key",
        .severity = Severity::kNote,
        .check = CheckWholeKeyQuery,
        .lesson =
            "A Query that gives the partition key and the whole sort key can find one item or "
            "none. GetItem says so: it returns the item and not a list, it can be batched, and "
            "nobody has to wonder what a second item would mean. The price is the same.",
        .bad = R"(model: 1
tables: {notes: {key: "owner str, id str"}}
entities:
  Note: {table: notes, attrs: {owner: str 20, id: str ulid}, volume: {per: {owner: 20/50}, total: 900}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  one: {query: notes, of: Note, where: "owner = $o, id = $i", limit: 1, rate: 50/day}
)",
        .good = R"(model: 1
tables: {notes: {key: "owner str, id str"}}
entities:
  Note: {table: notes, attrs: {owner: str 20, id: str ulid}, volume: {per: {owner: 20/50}, total: 900}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  one: {get: Note, rate: 50/day}
)",
    },
    Rule{
        .id = "AP16",
        .title = "an order that the sort key does not have",
        .severity = Severity::kWarning,
        .check = CheckOrder,
        .lesson =
            "A query returns items in the order of the sort key and in no other. \"The last call "
            "that was completed\", read from a key that begins with the scheduled time, is the "
            "call that was scheduled last. `order_by` says which order the reader means, and it is "
            "compared with the key.",
        .bad = R"(model: 1
tables: {calls: {key: "user str, sk str"}}
entities:
  Call:
    table: calls
    keys: {sk: "{planned:013d}#{id}"}
    attrs: {user: str 12, id: str 12 no=#, planned: num epoch_ms, done: num epoch_ms}
    volume: {total: 1000, per: {user: 20}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  last: {query: calls, of: Call, where: user = $u, order: desc, order_by: done, limit: 1, rate: 9/day}
)",
        .good = R"(model: 1
tables: {calls: {key: "user str, sk str"}}
entities:
  Call:
    table: calls
    keys: {sk: "{planned:013d}#{id}"}
    attrs: {user: str 12, id: str 12 no=#, planned: num epoch_ms, done: num epoch_ms}
    volume: {total: 1000, per: {user: 20}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  last: {query: calls, of: Call, where: user = $u, order: desc, order_by: planned, limit: 1, rate: 9/day}
)",
    },
};

}  // namespace

std::span<const Rule> ReadShapeRules() { return kRules; }

}  // namespace stator::model
