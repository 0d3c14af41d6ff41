// A walk over all items of a table, in segments side by side, that can go on after an interruption.
//
// Where each segment stands is written to a file after every page (to a new file, which then takes
// the place of the old one), so that a walk that was killed reads at most one page a segment again.
#ifndef STATOR_LIVE_ITEM_WALK_H_
#define STATOR_LIVE_ITEM_WALK_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "stator/live.h"
#include "stator/endpoint.h"

namespace stator::live {

struct WalkOptions {
  std::string table_name;
  int segments = 1;
  std::string checkpoint;   // the file; empty: none
  std::string fingerprint;  // of the work: a checkpoint of other work is not taken up
  std::int64_t page_items = 250;
  const std::atomic<bool>* stop = nullptr;  // set: end soon, keeping the checkpoint
};

struct WalkResult {
  std::int64_t read = 0;
  std::int64_t resumed_at = 0;  // items that had been read before
  bool stopped = false;
};

// `visit` gets every item at least once, in no order, from several threads at once; an error ends
// the walk. `seen` is told after every page.
Result<WalkResult> WalkItems(Endpoint& endpoint, const WalkOptions& options,
                             const std::function<Result<void>(ItemView item)>& visit,
                             const std::function<void(std::int64_t read)>& seen);

}  // namespace stator::live

#endif  // STATOR_LIVE_ITEM_WALK_H_
