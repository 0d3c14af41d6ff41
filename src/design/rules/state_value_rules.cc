// ST05: values that no item has.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/names.h"
#include "rules/phrases.h"
#include "rules/state_rules.h"

namespace stator::model {
namespace {

// The values that the attribute may have in the entities that a term may mean. Empty: any.
class ValueSpace {
 public:
  ValueSpace(const Model& model, std::string table, std::string entity)
      : model_(model), table_(std::move(table)), entity_(std::move(entity)) {}

  std::set<std::string> Of(const Term& term) const {
    return Of(term.attribute, term.entity.empty() ? entity_ : term.entity);
  }
  std::set<std::string> Of(const std::string& attribute) const { return Of(attribute, entity_); }

 private:
  std::set<std::string> Of(const std::string& attribute, const std::string& entity_name) const {
    std::set<std::string> values;
    for (const Entity& entity : model_.entities) {
      if (entity_name.empty() ? entity.table != table_ : entity.name != entity_name) continue;
      const Attribute* declared = entity.FindAttribute(attribute);
      if (declared == nullptr) continue;
      if (declared->values.empty()) return {};
      values.insert(declared->values.begin(), declared->values.end());
    }
    return values;
  }

  const Model& model_;
  std::string table_;
  std::string entity_;
};

class ValueCheck {
 public:
  ValueCheck(ValueSpace space, std::string target, Findings& findings)
      : space_(std::move(space)), target_(std::move(target)), findings_(findings) {}

  void Terms(const std::vector<Term>& terms, Place place) {
    for (const Term& term : terms) {
      const std::set<std::string> values = space_.Of(term);
      if (term.comparison == Comparison::kBeginsWith || term.comparison == Comparison::kContains) {
        continue;
      }
      for (const Operand& operand : term.operands) {
        if (operand.kind == Operand::Kind::kText) {
          Value(term.attribute, operand.text, values, place);
        }
      }
    }
  }

  void OfPredicate(const std::optional<Predicate>& predicate, Place place) {
    if (!predicate) return;
    for (const std::vector<Term>& terms : predicate->any_of) Terms(terms, place);
  }

  void Each(const std::string& attribute, const std::vector<std::string>& given, Place place) {
    const std::set<std::string> values = space_.Of(attribute);
    for (const std::string& value : given) Value(attribute, value, values, place);
  }

 private:
  void Value(const std::string& attribute, const std::string& value,
             const std::set<std::string>& values, Place place) {
    if (values.empty() || values.contains(value)) return;
    const std::vector<std::string_view> names(values.begin(), values.end());
    const std::string_view nearest = NearestName(value, names);
    findings_.Add(
        target_, place,
        fmt::format("{} is never `{}`; it is {}", attribute, value,
                    List(std::vector<std::string>(values.begin(), values.end()))),
        nearest.empty() ? "ask for one of its values" : fmt::format("{} = {}", attribute, nearest));
  }

  ValueSpace space_;
  std::string target_;
  Findings& findings_;
};

void CheckUnknownValue(const Subject& subject, Findings& findings) {
  const Model& model = subject.model;
  for (const Plan& plan : subject.plans) {
    const Pattern& pattern = *plan.pattern;
    ValueCheck check(ValueSpace(model, pattern.read.table,
                                plan.entity == nullptr ? pattern.entity : plan.entity->name),
                     pattern.name, findings);
    check.Terms(pattern.read.where, pattern.place);
    check.OfPredicate(pattern.read.filter, pattern.place);
    check.OfPredicate(pattern.read.finds, pattern.place);
    check.OfPredicate(pattern.write.condition, pattern.place);
    check.Each(pattern.read.foreach_attribute, pattern.read.foreach_values, pattern.place);
  }
  for (const Table& table : model.tables) {
    for (const Index& index : table.indexes) {
      if (!index.sparse) continue;
      ValueCheck(ValueSpace(model, table.id, ""), IndexTarget(table, index), findings)
          .OfPredicate(index.sparse->when, index.place);
    }
  }
}

}  // namespace

constinit const Rule kUnknownValue{
    .id = "ST05",
    .title = "a value that the attribute never has",
    .severity = Severity::kError,
    .check = CheckUnknownValue,
    .lesson =
        "A query for a status that is not one of the declared ones returns nothing and no error, "
        "for ever. It is a typing mistake, a state that was renamed, or another case: `COMPLETE` "
        "for `completed`. The values are declared once, in the enum or the machine, and every "
        "literal is compared with them.",
    .bad = R"(model: 1
tables:
  jobs:
    key: id str
    indexes:
      ByStatus: {pk: status str, project: all}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, status: str 9 enum=open|completed}
    volume: {total: 1000, per: {status: 500}}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  done: {query: jobs.ByStatus, of: Job, where: status = complete, page: 25, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs:
    key: id str
    indexes:
      ByStatus: {pk: status str, project: all}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, status: str 9 enum=open|completed}
    volume: {total: 1000, per: {status: 500}}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  done: {query: jobs.ByStatus, of: Job, where: status = completed, page: 25, rate: 10/day}
)",
};

}  // namespace stator::model
