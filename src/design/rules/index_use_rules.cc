// IX01, IX07, IX09: what indexes are there for.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "rules/entity_keys.h"
#include "rules/index_rules.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

constexpr std::size_t kMaxGlobalIndexes = 20;
constexpr std::size_t kMaxLocalIndexes = 5;

// By name and not by plan only: a pattern that does not resolve still means its index.
bool Uses(const Plan& plan, const Table& table, const Index& index) {
  return plan.index == &index ||
         (plan.pattern->read.table == table.id && plan.pattern->read.index == index.name);
}

std::size_t CountUsers(const Subject& subject, const Table& table, const Index& index) {
  return static_cast<std::size_t>(std::ranges::count_if(
      subject.plans, [&](const Plan& plan) { return Uses(plan, table, index); }));
}

bool IsBeingRemoved(const Model& model, const Table& table, const Index& index) {
  return std::ranges::any_of(model.migrations, [&](const Migration& migration) {
    return migration.kind == Migration::Kind::kRemoveIndex && migration.table == table.id &&
           migration.index == index.name;
  });
}

// A write request unit costs five read request units.
constexpr double kReadsForAWrite = 5;

// Read request units of one Scan of the table; nullopt: the model does not say how much it holds.
std::optional<double> ScanUnits(const Model& model, const Table& table) {
  constexpr double kBytesAUnit = 8192;  // of an eventually consistent read
  double bytes = 0;
  for (const Entity* entity : model.EntitiesOf(table)) {
    if (!entity->volume.total) return std::nullopt;
    bytes += entity->volume.total->typical * ItemBytes(model, *entity).typical;
  }
  return bytes / kBytesAUnit;
}

// An index that is kept up to date all day for a question of once a month. It is worth a warning
// when the Scans that it saves would cost less than the writes that it takes.
void AdviseAgainstRareUse(const Subject& subject, const Table& table, const Index& index,
                          Findings& findings) {
  double asked_per_day = 0;
  double writes_per_day = 0;
  for (std::size_t i = 0; i < subject.plans.size(); ++i) {
    const Pattern& pattern = *subject.plans[i].pattern;
    const double per_day = pattern.rate ? pattern.rate->PerDay() : 0;
    if (Uses(subject.plans[i], table, index)) {
      if (pattern.pattern_class != PatternClass::kAdmin) return;
      asked_per_day += per_day;
    }
    for (const auto& [written, units] : subject.estimates[i].index_write_units) {
      if (written == &index) writes_per_day += units.typical * per_day;
    }
  }
  const std::string fix = "a Scan of class admin with its reason may be cheaper";
  const std::optional<double> scan = ScanUnits(subject.model, table);
  if (scan && asked_per_day > 0 && *scan * asked_per_day < writes_per_day * kReadsForAWrite) {
    findings.Add(IndexTarget(table, index), index.place,
                 fmt::format("only patterns of class admin read it: {:.3g} WRU a day keep it up to "
                             "date, and the Scans that it saves would read {:.3g} RRU a day",
                             writes_per_day, *scan * asked_per_day),
                 "a Scan of class admin with its reason");
    return;
  }
  findings.Note(IndexTarget(table, index), index.place,
                "only patterns of class admin read it, and every write keeps it up to date", fix);
}

void CheckUnusedIndex(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    for (const Index& index : table.indexes) {
      if (CountUsers(subject, table, index) > 0) {
        AdviseAgainstRareUse(subject, table, index, findings);
        continue;
      }
      if (IsBeingRemoved(subject.model, table, index)) continue;
      findings.Add(IndexTarget(table, index), index.place,
                   fmt::format("no pattern reads {}, and every write that touches it pays for it",
                               index.name),
                   "remove the index, or say the pattern that it is for");
    }
  }
}

