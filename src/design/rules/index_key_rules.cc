// IX05, IX06, IX08: what entities write into the keys of indexes.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rules/entity_keys.h"
#include "rules/index_rules.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

void CheckOptionalIndexKey(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    for (const Index& index : table.indexes) {
      if (index.sparse) continue;
      for (const Entity* entity : EntitiesIn(subject.model, table, index)) {
        std::vector<std::string> optional = SourcesOf(*entity, KeysOf(index));
        std::erase_if(optional, [&](const std::string& name) {
          const Attribute* attribute = entity->FindAttribute(name);
          return attribute == nullptr || !attribute->optional;
        });
        if (optional.empty()) continue;
        findings.Add(IndexTarget(table, index), index.place,
                     fmt::format("{} may lack {}, and items without it are not in the index",
                                 entity->name, List(optional)),
                     fmt::format("sparse: {{when: {} exists, share: …}}, or make {} required",
                                 optional[0], List(optional)));
      }
    }
  }
}

bool HoldsSeveral(Type type) {
  return type == Type::kL || type == Type::kM || type == Type::kSS || type == Type::kNS ||
         type == Type::kBS;
}

void CheckKeysOfCollections(const Model& model, const Table& table, const Index& index,
                            Findings& findings) {
  for (const Entity* entity : EntitiesIn(model, table, index)) {
    for (const KeyAttribute* key : KeysOf(index)) {
      for (const std::string& source : KeySources(*entity, key->name)) {
        const Attribute* attribute = entity->FindAttribute(source);
        if (attribute == nullptr || !HoldsSeveral(attribute->type)) continue;
        findings.Add(IndexTarget(table, index), index.place,
                     fmt::format("{} of {} holds several values, and an item has one {}", source,
                                 entity->name, key->name),
                     fmt::format("an item for each value of {} (an adjacency list)", source));
      }
    }
  }
}

// How a pattern's equalities fit the partition key that the entity writes.
enum class Fit { kUnsaid, kServed, kOther };

Fit FitOf(const Pattern& pattern, const Entity& entity, const KeyAttribute& key) {
  const std::vector<std::string> sources = KeySources(entity, key.name);
  const auto is_bound = [&](const std::string& name) {
    return pattern.read.foreach_attribute == name ||
           std::ranges::any_of(pattern.read.where, [&](const Term& term) {
             return term.attribute == name &&
                    (term.comparison == Comparison::kEqual || term.comparison == Comparison::kIn);
           });
  };
  if (is_bound(key.name) || std::ranges::all_of(sources, is_bound)) return Fit::kServed;
  if (std::ranges::any_of(sources, is_bound)) return Fit::kUnsaid;
  const bool asks_other = std::ranges::any_of(pattern.read.where, [&](const Term& term) {
    return term.comparison == Comparison::kEqual && entity.FindAttribute(term.attribute) != nullptr;
  });
  return asks_other ? Fit::kOther : Fit::kUnsaid;
}

void CheckKeysForPatterns(const Subject& subject, const Table& table, const Index& index,
                          Findings& findings) {
  if (index.partition.empty()) return;
  const KeyAttribute& key = index.partition.front();
  for (const Entity* entity : EntitiesIn(subject.model, table, index)) {
    const Pattern* served = nullptr;
    std::vector<const Pattern*> others;
    for (const Plan& plan : subject.plans) {
      const ReadDetail& read = plan.pattern->read;
      if (read.table != table.id || read.index != index.name) continue;
      if (plan.entity != entity && plan.pattern->entity != entity->name) continue;
      const Fit fit = FitOf(*plan.pattern, *entity, key);
      if (fit == Fit::kServed) served = plan.pattern;
      if (fit == Fit::kOther) others.push_back(plan.pattern);
    }
    if (served == nullptr) continue;
    for (const Pattern* pattern : others) {
      const KeyTemplate* made = entity->FindKey(key.name);
      findings.Add(pattern->name, pattern->place,
                   fmt::format("asks {} for another {} than {} has there: it is `{}` for {}",
                               index.name, key.name, entity->name,
                               made == nullptr ? key.name : made->text, served->name),
                   "an index of its own for one of the two patterns");
    }
  }
}

void CheckTwoValuesInOneKey(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    for (const Index& index : table.indexes) {
      CheckKeysOfCollections(subject.model, table, index, findings);
      CheckKeysForPatterns(subject, table, index, findings);
    }
  }
}

// Plain attributes may well be keys of several indexes. A computed one ties them together: none of
// them can change its form without the others.
void CheckReusedKeyAttribute(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    std::map<std::string, std::vector<std::string>> users;
    for (const KeyAttribute* key : KeysOf(table)) users[key->name].emplace_back("the table");
    for (const Index& index : table.indexes) {
      for (const KeyAttribute* key : KeysOf(index)) {
        const bool own = index.local && table.partition && key->name == table.partition->name;
        if (!own) users[key->name].push_back(index.name);
      }
    }
    const std::vector<const Entity*> entities = subject.model.EntitiesOf(table);
    for (const auto& [attribute, names] : users) {
      if (names.size() < 2) continue;
      if (std::ranges::none_of(entities, [&, &name = attribute](const Entity* entity) {
            return IsComputed(*entity, name);
          })) {
        continue;
      }
      findings.Add(table.id + "." + attribute, table.place,
                   fmt::format("{} share the computed key attribute {}", List(names), attribute),
                   "an attribute for each, so that one index can change without the others");
    }
  }
}

}  // namespace

