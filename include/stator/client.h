// DynamoDB's protocol from C++: the operations of an Endpoint on a Stator server or on AWS.
//
//   auto music = stator::Client::Open({.endpoint = "http://127.0.0.1:8000"});
//   if (!music) { std::cerr << music.error().message(); return 1; }
//   auto got = (*music)->GetItem({.table_name = "Music", .key = Item{{"Artist", "Acme"}}});
//
// A Client is thread-safe. A call blocks its thread until the answer is there; connections are kept
// and shared. docs/client.md has more.
#ifndef STATOR_CLIENT_H_
#define STATOR_CLIENT_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "stator/endpoint.h"

namespace stator {

struct ClientCredentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;  // of temporary credentials only
};

struct ClientOptions {
  // http://HOST[:PORT] or https://HOST[:PORT]. Empty: AWS, https://dynamodb.REGION.amazonaws.com.
  std::string endpoint;
  // Empty: the one in the name of AWS's host; else of AWS_REGION or AWS_DEFAULT_REGION; else
  // us-east-1 for an endpoint that is not AWS.
  std::string region;

  // Empty: as below.
  ClientCredentials credentials;
  // A profile of ~/.aws/credentials (or of the file that AWS_SHARED_CREDENTIALS_FILE names). Empty:
  // AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; else the profile that
  // AWS_PROFILE names or else "default", if it is there; else, for an endpoint on this machine,
  // credentials that prove nothing.
  std::string profile;

  // A file of certificates to trust instead of the system's, for https.
  std::string ca_file;

  std::chrono::milliseconds connect_timeout = std::chrono::seconds(3);
  // From the first byte sent to the last one received, for each attempt.
  std::chrono::milliseconds request_timeout = std::chrono::seconds(30);
  // The first attempt included.
  int max_attempts = 10;
  // Open at the same time; further calls wait for one.
  std::size_t max_connections = 64;
};

// Attempts that failed because of the network, of the server (HTTP 5xx) or of throttling are made
// again, after a random wait whose bound doubles each time. As with AWS's own SDKs, an attempt whose
// answer was lost may have been carried out: an update such as ADD can then happen twice, except in
// TransactWriteItems, which carries an idempotency token.
//
// An error of code kNoAnswer says that no attempt had an answer that can be read.
class Client final : public Endpoint {
 public:
  // Connects to nobody yet. Fails with a message for people.
  static Result<std::unique_ptr<Client>> Open(ClientOptions options);
  // REQUIRES: no call is under way.
  ~Client() override;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // The operations of an Endpoint. TransactWriteItems gives a request without an idempotency
  // token one of its own.
#define STATOR_DECLARE(Name) Result<Name##Response> Name(const Name##Request& request) override;
  STATOR_OPERATIONS(STATOR_DECLARE)
#undef STATOR_DECLARE

  // Any operation that the endpoint knows. The answer is its body as it came.
  Result<std::string> Execute(std::string_view operation, std::string_view json) override;

  const std::string& region() const;

 private:
  struct Impl;
  explicit Client(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace stator

#endif  // STATOR_CLIENT_H_
