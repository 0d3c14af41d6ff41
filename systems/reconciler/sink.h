// Where reconciliation payloads go.
#ifndef STATOR_SYSTEMS_RECONCILER_SINK_H_
#define STATOR_SYSTEMS_RECONCILER_SINK_H_

#include <chrono>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "systems/reconciler/call.h"

namespace stator::systems::reconciler {

struct Delivery {
  enum class Result : std::uint8_t {
    kDelivered,
    kThereAlready,  // an earlier attempt had delivered it; nothing was done
    kResolved,      // delivered, and the receiver has mended the call
    kRefused,       // the receiver will never take it
    kNotSent,       // nothing was begun, for a reason that lies outside the payload
    kFailed,        // certainly not delivered; worth another try
    kUnknown,       // nobody knows whether it was delivered; worth another try, at the same place
  };
  Result result = Result::kFailed;
  std::string why = {};  // of kRefused, kNotSent, kFailed and kUnknown

  bool is_worth_another_try() const {
    return result == Result::kNotSent || result == Result::kFailed || result == Result::kUnknown;
  }
};

// Used by one thread at a time; several sinks of the same name, also in other processes, may be used
// at once.
class Sink {
 public:
  virtual ~Sink() = default;
  // Any process that opens this name delivers to the same place: file:/dir/calls.jsonl, http://…
  virtual const std::string& name() const = 0;
  // Payloads that it is wise to take on at once.
  virtual std::size_t batch() const = 0;
  // An answer for each payload, in their order. Nothing is begun after `deadline`.
  virtual std::vector<Delivery> Deliver(const std::vector<Payload>& payloads,
                                        std::chrono::steady_clock::time_point deadline) = 0;
};

// By its name, or by a path. The error is for people.
std::expected<std::unique_ptr<Sink>, std::string> OpenSink(const std::string& name);

// The sinks of one poller: its own, and those of pollers whose work it takes over.
class Sinks {
 public:
  explicit Sinks(std::unique_ptr<Sink> own) : own_(std::move(own)) {}

  Sink& own() { return *own_; }
  std::expected<Sink*, std::string> Find(const std::string& name);

 private:
  std::unique_ptr<Sink> own_;
  std::map<std::string, std::unique_ptr<Sink>> others_;
};

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_SINK_H_
