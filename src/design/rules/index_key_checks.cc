// IX05, IX06, IX08, IX10, IX12: the keys of indexes.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "rules/checks.h"
#include "rules/entity_keys.h"

namespace stator::model {

// ---- IX05, IX06, IX08: what entities write into the keys of indexes

namespace {

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

// Whether a pattern gives the values of the partition key that the entity writes, or other values.
enum class Fit { kUnsaid, kServed, kOther };

Fit FitOf(const Pattern& pattern, const Entity& entity, const KeyAttribute& key) {
  const std::vector<std::string> sources = KeySources(entity, key.name);
  const auto is_bound = [&](const std::string& name) {
    return pattern.read.foreach_attribute == name || Binds(pattern.read.where, name);
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

}  // namespace

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

// ---- IX10, IX12: keys of several attributes, and the names of generic ones

namespace {

// The term of the pattern about the key attribute, or about an attribute that it is made from.
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

}  // namespace

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

void CheckIndexNaming(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) NamingCheck(table, findings).Run();
}

}  // namespace stator::model
