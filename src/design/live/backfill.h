// Repairs the derived keys of stored items, and so fills the keys of an index in items that were
// written before it.
#ifndef STATOR_LIVE_BACKFILL_H_
#define STATOR_LIVE_BACKFILL_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "model/keys/derive.h"
#include "model/model.h"
#include "stator/clock.h"
#include "stator/endpoint.h"
#include "stator/live.h"

namespace stator::live {

// A derived attribute that is not as the model says.
struct WrongKey {
  model::DerivedKey wanted;
  bool present = false;  // the item has it, with another value or although it must not
};

// The derived attributes of an item that are wrong: of the keys of one index, or of all but the
// table's own when `index` is null. The error says why they cannot be derived.
std::expected<std::vector<WrongKey>, std::string> FindWrongKeys(const model::Model& model,
                                                                const model::Table& table,
                                                                const model::Entity& entity,
                                                                const model::Index* index,
                                                                ItemView item, TimeMs now);

enum class Mended : std::uint8_t {
  kAlreadyRight,
  kChanged,
  kGone,    // deleted meanwhile; it is not created again
  kNoKeys,  // the keys cannot be derived
};

struct MendRequest {
  const model::Model& model;
  const model::Table& table;
  std::string table_name;
  const model::Index* index = nullptr;  // null: all
  TimeMs now;
};

// One conditional update: only if the item exists and the sources of its keys have not changed; if
// they have, the update is made again from the new item. Doing it twice changes nothing.
Result<Mended> MendItem(Endpoint& endpoint, const MendRequest& request, ItemView item);

struct BackfillOptions {
  std::string table_name;
  const model::Index* index = nullptr;  // null: the derived keys of all indexes
  int segments = 4;
  double items_per_second = 0;  // changed items; 0: without limit
  std::string checkpoint;       // the file that keeps how far it has come; empty: none
  TimeMs now;
  const std::atomic<bool>* stop = nullptr;
};

struct BackfillResult {
  std::int64_t read = 0;
  std::int64_t resumed_at = 0;
  std::int64_t changed = 0;
  std::int64_t gone = 0;     // deleted meanwhile, and not created again
  std::int64_t no_keys = 0;  // items whose keys cannot be derived: `stator audit` names them
  bool stopped = false;
};

// Safe while others write and while another backfill runs; may be repeated.
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
