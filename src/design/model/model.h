// The model of an application's data: what docs/model.md describes, as values.
//
// A Model is what was written in the file, checked for form only (names that exist, types that
// parse). The rules (rules.h) say whether the design is good, the resolver (plan.h) what a pattern
// becomes, and the estimate (estimate.h) what it costs.
//
// Everything is kept in the order of the file, and everything that a finding can point at has its
// place. References between parts are by name; Find… returns the part.
#ifndef STATOR_MODEL_MODEL_H_
#define STATOR_MODEL_MODEL_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/attribute.h"
#include "model/keys/key_template.h"
#include "model/keys/predicate.h"
#include "model/place.h"

namespace stator::model {

using std::chrono::seconds;

// Events per second. "10/day" is 10.0 / 86400.
struct Rate {
  double per_second = 0;
  double PerDay() const { return per_second * 86400; }
};

// ---- assume

struct Assumptions {
  std::string region = "us-east-1";
  std::string price_list;  // empty: the newest
  seconds month{30 * 86400};
  double peak = 1;  // peak rate ÷ mean rate
  std::string time_zone = "UTC";
  std::vector<std::string> environments;
  std::map<std::string, Rate> rates;  // named: $msgs
  Place place;
};

// ---- tables

struct KeyAttribute {
  std::string name;
  Type type = Type::kS;  // kS, kN or kB
  Place place;
};

struct Projection {
  enum class Kind : std::uint8_t { kAll, kKeysOnly, kInclude };
  Kind kind = Kind::kAll;
  std::vector<std::string> attributes;  // of kInclude
  bool stated = false;  // false: the file says nothing, so DynamoDB's tools take ALL
  Place place;
};

struct Sparse {
  std::optional<Predicate> when;  // the items that carry the index's keys
  double share = 1;               // the part of the entity's items in the index at any time
  Place place;
};

struct Shards {
  int count = 1;
  std::string by;  // empty: random; else the attribute whose hash gives the shard
  Place place;
};

struct Capacity {
  double read = 0;
  double write = 0;
  Place place;
};

struct Index {
  std::string name;
  bool local = false;
  std::vector<KeyAttribute> partition;  // one, or up to four
  std::vector<KeyAttribute> sort;       // none, one, or up to four
  Projection projection;
  // What other documents say that this index projects, by the name of the document.
  std::vector<std::pair<std::string, Projection>> elsewhere;
  bool overloaded = false;  // several entities share it on purpose
  std::optional<Sparse> sparse;
  std::optional<Shards> shards;
  std::optional<Capacity> capacity;
  Place place;
};

// A setting that may differ between environments: `pitr: {prod: 35d}`.
template <class T>
struct PerEnvironment {
  std::optional<T> everywhere;
  std::map<std::string, T> in;
  std::optional<T> In(const std::string& environment) const {
    if (const auto it = in.find(environment); it != in.end()) return it->second;
    return everywhere;
  }
  bool empty() const { return !everywhere && in.empty(); }
};

struct Table {
  std::string id;                         // how the model refers to it
  std::string name;                       // on the endpoint
  std::optional<KeyAttribute> partition;  // absent: the file gives no key, which a rule reports
  std::optional<KeyAttribute> sort;
  std::optional<Capacity> provisioned;  // absent: on demand
  bool infrequent_access = false;
  std::string ttl;     // the attribute; empty: none
  std::string stream;  // "NEW_AND_OLD_IMAGES" …; empty: none
  PerEnvironment<seconds> pitr;
  PerEnvironment<bool> deletion_protection;
  std::vector<Index> indexes;
  // AttributeDefinitions as another document lists them; empty: derived, and so always right.
  std::vector<KeyAttribute> attribute_definitions;
  Place place;

