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
    s.on_chunk_extension_name = [](llhttp_t* p, const char*, std::size_t n) {
      return Self(p).CheckHeadSize(n);
    };
    s.on_chunk_extension_value = s.on_chunk_extension_name;
    s.on_chunk_header = [](llhttp_t* p) { return Self(p).OnChunkHeader(); };
    s.on_body = [](llhttp_t* p, const char* at, std::size_t n) { return Self(p).OnBody({at, n}); };
    s.on_message_complete = [](llhttp_t* p) { return Self(p).OnComplete(); };
    return s;
  }();
  return settings;
}

RequestParser::Progress RequestParser::Feed(std::string_view bytes) {
  Progress progress{Event::kNeedMore, current_ ? 0 : SkipEmptyLines(bytes)};
  if (refusal_status_ != 0) return {Event::kRefused, progress.consumed};
  while (progress.event == Event::kNeedMore && progress.consumed < bytes.size()) {
    const Progress step = Execute(bytes.substr(progress.consumed));
    if (current_) current_->wire_byte_count += step.consumed;
    progress = {step.event, progress.consumed + step.consumed};
  }
  // Blanks between and inside header lines reach no callback; they count all the same.
  if (progress.event == Event::kNeedMore && current_ && !head_complete_ &&
      current_->wire_byte_count > kUrlBytesMax + kHeaderBytesMax) {
    Refuse(HTTP_STATUS_BAD_REQUEST);
    progress.event = Event::kRefused;
  }
  return progress;
}

RequestParser::Progress RequestParser::Execute(std::string_view bytes) {
  const bool in_lines = in_lines_;
  const llhttp_errno_t error = llhttp_execute(&parser_, bytes.data(), bytes.size());
  std::size_t consumed = bytes.size();
  if (error == HPE_PAUSED) {
    consumed = static_cast<std::size_t>(llhttp_get_error_pos(&parser_) - bytes.data());
    llhttp_resume(&parser_);
  }
  Event event = EventOf(error);
  // Our callbacks pause where lines end and the body begins, and the other way round.
  if (in_lines && event != Event::kRefused && !CheckLines(bytes.substr(0, consumed))) {
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
      if (std::exchange(trailers_begin_, false)) return Event::kNeedMore;
      return std::exchange(complete_, false) ? Event::kComplete : Event::kHead;
    default:
      // Either one of our callbacks refused and chose the status, or this is not HTTP.
      if (refusal_status_ == 0) refusal_status_ = HTTP_STATUS_BAD_REQUEST;
      return Event::kRefused;
  }
}

std::size_t RequestParser::SkipEmptyLines(std::string_view bytes) {
  std::size_t skipped = 0;
  for (; skipped < bytes.size(); ++skipped) {
    const bool after_cr = previous_ == '\r';
    const char c = bytes[skipped];
    if (c != (after_cr ? '\n' : '\r')) {
      if (after_cr || c == '\n') Refuse(HTTP_STATUS_BAD_REQUEST);
      break;
    }
    previous_ = c;
  }
  return skipped;
}

bool RequestParser::CheckLines(std::string_view bytes) {
  while (!bytes.empty()) {
    // A line that begins with a blank would be the rest of the one before; one with a colon has no name.
    if (previous_ == '\n' && (bytes[0] == ' ' || bytes[0] == '\t' || bytes[0] == ':')) return false;
    const std::size_t end = bytes.find('\n');
    const bool is_whole = end != std::string_view::npos;
    const std::string_view line = bytes.substr(0, end);
    if (!request_line_read_ && !CheckRequestLine(line, is_whole)) return false;
    if (!line.empty()) previous_ = line.back();
    if (!is_whole) return true;
    if (previous_ != '\r') return false;
    previous_ = '\n';
    bytes.remove_prefix(end + 1);
  }
  return true;
}

// One blank each between method, target and version, and no other protocol than HTTP.
bool RequestParser::CheckRequestLine(std::string_view piece, bool is_last) {
  constexpr std::size_t kEndBytes = sizeof(" HTTP/1.1\r") - 1;
  request_line_bytes_ += piece.size();
  if (!is_last || request_line_bytes_ != piece.size()) {
    request_line_end_ += piece;
    request_line_end_.erase(
        0, request_line_end_.size() - std::min(request_line_end_.size(), kEndBytes));
    piece = request_line_end_;
  }
  if (!is_last) return true;
  request_line_read_ = true;
  const std::string_view method = llhttp_method_name(static_cast<llhttp_method_t>(parser_.method));
  return (piece.ends_with(" HTTP/1.1\r") || piece.ends_with(" HTTP/1.0\r")) &&
         request_line_bytes_ == method.size() + 1 + current_->head.target_byte_count() + kEndBytes;
}

