#include "systems/homeops/memory/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "systems/homeops/memory/stockholm.h"
#include "systems/program/items.h"
#include "systems/program/text.h"

namespace stator::systems::homeops {
namespace {

std::string_view MetricOf(int effort) {
  if (effort <= 1) return "light";
  return effort <= 3 ? "medium" : "heavy";
}

Item EffortKey(const Message& message, const Deed& deed) {
  return Item{{"userId", UserOf(message, deed)}, {"activity", deed.activity}};
}

std::string SeenText(std::int64_t at) { return SortableTime(TimeMs(std::chrono::seconds(at))); }

AttributeValue MeanOf(double mean) { return AttributeValue::Number(fmt::format("{:.4f}", mean)); }

// How the maps and the total of a habit change.
Change HabitCounts(const Message& message, std::int64_t by) {
  const StockholmTime local = InStockholm(message.at);
  return {.add = {{"dayOfWeekCounts." + local.day, by},
                  {fmt::format("hourOfDayCounts.{}", local.hour), by},
                  {"totalCount", by}}};
}

// When the same person did the same before, or after: the latest time besides this message.
EntityResult<std::int64_t> OtherTime(Entities& entities, const Message& message, const Deed& deed) {
  const auto page = entities.Query("user_last",
                                   {{"chat", AttributeValue(message.chat)},
                                    {"user", AttributeValue(UserOf(message, deed))},
                                    {"activity", AttributeValue(deed.activity)}},
                                   {.limit = 2});
  if (!page) return std::unexpected(page.error());
  for (const Item& item : page->items) {
    if (NumberOf(item, "messageId") != message.id) return NumberOf(item, "timestamp");
  }
  return 0;
}

}  // namespace

Item HabitKey(const Message& message, const Deed& deed) {
  return Item{
      {"chatId", message.chat}, {"userId", UserOf(message, deed)}, {"activity", deed.activity}};
}

std::int64_t LastSeen(const Item& habit) {
  const auto time = ParseTime(TextOf(habit, "lastSeen"));
  return time ? SecondsOf(*time) : NumberOf(habit, "lastSeen");
}

EntityResult<HabitTimes> ReadHabitTimes(Entities& entities, const Message& message,
                                        const std::vector<Deed>& deeds) {
  HabitTimes times;
  for (const Deed& deed : deeds) {
    const auto habit = entities.Get("Habit", HabitKey(message, deed), {.strong = true});
    if (!habit) return std::unexpected(habit.error());
    if (!*habit) continue;
    if (LastSeen(**habit) > message.at) times.older.insert(deed.activity);
    const auto seen = (*habit)->Find("lastSeen");
    if (seen && seen->type() == Type::kN) times.unchecked.insert(deed.activity);
  }
  return times;
}

EntityResult<void> CountEfforts(Entities& entities, EntityTransaction& together,
                                const Message& message, const std::vector<Deed>& deeds) {
  for (const Deed& deed : deeds) {
    const Item key = EffortKey(message, deed);
    const auto stored = entities.Get("Effort", key, {.strong = true});
    if (!stored) return std::unexpected(stored.error());
    if (!*stored) {
      Item first = key;
      first.Set("ema", AttributeValue(deed.effort));
      first.Set("samples", AttributeValue(1));
      first.Set("updatedAt", AttributeValue(message.at));
      together.Create("Effort", first);
      continue;
    }
    const double usual = RealOf((*stored)->view(), "ema");
    const double now = kEffortWeight * deed.effort + (1 - kEffortWeight) * usual;
    together.Update(
        "Effort", key,
        {.set = {{"ema", MeanOf(now)}, {"updatedAt", message.at}}, .add = {{"samples", 1}}},
        {.expected_version = NumberOf(**stored, "version")});
  }
  return {};
}

void CountHabits(EntityTransaction& together, const Message& message,
                 const std::vector<Deed>& deeds, const HabitTimes& times) {
  for (const Deed& deed : deeds) {
    Change change = HabitCounts(message, 1);
    WriteOptions options;
    if (!times.older.contains(deed.activity)) {
      change.set.emplace_back("lastSeen", AttributeValue(SeenText(message.at)));
      if (!times.unchecked.contains(deed.activity)) {
        options.only_if = "lastSeen missing or lastSeen <= $at";
        options.parameters.emplace_back("at", AttributeValue(SeenText(message.at)));
      }
    }
    together.Upsert("Habit", HabitKey(message, deed), change, options);
  }
}

void CountPreferences(EntityTransaction& together, const Message& message,
                      const std::vector<Deed>& deeds, const std::vector<Deed>& gone) {
  // Two deeds may count for the same one.
  std::map<std::pair<std::int64_t, std::string_view>, std::int64_t> counts;
  for (const Deed& deed : deeds) ++counts[{UserOf(message, deed), MetricOf(deed.effort)}];
  for (const Deed& deed : gone) --counts[{UserOf(message, deed), MetricOf(deed.effort)}];
  for (const auto& [preference, count] : counts) {
    if (count == 0) continue;
    together.Upsert("Preference", Item{{"userId", preference.first}, {"metric", preference.second}},
                    {.add = {{"count", count}}});
  }
}

EntityResult<void> UncountEfforts(Entities& entities, EntityTransaction& together,
                                  const Message& message, const std::vector<Deed>& deeds) {
  for (const Deed& deed : deeds) {
    const Item key = EffortKey(message, deed);
    const auto stored = entities.Get("Effort", key, {.strong = true});
    if (!stored) return std::unexpected(stored.error());
    if (!*stored) continue;
    const WriteOptions unchanged{.expected_version = NumberOf(**stored, "version")};
    if (NumberOf(**stored, "samples") <= 1) {
      together.Delete("Effort", key, unchanged);
      continue;
    }
    Change change{.add = {{"samples", -1}}};
    if (NumberOf(**stored, "updatedAt") == message.at) {
      const double now = RealOf((*stored)->view(), "ema");
      const double before = (now - kEffortWeight * deed.effort) / (1 - kEffortWeight);
      change.set.emplace_back("ema", MeanOf(std::clamp(before, 1.0, 5.0)));
    }
    together.Update("Effort", key, change, unchanged);
  }
  return {};
}

EntityResult<void> UncountHabits(Entities& entities, EntityTransaction& together,
                                 const Message& message, const std::vector<Deed>& deeds) {
  for (const Deed& deed : deeds) {
    const Item key = HabitKey(message, deed);
    const auto stored = entities.Get("Habit", key, {.strong = true});
    if (!stored) return std::unexpected(stored.error());
    if (!*stored) continue;
    const std::int64_t total = NumberOf(**stored, "totalCount");
    const WriteOptions unchanged{.only_if = "totalCount = $total",
                                 .parameters = {{"total", AttributeValue(total)}}};
    if (total <= 1) {
      together.Delete("Habit", key, unchanged);
      continue;
    }
    Change change = HabitCounts(message, -1);
    if (LastSeen(**stored) == message.at) {
      const auto other = OtherTime(entities, message, deed);
      if (!other) return std::unexpected(other.error());
      if (*other > 0) change.set.emplace_back("lastSeen", AttributeValue(SeenText(*other)));
    }
    together.Update("Habit", key, change, unchanged);
  }
  return {};
}

}  // namespace stator::systems::homeops
