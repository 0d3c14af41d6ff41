#include "server/admin.h"

#include <llhttp.h>

#include <utility>

#include "server/admin_clock.h"
#include "server/admin_guard.h"
#include "value/json_writer.h"

namespace stator::server {
namespace {

constexpr std::string_view kPrefix = "/_stator";

std::string_view OutcomeName(int status) {
  switch (status) {
    case HTTP_STATUS_BAD_REQUEST:
      return "http_400";
    case HTTP_STATUS_FORBIDDEN:
      return "http_403";
    case HTTP_STATUS_NOT_FOUND:
      return "http_404";
    case HTTP_STATUS_METHOD_NOT_ALLOWED:
      return "http_405";
    default:
      return "http_415";
  }
}

RequestHandler::Answer Message(int status, std::string_view text) {
  std::string body;
  JsonWriter json(body);
  json.BeginObject();
  json.Key("message").String(text);
  json.EndObject();
  return {.http_status = status, .body = std::move(body), .error_name = OutcomeName(status)};
}

}  // namespace

bool Admin::Owns(std::string_view path) {
  return path.starts_with(kPrefix) &&
         (path.size() == kPrefix.size() || path[kPrefix.size()] == '/');
}

void Admin::Answer(Exchange& exchange, const Result<void>& allowed) {
  exchange.operation = "admin";
  exchange.content_type = ContentType::kJson;
  const bool has_body = exchange.method == HTTP_POST || exchange.body.size() > 0;
  if (auto refusal = CheckAdminAccess(exchange.head, has_body, listening_host_)) {
    exchange.answer = Message(refusal->status, refusal->message);
  } else if (!allowed) {
    exchange.answer = handler_.ErrorAnswer(allowed.error());
  } else if (exchange.head.path() == "/_stator/clock") {
    exchange.answer = AnswerClock(exchange);
  } else {
    exchange.answer = Message(HTTP_STATUS_NOT_FOUND, "There is nothing here; try /_stator/clock.");
  }
}

RequestHandler::Answer Admin::AnswerClock(Exchange& exchange) {
  TurnableClock& clock = handler_.clock();
  if (exchange.method == HTTP_POST) {
    const auto turned = TurnClock(exchange.body.Padded(), clock);
    if (!turned) return Message(HTTP_STATUS_BAD_REQUEST, turned.error());
  } else if (exchange.method != HTTP_GET) {
    exchange.extra_headers += "Allow: GET, POST\r\n";
    return Message(HTTP_STATUS_METHOD_NOT_ALLOWED, "GET reads the clock, POST turns it.");
  }
  return {.http_status = HTTP_STATUS_OK, .body = ClockDocument(clock.Read()), .error_name = {}};
}

}  // namespace stator::server
