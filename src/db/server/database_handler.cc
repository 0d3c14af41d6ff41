#include "server/database_handler.h"

#include <utility>

namespace stator::server {

bool DatabaseHandler::Knows(std::string_view operation) const { return Database::Knows(operation); }

void DatabaseHandler::Handle(std::string_view operation, std::string_view padded_json,
                             AnswerCallback done) {
  database_.ExecuteAsync(operation, padded_json, std::move(done));
}

RequestHandler::Answer DatabaseHandler::ErrorAnswer(const Error& error) const {
  return Database::ErrorAnswer(error);
}

const std::string& DatabaseHandler::region() const { return database_.region(); }

Database::Stats DatabaseHandler::GetStats() const { return database_.GetStats(); }

TurnableClock& DatabaseHandler::clock() { return database_.clock(); }

}  // namespace stator::server
