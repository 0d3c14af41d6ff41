#include "engine/activity.h"

#include <algorithm>

namespace stator {
namespace {

using std::chrono::milliseconds;

// The longer a slice takes, the busier the clients are. But on a machine that others keep busy, most
// of that time is waiting, and the work must come to an end all the same.
constexpr int kRestPerWork = 4;
constexpr milliseconds kRestMin{10};
constexpr milliseconds kRestMax{20};

// Who pauses for a moment is not gone, and what a slice leaves to flush and to compact comes later.
constexpr std::chrono::seconds kLinger{2};

}  // namespace

milliseconds Pace::RestAfter(RealTime began, RealTime ended) {
  const std::uint64_t requests = clients_.Requests();
  if (requests != requests_seen_) quiet_from_ = ended + kLinger;
  requests_seen_ = requests;
  if (ended >= quiet_from_) return milliseconds(0);
  return std::clamp(std::chrono::ceil<milliseconds>(kRestPerWork * (ended - began)), kRestMin,
                    kRestMax);
}

}  // namespace stator
