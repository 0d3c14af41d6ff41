// Catalog: the tables of a database, and how they change.
#ifndef STATOR_ENGINE_CATALOG_CATALOG_H_
#define STATOR_ENGINE_CATALOG_CATALOG_H_

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/table.h"
#include "engine/store_access.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

// Lookups are thread-safe and never wait for a change. Changes are made one at a time, on the
// background thread, and return when they are durable and every later lookup sees them. `also` are
// further rows to write in the same commit.
//
// On a shared store (Sharing in storage/store.h) other processes make changes too. Each is computed
// again when another one came first, and all are published by Learn alone.
class Catalog {
 public:
  // Reads every table row of the store.
  static StorageResult<std::unique_ptr<Catalog>> Load(Store& store);

  // Null if there is no such table.
  TablePtr Find(std::string_view name) const;
  TablePtr FindByNumber(TableNumber number) const;
  // The newest snapshot of the same table; null once it is dropped. Cheap if `table` is the newest.
  TablePtr Newest(const TablePtr& table) const;
  // All names, ascending by bytes.
  std::vector<std::string> Names() const;
  // All tables, in no particular order.
  std::vector<TablePtr> All() const;
  std::size_t size() const;

  // Adds a table; gives it its number and version. REQUIRES: the name is free; on a shared store:
  // ResourceInUse if it is not.
  Result<TablePtr> Add(Table table, const RawRows& also = {});
  // Replaces the newest snapshot by what `change` makes of it, with the next version. An error from
  // `change` leaves everything as it was. `change` may run more than once, and `also` is read after it
  // has run.
  Result<TablePtr> Change(TableNumber number, const std::function<Result<void>(Table&)>& change,
                          const RawRows& also = {});
  // Removes the table from the catalog; the caller clears its rows afterwards. Until then the
  // catalog's row stays as a tombstone, so that clearing resumes after a crash.
  Result<void> Drop(TableNumber number, const RawRows& also = {});
  // The same with rows that are made of the newest snapshot, perhaps more than once.
  using RowsOfTable = std::function<RawRows(const Table&)>;
  Result<void> Drop(TableNumber number, const RowsOfTable& also);
  // Tables that were dropped but whose rows may still exist.
  std::vector<TableNumber> Dropped() const;
  // The rows of a dropped table are gone.
  Result<void> ForgetDropped(TableNumber number);

  // Publishes a row of the catalog that a process has written (nullopt: deleted). False if it is not a
  // row of tables. REQUIRES: a shared store.
  StorageResult<bool> Learn(std::string_view key, std::optional<std::string_view> value);

 private:
  struct Tables {
    std::map<std::string, TablePtr, std::less<>> by_name;
    std::map<TableNumber, TablePtr> by_number;
  };
  explicit Catalog(Store& store) : store_(store) {}
  static void Put(Tables& tables, const TablePtr& table);
  TableNumber NextNumber() const;
  // What a change that is stored has made: published, here or by learning.
  TablePtr Published(Table table);
  // REQUIRE publishing_.
  TablePtr Replace(TablePtr table);
  void Erase(TableNumber number);
  void LearnTable(Table table);

  Store& store_;
  std::atomic<std::shared_ptr<const Tables>> tables_;
  std::mutex change_;  // one change at a time
  // Held for a moment to replace tables_; also guards the two below. Never held while a change waits
  // for its commit, which may first have to learn.
  mutable std::mutex publishing_;
  TableNumber next_number_ = 1;
  std::vector<TableNumber> dropped_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_CATALOG_CATALOG_H_
