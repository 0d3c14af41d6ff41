// What the HTTP side needs from the code that carries out operations. The program gives it a Database;
// tests of HTTP give it a fake.
#ifndef STATOR_SERVER_REQUEST_HANDLER_H_
#define STATOR_SERVER_REQUEST_HANDLER_H_

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "stator/database.h"

namespace stator::server {

// Thread-safe.
class RequestHandler {
 public:
  using Answer = Database::Answer;
  using AnswerCallback = Database::AnswerCallback;

  virtual ~RequestHandler() = default;

  virtual bool Knows(std::string_view operation) const = 0;
  // The error for an operation that is not known; empty if the request names none.
  virtual Error Unknown(std::string_view operation) const = 0;
  // `done` runs once, before this returns or later on any thread. Both texts stay alive until then;
  // `padded_json` is followed by Database::kPadding readable bytes.
  // `unwanted` becomes true when nobody waits for the answer any more, and lives until then too.
  virtual void Handle(std::string_view operation, std::string_view padded_json, AnswerCallback done,
                      const std::atomic<bool>& unwanted) = 0;
  virtual Answer ErrorAnswer(const Error& error) const = 0;
  virtual const std::string& region() const = 0;
  virtual Database::Stats GetStats() const = 0;
  virtual Database::Health GetHealth() const = 0;
  virtual TurnableClock& clock() = 0;
};

// The RequestHandler of the program: every call goes straight to the Database.
class DatabaseHandler final : public RequestHandler {
 public:
  // The database must outlive the handler.
  explicit DatabaseHandler(Database& database) : database_(database) {}

  bool Knows(std::string_view operation) const override { return Database::Knows(operation); }
  Error Unknown(std::string_view operation) const override {
    return Database::UnknownOperation(operation);
  }
  void Handle(std::string_view operation, std::string_view padded_json, AnswerCallback done,
              const std::atomic<bool>& unwanted) override {
    database_.ExecuteAsync(operation, padded_json, std::move(done), &unwanted);
  }
  Answer ErrorAnswer(const Error& error) const override { return Database::ErrorAnswer(error); }
  const std::string& region() const override { return database_.region(); }
  Database::Stats GetStats() const override { return database_.GetStats(); }
  Database::Health GetHealth() const override { return database_.GetHealth(); }
  TurnableClock& clock() override { return database_.clock(); }

 private:
  Database& database_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_REQUEST_HANDLER_H_
