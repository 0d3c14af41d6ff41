#include "model/parse/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "model/names.h"
#include "model/parse/predicate_text.h"
#include "model/parse/quantity_text.h"

namespace stator::model {
namespace {

template <class... Names>
constexpr auto FieldNames(Names... names) {
  return std::array<std::string_view, sizeof...(names)>{names...};
}

// Fields that patterns of every kind take, after those of their kind.
template <class... Names>
constexpr auto PatternFieldNames(Names... names) {
  return FieldNames(names..., "rate", "class", "reason", "on_error", "items", "scope", "code");
}

constexpr auto kModel =
    FieldNames("model", "title", "assume", "types", "tables", "entities", "patterns", "migrations",
               "grants", "infrastructure", "claims", "accept");
constexpr auto kAssume =
    FieldNames("region", "price_list", "month", "peak", "time_zone", "env", "rates");
constexpr auto kTable = FieldNames("name", "key", "billing", "class", "ttl", "stream", "pitr",
                                   "protect", "attributes", "indexes");
constexpr auto kCapacity = FieldNames("read", "write");
constexpr auto kIndex = FieldNames("pk", "sk", "local", "project", "elsewhere", "overloaded",
                                   "sparse", "shards", "capacity");
constexpr auto kSparse = FieldNames("when", "share");
constexpr auto kShards = FieldNames("n", "by");
constexpr auto kEntity = FieldNames("table", "keys", "size", "volume", "attrs", "unique", "version",
                                    "rekey", "ttl", "audit", "machine");
constexpr auto kVolume = FieldNames("total", "create", "update", "remove", "per", "skew");
constexpr auto kMachine = FieldNames("attr", "initial", "stamp", "states", "moves");
constexpr auto kGet =
    PatternFieldNames("get", "by", "batch", "batched", "fresh", "needs", "expired", "cache");
constexpr auto kQuery =
    PatternFieldNames("query", "of", "where", "filter", "finds", "order", "order_by", "limit",
                      "want", "first_match", "page", "all", "select", "needs", "fresh", "foreach",
                      "shards", "unique", "then_get", "expired", "cache");
constexpr auto kScan = PatternFieldNames("scan", "of", "filter", "finds", "limit", "page", "all",
                                         "select", "needs", "fresh", "expired");
constexpr auto kWrite = PatternFieldNames("write", "by", "sets", "removes", "adds", "guard", "dup",
                                          "derives", "read_first", "sends", "outbox", "empty_sets");
constexpr auto kTransaction = PatternFieldNames("transaction");
constexpr auto kCode = FieldNames("api", "key", "filter", "update", "condition", "projection",
                                  "names", "values", "with");
constexpr auto kMigration = FieldNames("add_index", "remove_index", "backfill", "then", "guard",
                                       "order", "resumable", "segments", "rate", "together");
constexpr auto kGrant = FieldNames("table", "actions", "indexes", "patterns");
constexpr auto kSnippet = FieldNames("hcl");
constexpr auto kClaim = FieldNames("says", "check", "about", "source");

// The nearest field, or the parts that do have the field: it was put into the wrong one.
std::string FieldHint(std::string_view name, const FieldTable& table) {
  const std::string_view nearest = NearestName(name, table.names);
  if (!nearest.empty()) return fmt::format("did you mean `{}`?", nearest);
  std::vector<std::string_view> owners;
  for (const FieldTable* other : AllFieldTables()) {
    if (other->Has(name)) owners.push_back(other->part);
  }
  if (!owners.empty()) {
    return fmt::format("it belongs to {}, this is {}", fmt::join(owners, ", "), table.part);
  }
  return fmt::format("{} has {}", table.part, fmt::join(table.names, ", "));
}

}  // namespace

void Problems::Add(Place place, std::string message, std::string hint) {
  if (!full()) found_.push_back({place, std::move(message), std::move(hint)});
}

void Problems::AddUnknown(Place place, std::string_view what, std::string_view name,
                          std::span<const std::string_view> valid) {
  if (!full()) Add(place, fmt::format("unknown {} `{}`", what, name), NameHint(name, valid));
}

void Problems::AddWrongKind(const Node& node, std::string_view name, std::string_view expected) {
  Add(node.place, fmt::format("`{}` must be {}, not {}", name, expected, KindName(node.kind)));
}

std::vector<Problem> Problems::Take() {
  std::ranges::sort(found_, [](const Problem& a, const Problem& b) {
    return std::tie(a.place, a.message) < std::tie(b.place, b.message);
  });
  return std::move(found_);
}

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

Fields::Fields(Problems& problems, const Node& node, const FieldTable& table)
    : problems_(problems), node_(node), table_(table) {
  if (!CheckMap(problems, node, table.part)) return;
  for (const Node::Key& key : node.keys) {
    if (problems.full()) return;
    if (!table.Has(key.text)) {
      problems.Add(key.place, fmt::format("unknown field `{}`", key.text),
                   FieldHint(key.text, table));
    }
  }
}

const Node* Fields::Find(std::string_view name) const {
  STATOR_CHECK(table_.Has(name));
  const Node* value = node_.Find(name);
  return value == nullptr || value->kind == Node::Kind::kNothing ? nullptr : value;
}

Place Fields::PlaceOf(std::string_view name) const {
  const Node* value = Find(name);
  return value == nullptr ? node_.place : value->place;
}

const Node* Fields::FindText(std::string_view name) const {
  const Node* value = Find(name);
  if (value == nullptr || value->IsText()) return value;
  problems_.AddWrongKind(*value, name, "text");
  return nullptr;
}

std::string Fields::Text(std::string_view name) const {
  const Node* text = FindText(name);
  return text == nullptr ? "" : text->text;
}

std::string Fields::RequiredText(std::string_view name) const {
  const Node* value = Find(name);
  if (node_.IsMap() && (value == nullptr || (value->IsText() && Trim(value->text).empty()))) {
    problems_.Add(node_.place, fmt::format("{} lacks `{}`", table_.part, name));
  }
  return Text(name);
}

bool Fields::Flag(std::string_view name, bool otherwise) const {
  const Node* text = FindText(name);
  if (text == nullptr) return otherwise;
  if (const auto flag = ReadFlag(text->text)) return *flag;
  problems_.Add(text->place, fmt::format("`{}` must be true or false, not `{}`", name, text->text));
  return otherwise;
}

std::vector<std::string> Fields::Names(std::string_view name) const {
  const Node* value = Find(name);
  return value == nullptr ? std::vector<std::string>() : ReadNameList(problems_, *value, name);
}

std::optional<std::chrono::seconds> Fields::Duration(std::string_view name) const {
  return Parse(name, ReadDuration);
}

std::optional<Amount> Fields::AmountOf(std::string_view name) const {
  return Parse(name, ReadAmount);
}

std::optional<double> Fields::Share(std::string_view name) const { return Parse(name, ReadShare); }

std::optional<std::int64_t> Fields::Count(std::string_view name, std::int64_t most) const {
  return Parse(name, [most](std::string_view text) { return ReadCount(text, most); });
}

std::optional<Rate> Fields::RateOf(std::string_view name, const Assumptions& assumptions) const {
  return Parse(name, [&](std::string_view text) { return ReadRate(text, assumptions); });
}

std::optional<Predicate> Fields::PredicateOf(std::string_view name) const {
  const Node* text = FindText(name);
  return text == nullptr ? std::nullopt : ReadPredicate(problems_, *text);
}

bool CheckMap(Problems& problems, const Node& node, std::string_view name,
              std::size_t most_entries) {
  if (!node.IsMap()) {
    problems.AddWrongKind(node, name, "a map");
    return false;
  }
  if (node.items.size() <= most_entries) return true;
  problems.Add(node.place, fmt::format("`{}` has {} entries; at most {} are allowed", name,
                                       node.items.size(), most_entries));
  return false;
}

bool CheckList(Problems& problems, const Node& node, std::string_view name) {
  if (!node.IsList()) problems.AddWrongKind(node, name, "a list");
  return node.IsList();
}

std::vector<std::string> ReadNameList(Problems& problems, const Node& node, std::string_view name) {
  std::vector<std::string> names;
  if (node.IsText()) {
    for (const std::string_view word : SplitText(node.text, ',')) names.emplace_back(word);
    return names;
  }
  if (!node.IsList()) {
    problems.AddWrongKind(node, name, "a list of names");
    return names;
  }
  for (const Node& item : node.items) {
    if (item.IsText()) {
      names.push_back(item.text);
    } else {
      problems.AddWrongKind(item, name, "a list of names");
    }
  }
  return names;
}

std::optional<bool> ReadFlag(std::string_view word) {
  if (word == "true" || word == "yes" || word == "on") return true;
  if (word == "false" || word == "no" || word == "off") return false;
  return std::nullopt;
}

}  // namespace stator::model
