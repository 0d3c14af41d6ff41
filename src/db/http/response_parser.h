// Reads one HTTP/1.1 answer from bytes as they come, within limits: what a server sends is as little
// to be trusted as what a client sends.
#ifndef STATOR_HTTP_RESPONSE_PARSER_H_
#define STATOR_HTTP_RESPONSE_PARSER_H_

#include <llhttp.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator::http {

struct Response {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;
  bool keep_alive = false;  // the connection may carry another request

  std::optional<std::string_view> Header(std::string_view lower_case_name) const;
};

struct ResponseLimits {
  std::size_t head_bytes = std::size_t{64} << 10;  // trailers included
  std::size_t body_bytes = std::size_t{64} << 20;
};

class ResponseParser {
 public:
  enum class State : std::uint8_t { kMore, kDone, kBroken };

  explicit ResponseParser(ResponseLimits limits = {});
  ResponseParser(const ResponseParser&) = delete;
  ResponseParser& operator=(const ResponseParser&) = delete;

  // REQUIRES: kMore was the answer to everything before. Interim answers (100 Continue) are passed
  // over. After bytes beyond the end of the answer the connection is not kept.
  State Take(std::string_view bytes);
  // The server has closed the connection, which is how some answers end.
  State TakeEnd();

  // After kDone.
  Response& response() { return response_; }
  // After kBroken: what is wrong, for people.
  const std::string& problem() const { return problem_; }

 private:
  static const llhttp_settings_t& Settings();
  static ResponseParser& Self(llhttp_t* parser) {
    return *static_cast<ResponseParser*>(parser->data);
  }
  int OnHead(std::string& into, std::string_view piece);
  int OnHeaderDone();
  int OnBody(std::string_view piece);
  int OnComplete();
  State Break(std::string problem);

  const ResponseLimits limits_;
  llhttp_t parser_{};
  Response response_;
  std::string header_name_;
  std::string header_value_;
  std::string reason_;
  std::size_t head_bytes_ = 0;
  std::size_t raw_bytes_ = 0;  // that came before the body, blanks included
  bool complete_ = false;
  std::string problem_;
};

}  // namespace stator::http

#endif  // STATOR_HTTP_RESPONSE_PARSER_H_
