#include "server/request_parser.h"

#include <algorithm>
#include <utility>

#include "server/options.h"

namespace stator::server {

RequestParser::RequestParser(ExchangePool& pool) : pool_(pool) {
  llhttp_init(&parser_, HTTP_REQUEST, &Settings());
  parser_.data = this;
}

const llhttp_settings_t& RequestParser::Settings() {
  static const llhttp_settings_t settings = [] {
    llhttp_settings_t s;
    llhttp_settings_init(&s);
    s.on_message_begin = [](llhttp_t* p) { return Self(p).OnBegin(); };
    s.on_url = [](llhttp_t* p, const char* at, std::size_t n) { return Self(p).OnTarget({at, n}); };
    s.on_header_field = [](llhttp_t* p, const char* at, std::size_t n) {
      return Self(p).OnHeaderName({at, n});
    };
    s.on_header_value = [](llhttp_t* p, const char* at, std::size_t n) {
      return Self(p).OnHeaderValue({at, n});
    };
    s.on_headers_complete = [](llhttp_t* p) { return Self(p).OnHeadersComplete(); };
    s.on_body = [](llhttp_t* p, const char* at, std::size_t n) { return Self(p).OnBody({at, n}); };
    s.on_message_complete = [](llhttp_t* p) { return Self(p).OnComplete(); };
    return s;
  }();
  return settings;
}

RequestParser::Progress RequestParser::Feed(std::string_view bytes) {
  const bool head_unfinished = !in_body_;
  const llhttp_errno_t error = llhttp_execute(&parser_, bytes.data(), bytes.size());
  std::size_t consumed = bytes.size();
  if (error == HPE_PAUSED) {
    consumed = static_cast<std::size_t>(llhttp_get_error_pos(&parser_) - bytes.data());
    llhttp_resume(&parser_);
  }
  if (current_) current_->wire_byte_count += consumed;
  Event event = EventOf(error);
  // Blanks between and inside header lines reach no callback; they count all the same.
  if (event == Event::kNeedMore && head_unfinished && !in_body_ && current_ &&
      current_->wire_byte_count > kUrlBytesMax + kHeaderBytesMax) {
    Refuse(HTTP_STATUS_BAD_REQUEST);
    event = Event::kRefused;
  }
  return {event, consumed};
}

RequestParser::Event RequestParser::EventOf(llhttp_errno_t error) {
  switch (error) {
    case HPE_OK:
      return Event::kNeedMore;
    case HPE_PAUSED:
      return std::exchange(complete_, false) ? Event::kComplete : Event::kWantsContinue;
    default:
      // Either one of our callbacks refused and chose the status, or this is not HTTP.
      if (refusal_status_ == 0) refusal_status_ = HTTP_STATUS_BAD_REQUEST;
      return Event::kRefused;
  }
}

int RequestParser::OnBegin() {
  current_ = pool_.Take();
  current_->started_at = std::chrono::steady_clock::now();
  head_byte_count_ = 0;
  in_body_ = false;
  return 0;
}

int RequestParser::OnTarget(std::string_view piece) {
  if (current_->head.target_byte_count() + piece.size() > kUrlBytesMax) {
    return Refuse(HTTP_STATUS_BAD_REQUEST);
  }
  current_->head.AppendTarget(piece);
  return 0;
}

int RequestParser::OnHeaderName(std::string_view piece) {
  if (!in_body_) {
    current_->head.AppendHeaderName(piece);
    if (current_->head.header_count() > kHeaderCountMax) {
      return Refuse(HTTP_STATUS_BAD_REQUEST);
    }
  }
  return CheckHeadSize(piece.size());
}

int RequestParser::OnHeaderValue(std::string_view piece) {
  if (!in_body_) current_->head.AppendHeaderValue(piece);
  return CheckHeadSize(piece.size());
}

int RequestParser::OnHeadersComplete() {
  in_body_ = true;
  // The protocol never changes: a request for an upgrade is a request like any other.
  parser_.upgrade = 0;
  RequestHead& head = current_->head;
  head.Finish();
  current_->method = parser_.method;
  current_->http_minor = parser_.http_minor;
  // DynamoDB refuses two Host headers; llhttp lets nameless ones pass.
  if (parser_.http_major != 1 || head.Count("Host") > 1 || head.Count("") > 0) {
    return Refuse(HTTP_STATUS_BAD_REQUEST);
  }

  const bool length_known = (parser_.flags & F_CONTENT_LENGTH) != 0;
  if (length_known && parser_.content_length > kBodyBytesMax) {
    return Refuse(HTTP_STATUS_PAYLOAD_TOO_LARGE);
  }
  const bool body_follows =
      (length_known && parser_.content_length > 0) || (parser_.flags & F_CHUNKED) != 0;
  if (!body_follows || parser_.http_minor == 0) return 0;
  const auto expect = head.Find("Expect");
  return expect && http::SameHeaderName(*expect, "100-continue") ? HPE_PAUSED : 0;
}

int RequestParser::OnBody(std::string_view piece) {
  PaddedBuffer& body = current_->body;
  if (body.size() + piece.size() > kBodyBytesMax) return Refuse(HTTP_STATUS_PAYLOAD_TOO_LARGE);
  if (body.size() == 0 && (parser_.flags & F_CONTENT_LENGTH) != 0) {
    // llhttp counts content_length down while it hands out the body. A mere header must not make
    // us reserve megabytes, so beyond the bound the buffer grows as bytes arrive.
    const std::size_t announced = piece.size() + static_cast<std::size_t>(parser_.content_length);
    body.Reserve(std::min(announced, kBodyReserveBytesMax));
  }
  body.Append(piece);
  return 0;
}

int RequestParser::OnComplete() {
  current_->keep_alive = llhttp_should_keep_alive(&parser_) != 0;
  complete_ = true;
  in_body_ = false;
  return HPE_PAUSED;
}

int RequestParser::Refuse(int status) {
  refusal_status_ = status;
  return HPE_USER;
}

int RequestParser::CheckHeadSize(std::size_t added) {
  head_byte_count_ += added;
  return head_byte_count_ > kHeaderBytesMax ? Refuse(HTTP_STATUS_BAD_REQUEST) : 0;
}

}  // namespace stator::server
