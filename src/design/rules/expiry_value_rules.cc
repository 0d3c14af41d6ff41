// TT01, TT02, TT05: the values of the attribute that says when an item expires.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "rules/expiry_rules.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

constexpr seconds kYear{365 * 86400};
constexpr seconds kFarthestAhead = 50 * kYear;
constexpr seconds kFarthestBack = 5 * kYear;
// Seconds since 1970 have ten digits until 2286; what has more is in milliseconds.
constexpr double kLargestEpochSeconds = 9'999'999'999;

// The attribute of an entity that expires; null when it does not or has no such attribute.
const Attribute* ExpiryOf(const Entity& entity) {
  return entity.ttl.empty() ? nullptr : entity.FindAttribute(entity.ttl);
}

std::string_view ProblemOf(const Attribute& attribute) {
  if (attribute.type != Type::kN) return "is not a number, so nothing ever expires";
  switch (attribute.unit) {
    case Unit::kEpochSeconds:
      return "";
    case Unit::kEpochMilliseconds:
      return "is in milliseconds, which DynamoDB reads as seconds of the year 58000: nothing ever "
             "expires";
    default:
      return "does not say that it is in seconds since 1970";
  }
}

void CheckTtlNotEpochSeconds(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    const Attribute* attribute = ExpiryOf(entity);
    if (attribute == nullptr) continue;
    const std::string_view problem = ProblemOf(*attribute);
    if (problem.empty()) continue;
    findings.Add(entity.name + "." + attribute->name, attribute->place,
                 fmt::format("{} {}", attribute->name, problem),
                 fmt::format("{}: num epoch_s = now+30d", attribute->name));
  }
}

void CheckTtlOutOfRange(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    const Attribute* attribute = ExpiryOf(entity);
    if (attribute == nullptr || !attribute->default_value) continue;
    const DefaultValue& value = *attribute->default_value;
    std::string problem;
    if (value.kind == DefaultValue::Kind::kNow && value.offset > kFarthestAhead) {
      problem = fmt::format("is {} days ahead, which is never", value.offset.count() / 86400);
    } else if (value.kind == DefaultValue::Kind::kNow && value.offset < -kFarthestBack) {
      problem = "is more than 5 years in the past, where DynamoDB ignores it";
    } else if (value.kind == DefaultValue::Kind::kLiteral) {
      const double at = std::strtod(value.text.c_str(), nullptr);
      if (at > kLargestEpochSeconds) problem = "is a time in milliseconds, not in seconds";
      if (at <= 0) problem = "is more than 5 years in the past, where DynamoDB ignores it";
    }
    if (problem.empty()) continue;
    findings.Add(entity.name + "." + attribute->name, attribute->place,
                 fmt::format("{} {}", attribute->name, problem),
                 "a time that comes, in seconds; no attribute at all for items that stay");
  }
}

void CheckShortRetention(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    const Attribute* attribute = ExpiryOf(entity);
    if (attribute == nullptr || !entity.audit || !attribute->default_value) continue;
    const DefaultValue& value = *attribute->default_value;
    if (value.kind != DefaultValue::Kind::kNow || value.offset >= *entity.audit) continue;
    findings.Add(
        entity.name, attribute->place,
        fmt::format("items expire after {}, but must be there for {}", DurationText(value.offset),
                    DurationText(*entity.audit)),
        fmt::format("{}: num epoch_s = now+{}", attribute->name, DurationText(*entity.audit)));
  }
}

}  // namespace

constinit const Rule kTtlNotEpochSeconds{
    .id = "TT01",
    .title = "a time to live that is not a number of seconds",
    .severity = Severity::kError,
    .check = CheckTtlNotEpochSeconds,
    .lesson =
        "Time to live takes a number: seconds since 1970. Text is ignored. Milliseconds are not an "
        "error either, they are simply the year 58000, so the items stay for ever and nobody is "
        "told. Say `num epoch_s`, and the entity layer writes nothing else.",
    .bad = R"(model: 1
tables:
  jobs: {key: id str, ttl: TTL}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, TTL: num epoch_ms = now+30d}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  read: {get: Job, expired: hide, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs: {key: id str, ttl: TTL}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, TTL: num epoch_s = now+30d}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  read: {get: Job, expired: hide, rate: 10/day}
)",
};

constinit const Rule kTtlOutOfRange{
    .id = "TT02",
    .title = "a time to live too far ahead or too far back",
    .severity = Severity::kError,
    .check = CheckTtlOutOfRange,
    .lesson =
        "A time more than five years in the past is ignored, as a guard against mistakes; so a "
        "zero does not mean \"now\", it means \"never\". A time generations ahead means never, "
        "too, and is mostly a wrong unit. An item that is to stay needs no such attribute at all.",
    .bad = R"(model: 1
tables:
  jobs: {key: id str, ttl: TTL}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, TTL: num epoch_s = now+99y}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  read: {get: Job, expired: hide, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs: {key: id str, ttl: TTL}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, TTL: num epoch_s = now+9y}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  read: {get: Job, expired: hide, rate: 10/day}
)",
};

constinit const Rule kShortRetention{
    .id = "TT05",
    .title = "items expire before they may be asked for the last time",
    .severity = Severity::kError,
    .check = CheckShortRetention,
    .lesson =
        "Retention is decided by the last question, not by a round number. Ninety days do not "
        "cover a quarter: quarters have 90, 91, 92 and 92 days, and the question comes after its "
        "end. Say how long items must be there (`audit: 92d`), and the time to live is compared.",
    .bad = R"(model: 1
tables:
  batches: {key: id str, ttl: TTL}
entities:
  Batch:
    table: batches
    attrs: {id: str 20, TTL: num epoch_s = now+90d}
    audit: 92d
    volume: {total: 1000}
patterns:
  add: {write: Batch.create, guard: not_exists, rate: 1/day}
  read: {get: Batch, expired: hide, rate: 1/day}
)",
    .good = R"(model: 1
tables:
  batches: {key: id str, ttl: TTL}
entities:
  Batch:
    table: batches
    attrs: {id: str 20, TTL: num epoch_s = now+120d}
    audit: 92d
    volume: {total: 1000}
patterns:
  add: {write: Batch.create, guard: not_exists, rate: 1/day}
  read: {get: Batch, expired: hide, rate: 1/day}
)",
};

}  // namespace stator::model
