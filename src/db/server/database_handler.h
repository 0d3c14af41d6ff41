// The RequestHandler of the program: every call goes straight to the Database.
#ifndef STATOR_SERVER_DATABASE_HANDLER_H_
#define STATOR_SERVER_DATABASE_HANDLER_H_

#include "server/request_handler.h"

namespace stator::server {

class DatabaseHandler final : public RequestHandler {
 public:
  // The database must outlive the handler.
  explicit DatabaseHandler(Database& database) : database_(database) {}

  bool Knows(std::string_view operation) const override;
  void Handle(std::string_view operation, std::string_view padded_json,
              AnswerCallback done) override;
  Answer ErrorAnswer(const Error& error) const override;
  const std::string& region() const override;
  Database::Stats GetStats() const override;
  TurnableClock& clock() override;

 private:
  Database& database_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_DATABASE_HANDLER_H_
