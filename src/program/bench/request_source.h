// Where a client loop gets its requests from.
#ifndef STATOR_BENCH_REQUEST_SOURCE_H_
#define STATOR_BENCH_REQUEST_SOURCE_H_

#include <cstdint>
#include <string_view>

#include "bench/workload.h"

namespace stator::bench {

// What a source remembers for a connection: the request in flight, and what must follow it.
struct Slot {
  Operation operation = Operation::kGetItem;
  std::uint64_t key = 0;
  bool repeats = false;        // send the same again: it was refused for now
  bool has_follow_up = false;  // the second half of a read-modify-write is due
};

// Used by one loop.
class RequestSource {
 public:
  enum class Supply : std::uint8_t {
    kRequest,
    kLater,  // ask again in a while
    kNever,  // nothing more for this connection
  };

  virtual ~RequestSource() = default;

  // The next request for the connection of this slot; sets slot.operation. The bytes are valid
  // until the next call.
  virtual Supply Next(Slot& slot, std::string_view& bytes) = 0;
  // Whether OnAnswer wants the body of answers with status 200. Bodies of errors always come.
  virtual bool WantsBodies() const { return false; }
  // Whether a connection that broke shall stay so.
  virtual bool GivesUp() const { return false; }
  // Status 0: the connection broke, perhaps before anything was sent on it.
  virtual void OnAnswer(Slot& slot, int status, std::string_view body) = 0;
};

}  // namespace stator::bench

#endif  // STATOR_BENCH_REQUEST_SOURCE_H_
