// TT03, TT04, TT06: what expiry means for readers and for what items hold.
#include <fmt/format.h>

#include <algorithm>

#include "rules/entity_keys.h"
#include "rules/expiry_rules.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

bool IsRead(const Pattern& pattern) {
  return pattern.kind == PatternKind::kGet || pattern.kind == PatternKind::kQuery ||
         pattern.kind == PatternKind::kScan;
}

// The entity that expires among those that the read may return.
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

void CheckExpiredRead(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (!IsRead(*plan.pattern)) continue;
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

// A key with a date or a time in it belongs to one period: then the counters end with it.
bool BelongsToAPeriod(const Model& model, const Entity& entity) {
  const Table* table = model.FindTable(entity.table);
  if (table == nullptr) return false;
  return std::ranges::any_of(SourcesOf(entity, KeysOf(*table)), [&](const std::string& name) {
    const Attribute* attribute = entity.FindAttribute(name);
    if (attribute == nullptr) return false;
    switch (attribute->unit) {
      case Unit::kEpochSeconds:
      case Unit::kEpochMilliseconds:
      case Unit::kDate:
      case Unit::kIsoSeconds:
      case Unit::kIsoMilliseconds:
      case Unit::kIsoTime:
        return true;
      default:
        return false;
    }
  });
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

bool Names(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Whether a write other than the first one renews the value or takes it away.
bool IsRenewed(const Model& model, const Entity& entity, const std::string& name) {
  if (entity.machine && std::ranges::any_of(entity.machine->moves, [&](const Move& move) {
        return Names(move.sets, name);
      })) {
    return true;
  }
  return std::ranges::any_of(model.patterns, [&](const Pattern& pattern) {
    return pattern.kind == PatternKind::kWrite && pattern.entity == entity.name &&
           pattern.write.kind != WriteKind::kCreate &&
           (Names(pattern.write.sets, name) || Names(pattern.write.removes, name));
  });
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

}  // namespace

constinit const Rule kExpiredRead{
    .id = "TT03",
    .title = "a read that may return what has expired",
    .severity = Severity::kWarning,
    .check = CheckExpiredRead,
    .lesson =
        "Expired items are deleted in the background, typically within two days. Until then they "
        "are in every read, and they count for storage. A reader must know what it wants: hide "
        "them, with a filter on the attribute, or see them on purpose.",
    .bad = R"(model: 1
tables:
  sessions: {key: id str, ttl: until}
entities:
  Session:
    table: sessions
    attrs: {id: str 20, until: num epoch_s = now+1d}
    volume: {total: 1000}
patterns:
  add: {write: Session.create, guard: not_exists, rate: 10/day}
  read: {get: Session, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  sessions: {key: id str, ttl: until}
entities:
  Session:
    table: sessions
    attrs: {id: str 20, until: num epoch_s = now+1d}
    volume: {total: 1000}
patterns:
  add: {write: Session.create, guard: not_exists, rate: 10/day}
  read: {get: Session, expired: hide, rate: 10/day}
)",
};

constinit const Rule kExpiringOwner{
    .id = "TT04",
    .title = "an item that expires holds a count or a claim",
    .severity = Severity::kWarning,
    .check = CheckExpiringOwner,
    .lesson =
        "When an item expires, what it stood for ends too: a counter starts again from nothing, a "
        "unique name is free again, and nobody is told. That is right when the item belongs to a "
        "period, with the day in its key. It is wrong when the count was meant to go on.",
    .bad = R"(model: 1
tables:
  habits: {key: "user str, activity str", ttl: until}
entities:
  Habit:
    table: habits
    attrs: {user: str 12, activity: str 12, total: counter, until: num epoch_s = now+30d}
    volume: {total: 1000, per: {user: 20}}
patterns:
  count: {write: Habit.update, adds: [total], rate: 10/day}
  read: {get: Habit, expired: hide, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  habits: {key: "user str, day str", ttl: until}
entities:
  Habit:
    table: habits
    attrs: {user: str 12, day: str date, total: counter, until: num epoch_s = now+30d}
    volume: {total: 1000, per: {user: 20}}
patterns:
  count: {write: Habit.update, adds: [total], rate: 10/day}
  read: {get: Habit, expired: hide, rate: 10/day}
)",
};

constinit const Rule kDeadCredential{
    .id = "TT06",
    .title = "a credential that dies long before its item",
    .severity = Severity::kWarning,
    .check = CheckDeadCredential,
    .lesson =
        "A presigned address or a token that is stored in an item is valid for minutes, and the "
        "item stays for weeks. Whoever takes the item up later, after a queue was slow or a worker "
        "was restarted, holds a dead credential. Store what it gives access to and sign when it is "
        "used, or say which write renews it.",
    .bad = R"(model: 1
tables:
  jobs: {key: id str, ttl: TTL}
entities:
  Job:
    table: jobs
    attrs: {id: str 20, url: str 500 valid=30m secret, TTL: num epoch_s = now+30d}
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
    attrs: {id: str 20, url: str 500 valid=30m secret, TTL: num epoch_s = now+30d}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  renew: {write: Job.update, sets: [url], guard: exists, rate: 10/day}
  read: {get: Job, expired: hide, rate: 10/day}
)",
};

}  // namespace stator::model
