// One connection to a server on this machine; just enough HTTP to call DynamoDB operations.
#ifndef STATOR_TESTS_CASES_RUNNER_HTTP_CLIENT_H_
#define STATOR_TESTS_CASES_RUNNER_HTTP_CLIENT_H_

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace stator::cases {

struct HttpAnswer {
  int status = 0;
  std::string body;
};

class HttpClient {
 public:
  HttpClient() = default;
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  bool Connect(std::uint16_t port);
  // The error is for people: the connection broke, or what came back is not HTTP.
  std::expected<HttpAnswer, std::string> Post(std::string_view operation, std::string_view body);
  // For the server's own paths.
  std::expected<HttpAnswer, std::string> PostJson(std::string_view path, std::string_view body);

 private:
  std::expected<HttpAnswer, std::string> Ask(std::string_view head, std::string_view body);
  bool Send(std::string_view bytes);
  bool Receive(std::string& into);

  int socket_ = -1;
};

}  // namespace stator::cases

#endif  // STATOR_TESTS_CASES_RUNNER_HTTP_CLIENT_H_
