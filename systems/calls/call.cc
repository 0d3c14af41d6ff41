#include "systems/calls/call.h"

#include <fmt/format.h>

#include "systems/program/items.h"
#include "systems/program/output.h"
#include "systems/program/text.h"

namespace stator::systems::calls {
namespace {

TimeMs TimeOf(std::int64_t milliseconds) { return TimeMs{std::chrono::milliseconds(milliseconds)}; }

}  // namespace

Call CallOf(const Item& item) {
  Call call;
  call.call_id = TextOf(item, "callId");
  call.user_id = TextOf(item, "userId");
  call.provider_id = TextOf(item, "providerId");
  call.scheduled_for = TimeOf(NumberOf(item, "scheduledFor"));
  call.status = TextOf(item, "status");
  call.version = NumberOf(item, "version");
  if (item.Find("completedAt")) call.completed_at = TimeOf(NumberOf(item, "completedAt"));
  call.notes = TextOf(item, "notes");
  return call;
}

Item KeyOf(const Call& call) {
  return Item{{"userId", call.user_id},
              {"scheduledFor", MillisecondsOf(call.scheduled_for)},
              {"callId", call.call_id}};
}

std::string CallTable(const std::vector<Call>& calls) {
  std::vector<std::vector<std::string>> rows = {
      {"scheduled for", "call", "user", "provider", "status", "version", "completed at"}};
  for (const Call& call : calls) {
    rows.push_back({ShortTime(call.scheduled_for), call.call_id, call.user_id, call.provider_id,
                    call.status, fmt::to_string(call.version),
                    call.completed_at ? ShortTime(*call.completed_at) : "-"});
  }
  return TextTable(rows);
}

std::string CallJson(const Call& call) {
  Item item{{"callId", call.call_id},         {"userId", call.user_id},
            {"providerId", call.provider_id}, {"scheduledFor", ShortTime(call.scheduled_for)},
            {"status", call.status},          {"version", call.version}};
  if (call.completed_at) item.Set("completedAt", AttributeValue(ShortTime(*call.completed_at)));
  if (!call.notes.empty()) item.Set("notes", AttributeValue(call.notes));
  return JsonOfItem(item.view());
}

Fallible<TimeMs> ParseWhen(std::string_view text, TimeMs now) {
  if (text == "now") return now;
  if (text.starts_with('+') || text.starts_with('-')) {
    if (const auto duration = ParseDuration(text)) return now + *duration;
  } else if (const auto time = ParseTime(text)) {
    return *time;
  }
  return std::unexpected(fmt::format(
      "'{}' is not a time after 1970: write it as 2026-03-02T09:00:00Z, or as +2h from now", text));
}

std::optional<std::string> SortKey(TimeMs scheduled_for, std::string_view call_id) {
  if (scheduled_for < TimeMs{} || scheduled_for > kLatestTime) return std::nullopt;
  return fmt::format("{:013d}#{}", scheduled_for.time_since_epoch().count(), call_id);
}

std::string UserStatus(std::string_view user_id, std::string_view status) {
  return fmt::format("{}#{}", user_id, status);
}

}  // namespace stator::systems::calls
