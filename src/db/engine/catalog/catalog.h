// Catalog: the tables of a database, and how they change.
#ifndef STATOR_ENGINE_CATALOG_CATALOG_H_
#define STATOR_ENGINE_CATALOG_CATALOG_H_

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
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

  // Adds a table; gives it its number and version. REQUIRES: the name is free.
  Result<TablePtr> Add(Table table, const RawRows& also = {});
  // Replaces the newest snapshot by what `change` makes of it, with the next version. An error from
  // `change` leaves everything as it was. `also` is read after `change` has run.
  Result<TablePtr> Change(TableNumber number, const std::function<Result<void>(Table&)>& change,
                          const RawRows& also = {});
  // Removes the table from the catalog; the caller clears its rows afterwards. Until then the
  // catalog's row stays as a tombstone, so that clearing resumes after a crash.
  Result<void> Drop(TableNumber number, const RawRows& also = {});
  // Tables that were dropped but whose rows may still exist.
  std::vector<TableNumber> Dropped() const;
  // The rows of a dropped table are gone.
  Result<void> ForgetDropped(TableNumber number);

 private:
  struct Tables {
    std::map<std::string, TablePtr, std::less<>> by_name;
    std::map<TableNumber, TablePtr> by_number;
  };
  explicit Catalog(Store& store) : store_(store) {}
  static void Put(Tables& tables, const TablePtr& table);
  TablePtr Replace(TablePtr table);

  Store& store_;
  std::atomic<std::shared_ptr<const Tables>> tables_;
  mutable std::mutex change_;  // one change at a time; also guards the two below
  TableNumber next_number_ = 1;
  std::vector<TableNumber> dropped_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_CATALOG_CATALOG_H_
