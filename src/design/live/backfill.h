// Fills the keys of an index in items that were written before it.
#ifndef STATOR_LIVE_BACKFILL_H_
#define STATOR_LIVE_BACKFILL_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>

#include "model/model.h"
#include "stator/clock.h"
#include "stator/endpoint.h"
#include "stator/live.h"

namespace stator::live {

struct BackfillOptions {
  std::string table_name;
  const model::Index* index = nullptr;  // null: the derived keys of all indexes
  int segments = 4;
  double items_per_second = 0;  // changed items; 0: without limit
  std::string checkpoint;       // the file that remembers how far it has come; empty: none
  TimeMs now;
  const std::atomic<bool>* stop = nullptr;
};

struct BackfillResult {
  std::int64_t read = 0;
  std::int64_t resumed_at = 0;
  std::int64_t changed = 0;
  std::int64_t gone = 0;     // deleted while it ran, and not brought back
  std::int64_t no_keys = 0;  // items whose keys cannot be derived: `stator audit` names them
  bool stopped = false;
};

// Safe beside writers and beside itself; may be repeated.
Result<BackfillResult> Backfill(Endpoint& endpoint, const model::Model& model,
                                const model::Table& table, const BackfillOptions& options,
                                const LiveProgressCallback& progress);

// Whether an index holds what it must.
struct IndexCheck {
  std::int64_t expected = 0;        // items of the table that carry its keys
  std::int64_t found = 0;           // entries
  std::int64_t expected_after = 0;  // as `expected`, counted after the entries
  // Writers may have been at work: what was found lies between the two counts of the table.
  bool ok() const {
    return std::min(expected, expected_after) <= found &&
           found <= std::max(expected, expected_after);
  }
};
Result<IndexCheck> VerifyIndex(Endpoint& endpoint, const model::Index& index,
                               const std::string& table_name, int segments,
                               const LiveProgressCallback& progress);

}  // namespace stator::live

#endif  // STATOR_LIVE_BACKFILL_H_
