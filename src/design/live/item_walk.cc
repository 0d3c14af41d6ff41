#include "live/item_walk.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <thread>

#include "base/try.h"
#include "live/walk_checkpoint.h"

namespace stator::live {
namespace {

class Walk {
 public:
  Walk(Endpoint& endpoint, const WalkOptions& options,
       const std::function<Result<void>(ItemView item)>& visit,
       const std::function<void(std::int64_t read)>& seen)
      : endpoint_(endpoint), options_(options), visit_(visit), seen_(seen) {}

  Result<WalkResult> Run() {
    const auto segments = static_cast<std::size_t>(std::max(1, options_.segments));
    positions_.resize(segments);
    if (!options_.checkpoint.empty()) {
      if (auto loaded = LoadCheckpoint(options_.checkpoint, options_.fingerprint, segments)) {
        positions_ = *std::move(loaded);
      }
    }
    WalkResult result{.read = 0, .resumed_at = ReadSoFar(), .stopped = false};
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < segments; ++i) threads.emplace_back([this, i] { RunSegment(i); });
    }
    if (failure_) return std::unexpected(*failure_);
    result.read = ReadSoFar();
    result.stopped = Stopped();
    if (!result.stopped && !options_.checkpoint.empty()) RemoveCheckpoint(options_.checkpoint);
    return result;
  }

 private:
  std::int64_t ReadSoFar() const {
    return std::accumulate(
        positions_.begin(), positions_.end(), std::int64_t{0},
        [](std::int64_t sum, const SegmentPosition& segment) { return sum + segment.read; });
  }

  bool Stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  void RunSegment(std::size_t segment) {
    while (!positions_[segment].done && !Stopped()) {
      {
        const std::lock_guard lock(mutex_);
        if (failure_) return;
      }
      if (auto done = RunPage(segment); !done) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = done.error();
        return;
      }
    }
  }

  Result<void> RunPage(std::size_t segment) {
    ScanRequest request{.table_name = options_.table_name, .limit = options_.page_items};
    request.exclusive_start_key = positions_[segment].key;
    request.consistent_read = true;
    if (positions_.size() > 1) {
      request.total_segments = static_cast<std::int64_t>(positions_.size());
      request.segment = static_cast<std::int64_t>(segment);
    }
    ASSIGN_OR_RETURN(const ScanResponse page, endpoint_.Scan(request));
    for (std::size_t i = 0; page.items && i < page.items->size(); ++i) {
      RETURN_IF_ERROR(visit_((*page.items)[i]));
    }
    const std::lock_guard lock(mutex_);
    positions_[segment].read += page.count;
    positions_[segment].key = page.last_evaluated_key;
    positions_[segment].done = !page.last_evaluated_key.has_value();
    if (seen_) seen_(ReadSoFar());
    if (options_.checkpoint.empty()) return {};
    return SaveCheckpoint(options_.checkpoint, options_.fingerprint, positions_);
  }

  Endpoint& endpoint_;
  const WalkOptions& options_;
  const std::function<Result<void>(ItemView item)>& visit_;
  const std::function<void(std::int64_t read)>& seen_;
  std::mutex mutex_;  // guards what follows; a segment's own position is read without it
  std::vector<SegmentPosition> positions_;
  std::optional<Error> failure_;
};

}  // namespace

Result<WalkResult> WalkItems(Endpoint& endpoint, const WalkOptions& options,
                             const std::function<Result<void>(ItemView item)>& visit,
                             const std::function<void(std::int64_t read)>& seen) {
  return Walk(endpoint, options, visit, seen).Run();
}

}  // namespace stator::live
