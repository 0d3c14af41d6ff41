// The paths under /_stator/: what the owner of a server does to it, beside DynamoDB's operations.
//
// They are for programs on this machine, and for no web page of another site. Where clients are not
// known they need no signature, so a browser on this machine must not be tricked into sending them:
//   - the server listens on a loopback address, so that no other machine reaches it;
//   - Host names this machine, so that a foreign name that resolves to 127.0.0.1 (DNS rebinding) is of
//     no use;
//   - Origin, which a browser sends with a page's requests, is the server itself or absent;
//   - a request with a body is application/json, which a page of another origin cannot send unasked.
//
// /_stator/clock reads and turns the clock:
//
//   GET                                     → {"now": 1767225600.000, "mode": "fixed",
//   POST {"advance_seconds": 2678400}       →  "offset_seconds": -1234.567}
//   POST {"now": 1767225600}                →
//   POST {"reset": true}                    →
//
// now is in seconds since the epoch; offset_seconds is how far that is from the system's time.
#ifndef STATOR_SERVER_ADMIN_H_
#define STATOR_SERVER_ADMIN_H_

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "server/exchange.h"
#include "server/request_handler.h"
#include "stator/clock.h"
#include "stator/result.h"

namespace stator::server {

struct AdminRefusal {
  int status = 403;
  std::string message;  // what is wrong, and what to do
};

// nullopt: it may go on. `listening_host` is ServerOptions::host.
std::optional<AdminRefusal> CheckAdminAccess(const RequestHead& head, bool has_body,
                                             const std::string& listening_host);

std::string ClockDocument(const ClockReading& reading);

// Does what the document says. The error is for people, and nothing has happened then.
std::expected<void, std::string> TurnClock(std::string_view json, TurnableClock& clock);

// One for each loop; not thread-safe.
class Admin {
 public:
  // `listening_host` is ServerOptions::host; both must outlive this.
  Admin(RequestHandler& handler, const std::string& listening_host)
      : handler_(handler), listening_host_(listening_host) {}

  // True if requests for this path are answered here, whatever their method.
  static bool Owns(std::string_view path);

  // Fills in the answer, which is the error if the sender is not `allowed`. REQUIRES: Owns(the
  // exchange's path).
  void Answer(Exchange& exchange, const Result<void>& allowed);

 private:
  RequestHandler::Answer AnswerClock(Exchange& exchange);

  RequestHandler& handler_;
  const std::string& listening_host_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_ADMIN_H_
