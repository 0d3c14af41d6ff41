// The paths under /_stator/: what the owner of a server does to it, beside DynamoDB's operations.
#ifndef STATOR_SERVER_ADMIN_H_
#define STATOR_SERVER_ADMIN_H_

#include <string>
#include <string_view>

#include "server/exchange.h"
#include "server/request_handler.h"
#include "stator/result.h"

namespace stator::server {

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
