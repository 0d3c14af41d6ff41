// Where reconciliation payloads go: into a file, or to an address.
#ifndef STATOR_SYSTEMS_RECONCILER_SINK_H_
#define STATOR_SYSTEMS_RECONCILER_SINK_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "systems/program/fallible.h"
#include "systems/reconciler/call.h"

namespace stator::systems::reconciler {

struct Delivery {
  enum class Result : std::uint8_t {
    kDelivered,
    kThereAlready,  // an earlier attempt had delivered it; nothing was done
    kResolved,      // delivered, and the receiver has mended the call
    kRefused,       // the receiver will never take it
    kNotSent,       // nothing was begun, for a reason outside the payload
    kFailed,        // certainly not delivered; worth another try
    kUnknown,       // perhaps delivered; worth another try, at the same place
  };
  Result result = Result::kFailed;
  std::string why = {};  // of kRefused, kNotSent, kFailed and kUnknown

  bool is_worth_another_try() const {
    return result == Result::kNotSent || result == Result::kFailed || result == Result::kUnknown;
  }
};

// Used by one thread at a time; several sinks of the same name, also in other processes, may be
// used at once.
class Sink {
 public:
  virtual ~Sink() = default;
  // Any process that opens this name delivers to the same place: file:/dir/calls.jsonl, http://…
  virtual const std::string& name() const = 0;
  // How many payloads to lease and deliver at once.
  virtual std::size_t batch() const = 0;
  // One answer per payload, in their order. Nothing is begun after `deadline`.
  virtual std::vector<Delivery> Deliver(const std::vector<Payload>& payloads,
                                        std::chrono::steady_clock::time_point deadline) = 0;
};

// Payloads as lines of a file, each id at most once, whatever happens to the pollers that write it.
//
// A lock on the file is held from reading its ids until the new lines are on disk. If a killed
// process or a power failure left the last line incomplete, the next writer cuts it off: its call
// was not marked, so the payload comes again. Of one delivery all new payloads are written, or
// none.
//
// Creates the file if it does not exist; its folder must exist.
Fallible<std::unique_ptr<Sink>> OpenFileSink(const std::string& path);

struct HttpSinkOptions {
  std::string url;
  int attempts = 5;  // of one payload, the first included
  std::chrono::milliseconds first_wait = std::chrono::milliseconds(200);  // doubles each time
  std::function<void(std::chrono::milliseconds)> wait = {};               // default: sleeps
};

// Payloads as POST requests, one after the other, with retries. If one cannot be delivered, those
// behind it are not tried.
//
// The header Idempotency-Key holds the payload's id: an answer can get lost, and then the same
// payload comes again, which the receiver can tell by the id. An answer of 2xx means that it was
// taken; with a body of {"outcome": "RESOLVED"} also that the call has been mended. 400, 410 and
// 422 refuse a payload for good. Everything else is tried again. An address that does not answer at
// all does not count as a failed attempt.
Fallible<std::unique_ptr<Sink>> OpenHttpSink(HttpSinkOptions options);

// By its name, or by a path.
Fallible<std::unique_ptr<Sink>> OpenSink(const std::string& name);

// The sinks of one poller: its own, and those of pollers whose work it takes over.
class Sinks {
 public:
  explicit Sinks(std::unique_ptr<Sink> own) : own_(std::move(own)) {}

  Sink& own() { return *own_; }
  Fallible<Sink*> Find(const std::string& name);

 private:
  std::unique_ptr<Sink> own_;
  std::map<std::string, std::unique_ptr<Sink>> others_;
};

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_SINK_H_
