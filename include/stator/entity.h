// Entities: the records of an application, kept consistent by its model.
//
// The application names only its own attributes. Keys of tables and indexes, sparse or not, version
// numbers, timestamps, defaults and sentinels of unique values follow from the model; each call is
// one conditional write. What cannot be kept consistent is refused.
//
//   stator::Entities jobs(*endpoint, *model);
//   jobs.Create("FileJob", {{"Entity", "accounts"}, {"DownloadDate", "2026-02-28"}, …});
//   jobs.Move("FileJob", key, "claim");
//   for (auto page = jobs.Query("stuck"); page && !page->items.empty(); …)
//
// The endpoint may be an embedded Database, a Stator server or AWS. Thread-safe.
#ifndef STATOR_ENTITY_H_
#define STATOR_ENTITY_H_

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/clock.h"
#include "stator/endpoint.h"
#include "stator/error.h"
#include "stator/item.h"
#include "stator/model.h"

namespace stator {

enum class EntityErrorKind : std::uint8_t {
  kInvalid,    // the request breaks the model; nothing was sent
  kExists,     // Create: the item exists already
  kMissing,    // the item does not exist
  kNotUnique,  // another item has the unique value
  kConflict,   // the version, the state or a source of a derived key is not what was expected
  kStore,      // the endpoint failed; `cause` says how
};

struct EntityError {
  EntityErrorKind kind = EntityErrorKind::kStore;
  std::string message;         // names the entity, the attribute and what to do
  std::optional<Item> item;    // kConflict, kExists: the stored item, if known
  std::optional<Error> cause;  // the endpoint's own error
};

template <class T>
using EntityResult = std::expected<T, EntityError>;

// A partial change. Names of attributes are the model's; derived attributes cannot be named.
struct Change {
  std::vector<std::pair<std::string, AttributeValue>> set;
  std::vector<std::string> remove;
  // Counters, also in maps: {"totalCount", 1}, {"dayOfWeekCounts.mon", 1}. A missing
  // counter starts at 0.
  std::vector<std::pair<std::string, std::int64_t>> add;
  // Members added to or taken from sets.
  std::vector<std::pair<std::string, AttributeValue>> add_to_set;
  std::vector<std::pair<std::string, AttributeValue>> remove_from_set;
};

struct WriteOptions {
  std::optional<std::int64_t> expected_version;  // kConflict if the item has another
  // A further condition in the language of the model: "attempts < 3". Parameters as $name.
  std::string only_if;
  std::vector<std::pair<std::string, AttributeValue>> parameters;
};

struct ReadOptions {
  bool strong = false;
  std::optional<bool> hide_expired;  // default: as the pattern says, else true
};

using PatternParameters = std::vector<std::pair<std::string, AttributeValue>>;

struct PageOptions {
  std::optional<std::int64_t> limit;  // items; default: the pattern's page, limit or want
  std::string cursor;                 // empty: from the start
  std::optional<bool> descending;     // default: as the pattern says
};

struct Page {
  std::vector<Item> items;
  std::string cursor;     // where the next page starts, as text; empty: this is the last page
  double read_units = 0;  // consumed
};

struct EntityOptions {
  const Clock* clock = nullptr;  // default: the system's
  std::uint64_t seed = 0;        // of random shards and new ids; 0: from the system
  std::string table_prefix;      // put before every table's name
  int conflict_retries = 4;      // of updates that have to read first
};

// What calls have consumed so far.
struct UsedUnits {
  double read = 0;
  double write = 0;
  std::uint64_t requests = 0;
};

// Several writes that happen together or not at all. Has calls like those of Entities.
class EntityTransaction;

class Entities {
 public:
  // `endpoint` must outlive this.
  Entities(Endpoint& endpoint, Model model, EntityOptions options = {});
  ~Entities();
  Entities(Entities&&) noexcept;

  // Creates the tables of the model that do not exist, and waits until they are active. Existing
  // tables are not changed.
  EntityResult<void> CreateTables();

  // Each returns the item as it is stored. `key` holds the attributes that the base key is made of;
  // a stored item may serve as a key.
  EntityResult<Item> Create(std::string_view entity, const Item& attributes);
  EntityResult<std::optional<Item>> Get(std::string_view entity, const Item& key,
                                        const ReadOptions& options = {});
  EntityResult<std::vector<Item>> GetMany(std::string_view entity, const std::vector<Item>& keys,
                                          const ReadOptions& options = {});
  // The item must exist.
  EntityResult<Item> Update(std::string_view entity, const Item& key, const Change& change,
                            const WriteOptions& options = {});
  // Creates the item if it does not exist: for counters and running totals.
  EntityResult<Item> Upsert(std::string_view entity, const Item& key, const Change& change,
                            const WriteOptions& options = {});
  // A move of the state machine: its source state is the condition, its stamp is set. `change`
  // holds what else the move sets; `to` chooses the target if the move has several.
  EntityResult<Item> Move(std::string_view entity, const Item& key, std::string_view move,
                          const Change& change = {}, std::string_view to = {},
                          const WriteOptions& options = {});
  // Changes attributes of the base key: the old item is deleted and the new one put, in one
  // transaction, under the condition that the item has not changed meanwhile.
  EntityResult<Item> Rekey(std::string_view entity, const Item& key, const Change& change,
                           const WriteOptions& options = {});
  // Returns the deleted item.
  EntityResult<Item> Delete(std::string_view entity, const Item& key,
                            const WriteOptions& options = {});

  // One page of a read pattern of the model. Items of other entities and expired items are left
  // out; shards and values of `foreach` are queried in parallel and merged in the order of the sort
  // key. A pattern that wants a number of matches reads pages until it has them.
  EntityResult<Page> Query(std::string_view pattern, const PatternParameters& parameters = {},
                           const PageOptions& options = {});
  // All pages.
  EntityResult<std::vector<Item>> All(std::string_view pattern,
                                      const PatternParameters& parameters = {});
  EntityResult<std::optional<Item>> First(std::string_view pattern,
                                          const PatternParameters& parameters = {});
  EntityResult<std::int64_t> Count(std::string_view pattern,
                                   const PatternParameters& parameters = {});
  // Forgets what patterns with `cache` remember.
  void ForgetCached(std::string_view pattern);

  EntityTransaction Begin();

  UsedUnits used() const;
  TimeMs Now() const;

 private:
  friend class EntityTransaction;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class EntityTransaction {
 public:
  ~EntityTransaction();
  EntityTransaction(EntityTransaction&&) noexcept;

  // An error is kept and reported by Commit. Updates and moves may read the item first.
  void Create(std::string_view entity, const Item& attributes);
  void Update(std::string_view entity, const Item& key, const Change& change,
              const WriteOptions& options = {});
  void Upsert(std::string_view entity, const Item& key, const Change& change,
              const WriteOptions& options = {});
  void Move(std::string_view entity, const Item& key, std::string_view move,
            const Change& change = {}, std::string_view to = {}, const WriteOptions& options = {});
  void Delete(std::string_view entity, const Item& key, const WriteOptions& options = {});
  // Writes nothing; the item must satisfy the condition.
  void Check(std::string_view entity, const Item& key, const WriteOptions& options);

  // All or nothing. `token` makes a repeated commit harmless; empty: a new one.
  EntityResult<void> Commit(std::string_view token = {});

  struct Impl;

 private:
  friend class Entities;
  explicit EntityTransaction(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace stator

#endif  // STATOR_ENTITY_H_
