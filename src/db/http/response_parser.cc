#include "http/response_parser.h"

#include <algorithm>

namespace stator::http {
namespace {

// What a header costs beyond its name and value, so that empty ones are not free.
constexpr std::size_t kHeaderOverheadBytes = 32;
constexpr int kStatusOk = 200;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

}  // namespace

std::optional<std::string_view> Response::Header(std::string_view lower_case_name) const {
  for (const auto& [name, value] : headers) {
    if (name == lower_case_name) return value;
  }
  return std::nullopt;
}

ResponseParser::ResponseParser(ResponseLimits limits) : limits_(limits) {
  llhttp_init(&parser_, HTTP_RESPONSE, &Settings());
  parser_.data = this;
}

const llhttp_settings_t& ResponseParser::Settings() {
  static const llhttp_settings_t settings = [] {
    llhttp_settings_t s;
    llhttp_settings_init(&s);
    s.on_status = [](llhttp_t* p, const char* at, std::size_t n) {
      return Self(p).OnHead(Self(p).reason_, {at, n});
    };
    s.on_header_field = [](llhttp_t* p, const char* at, std::size_t n) {
      return Self(p).OnHead(Self(p).header_name_, {at, n});
    };
    s.on_header_value = [](llhttp_t* p, const char* at, std::size_t n) {
      return Self(p).OnHead(Self(p).header_value_, {at, n});
    };
    s.on_header_value_complete = [](llhttp_t* p) { return Self(p).OnHeaderDone(); };
    s.on_body = [](llhttp_t* p, const char* at, std::size_t n) { return Self(p).OnBody({at, n}); };
    s.on_message_complete = [](llhttp_t* p) { return Self(p).OnComplete(); };
    return s;
  }();
  return settings;
}

ResponseParser::State ResponseParser::Take(std::string_view bytes) {
  const llhttp_errno_t error = llhttp_execute(&parser_, bytes.data(), bytes.size());
  if (complete_) {
    const char* end = llhttp_get_error_pos(&parser_);
    if (end != bytes.data() + bytes.size()) response_.keep_alive = false;
    return State::kDone;
  }
  if (error != HPE_OK) return Break("it is not HTTP");
  // Blanks between and inside header lines reach no callback; they count all the same.
  raw_bytes_ += response_.body.empty() ? bytes.size() : 0;
  if (raw_bytes_ > 2 * limits_.head_bytes && response_.body.empty()) {
    return Break("its head is too large");
  }
  return State::kMore;
}

ResponseParser::State ResponseParser::TakeEnd() {
  const llhttp_errno_t error = llhttp_finish(&parser_);
  if (complete_) {
    response_.keep_alive = false;
    return State::kDone;
  }
  (void)error;
  return Break("the connection was closed in the middle of it");
}

int ResponseParser::OnHead(std::string& into, std::string_view piece) {
  head_bytes_ += piece.size();
  if (head_bytes_ > limits_.head_bytes) {
    Break("its head is too large");
    return HPE_USER;
  }
  into.append(piece);
  return HPE_OK;
}

int ResponseParser::OnHeaderDone() {
  head_bytes_ += kHeaderOverheadBytes;
  std::ranges::transform(header_name_, header_name_.begin(), Lower);
  response_.headers.emplace_back(std::move(header_name_), std::move(header_value_));
  header_name_.clear();
  header_value_.clear();
  return OnHead(reason_, {});
}

int ResponseParser::OnBody(std::string_view piece) {
  if (piece.size() > limits_.body_bytes - response_.body.size()) {
    Break("its body is too large");
    return HPE_USER;
  }
  response_.body.append(piece);
  return HPE_OK;
}

int ResponseParser::OnComplete() {
  response_.status = llhttp_get_status_code(&parser_);
  reason_.clear();
  if (response_.status < kStatusOk) {
    response_ = {};
    return HPE_OK;
  }
  response_.keep_alive = llhttp_should_keep_alive(&parser_) != 0;
  complete_ = true;
  return HPE_PAUSED;
}

ResponseParser::State ResponseParser::Break(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
  return State::kBroken;
}

}  // namespace stator::http
