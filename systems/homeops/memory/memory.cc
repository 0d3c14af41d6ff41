#include "systems/homeops/memory/memory.h"

#include <algorithm>

#include "systems/homeops/memory/counts.h"
#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

DoneActivity DoneActivityOf(const Item& item) {
  return {.activity = TextOf(item, "activity"),
          .user = NumberOf(item, "userId"),
          .name = TextOf(item, "userName"),
          .at = NumberOf(item, "timestamp")};
}

EntityResult<std::optional<DoneActivity>> DoneActivityOf(
    const EntityResult<std::optional<Item>>& found) {
  if (!found) return std::unexpected(found.error());
  if (!*found) return std::nullopt;
  return DoneActivityOf(**found);
}

// The seed's own code writes nothing but the key.
std::string ActivityOf(const Item& item) {
  const std::string activity = TextOf(item, "activity");
  return activity.empty() ? TextOf(item, "sk") : activity;
}

std::map<std::string, std::int64_t> CountersOf(ItemView item, std::string_view name) {
  std::map<std::string, std::int64_t> counters;
  const auto value = item.Find(name);
  if (!value || value->type() != Type::kM) return counters;
  for (const auto& [key, count] : value->Map()) {
    if (count.type() == Type::kN) counters[std::string(key)] = count.AsInt64().value_or(0);
  }
  return counters;
}

}  // namespace

EntityResult<std::optional<DoneActivity>> Memory::WhoLast(std::string_view chat,
                                                          std::string_view activity) {
  const auto canonical = aliases_.Canonical(chat, activity);
  if (!canonical) return std::unexpected(canonical.error());
  return DoneActivityOf(entities_.First(
      "who_last", {{"chat", AttributeValue(chat)}, {"activity", AttributeValue(*canonical)}}));
}

EntityResult<std::optional<DoneActivity>> Memory::WhenLast(std::string_view chat, std::int64_t user,
                                                           std::string_view activity) {
  const auto canonical = aliases_.Canonical(chat, activity);
  if (!canonical) return std::unexpected(canonical.error());
  return DoneActivityOf(entities_.First("user_last", {{"chat", AttributeValue(chat)},
                                                      {"user", AttributeValue(user)},
                                                      {"activity", AttributeValue(*canonical)}}));
}

EntityResult<std::int64_t> Memory::HowOften(std::string_view chat, std::int64_t user,
                                            std::string_view activity, std::int64_t from,
                                            std::int64_t to) {
  const auto canonical = aliases_.Canonical(chat, activity);
  if (!canonical) return std::unexpected(canonical.error());
  return entities_.Count("week_count", {{"chat", AttributeValue(chat)},
                                        {"user", AttributeValue(user)},
                                        {"activity", AttributeValue(*canonical)},
                                        {"from", AttributeValue(from)},
                                        {"to", AttributeValue(to)}});
}

EntityResult<std::vector<DoneActivity>> Memory::DoneIn(std::string_view chat,
                                                       std::string_view activity, std::int64_t from,
                                                       std::int64_t to) {
  const auto canonical = aliases_.Canonical(chat, activity);
  if (!canonical) return std::unexpected(canonical.error());
  const auto items = entities_.All("done_in", {{"chat", AttributeValue(chat)},
                                               {"activity", AttributeValue(*canonical)},
                                               {"from", AttributeValue(from)},
                                               {"to", AttributeValue(to)}});
  if (!items) return std::unexpected(items.error());
  std::vector<DoneActivity> done;
  for (const Item& item : *items) done.push_back(DoneActivityOf(item));
  return done;
}

EntityResult<std::vector<Habit>> Memory::HabitsOf(std::string_view chat, std::int64_t user) {
  const auto items =
      entities_.All("habits", {{"chat", AttributeValue(chat)}, {"user", AttributeValue(user)}});
  if (!items) return std::unexpected(items.error());
  const auto efforts = entities_.All("efforts", {{"user", AttributeValue(user)}});
  if (!efforts) return std::unexpected(efforts.error());
  std::map<std::string, double> usual;
  for (const Item& item : *efforts) usual[ActivityOf(item)] = RealOf(item.view(), "ema");
  std::vector<Habit> habits;
  for (const Item& item : *items) {
    const std::string activity = ActivityOf(item);
    habits.push_back({.activity = activity,
                      .total = NumberOf(item.view(), "totalCount"),
                      .last_seen = LastSeen(item),
                      .days = CountersOf(item.view(), "dayOfWeekCounts"),
                      .hours = CountersOf(item.view(), "hourOfDayCounts"),
                      .effort = usual[activity]});
  }
  std::ranges::stable_sort(habits, std::greater<>(), &Habit::total);
  return habits;
}

EntityResult<std::vector<Preference>> Memory::PreferencesOf(std::int64_t user) {
  const auto items = entities_.All("preferences", {{"user", AttributeValue(user)}});
  if (!items) return std::unexpected(items.error());
  std::vector<Preference> preferences;
  for (const Item& item : *items) {
    preferences.push_back(
        {.metric = TextOf(item.view(), "metric"), .count = NumberOf(item.view(), "count")});
  }
  return preferences;
}

EntityResult<std::vector<Member>> Memory::FindPeople(std::string_view chat, std::string_view who) {
  const auto people = People(entities_).Of(chat);
  if (!people) return std::unexpected(people.error());
  return Called(*people, who);
}

}  // namespace stator::systems::homeops
