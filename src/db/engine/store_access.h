// The store as the engine uses it: failures that clients can be told, rows that are written as they
// are, and the barrier that background work relies on.
#ifndef STATOR_ENGINE_STORE_ACCESS_H_
#define STATOR_ENGINE_STORE_ACCESS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stator/error.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

// A request has used up its share of the processor (base/work.h).
Error TookTooLong();
// A request has waited for too long, or too many are waiting.
Error TooBusy();

// What clients are told about a store failure: no names of files, and nothing about the machine.
std::string_view ClientText(StorageError::Kind kind);

// The client's view of a store failure: the one place where a StorageError becomes an Error. What
// clients are not told goes to the log, a line a second at most.
Error FromStorage(const StorageError& error);

template <class T>
Result<T> FromStorage(StorageResult<T> result) {
  if (!result) return std::unexpected(FromStorage(result.error()));
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return *std::move(result);
  }
}

// The same with all that is known, for the one who opens a database.
Error ForOperator(const StorageError& error);

template <class T>
Result<T> ForOperator(StorageResult<T> result) {
  if (!result) return std::unexpected(ForOperator(result.error()));
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return *std::move(result);
  }
}

// Rows to put, or to delete where there is no value.
using RawRows = std::vector<std::pair<std::string, std::optional<std::string>>>;

// Writes rows that no mutation decides about: the catalog's own. Returns when they are durable, and
// known to every process that shares the store. Those of a shared store publish them by learning them
// (sharing/learner.h), their writer too.
Result<void> WriteRawRows(Store& store, RawRows rows);

// The same for rows that are computed from what is known of the catalog: `compute` runs again when
// another process has changed the catalog before the rows could be committed. Within an OperationScope
// (sharing/scope.h) the first such change makes the scope stale instead, and fails. Without rows there
// is nothing to do.
Result<void> WriteCatalogRows(Store& store, const std::function<Result<RawRows>()>& compute);

// Runs a mutation and waits for it. Within a KeeperScope (sharing/scope.h) nothing is written, and an
// error returned, if another process has become the keeper.
Result<void> RunMutation(Store& store, std::unique_ptr<Mutation> mutation);

// Returns when every mutation queued before it is committed. From then on all writers know the
// newest catalog, and all that they wrote without knowing it can be read.
Result<void> WaitForWriters(Store& store);

// Deletes all rows of a range that nothing else touches any more. On a shared store that takes several
// commits, each only if `is_wanted` (empty: always) still holds by the newest catalog.
Result<void> ClearRows(Store& store, KeyRange rows, const std::function<bool()>& is_wanted = {});
// One of these commits. False when all is deleted; otherwise `rows` is the rest.
Result<bool> ClearSlice(Store& store, KeyRange& rows, const std::function<bool()>& is_wanted = {});

// All keys with this prefix.
KeyRange RowsWithPrefix(std::string prefix);

// The smallest key after this one.
std::string KeyAfter(std::string_view key);

// How much a slice of background work takes on: it ends with the row that reaches one of these, so
// that no write waits long for it.
struct SliceLimits {
  std::size_t rows = 0;
  std::size_t bytes = 0;
};
// The keys of the first rows of a range.
Result<std::vector<std::string>> FirstKeys(const Store& store, const KeyRange& range,
                                           const SliceLimits& limits);

// Work on all rows of a table stores how far it has come once in this many slices. A restart repeats
// the slices since then, which is harmless.
inline constexpr int kSlicesPerSavedCursor = 100;

}  // namespace stator

#endif  // STATOR_ENGINE_STORE_ACCESS_H_