int RequestParser::OnBegin() {
  current_ = pool_.Take();
  current_->started_at = std::chrono::steady_clock::now();
  head_byte_count_ = 0;
  head_complete_ = false;
  previous_ = 0;
  request_line_read_ = false;
  request_line_bytes_ = 0;
  request_line_end_.clear();
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
  if (!head_complete_) {
    current_->head.AppendHeaderName(piece);
    if (current_->head.header_count() > kHeaderCountMax) {
      return Refuse(HTTP_STATUS_BAD_REQUEST);
    }
  }
  return CheckHeadSize(piece.size());
}

int RequestParser::OnHeaderValue(std::string_view piece) {
  if (!head_complete_) current_->head.AppendHeaderValue(piece);
  return CheckHeadSize(piece.size());
}

int RequestParser::OnHeadersComplete() {
  head_complete_ = true;
  // The protocol never changes: a request for an upgrade is a request like any other.
  parser_.upgrade = 0;
  current_->head.Finish();
  current_->method = parser_.method;
  current_->http_minor = parser_.http_minor;
  if (!CheckFraming()) return Refuse(HTTP_STATUS_BAD_REQUEST);
  const bool is_chunked = (parser_.flags & F_CHUNKED) != 0;
  const bool length_known = (parser_.flags & F_CONTENT_LENGTH) != 0;
  if (length_known && parser_.content_length > kBodyBytesMax) {
    return Refuse(HTTP_STATUS_PAYLOAD_TOO_LARGE);
  }
  if (!is_chunked && (!length_known || parser_.content_length == 0)) return 0;
  in_lines_ = false;
  return HPE_PAUSED;
}

bool RequestParser::CheckFraming() {
  std::size_t hosts = 0;
  std::size_t lengths = 0;
  std::size_t codings = 0;
  bool is_chunked = false;
  for (const http::HeaderField& header : current_->head.headers()) {
    if (http::SameHeaderName(header.name, "Host")) ++hosts;
    if (http::SameHeaderName(header.name, "Content-Length")) ++lengths;
    if (http::SameHeaderName(header.name, "Content-Encoding")) current_->is_packed = true;
    if (!http::SameHeaderName(header.name, "Transfer-Encoding")) continue;
    ++codings;
    is_chunked = http::SameHeaderName(header.value, "chunked") && (parser_.flags & F_CHUNKED) != 0;
  }
  const bool is_1_1 = parser_.http_major == 1 && parser_.http_minor == 1;
  if (parser_.http_major != 1 || hosts > 1 || (is_1_1 && hosts == 0)) return false;
  if (codings == 0) return lengths <= 1;
  return codings == 1 && is_chunked && is_1_1 && lengths == 0;
}

std::size_t RequestParser::announced_body_bytes() const {
  // llhttp counts content_length down while it hands out the body.
  return (parser_.flags & F_CHUNKED) != 0 ? kBodyBytesMax
                                          : static_cast<std::size_t>(parser_.content_length);
}

bool RequestParser::WantsContinue() const {
  if (parser_.http_minor == 0) return false;
  const auto expect = current_->head.Find("Expect");
  return expect && http::SameHeaderName(*expect, "100-continue");
}

int RequestParser::OnChunkHeader() {
  if (parser_.content_length > 0) return 0;
  // Trailers and the empty line after them are lines again.
  in_lines_ = true;
  previous_ = '\n';
  trailers_begin_ = true;
  return HPE_PAUSED;
}

int RequestParser::OnBody(std::string_view piece) {
  PaddedBuffer& body = current_->body;
  if (body.size() + piece.size() > kBodyBytesMax) return Refuse(HTTP_STATUS_PAYLOAD_TOO_LARGE);
  if ((parser_.flags & F_CONTENT_LENGTH) != 0) {
    // llhttp counts content_length down while it hands out the body. A mere header must not make
    // us reserve megabytes; some of the body must have come first.
    const std::size_t whole =
        body.size() + piece.size() + static_cast<std::size_t>(parser_.content_length);
    const bool has_begun = body.size() + piece.size() > kBodyReserveBytesMax;
    if (body.size() == 0 || has_begun)
      body.Reserve(has_begun ? whole : std::min(whole, kBodyReserveBytesMax));
  }
  body.Append(piece);
  return 0;
}

int RequestParser::OnComplete() {
  current_->keep_alive = llhttp_should_keep_alive(&parser_) != 0;
  complete_ = true;
  in_lines_ = true;  // of the next request
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
