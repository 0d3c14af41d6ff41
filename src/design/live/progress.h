// How far work on a table has come.
#ifndef STATOR_LIVE_PROGRESS_H_
#define STATOR_LIVE_PROGRESS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace stator::live {

struct WorkProgress {
  std::string what;       // "filling GSI1"
  std::int64_t read = 0;  // items
  std::int64_t changed = 0;
  std::optional<std::int64_t> total;  // as far as the endpoint knows
};

// May be called by several threads, one at a time.
using ProgressCallback = std::function<void(const WorkProgress& progress)>;

}  // namespace stator::live

#endif  // STATOR_LIVE_PROGRESS_H_
