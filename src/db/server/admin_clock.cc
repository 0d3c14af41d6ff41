#include "server/admin_clock.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/log.h"
#include "base/try.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator::server {
namespace {

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

}  // namespace

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

}  // namespace stator::server
