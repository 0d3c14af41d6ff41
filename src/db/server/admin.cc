#include "server/admin.h"

#include <fmt/format.h>
#include <llhttp.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/log.h"
#include "base/try.h"
#include "server/access_rules.h"
#include "server/listener.h"
#include "server/metrics.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator::server {
namespace {

AdminRefusal Forbidden(std::string message) { return {403, std::move(message)}; }

bool IsJson(const RequestHead& head) {
  const std::string_view value = head.Find("Content-Type").value_or("");
  return http::SameHeaderName(http::TrimBlanks(value.substr(0, value.find(';'))),
                              "application/json");
}

using std::chrono::milliseconds;
using Outcome = std::expected<void, std::string>;

constexpr std::string_view kForms =
    R"(Send one of {"advance_seconds": N}, {"now": EPOCH_SECONDS} or {"reset": true}.)";
constexpr std::string_view kBounds = "the clock shows years from 1970 to 9999";

std::unexpected<std::string> Refuse(std::string_view what) {
  return std::unexpected(fmt::format("{} {}", what, kForms));
}

std::string_view Name(ClockMode mode) {
  switch (mode) {
    case ClockMode::kSystem:
      return "system";
    case ClockMode::kOffset:
      return "offset";
    case ClockMode::kFixed:
      return "fixed";
  }
  return {};
}

// Far beyond what any turn can use, well within 64 bits.
constexpr double kSecondsMax = 1e12;

std::expected<milliseconds, std::string> SecondsIn(std::string_view member,
                                                   const JsonValue& value) {
  if (value.kind() != JsonKind::kInteger && value.kind() != JsonKind::kDecimal) {
    return Refuse(fmt::format("{} must be a number of seconds.", member));
  }
  const double seconds = value.number();
  if (!(std::abs(seconds) <= kSecondsMax)) {
    return Refuse(fmt::format("{} is out of range: {}.", member, kBounds));
  }
  return milliseconds(std::llround(seconds * 1000));
}

Outcome TurnBy(std::string_view member, const JsonValue& value, TurnableClock& clock) {
  if (member == "reset") {
    if (value.kind() != JsonKind::kBool || !value.boolean()) return Refuse("reset must be true.");
    clock.Reset();
    return {};
  }
  if (member != "advance_seconds" && member != "now") {
    return Refuse("The body has a member of another name.");
  }
  ASSIGN_OR_RETURN(const milliseconds ms, SecondsIn(member, value));
  const bool turned = member == "now" ? clock.Set(TimeMs(ms)) : clock.Advance(ms);
  if (!turned) return Refuse(fmt::format("{} is out of range: {}.", member, kBounds));
  return {};
}

constexpr std::string_view kPrefix = "/_stator";

RequestHandler::Answer Message(int status, std::string_view text) {
  std::string body;
  JsonWriter json(body);
  json.BeginObject();
  json.Key("message").String(text);
  json.EndObject();
  return {.http_status = status, .body = std::move(body), .error_name = OutcomeName(status)};
}

}  // namespace

std::optional<AdminRefusal> CheckAdminAccess(const RequestHead& head, bool has_body,
                                             const std::string& listening_host) {
  if (!IsLoopbackHost(listening_host)) {
    return Forbidden(fmt::format(
        "/_stator/ is answered only by a server that no other machine can reach, and this one "
        "listens on {}. Start it with --host 127.0.0.1 to use it.",
        listening_host));
  }
  // A whole URL as the target has a host of its own, which would count instead of Host.
  const std::string_view host = head.Find("Host").value_or("");
  if (!head.target().starts_with('/') || head.Count("Host") != 1 || !NamesThisMachine(host)) {
    return Forbidden(
        "/_stator/ must be addressed by a name of this machine: use localhost, 127.0.0.1 or [::1] "
        "in the URL, and no proxy.");
  }
  const bool has_origin = head.Count("Origin") > 0;
  if (has_origin && (head.Count("Origin") != 1 || !IsSameOrigin(*head.Find("Origin"), host))) {
    return Forbidden(
        "/_stator/ is not for web pages of other origins. Send the request without an Origin "
        "header, from a program.");
  }
  if (has_body && !IsJson(head)) {
    return AdminRefusal{415, "Send the header Content-Type: application/json."};
  }
  return std::nullopt;
}

std::string ClockDocument(const ClockReading& reading) {
  std::string body;
  JsonWriter json(body);
  json.BeginObject();
  json.Key("now").TimestampMs(reading.now.time_since_epoch().count());
  json.Key("mode").String(Name(reading.mode));
  json.Key("offset_seconds").TimestampMs(reading.offset.count());
  json.EndObject();
  return body;
}

Outcome TurnClock(std::string_view json, TurnableClock& clock) {
  JsonDocument document;
  if (!document.Parse(json) || document.root().kind() != JsonKind::kObject) {
    return Refuse("The body is not a JSON object.");
  }
  const auto members = document.root().Members();
  if (members.size() != 1) return Refuse("The body must have exactly one member.");
  RETURN_IF_ERROR(TurnBy(members[0].first, members[0].second, clock));
  Log(LogLevel::kInfo, "clock turned", {{"now_ms", clock.Now().time_since_epoch().count()}});
  return {};
}

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