constinit const Rule kOptionalIndexKey{
    .id = "IX05",
    .title = "an optional attribute in the key of an index that is not declared sparse",
    .severity = Severity::kWarning,
    .check = CheckOptionalIndexKey,
    .lesson =
        "An item that lacks a key attribute of an index is not in the index, silently. That is a "
        "fine tool when it is meant: a sparse index is small and cheap. When it is not meant, a "
        "query quietly leaves items out. Say `sparse` with the condition under which items are in "
        "the index, and the checker, the cost and the entity layer all use it.",
    .bad = R"(model: 1
tables:
  orders:
    key: id str
    indexes:
      ByTracking: {pk: tracking str, project: keys}
entities:
  Order:
    table: orders
    attrs: {id: str ulid, tracking: str 20 opt}
    volume: {total: 1000, per: {tracking: 1}}
patterns:
  add: {write: Order.create, guard: not_exists, rate: 10/day}
  track: {query: orders.ByTracking, of: Order, where: tracking = $t, needs: [id], all: true, rate: 9/day}
)",
    .good = R"(model: 1
tables:
  orders:
    key: id str
    indexes:
      ByTracking: {pk: tracking str, project: keys, sparse: {when: tracking exists, share: 10%}}
entities:
  Order:
    table: orders
    attrs: {id: str ulid, tracking: str 20 opt}
    volume: {total: 1000, per: {tracking: 1}}
patterns:
  add: {write: Order.create, guard: not_exists, rate: 10/day}
  track: {query: orders.ByTracking, of: Order, where: tracking = $t, needs: [id], all: true, rate: 9/day}
)",
};

constinit const Rule kTwoValuesInOneKey{
    .id = "IX06",
    .title = "an entity needs two values in one key of an index",
    .severity = Severity::kError,
    .check = CheckTwoValuesInOneKey,
    .lesson =
        "An item appears in an index once, under the one value of its key attribute. Sharing an "
        "index between entities works because each has its own items; an entity that two patterns "
        "look for under different keys needs two indexes, and an attribute that holds several "
        "values (tags, members) needs an item for each value.",
    .bad = R"(model: 1
tables:
  app:
    key: pk str, sk str
    indexes:
      GSI1: {pk: GSI1PK str, project: all}
entities:
  Post:
    table: app
    keys: {pk: "USER#{userId}", sk: "POST#{postId}", GSI1PK: "TAG#{tags}"}
    attrs: {userId: str 12 no=#, postId: str ulid, tags: strset 60}
    volume: {total: 1000, per: {userId: 20, tags: 50}}
patterns:
  add: {write: Post.create, guard: not_exists, rate: 10/day}
  tagged: {query: app.GSI1, of: Post, where: tags = $t, page: 25, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  app:
    key: pk str, sk str
    indexes:
      GSI1: {pk: GSI1PK str, project: all}
entities:
  Post:
    table: app
    keys: {pk: "USER#{userId}", sk: "POST#{postId}", GSI1PK: "TAG#{topic}"}
    attrs: {userId: str 12 no=#, postId: str ulid, topic: str 12 no=#}
    volume: {total: 1000, per: {userId: 20, topic: 50}}
patterns:
  add: {write: Post.create, guard: not_exists, rate: 10/day}
  tagged: {query: app.GSI1, of: Post, where: topic = $t, page: 25, rate: 10/day}
)",
};

constinit const Rule kReusedKeyAttribute{
    .id = "IX08",
    .title = "a computed key attribute serves several indexes",
    .severity = Severity::kNote,
    .check = CheckReusedKeyAttribute,
    .lesson =
        "A sort key that is made for the table, such as time#id, looks useful for the indexes too, "
        "and saves an attribute. But then the table and the indexes can only change together: the "
        "day one index needs another order, every item must be written again, and the table's own "
        "key cannot be. A key attribute for each index costs a few bytes and keeps them free.",
    .bad = R"(model: 1
tables:
  calls:
    key: userId str, sk str
    indexes:
      byProvider: {pk: provider str, sk: sk str, project: all}
entities:
  Call:
    table: calls
    keys: {sk: "{at:013d}#{callId}"}
    attrs: {userId: str 12, provider: str 12, callId: str 26, at: num epoch_ms}
    volume: {total: 1000, per: {userId: 20, provider: 50}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  list: {query: calls.byProvider, of: Call, where: provider = $p, order: desc, page: 25, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  calls:
    key: userId str, sk str
    indexes:
      byProvider: {pk: provider str, sk: providerSk str, project: all}
entities:
  Call:
    table: calls
    keys: {sk: "{at:013d}#{callId}", providerSk: "{at:013d}#{callId}"}
    attrs: {userId: str 12, provider: str 12, callId: str 26, at: num epoch_ms}
    volume: {total: 1000, per: {userId: 20, provider: 50}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  list: {query: calls.byProvider, of: Call, where: provider = $p, order: desc, page: 25, rate: 10/day}
)",
};

}  // namespace stator::model