  const Index* FindIndex(std::string_view index_name) const;
};

// ---- entities

struct Volume {
  std::optional<Rate> create;
  std::optional<Rate> update;
  std::optional<Rate> remove;
  std::optional<Amount> total;  // items that exist at any time
  // Items that share one value of these attributes: {chatId: 60/100}, {"chatId+userId": 20}.
  std::vector<std::pair<std::vector<std::string>, Amount>> per;
  // The largest share of the items and of their traffic that one value of an attribute has.
  std::map<std::string, double> skew;
  Place place;
};

struct State {
  std::string name;
  std::optional<seconds> dwell;  // how long items usually stay
  bool end = false;
  Place place;
};

struct Move {
  std::string name;
  std::vector<std::string> from;  // empty: from any state ("* -> x")
  std::vector<std::string> to;
  std::vector<std::string> sets;  // "+CompletedAt"
  bool stamps = true;             // false: "-StatusUpdatedAt", the move keeps the old stamp
  Place place;
};

struct Machine {
  std::string attribute;
  std::vector<std::string> initial;
  std::string stamp;  // the attribute that every move sets to now; empty: none
  std::vector<State> states;
  std::vector<Move> moves;
  Place place;

  const State* FindState(std::string_view name) const;
  const Move* FindMove(std::string_view name) const;
};

struct Entity {
  std::string name;
  std::string table;  // Table::id
  // Of the key attributes of the table and its indexes, and of other derived attributes.
  std::vector<KeyTemplate> keys;
  std::vector<Attribute> attributes;  // declared, and those that only templates name
  std::optional<Amount> item_bytes;   // `size:`; absent: the sum of the attributes
  Volume volume;
  std::vector<std::vector<std::string>> unique;  // [callId] or [[tenant, email]]
  std::string version;                           // the attribute; empty: none
  std::vector<std::string> rekey;                // patterns' writes that may change the base key
  std::string ttl;                               // the attribute; empty: items do not expire
  std::optional<seconds> audit;                  // how long items must be kept for later questions
  std::optional<Machine> machine;
  Place place;

