#include "model/parse/field_tables.h"

#include <algorithm>
#include <array>

namespace stator::model {
namespace {

template <class... Names>
constexpr auto List(Names... names) {
  return std::array<std::string_view, sizeof...(names)>{names...};
}

// Fields that patterns of every kind take, after those of their kind.
template <class... Names>
constexpr auto PatternList(Names... names) {
  return List(names..., "rate", "class", "reason", "on_error", "items", "scope", "code");
}

constexpr auto kModel = List("model", "title", "assume", "types", "tables", "entities", "patterns",
                             "migrations", "grants", "infrastructure", "claims", "accept");
constexpr auto kAssume = List("region", "price_list", "month", "peak", "time_zone", "env", "rates");
constexpr auto kTable = List("name", "key", "billing", "class", "ttl", "stream", "pitr", "protect",
                             "attributes", "indexes");
constexpr auto kCapacity = List("read", "write");
constexpr auto kIndex =
    List("pk", "sk", "local", "project", "elsewhere", "overloaded", "sparse", "shards", "capacity");
constexpr auto kSparse = List("when", "share");
constexpr auto kShards = List("n", "by");
constexpr auto kEntity = List("table", "keys", "size", "volume", "attrs", "unique", "version",
                              "rekey", "ttl", "audit", "machine");
constexpr auto kVolume = List("total", "create", "update", "remove", "per");
constexpr auto kMachine = List("attr", "initial", "stamp", "states", "moves");
constexpr auto kGet =
    PatternList("get", "by", "batch", "batched", "fresh", "needs", "expired", "cache");
constexpr auto kQuery =
    PatternList("query", "of", "where", "filter", "finds", "order", "order_by", "limit", "want",
                "first_match", "page", "all", "select", "needs", "fresh", "foreach", "shards",
                "unique", "then_get", "expired", "cache");
constexpr auto kScan = PatternList("scan", "of", "filter", "finds", "limit", "page", "all",
                                   "select", "needs", "fresh", "expired");
constexpr auto kWrite = PatternList("write", "by", "sets", "removes", "adds", "guard", "dup",
                                    "derives", "read_first", "sends", "outbox", "empty_sets");
constexpr auto kTransaction = PatternList("transaction");
constexpr auto kCode =
    List("api", "key", "filter", "update", "condition", "projection", "names", "values", "with");
constexpr auto kMigration = List("add_index", "remove_index", "backfill", "then", "guard", "order",
                                 "resumable", "segments", "rate", "together");
constexpr auto kGrant = List("table", "actions", "indexes", "patterns");
constexpr auto kSnippet = List("hcl");
constexpr auto kClaim = List("says", "check", "about", "source");

}  // namespace

bool FieldTable::Has(std::string_view name) const {
  return std::ranges::find(names, name) != names.end();
}

const FieldTable kModelFields{"model", kModel};
const FieldTable kAssumeFields{"assume", kAssume};
const FieldTable kTableFields{"table", kTable};
const FieldTable kCapacityFields{"capacity", kCapacity};
const FieldTable kIndexFields{"index", kIndex};
const FieldTable kSparseFields{"sparse", kSparse};
const FieldTable kShardsFields{"shards", kShards};
const FieldTable kEntityFields{"entity", kEntity};
const FieldTable kVolumeFields{"volume", kVolume};
const FieldTable kMachineFields{"machine", kMachine};
const FieldTable kGetFields{"get", kGet};
const FieldTable kQueryFields{"query", kQuery};
const FieldTable kScanFields{"scan", kScan};
const FieldTable kWriteFields{"write", kWrite};
const FieldTable kTransactionFields{"transaction", kTransaction};
const FieldTable kCodeFields{"code", kCode};
const FieldTable kMigrationFields{"migration", kMigration};
const FieldTable kGrantFields{"grant", kGrant};
const FieldTable kSnippetFields{"infrastructure", kSnippet};
const FieldTable kClaimFields{"claim", kClaim};

std::span<const FieldTable* const> AllFieldTables() {
  static constexpr std::array kAll{
      &kModelFields,  &kAssumeFields,    &kTableFields,  &kCapacityFields, &kIndexFields,
      &kSparseFields, &kShardsFields,    &kEntityFields, &kVolumeFields,   &kMachineFields,
      &kGetFields,    &kQueryFields,     &kScanFields,   &kWriteFields,    &kTransactionFields,
      &kCodeFields,   &kMigrationFields, &kGrantFields,  &kSnippetFields,  &kClaimFields,
  };
  return kAll;
}

}  // namespace stator::model
