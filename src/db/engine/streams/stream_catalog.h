// StreamCatalog: the streams of a database. Those that tables write to, and those that ended within
// the time for which records are kept.
#ifndef STATOR_ENGINE_STREAMS_STREAM_CATALOG_H_
#define STATOR_ENGINE_STREAMS_STREAM_CATALOG_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/catalog/catalog.h"
#include "engine/store_access.h"
#include "engine/streams/stream.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

// Lookups are thread-safe and never wait. Changes are made on the background thread.
//
// A change that concerns the table too is committed with the table's row: pass RowsOf to
// Catalog::Add, Change or Drop, and call Publish afterwards. On a shared store Learn alone publishes
// (catalog/catalog.h).
class StreamCatalog {
 public:
  // Reads every stream row of the store, and finds the tables that write to them.
  static StorageResult<std::unique_ptr<StreamCatalog>> Load(Store& store, const Catalog& catalog);

  // Null if there is no such stream.
  StreamPtr Find(StreamNumber number) const;
  StreamPtr Find(std::string_view table_name, std::string_view label) const;
  // All of them, by the name of their table, then by label.
  std::vector<StreamPtr> All() const;
  bool empty() const;

  // The number of the next new stream.
  StreamNumber next_number() const;

  // The rows that store this state of the stream.
  static RawRows RowsOf(const Stream& stream);
  // The same for a new stream.
  static RawRows RowsOfNew(const Stream& stream);
  // Makes a stored state visible.
  void Publish(Stream stream);
  // Stores what `change` makes of the newest state, and makes it visible. Does nothing if `change`
  // returns false, or the stream is gone. `change` may run more than once.
  Result<void> Change(StreamNumber number, const std::function<Result<bool>(Stream&)>& change);
  Result<void> Forget(StreamNumber number);

  // As Catalog::Learn. REQUIRES: `catalog` has learnt what was written in the same commit.
  StorageResult<bool> Learn(const Catalog& catalog, std::string_view key,
                            std::optional<std::string_view> value);

  // Records written to all streams since the database was opened.
  std::int64_t RecordsWritten() const;

 private:
  using Name = std::pair<std::string, std::string>;  // of the table, and the label
  struct Streams {
    std::map<StreamNumber, StreamPtr> by_number;
    std::map<Name, StreamPtr> by_name;
  };
  explicit StreamCatalog(Store& store) : store_(store) {}
  StorageResult<void> Read(Streams& streams);
  void Show(Stream stream);
  void Erase(StreamNumber number);

  Store& store_;
  std::mutex publishing_;  // held to replace streams_
  std::atomic<std::shared_ptr<const Streams>> streams_;
  std::atomic<StreamNumber> next_number_ = 1;
  std::atomic<std::int64_t> forgotten_records_ = 0;
};

}  // namespace stator

#endif  // STATOR_ENGINE_STREAMS_STREAM_CATALOG_H_