// Indexes that one entity each fills for one pattern each can share one pair of generic keys.
bool CouldShare(const Subject& subject, const Table& table, const Index& a, const Index& b) {
  const auto alone = [&](const Index& index) {
    return !index.local && !index.overloaded && !index.shards && index.partition.size() == 1 &&
           index.partition[0].type == Type::kS && index.sort.size() <= 1 &&
           CountUsers(subject, table, index) == 1 &&
           EntitiesIn(subject.model, table, index).size() == 1;
  };
  if (!alone(a) || !alone(b)) return false;
  if (a.sort.size() != b.sort.size()) return false;
  if (!a.sort.empty() && a.sort[0].type != b.sort[0].type) return false;
  return EntitiesIn(subject.model, table, a) != EntitiesIn(subject.model, table, b);
}

void AdviseSharing(const Subject& subject, const Table& table, Findings& findings) {
  std::vector<std::string> together;
  const Index* first = nullptr;
  for (std::size_t i = 0; i < table.indexes.size() && together.empty(); ++i) {
    first = &table.indexes[i];
    for (const Index& other : std::span(table.indexes).subspan(i + 1)) {
      if (CouldShare(subject, table, *first, other)) together.push_back(other.name);
    }
  }
  if (together.empty()) return;
  together.insert(together.begin(), first->name);
  findings.Note(
      table.id, first->place,
      fmt::format("{} have the same shape, one entity and one pattern each", List(together)),
      "let them share one index with generic keys (GSI1PK, GSI1SK) and a prefix for each "
      "entity; say `overloaded: true`");
}

void CheckIndexOverloading(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    const auto locals =
        static_cast<std::size_t>(std::ranges::count_if(table.indexes, &Index::local));
    const std::size_t globals = table.indexes.size() - locals;
    if (globals > kMaxGlobalIndexes) {
      findings.Add(
          table.id, table.place,
          fmt::format("{} global indexes; a table may have {}", globals, kMaxGlobalIndexes),
          "let entities share indexes with generic keys and prefixes");
    }
    if (locals > kMaxLocalIndexes) {
      findings.Add(table.id, table.place,
                   fmt::format("{} local indexes; a table may have {}", locals, kMaxLocalIndexes),
                   "make some of them global");
    }
    if (table.indexes.size() <= kMaxGlobalIndexes) AdviseSharing(subject, table, findings);
  }
}

void CheckSamePartitionKey(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    if (!table.partition) continue;
    for (const Index& index : table.indexes) {
      const bool same =
          index.partition.size() == 1 && index.partition[0].name == table.partition->name;
      if (index.local && !same) {
        findings.Add(
            IndexTarget(table, index), index.place,
            fmt::format("a local index has the table's partition key, {}", table.partition->name),
            fmt::format("pk: {}, or leave out `local`", table.partition->name));
      } else if (!index.local && same) {
        findings.Note(
            IndexTarget(table, index), index.place,
            fmt::format("its partition key is the table's, {}: a local index would do",
                        table.partition->name),
            "local: true if the table is yet to be created, needs strong reads here and keeps "
            "each partition under 10 GB; otherwise keep it global");
      }
    }
  }
}

}  // namespace

