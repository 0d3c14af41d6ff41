#include "systems/reconciler/call.h"

#include <fmt/format.h>

#include <algorithm>

#include "systems/program/json_line.h"

namespace stator::systems::reconciler {
namespace {

bool HasAudio(ItemView call) {
  const auto value = call.Find("AudioReceived");
  return value && value->type() == Type::kBool && value->Bool();
}

}  // namespace

std::string TextOf(ItemView item, std::string_view name) {
  const auto value = item.Find(name);
  return value && value->type() == Type::kS ? std::string(value->S()) : std::string();
}

std::int64_t NumberOf(ItemView item, std::string_view name) {
  const auto value = item.Find(name);
  return value && value->type() == Type::kN ? value->AsInt64().value_or(0) : 0;
}

Item KeyOf(ItemView call) {
  return Item{{"TenantId", TextOf(call, "TenantId")}, {"CallId", TextOf(call, "CallId")}};
}

Change WithSources(Change change, ItemView call) {
  for (const char* name : {"CallDateTime", "AudioReceived", "ProcessingStatus"}) {
    const auto value = call.Find(name);
    const bool is_set =
        std::ranges::any_of(change.set, [&](const auto& set) { return set.first == name; });
    if (value && !is_set) change.set.emplace_back(name, AttributeValue::FromView(*value));
  }
  return change;
}

std::vector<std::string> ReasonsOf(ItemView call) {
  std::vector<std::string> reasons;
  if (!HasAudio(call)) reasons.emplace_back("AUDIO_MISSING");
  const std::string status = TextOf(call, "ProcessingStatus");
  if (status == "FAILED" || status == "PENDING") reasons.push_back(status);
  return reasons;
}

Payload PayloadOf(ItemView call) {
  Payload payload;
  payload.id = fmt::format("{}#{}#{}", TextOf(call, "TenantId"), TextOf(call, "CallId"),
                           NumberOf(call, "Revision"));
  payload.json = fmt::format(
      R"({{"id":{},"TenantId":{},"CallId":{},"CallDateTime":{},"AudioReceived":{},)"
      R"("ProcessingStatus":{},"Reasons":["{}"]}})",
      JsonText(payload.id), JsonText(TextOf(call, "TenantId")), JsonText(TextOf(call, "CallId")),
      JsonText(TextOf(call, "CallDateTime")), HasAudio(call),
      JsonText(TextOf(call, "ProcessingStatus")), fmt::join(ReasonsOf(call), R"(",")"));
  return payload;
}

}  // namespace stator::systems::reconciler
