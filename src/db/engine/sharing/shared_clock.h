// SharedClock: one clock for all processes that share a store.
//
// A TurnableClock runs by the time of the database (Sharing::Now). How it is turned is a row of the
// catalog, which all processes learn:
//
//   0x01 "clock"   →   mode:u8 ms:u64     mode '=': stands at this time; '+': this much ahead of the
//                                         database's time, in two's complement
//
// Without the row each process shows its own setting.
#ifndef STATOR_ENGINE_SHARING_SHARED_CLOCK_H_
#define STATOR_ENGINE_SHARING_SHARED_CLOCK_H_

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

std::string EncodeClock(const ClockSetting& shown);
std::optional<ClockSetting> DecodeClock(std::string_view row);

class SharedClock {
 public:
  // Both must outlive it.
  SharedClock(Store& store, TurnableClock& clock) : store_(store), clock_(clock) {}
  ~SharedClock() { clock_.ShareTurns({}); }
  SharedClock(const SharedClock&) = delete;
  SharedClock& operator=(const SharedClock&) = delete;

  // Shows what the row says.
  StorageResult<void> Load();
  // From now on all turn it together. A process whose setting is not the system's time makes it the
  // one of all if they have none.
  Result<void> Start();

  // As Catalog::Learn.
  StorageResult<bool> Learn(std::string_view key, std::optional<std::string_view> value);

 private:
  bool Turn(const TurnableClock::Turn& turn);
  Result<void> WriteIfThereIsNone();

  Store& store_;
  TurnableClock& clock_;
  // One turn at a time in this process: two of one edition could be committed together.
  std::mutex turning_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_SHARING_SHARED_CLOCK_H_