constinit const Rule kUnusedIndex{
    .id = "IX01",
    .title = "an index that no pattern reads",
    .severity = Severity::kWarning,
    .check = CheckUnusedIndex,
    .lesson =
        "An index is a second table that DynamoDB keeps for you. Every write that changes an "
        "indexed item writes the index too, and its storage is billed with 100 bytes on top of "
        "each entry. One that no access pattern reads is paid for and gives nothing; it is also "
        "one of twenty.",
    .bad = R"(model: 1
tables:
  notes:
    key: owner str, id str
    indexes:
      ByTopic: {pk: topic str, project: keys}
entities:
  Note:
    table: notes
    attrs: {owner: str 20, id: str ulid, topic: str 12}
    volume: {total: 1000, per: {owner: 20/50, topic: 10/40}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  read: {get: Note, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  notes:
    key: owner str, id str
    indexes:
      ByTopic: {pk: topic str, project: keys}
entities:
  Note:
    table: notes
    attrs: {owner: str 20, id: str ulid, topic: str 12}
    volume: {total: 1000, per: {owner: 20/50, topic: 10/40}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  read: {get: Note, rate: 10/day}
  by_topic: {query: notes.ByTopic, of: Note, where: topic = $t, needs: [id], all: true, rate: 5/day}
)",
};

constinit const Rule kIndexOverloading{
    .id = "IX07",
    .title = "more indexes than a table may have, or than it needs",
    .severity = Severity::kError,
    .check = CheckIndexOverloading,
    .lesson =
        "A table may have 20 global and 5 local indexes. An index for every access pattern meets "
        "that limit sooner than one thinks, and each one is a thing to name, watch and migrate. "
        "Entities that are never in the same index can share one: give it generic keys (GSI1PK, "
        "GSI1SK), let each entity write its own prefix there, and each query sees its own entity "
        "only.",
    .bad = R"(model: 1
tables:
  app:
    key: pk str, sk str
    indexes:
      ByEmail: {pk: email str, project: all}
      ByOrg: {pk: org str, project: all}
entities:
  User:
    table: app
    keys: {pk: "USER#{userId}", sk: USER}
    attrs: {userId: str 20 no=#, email: str 30}
    volume: {total: 1000, per: {userId: 1, email: 1}}
  Team:
    table: app
    keys: {pk: "TEAM#{teamId}", sk: TEAM}
    attrs: {teamId: str 20 no=#, org: str 20}
    volume: {total: 100, per: {teamId: 1, org: 5}}
patterns:
  add_user: {write: User.create, guard: not_exists, rate: 10/day}
  add_team: {write: Team.create, guard: not_exists, rate: 1/day}
  by_email: {query: app.ByEmail, of: User, where: email = $e, all: true, rate: 10/day}
  by_org: {query: app.ByOrg, of: Team, where: org = $o, all: true, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  app:
    key: pk str, sk str
    indexes:
      GSI1: {pk: GSI1PK str, project: all, overloaded: true}
entities:
  User:
    table: app
    keys: {pk: "USER#{userId}", sk: USER, GSI1PK: "EMAIL#{email}"}
    attrs: {userId: str 20 no=#, email: str 30}
    volume: {total: 1000, per: {userId: 1, email: 1}}
  Team:
    table: app
    keys: {pk: "TEAM#{teamId}", sk: TEAM, GSI1PK: "ORG#{org}"}
    attrs: {teamId: str 20 no=#, org: str 20}
    volume: {total: 100, per: {teamId: 1, org: 5}}
patterns:
  add_user: {write: User.create, guard: not_exists, rate: 10/day}
  add_team: {write: Team.create, guard: not_exists, rate: 1/day}
  by_email: {query: app.GSI1, of: User, where: email = $e, all: true, rate: 10/day}
  by_org: {query: app.GSI1, of: Team, where: org = $o, all: true, rate: 10/day}
)",
};

constinit const Rule kSamePartitionKey{
    .id = "IX09",
    .title = "an index with the table's own partition key",
    .severity = Severity::kError,
    .check = CheckSamePartitionKey,
    .lesson =
        "A local index has the partition key of its table and another sort key. It allows strong "
        "reads and shares the table's capacity, but it can be made only when the table is created, "
        "never removed, and it limits all items of one partition key to 10 GB. So a global index "
        "with the table's partition key is often right for a table that exists; decide it, rather "
        "than find out later.",
    .bad = R"(model: 1
tables:
  visits:
    key: chatId str, id str
    indexes:
      ByTime: {pk: chatId str, sk: at num, project: all}
entities:
  Visit:
    table: visits
    attrs: {chatId: str 12, id: str ulid, at: num epoch_s}
    volume: {total: 1000, per: {chatId: 50/100}}
patterns:
  add: {write: Visit.create, guard: not_exists, rate: 10/day}
  latest: {query: visits.ByTime, of: Visit, where: chatId = $c, order: desc, limit: 1, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  visits:
    key: chatId str, id str
    indexes:
      ByTime: {pk: chatId str, sk: at num, project: all, local: true}
entities:
  Visit:
    table: visits
    attrs: {chatId: str 12, id: str ulid, at: num epoch_s}
    volume: {total: 1000, per: {chatId: 50/100}}
patterns:
  add: {write: Visit.create, guard: not_exists, rate: 10/day}
  latest: {query: visits.ByTime, of: Visit, where: chatId = $c, order: desc, limit: 1, rate: 10/day}
)",
};

}  // namespace stator::model
