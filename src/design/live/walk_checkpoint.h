// The file in which a walk remembers where it stands.
//
//   {"work": "…", "segments": [{"read": 120, "done": false, "key": {"pk": {"S": "…"}}}, …]}
#ifndef STATOR_LIVE_WALK_CHECKPOINT_H_
#define STATOR_LIVE_WALK_CHECKPOINT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/item.h"
#include "stator/result.h"

namespace stator::live {

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

#endif  // STATOR_LIVE_WALK_CHECKPOINT_H_
