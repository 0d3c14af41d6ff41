// Bytes of a connection → requests. Wraps llhttp and keeps every limit on the size of a request.
//
// Reads HTTP/1.1 to the letter. A proxy in front of the server must see the same requests in the same
// bytes, so what two readers could understand differently is refused: a line that ends without CR LF, a
// header that goes on in the next line, Transfer-Encoding other than "chunked", or together with a
// length, or in HTTP/1.0, a request of HTTP/1.1 without Host, and two Host headers.
#ifndef STATOR_SERVER_REQUEST_PARSER_H_
#define STATOR_SERVER_REQUEST_PARSER_H_

#include <llhttp.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "server/exchange.h"

namespace stator::server {

class RequestParser {
 public:
  enum class Event : std::uint8_t {
    kNeedMore,  // all bytes consumed
    kHead,      // the head of a request is read and a body follows: see head(), body_byte_count()
    kComplete,  // TakeRequest has a request
    kRefused,   // answer refusal_status() and close; no more bytes may be fed
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
  // Of the request that is partly read. REQUIRES: InRequest.
  Exchange& current() { return *current_; }
  // The bytes that its body may have: the announced length, or the bound if it comes in chunks.
  // REQUIRES: the last event was kHead.
  std::size_t announced_body_bytes() const;
  // True if the peer waits for "100 Continue" before it sends the body. REQUIRES: as above.
  bool WantsContinue() const;
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
  int OnChunkHeader();
  int OnBody(std::string_view piece);
  int OnComplete();

  int Refuse(int status);
  int CheckHeadSize(std::size_t added);
  Progress Execute(std::string_view bytes);
  Event EventOf(llhttp_errno_t error);
  // The empty lines before a request. Returns their size; sets refusal_status_ if they are none.
  std::size_t SkipEmptyLines(std::string_view bytes);
  // Looks at bytes of the request line, of headers or of trailers, in their order. False if a line is not
  // what the grammar says although llhttp lets it pass.
  bool CheckLines(std::string_view bytes);
  bool CheckRequestLine(std::string_view piece, bool is_last);
  // How long the body is must be clear, and who is addressed.
  bool CheckFraming();

  llhttp_t parser_;
  ExchangePool& pool_;
  std::unique_ptr<Exchange> current_;  // only while a request is partly read
  std::size_t head_byte_count_ = 0;
  int refusal_status_ = 0;
  bool head_complete_ = false;
  bool complete_ = false;
  bool trailers_begin_ = false;

  // For CheckLines.
  bool in_lines_ = true;  // not in the body
  char previous_ = 0;     // the last byte that was looked at
  bool request_line_read_ = false;
  std::size_t request_line_bytes_ = 0;
  std::string request_line_end_;  // its last bytes, if it comes in pieces
};

}  // namespace stator::server

#endif  // STATOR_SERVER_REQUEST_PARSER_H_
