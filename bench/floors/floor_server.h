// What the floors that speak HTTP share: Stator's own server in front of another handler.
#ifndef STATOR_BENCH_FLOORS_FLOOR_SERVER_H_
#define STATOR_BENCH_FLOORS_FLOOR_SERVER_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/options.h"
#include "server/request_handler.h"
#include "stator/clock.h"

namespace stator::bench {

// Answers what it knows, whatever the request says.
class FloorHandler : public server::RequestHandler {
 public:
  bool Knows(std::string_view) const override { return true; }
  Answer ErrorAnswer(const Error& error) const override { return Database::ErrorAnswer(error); }
  const std::string& region() const override { return region_; }
  Error Unknown(std::string_view) const override { return Error::UnknownOperation(); }
  Database::Stats GetStats() const override { return {}; }
  Database::Health GetHealth() const override { return {}; }
  TurnableClock& clock() override { return clock_; }

 private:
  TurnableClock clock_;
  const std::string region_ = "floor";
};

// Serves until SIGTERM or SIGINT. Prints the same line as Stator when ready. `make_handler` runs
// before that, once the signals are blocked; it returns null, having said why, if it fails.
using HandlerMaker = std::function<std::unique_ptr<FloorHandler>()>;
int ServeFloor(const server::ServerOptions& options, const HandlerMaker& make_handler);

}  // namespace stator::bench

#endif  // STATOR_BENCH_FLOORS_FLOOR_SERVER_H_
