// IX10, IX12: keys of several attributes, and the names of generic ones.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "rules/entity_keys.h"
#include "rules/index_rules.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

// The term of the pattern that speaks of the key attribute, itself or by its only source.
const Term* TermOn(const Plan& plan, const KeyAttribute& key) {
  const auto speaks_of = [&](const Term& term) {
    if (term.attribute == key.name) return true;
    const KeyTemplate* made = plan.entity == nullptr ? nullptr : plan.entity->FindKey(key.name);
    return made != nullptr && made->Uses(term.attribute);
  };
  const auto& where = plan.pattern->read.where;
  const auto it = std::ranges::find_if(where, speaks_of);
  return it == where.end() ? nullptr : &*it;
}

bool IsEquality(const Plan& plan, const Term* term, const KeyAttribute& key) {
  if (plan.pattern->read.foreach_attribute == key.name) return true;
  return term != nullptr && term->comparison == Comparison::kEqual;
}

std::vector<std::string> Names(const std::vector<KeyAttribute>& keys) {
  std::vector<std::string> names;
  for (const KeyAttribute& key : keys) names.push_back(key.name);
  return names;
}

std::optional<std::string> PartitionProblem(const Plan& plan, const Index& index) {
  for (const KeyAttribute& key : index.partition) {
    if (IsEquality(plan, TermOn(plan, key), key)) continue;
    return fmt::format("gives no value for {}, one of the partition attributes {}", key.name,
                       List(Names(index.partition)));
  }
  return std::nullopt;
}

std::optional<std::string> SortProblem(const Plan& plan, const Index& index) {
  const KeyAttribute* open = nullptr;  // the first that is not bound to one value
  for (const KeyAttribute& key : index.sort) {
    const Term* term = TermOn(plan, key);
    if (term != nullptr && open != nullptr) {
      return fmt::format(
          "asks {} without {} before it; sort attributes are used from the left, "
          "and a range comes last",
          key.name, open->name);
    }
    if (open == nullptr && !IsEquality(plan, term, key)) open = &key;
  }
  return std::nullopt;
}

void CheckMultiAttributeOrder(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (plan.pattern->kind != PatternKind::kQuery) continue;
    const ReadDetail& read = plan.pattern->read;
    const Table* table = subject.model.FindTable(read.table);
    const Index* index = table == nullptr ? nullptr : table->FindIndex(read.index);
    if (index == nullptr || (index->partition.size() < 2 && index->sort.size() < 2)) continue;
    std::optional<std::string> problem;
    if (index->partition.size() > 1) problem = PartitionProblem(plan, *index);
    if (!problem && index->sort.size() > 1) problem = SortProblem(plan, *index);
    if (!problem) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("{}: {}", IndexTarget(*table, *index), *problem),
                 fmt::format("ask all of {} and then {} from the left, or order the attributes of "
                             "the index as patterns need them",
                             List(Names(index->partition)), List(Names(index->sort))));
  }
}

// "GSI1PK", "gsi_2_sk": a generic name, its number, its role and its style.
struct GenericName {
  std::string number;
  bool is_partition = false;
  std::string style;  // the name with N for the number and K for the role: "GSINK"
};

std::optional<GenericName> ParseGenericName(std::string_view name) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.size() < 6 || lower(name[0]) != 'g' || lower(name[1]) != 's' || lower(name[2]) != 'i') {
    return std::nullopt;
  }
  GenericName generic{.number = {}, .is_partition = false, .style = std::string(name.substr(0, 3))};
  std::size_t at = 3;
  const auto take_underscore = [&] {
    if (at < name.size() && name[at] == '_') generic.style += name[at++];
  };
  take_underscore();
  while (at < name.size() && is_digit(name[at])) generic.number += name[at++];
  generic.style += 'N';
  take_underscore();
  if (generic.number.empty() || name.size() - at != 2 || lower(name[at + 1]) != 'k') {
    return std::nullopt;
  }
  if (lower(name[at]) != 'p' && lower(name[at]) != 's') return std::nullopt;
  generic.is_partition = lower(name[at]) == 'p';
  generic.style += std::isupper(static_cast<unsigned char>(name[at])) != 0 ? 'K' : 'k';
  return generic;
}

std::string NumberAtEnd(std::string_view index_name) {
  std::size_t begin = index_name.size();
  while (begin > 0 && index_name[begin - 1] >= '0' && index_name[begin - 1] <= '9') --begin;
  return std::string(index_name.substr(begin));
}

class NamingCheck {
 public:
  NamingCheck(const Table& table, Findings& findings) : table_(table), findings_(findings) {}

