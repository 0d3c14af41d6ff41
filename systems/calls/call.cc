#include "systems/calls/call.h"

#include <fmt/format.h>

#include "systems/calls/time_text.h"
#include "systems/program/json_line.h"
#include "systems/program/text_table.h"

namespace stator::systems::calls {
namespace {

std::string TextOf(const Item& item, std::string_view name) {
  const auto value = item.Find(name);
  return value && value->type() == Type::kS ? std::string(value->S()) : std::string();
}

std::optional<std::int64_t> NumberOf(const Item& item, std::string_view name) {
  const auto value = item.Find(name);
  return value && value->type() == Type::kN ? value->AsInt64() : std::nullopt;
}

TimeMs TimeOf(std::int64_t milliseconds) { return TimeMs{std::chrono::milliseconds(milliseconds)}; }

}  // namespace

Call CallOf(const Item& item) {
  Call call;
  call.call_id = TextOf(item, "callId");
  call.user_id = TextOf(item, "userId");
  call.provider_id = TextOf(item, "providerId");
  call.scheduled_for = TimeOf(NumberOf(item, "scheduledFor").value_or(0));
  call.status = TextOf(item, "status");
  call.version = NumberOf(item, "version").value_or(0);
  if (const auto completed = NumberOf(item, "completedAt")) call.completed_at = TimeOf(*completed);
  call.notes = TextOf(item, "notes");
  return call;
}

Item KeyOf(const Call& call) {
  return Item{{"userId", call.user_id},
              {"scheduledFor", call.scheduled_for.time_since_epoch().count()},
              {"callId", call.call_id}};
}

std::string CallTable(const std::vector<Call>& calls) {
  std::vector<std::vector<std::string>> rows = {
      {"scheduled for", "call", "user", "provider", "status", "version", "completed at"}};
  for (const Call& call : calls) {
    rows.push_back({TimeText(call.scheduled_for), call.call_id, call.user_id, call.provider_id,
                    call.status, fmt::to_string(call.version),
                    call.completed_at ? TimeText(*call.completed_at) : "-"});
  }
  return TextTable(rows);
}

std::string CallJson(const Call& call) {
  Item item{{"callId", call.call_id},         {"userId", call.user_id},
            {"providerId", call.provider_id}, {"scheduledFor", TimeText(call.scheduled_for)},
            {"status", call.status},          {"version", call.version}};
  if (call.completed_at) item.Set("completedAt", AttributeValue(TimeText(*call.completed_at)));
  if (!call.notes.empty()) item.Set("notes", AttributeValue(call.notes));
  return JsonOfItem(item.view());
}

}  // namespace stator::systems::calls
