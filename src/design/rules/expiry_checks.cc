// TT: do items expire when they should, and does that surprise nobody?
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "model/keys/truth.h"
#include "model/plan/plan.h"
#include "rules/checks.h"
#include "rules/entity_keys.h"

namespace stator::model {

// ---- TT01, TT02, TT05: the values of the attribute that says when an item expires

namespace {

constexpr seconds kYear{365 * 86400};
constexpr seconds kFarthestAhead = 50 * kYear;
constexpr seconds kFarthestBack = 5 * kYear;
// Seconds since 1970 have ten digits until 2286; a longer number is in milliseconds.
constexpr double kLargestEpochSeconds = 9'999'999'999;

// When items of the entity expire; null if they do not, or if the entity lacks the attribute.
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

}  // namespace

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

// ---- TT03, TT04, TT06: what expiry means for readers and for what items hold

namespace {

// The first entity that expires, of those that the read may return.
const Entity* ExpiringOf(const Plan& plan) {
  if (plan.entity != nullptr) return plan.entity->ttl.empty() ? nullptr : plan.entity;
  const auto it =
      std::ranges::find_if(plan.present, [](const Entity* entity) { return !entity->ttl.empty(); });
  return it == plan.present.end() ? nullptr : *it;
}

bool LooksAt(const ReadDetail& read, const std::string& attribute) {
  if (read.filter && Uses(*read.filter, attribute)) return true;
  return std::ranges::any_of(read.where,
                             [&](const Term& term) { return term.attribute == attribute; });
}

// Whether the key holds a date or a time: then a counter belongs to that period, and ends with it.
bool BelongsToAPeriod(const Model& model, const Entity& entity) {
  const Table* table = model.FindTable(entity.table);
  if (table == nullptr) return false;
  return std::ranges::any_of(SourcesOf(entity, KeysOf(*table)), [&](const std::string& name) {
    const Attribute* attribute = entity.FindAttribute(name);
    return attribute != nullptr && IsTime(attribute->unit);
  });
}

// Whether a write other than the first one renews the value or takes it away.
bool IsRenewed(const Model& model, const Entity& entity, const std::string& name) {
  if (entity.machine && std::ranges::any_of(entity.machine->moves, [&](const Move& move) {
        return Contains(move.sets, name);
      })) {
    return true;
  }
  return std::ranges::any_of(model.patterns, [&](const Pattern& pattern) {
    return pattern.kind == PatternKind::kWrite && pattern.entity == entity.name &&
           pattern.write.kind != WriteKind::kCreate &&
           (Contains(pattern.write.sets, name) || Contains(pattern.write.removes, name));
  });
}

}  // namespace

void CheckExpiredRead(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (!IsRead(plan)) continue;
    const ReadDetail& read = plan.pattern->read;
    const Entity* entity = ExpiringOf(plan);
    if (entity == nullptr || read.expired != ReadDetail::Expired::kUnsaid) continue;
    if (LooksAt(read, entity->ttl)) continue;
    findings.Add(
        plan.pattern->name, plan.pattern->place,
        fmt::format("may return {} items that have expired and are not yet deleted", entity->name),
        fmt::format("expired: hide (a filter on {}), or expired: see", entity->ttl));
  }
}

void CheckExpiringOwner(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    if (entity.ttl.empty()) continue;
    if (!entity.unique.empty()) {
      findings.Add(entity.name, entity.place,
                   fmt::format("expires, and with it the claim that its {} is unique",
                               List(entity.unique.front())),
                   "ttl: none, or let the sentinel expire with it and later");
    }
    if (BelongsToAPeriod(subject.model, entity)) continue;
    for (const Attribute& attribute : entity.attributes) {
      if (!attribute.counter && attribute.counters.empty()) continue;
      findings.Add(entity.name + "." + attribute.name, attribute.place,
                   fmt::format("{} counts in an item that expires: the count starts again from "
                               "nothing",
                               attribute.name),
                   "ttl: none, or a key with the period that is counted");
    }
  }
}

void CheckDeadCredential(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    const Attribute* expiry = entity.FindAttribute(entity.ttl);
    for (const Attribute& attribute : entity.attributes) {
      if (!attribute.valid_for || IsRenewed(subject.model, entity, attribute.name)) continue;
      std::string life = "for ever";
      if (expiry != nullptr && expiry->default_value &&
          expiry->default_value->kind == DefaultValue::Kind::kNow) {
        if (expiry->default_value->offset <= *attribute.valid_for) continue;
        life = DurationText(expiry->default_value->offset);
      }
      findings.Add(entity.name + "." + attribute.name, attribute.place,
                   fmt::format("is valid for {}, and its item lives {}",
                               DurationText(*attribute.valid_for), life),
                   "store what it points at and sign anew when it is used, or a write that renews "
                   "it");
    }
  }
}

}  // namespace stator::model