  void Run() {
    for (const Index& index : table_.indexes) {
      for (const KeyAttribute& key : index.partition) CheckName(index, key, true);
      for (const KeyAttribute& key : index.sort) CheckName(index, key, false);
    }
  }

 private:
  void CheckName(const Index& index, const KeyAttribute& key, bool is_partition) {
    const std::optional<GenericName> name = ParseGenericName(key.name);
    if (!name) return;
    if (first_style_.empty()) first_style_ = name->style;
    const std::string number = NumberAtEnd(index.name);
    if (name->is_partition != is_partition) {
      Report(index, key, is_partition ? "is a partition key" : "is a sort key");
    } else if (!number.empty() && number != name->number) {
      Report(index, key, "is a key of index " + number);
    } else if (name->style != first_style_) {
      Report(index, key, "is spelled unlike the others");
    }
  }

  void Report(const Index& index, const KeyAttribute& key, std::string_view what) {
    findings_.Add(IndexTarget(table_, index), index.place,
                  fmt::format("{} {}, against its name", key.name, what),
                  "GSI1PK and GSI1SK for index 1, GSI2PK and GSI2SK for index 2, in one spelling");
  }

  const Table& table_;
  Findings& findings_;
  std::string first_style_;
};

void CheckIndexNaming(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) NamingCheck(table, findings).Run();
}

}  // namespace

constinit const Rule kMultiAttributeOrder{
    .id = "IX10",
    .title = "attributes of a multi-attribute key skipped or out of order",
    .severity = Severity::kError,
    .check = CheckMultiAttributeOrder,
    .lesson =
        "A key of an index may be made of up to four attributes. A query must give every partition "
        "attribute a value, and may then use the sort attributes from the left: equality on the "
        "first ones, and a range on the last one that it names. An attribute in between cannot be "
        "left out. Order them as the patterns ask: equalities first, ranges last.",
    .bad = R"(model: 1
tables:
  matches:
    key: id str
    indexes:
      ByPlace: {pk: [tenant str, region str], sk: [round str, at num], project: all}
entities:
  Match:
    table: matches
    attrs: {id: str ulid, tenant: str 8, region: str 8, round: str 8, at: num epoch_s}
    volume: {total: 1000, per: {tenant+region: 50, tenant+region+round: 10}}
patterns:
  add: {write: Match.create, guard: not_exists, rate: 10/day}
  recent: {query: matches.ByPlace, of: Match, where: "tenant = $t, region = $r, at > $since", page: 25, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  matches:
    key: id str
    indexes:
      ByPlace: {pk: [tenant str, region str], sk: [round str, at num], project: all}
entities:
  Match:
    table: matches
    attrs: {id: str ulid, tenant: str 8, region: str 8, round: str 8, at: num epoch_s}
    volume: {total: 1000, per: {tenant+region: 50, tenant+region+round: 10}}
patterns:
  add: {write: Match.create, guard: not_exists, rate: 10/day}
  recent: {query: matches.ByPlace, of: Match, where: "tenant = $t, region = $r, round = $x, at > $since", page: 25, rate: 10/day}
)",
};

constinit const Rule kIndexNaming{
    .id = "IX12",
    .title = "generic key names that do not say what they are",
    .severity = Severity::kNote,
    .check = CheckIndexNaming,
    .lesson =
        "Generic key attributes say two things by their names: which index they belong to, and "
        "whether they are the partition or the sort key. GSI1PK and GSI1SK for the first index, "
        "GSI2PK and GSI2SK for the second, in one spelling. When a name says something else, "
        "somebody will fill the wrong one.",
    .bad = R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI2PK str, sk: GSI2SK str, project: all}
entities:
  Order:
    table: app
    keys: {PK: "CUSTOMER#{user}", SK: "ORDER#{id}", GSI2PK: "ORDER#{id}", GSI2SK: "ORDER#{id}"}
    attrs: {user: str 12 no=#, id: str ulid}
    volume: {total: 1000, per: {user: 20, id: 1}}
patterns:
  add: {write: Order.create, guard: not_exists, rate: 10/day}
  by_id: {query: app.GSI1, of: Order, where: id = $id, limit: 1, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all}
entities:
  Order:
    table: app
    keys: {PK: "CUSTOMER#{user}", SK: "ORDER#{id}", GSI1PK: "ORDER#{id}", GSI1SK: "ORDER#{id}"}
    attrs: {user: str 12 no=#, id: str ulid}
    volume: {total: 1000, per: {user: 20, id: 1}}
patterns:
  add: {write: Order.create, guard: not_exists, rate: 10/day}
  by_id: {query: app.GSI1, of: Order, where: id = $id, limit: 1, rate: 10/day}
)",
};

}  // namespace stator::model
