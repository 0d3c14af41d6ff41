// A walk over all items of a table, in segments side by side, that can go on after an interruption.
//
// The position of each segment is written to a file after every page (to a new file, which then
// replaces the old one), so that a walk that was killed reads at most one page per segment again:
//
//   {"work": "…", "segments": [{"read": 120, "done": false, "key": {"pk": {"S": "…"}}}, …]}
#ifndef STATOR_LIVE_ITEM_WALK_H_
#define STATOR_LIVE_ITEM_WALK_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stator/endpoint.h"
#include "stator/item.h"
#include "stator/live.h"
#include "stator/result.h"

namespace stator::live {

struct WalkOptions {
  std::string table_name;
  int segments = 1;
  std::string checkpoint;   // the file; empty: none
  std::string fingerprint;  // of the work: a checkpoint of other work is ignored
  std::int64_t page_items = 250;
  const std::atomic<bool>* stop = nullptr;  // set: end soon, keeping the checkpoint
};

struct WalkResult {
  std::int64_t read = 0;
  std::int64_t resumed_at = 0;  // items that had been read before
  bool stopped = false;
};

// `visit` gets every item at least once, in no order, from several threads at once; an error ends
// the walk. `seen` is called after every page.
Result<WalkResult> WalkItems(Endpoint& endpoint, const WalkOptions& options,
                             const std::function<Result<void>(ItemView item)>& visit,
                             const std::function<void(std::int64_t read)>& seen);

struct SegmentPosition {
  std::int64_t read = 0;
  bool done = false;
  std::optional<Item> key;  // the last one read; nullopt: none yet
};

// nullopt: there is no such file, it is damaged, or it belongs to other work.
std::optional<std::vector<SegmentPosition>> LoadCheckpoint(const std::string& path,
                                                           const std::string& fingerprint,
                                                           std::size_t segments);

// On disk when it returns; the old file or the new one, never half of one.
Result<void> SaveCheckpoint(const std::string& path, const std::string& fingerprint,
                            const std::vector<SegmentPosition>& segments);

void RemoveCheckpoint(const std::string& path);

}  // namespace stator::live

#endif  // STATOR_LIVE_ITEM_WALK_H_
