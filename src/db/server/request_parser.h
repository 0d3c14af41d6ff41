// Bytes of a connection → requests. Wraps llhttp and keeps every limit on the size of a request.
#ifndef STATOR_SERVER_REQUEST_PARSER_H_
#define STATOR_SERVER_REQUEST_PARSER_H_

#include <llhttp.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "server/exchange.h"

namespace stator::server {

class RequestParser {
 public:
  enum class Event : std::uint8_t {
    kNeedMore,       // all bytes consumed
    kWantsContinue,  // the peer waits for "100 Continue" before it sends the body
    kComplete,       // TakeRequest has a request
    kRefused,        // answer refusal_status() and close; no more bytes may be fed
  };
  struct Progress {
    Event event;
    std::size_t consumed;
  };

  explicit RequestParser(ExchangePool& pool);
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  // Consumes bytes up to the next event.
  Progress Feed(std::string_view bytes);

  // True from the first byte of a request to its last.
  bool InRequest() const { return current_ != nullptr; }
  // The request as far as it was read; null if none was begun.
  // REQUIRES: the last event was kComplete, or no more bytes will be fed.
  std::unique_ptr<Exchange> TakeRequest() { return std::move(current_); }
  // REQUIRES: the last event was kRefused.
  int refusal_status() const { return refusal_status_; }

 private:
  static const llhttp_settings_t& Settings();
  static RequestParser& Self(llhttp_t* parser) {
    return *static_cast<RequestParser*>(parser->data);
  }

  // llhttp's callbacks: 0, HPE_PAUSED or HPE_USER.
  int OnBegin();
  int OnTarget(std::string_view piece);
  int OnHeaderName(std::string_view piece);
  int OnHeaderValue(std::string_view piece);
  int OnHeadersComplete();
  int OnBody(std::string_view piece);
  int OnComplete();

  int Refuse(int status);
  int CheckHeadSize(std::size_t added);
  Event EventOf(llhttp_errno_t error);

  llhttp_t parser_;
  ExchangePool& pool_;
  std::unique_ptr<Exchange> current_;  // only while a request is partly read
  std::size_t head_byte_count_ = 0;
  int refusal_status_ = 0;
  bool in_body_ = false;
  bool complete_ = false;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_REQUEST_PARSER_H_
