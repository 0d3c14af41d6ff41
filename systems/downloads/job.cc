#include "systems/downloads/job.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <vector>

namespace stator::systems::downloads {

std::string TextOf(const Item& item, std::string_view name) {
  const auto value = item.Find(name);
  return value && value->type() == Type::kS ? std::string(value->S()) : std::string();
}

std::int64_t NumberOf(const Item& item, std::string_view name) {
  const auto value = item.Find(name);
  return value && value->type() == Type::kN ? value->AsInt64().value_or(0) : 0;
}

std::set<std::string> SetOf(const Item& item, std::string_view name) {
  std::set<std::string> members;
  const auto value = item.Find(name);
  if (!value || value->type() != Type::kSS) return members;
  for (const std::string_view member : value->Set().Members()) members.emplace(member);
  return members;
}

AttributeValue SetValue(const std::set<std::string>& members) {
  return AttributeValue::StringSet({members.begin(), members.end()});
}

Job Job::Of(const Item& item) {
  return {.file = {.name = {.entity = TextOf(item, "Entity"), .date = TextOf(item, "DownloadDate")},
                   .url = TextOf(item, "PresignedURL"),
                   .wrapped_key = TextOf(item, "EncryptedAESKey"),
                   .iv = TextOf(item, "EncodedAESIV"),
                   .checksum = TextOf(item, "Checksum"),
                   .size_bytes = NumberOf(item, "SizeBytes")},
          .batch_id = TextOf(item, "BatchID"),
          .status = TextOf(item, "Status"),
          .claimed_by = TextOf(item, "ClaimedBy"),
          .attempts = NumberOf(item, "Attempts"),
          .status_updated_at_ms = NumberOf(item, "StatusUpdatedAt")};
}

Batch Batch::Of(const Item& item) {
  return {.date = TextOf(item, "PollingDate"),
          .run_id = TextOf(item, "RunID"),
          .status = TextOf(item, "Status"),
          .start_time = TextOf(item, "StartTime"),
          .expected = SetOf(item, "ExpectedFiles"),
          .completed = SetOf(item, "CompletedFiles"),
          .failed = SetOf(item, "FailedFiles")};
}

Item KeyOf(const FileName& name) {
  return Item{{"Entity", name.entity}, {"DownloadDate", name.date}};
}

Item KeyOf(const Batch& batch) {
  return Item{{"PollingDate", batch.date}, {"RunID", batch.run_id}};
}

std::string IsoText(TimeMs time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{:%FT%T}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (time - seconds).count());
}

TimeMs ParseIso(std::string_view text) {
  // The model keeps these times in the one form 2026-02-28T08:00:00.000Z.
  const auto number = [&](std::size_t at, std::size_t length) {
    int value = 0;
    for (const char c : text.substr(at, length)) {
      if (c < '0' || c > '9') return 0;
      value = value * 10 + (c - '0');
    }
    return value;
  };
  if (text.size() < 24 || !IsDate(text.substr(0, 10))) return {};
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  return std::chrono::sys_days(day) + std::chrono::hours(number(11, 2)) +
         std::chrono::minutes(number(14, 2)) + std::chrono::seconds(number(17, 2)) +
         std::chrono::milliseconds(number(20, 3));
}

}  // namespace stator::systems::downloads
