// Two endpoints that are told the same: an embedded database, and a client of a server with another.
#ifndef STATOR_TESTS_CLIENT_ENDPOINT_TWINS_H_
#define STATOR_TESTS_CLIENT_ENDPOINT_TWINS_H_

#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "server/request_handler.h"
#include "server/server.h"
#include "stator/client.h"
#include "stator/database.h"
#include "stator/table_operations.h"
#include "tests/client_endpoint/show.h"

namespace stator::testing {

// The table of these tests: a hash and a range key, a local and a global index.
inline CreateTableRequest MusicTable() {
  using Definitions = std::vector<AttributeDefinition>;
  using Schema = std::vector<KeySchemaElement>;
  return {
      .attribute_definitions =
          Definitions{
              {"Artist", ScalarType::kS}, {"Song", ScalarType::kS}, {"Year", ScalarType::kN}},
      .table_name = "Music",
      .key_schema = Schema{{"Artist", KeyType::kHash}, {"Song", KeyType::kRange}},
      .local_secondary_indexes =
          std::vector<LocalSecondaryIndex>{
              {.index_name = "ByYear",
               .key_schema = Schema{{"Artist", KeyType::kHash}, {"Year", KeyType::kRange}},
               .projection = IndexProjection{ProjectionType::kAll, {}}}},
      .global_secondary_indexes =
          std::vector<GlobalSecondaryIndex>{
              {.index_name = "OfYear",
               .key_schema = Schema{{"Year", KeyType::kHash}},
               .projection =
                   IndexProjection{ProjectionType::kInclude, std::vector<std::string>{"Genre"}}}},
      .billing_mode = BillingMode::kPayPerRequest,
  };
}

// A server on a port of its own, in this process.
class ServedDatabase {
 public:
  ServedDatabase() : database_(OpenDatabase()), handler_(*database_) {
    server_ = *server::Server::Start({.port = 0, .threads = 1}, handler_);
  }
  Database& database() { return *database_; }
  std::string url() const { return server_->url(); }

  static std::unique_ptr<Database> OpenDatabase() {
    return *Database::Open({.clock = *ClockSetting::Parse("fixed:2026-01-01T00:00:00Z")});
  }

 private:
  std::unique_ptr<Database> database_;
  server::DatabaseHandler handler_;
  std::unique_ptr<server::Server> server_;
};

class Twins {
 public:
  Twins() : embedded_(ServedDatabase::OpenDatabase()) {
    client_ = *Client::Open({.endpoint = served_.url()});
  }
  Database& embedded() { return *embedded_; }
  Client& client() { return *client_; }
  Database& behind_client() { return served_.database(); }

  void WaitForBackgroundWork() {
    embedded_->WaitForBackgroundWork();
    served_.database().WaitForBackgroundWork();
  }

  // Makes the call on both and expects one answer. Returns it as text.
  template <class Call>
  std::string Both(Call call) {
    return Expect(*embedded_, call);
  }
  // The same for a call that reads, on the database behind the client: the order of a scan is
  // another one in every database.
  template <class Call>
  std::string BothReads(Call call) {
    return Expect(served_.database(), call);
  }

 private:
  template <class Call>
  std::string Expect(Endpoint& other, Call call) {
    const std::string expected = Show(call(other));
    const std::string actual = Show(call(static_cast<Endpoint&>(*client_)));
    EXPECT_EQ(actual, expected);
    return expected;
  }

  std::unique_ptr<Database> embedded_;
  ServedDatabase served_;
  std::unique_ptr<Client> client_;
};

}  // namespace stator::testing

#endif  // STATOR_TESTS_CLIENT_ENDPOINT_TWINS_H_
