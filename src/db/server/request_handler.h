// What the HTTP side needs from whoever carries out operations. The program gives it a Database;
// tests of HTTP give it a fake.
#ifndef STATOR_SERVER_REQUEST_HANDLER_H_
#define STATOR_SERVER_REQUEST_HANDLER_H_

#include <string>
#include <string_view>

#include "stator/database.h"

namespace stator::server {

// Thread-safe.
class RequestHandler {
 public:
  using Answer = Database::Answer;
  using AnswerCallback = Database::AnswerCallback;

  virtual ~RequestHandler() = default;

  virtual bool Knows(std::string_view operation) const = 0;
  // `done` runs once, before this returns or later on any thread. Both texts stay alive until then;
  // behind `padded_json` there are Database::kPadding readable bytes.
  virtual void Handle(std::string_view operation, std::string_view padded_json,
                      AnswerCallback done) = 0;
  virtual Answer ErrorAnswer(const Error& error) const = 0;
  virtual const std::string& region() const = 0;
  virtual Database::Stats GetStats() const = 0;
  virtual TurnableClock& clock() = 0;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_REQUEST_HANDLER_H_