  const Attribute* FindAttribute(std::string_view attribute_name) const;
  const KeyTemplate* FindKey(std::string_view attribute_name) const;
};

// ---- patterns

enum class PatternKind : std::uint8_t { kGet, kQuery, kScan, kWrite, kTransaction };

enum class WriteKind : std::uint8_t { kCreate, kPut, kUpdate, kDelete, kMove, kRekey };

enum class Guard : std::uint8_t { kUnsaid, kNone, kExists, kNotExists, kVersion, kCondition };

enum class PatternClass : std::uint8_t { kHot, kOps, kAdmin };

// What a write's code does. Much of it only matters for code that does not use the entity layer.
struct WriteDetail {
  WriteKind kind = WriteKind::kUpdate;
  std::string move;               // of kMove
  std::vector<std::string> sets;  // source attributes it changes
  std::vector<std::string> removes;
  std::vector<std::string> adds;  // counters it increments
  // The derived keys that the code writes. Absent: all that are affected, as the entity layer does.
  std::optional<std::vector<std::string>> derives;
  Guard guard = Guard::kUnsaid;
  std::optional<Predicate> condition;
  double duplicate_share = 0;  // `dup: 5%`: requests whose condition fails
  enum class ReadFirst : std::uint8_t { kNo, kEventual, kStrong };
  ReadFirst read_first = ReadFirst::kNo;  // read–modify–write
  std::string sends;                      // a queue it also sends to
  bool outbox = false;
  std::vector<std::string> empty_sets;  // sets that are written empty
};

struct ReadDetail {
  std::string table;  // Table::id
  std::string index;  // empty: the table itself
  std::vector<Term> where;
  std::optional<Predicate> filter;
  std::optional<Predicate> finds;  // the items that the reader wants, in source attributes
  bool descending = false;
  bool order_stated = false;
  std::string order_by;               // the attribute whose order the reader means (AP16)
  std::optional<std::int64_t> limit;  // Limit of one request
  std::optional<std::int64_t> want;   // matches wanted: pages until found
  bool first_match = false;           // takes the result of one request with limit and filter
  std::optional<std::int64_t> page;   // items per page; the caller asks for the next page
  bool all = false;                   // reads every page
  bool count = false;                 // select: count
  bool count_by_length = false;       // counts Items of one page
  std::vector<std::string> needs;     // attributes wanted back; empty: all
  bool strong = false;
  std::int64_t batch = 1;                   // gets made together
  bool batched = true;                      // false: one GetItem after the other
  std::string foreach_attribute;            // one query for each value of an enum or list
  std::vector<std::string> foreach_values;  // empty: each value of the attribute's enum
  bool all_shards = true;                   // false: the code asks one shard only
  bool unique = false;                      // the caller expects exactly one item
  std::optional<std::string> then_get;      // entity fetched by key for each hit
  enum class Expired : std::uint8_t { kUnsaid, kHide, kSee };
  Expired expired = Expired::kUnsaid;
  std::optional<seconds> cache;
  bool cache_per_process = false;
};

// The request as the application's code sends it, checked word by word.
struct Code {
  std::string api;  // "Query", "UpdateItem" …; empty: what the pattern resolves to
  std::string key_condition;
  std::string filter;
  std::string update;
  std::string condition;
  std::string projection;
  std::map<std::string, std::string> names;   // ExpressionAttributeNames
  std::map<std::string, std::string> values;  // ":now" → "num", "str", "emptyset", "list" …
  std::vector<std::string> parameters;        // further members of the request
  Place place;
};

struct Pattern {
  std::string name;
  PatternKind kind = PatternKind::kGet;
  std::string entity;                 // written, or read by get; may be empty for queries
  std::vector<std::string> entities;  // of queries and scans that are about several: `of: [A, B]`
  ReadDetail read;                    // of kGet, kQuery, kScan
  WriteDetail write;                  // of kWrite
  std::vector<std::string> by;        // of kGet: attributes that the caller knows
  std::vector<std::string> parts;     // of kTransaction: names of other patterns
  std::optional<Rate> rate;
  std::string rate_text;
  PatternClass pattern_class = PatternClass::kHot;
  bool class_stated = false;
  std::string reason;
  std::string on_error;         // "fail", "empty", "log" …
  std::optional<Amount> items;  // `items: 30/100`: what it returns, when it cannot be derived
  std::string scope;            // the attribute that bounds what the caller may see (KY15)
  std::vector<Code> code;
  Place place;
};

// ---- the rest

struct Migration {
  enum class Kind : std::uint8_t { kAddIndex, kRemoveIndex, kBackfill };
  Kind kind = Kind::kAddIndex;
  std::string table;
  std::string index;
  std::string entity;                   // of a backfill
  std::vector<std::string> attributes;  // derived keys that are filled
  Guard guard = Guard::kUnsaid;
  enum class Order : std::uint8_t { kUnsaid, kWritersFirst, kBackfillFirst, kReadersFirst };
  Order order = Order::kUnsaid;
  bool resumable = true;
  int segments = 1;
  std::optional<Rate> rate;
  std::vector<std::string> together;  // index changes made in the same UpdateTable
  Place place;
};

struct Grant {
  std::string who;
  std::string table;
  std::vector<std::string> actions;   // "PutItem" …
  std::vector<std::string> indexes;   // index ARNs that are in the policy; "*": all
  std::vector<std::string> patterns;  // the patterns that `who` runs; empty: all of the table
  Place place;
};

struct Snippet {
  std::string language;  // "hcl"
  std::string text;
  Place place;
};

struct Claim {
  std::string says;
  std::string check;   // docs/model.md has the expressions
  std::string about;   // a word that says what was assumed: "eventual", "provisioned" …
  std::string source;  // where it is said
  Place place;
};

struct Acceptance {
  std::string rule;    // "IX04"
  std::string target;  // "jobs.StatusIndex"; empty: anywhere
  std::string reason;
  Place place;
};

struct Model {
  std::string file;
  std::string title;
  Assumptions assume;
  std::vector<Table> tables;
  std::vector<Entity> entities;
  std::vector<Pattern> patterns;
  std::vector<Migration> migrations;
  std::vector<Grant> grants;
  std::vector<Snippet> snippets;
  std::vector<Claim> claims;
  std::vector<Acceptance> accepted;

  const Table* FindTable(std::string_view id) const;
  const Entity* FindEntity(std::string_view name) const;
  const Pattern* FindPattern(std::string_view name) const;
  std::vector<const Entity*> EntitiesOf(const Table& table) const;
};

}  // namespace stator::model

#endif  // STATOR_MODEL_MODEL_H_
