// WR13, WR15: limits of transactions and of items.
#include <fmt/format.h>

#include <algorithm>

#include "rules/phrases.h"
#include "rules/write_rules.h"

namespace stator::model {
namespace {

constexpr std::int64_t kMaxTransactionItems = 100;
constexpr double kMaxTransactionBytes = 4.0 * 1024 * 1024;
constexpr double kMaxItemBytes = 400.0 * 1024;

// Items that a pattern adds to a transaction: its own, and the sentinels that keep it unique.
std::int64_t ItemsOf(const Model& model, const Pattern& pattern) {
  if (pattern.kind == PatternKind::kGet) return pattern.read.batch;
  if (pattern.kind != PatternKind::kWrite) return 1;
  if (pattern.write.kind == WriteKind::kRekey) return 2;
  const Entity* entity = model.FindEntity(pattern.entity);
  const bool claims = pattern.write.kind == WriteKind::kCreate && entity != nullptr;
  return 1 + (claims ? static_cast<std::int64_t>(entity->unique.size()) : 0);
}

void CheckTransaction(const Model& model, const Pattern& transaction, Findings& findings) {
  std::int64_t items = 0;
  double bytes = 0;
  bool reads = false;
  for (const std::string& name : transaction.parts) {
    const Pattern* part = model.FindPattern(name);
    if (part == nullptr) continue;
    const std::int64_t count = ItemsOf(model, *part);
    items += count;
    reads = reads || part->kind == PatternKind::kGet;
    const Entity* entity = model.FindEntity(part->entity);
    if (entity == nullptr) continue;
    bytes += static_cast<double>(count) * ItemBytes(model, *entity).max;
  }
  if (items > kMaxTransactionItems) {
    findings.Add(transaction.name, transaction.place,
                 fmt::format("{} items; a transaction takes {}", items, kMaxTransactionItems),
                 "several transactions, or fewer items");
  }
  if (bytes > kMaxTransactionBytes) {
    findings.Add(transaction.name, transaction.place,
                 fmt::format("up to {:.1f} MB; a transaction takes 4 MB", bytes / 1024 / 1024),
                 "smaller items, or several transactions");
  }
  if (items == 1) {
    findings.Add(transaction.name, transaction.place,
                 reads ? "one item only: a strongly consistent GetItem does the same for half the "
                         "units"
                       : "one item only: a plain write with a condition does the same for half the "
                         "units",
                 fmt::format("use {} alone", transaction.parts.front()));
  }
}

void CheckTransactionSize(const Subject& subject, Findings& findings) {
  for (const Pattern& pattern : subject.model.patterns) {
    if (pattern.kind == PatternKind::kTransaction && !pattern.parts.empty()) {
      CheckTransaction(subject.model, pattern, findings);
    }
  }
}

bool Grows(Type type) {
  return type == Type::kSS || type == Type::kNS || type == Type::kBS || type == Type::kL;
}

// Collections that writes add to without anybody saying how large they get.
void CheckGrowth(const Model& model, const Entity& entity, Findings& findings) {
  for (const Attribute& attribute : entity.attributes) {
    if (!Grows(attribute.type) || attribute.size_stated) continue;
    const auto adds = std::ranges::find_if(model.patterns, [&](const Pattern& pattern) {
      return pattern.entity == entity.name && Contains(pattern.write.adds, attribute.name);
    });
    if (adds == model.patterns.end()) continue;
    findings.Add(
        entity.name + "." + attribute.name, attribute.place,
        fmt::format("{} adds to {}, and nothing says how large it gets: each write costs "
                    "the whole item, and at 400 KB writes fail",
                    adds->name, attribute.name),
        fmt::format("its size: {}: … 200/800; or an item for each member", attribute.name));
  }
}

void CheckItemSize(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    const Amount bytes = ItemBytes(subject.model, entity);
    if (bytes.max > kMaxItemBytes) {
      findings.Add(entity.name, entity.place,
                   fmt::format("up to {:.0f} KB; an item takes 400 KB", bytes.max / 1024),
                   "keep large values elsewhere (S3) and their address here, or split the item");
    }
    CheckGrowth(subject.model, entity, findings);
  }
}

}  // namespace

constinit const Rule kTransactionSize{
    .id = "WR13",
    .title = "a transaction too large, or of one item",
    .severity = Severity::kError,
    .check = CheckTransactionSize,
    .lesson =
        "A transaction takes 100 items and 4 MB, sentinels of unique attributes included, and "
        "costs twice the units of plain writes. With one item there is nothing to hold together: a "
        "conditional write is as atomic, and half the price.",
    .bad = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 1/day}
  add_safely: {transaction: [add], rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs: {key: id str}
entities:
  Job:
    table: jobs
    attrs: {id: str 20}
    volume: {total: 1000}
  Total:
    table: jobs
    keys: {id: TOTAL}
    attrs: {jobs: counter}
    volume: {total: 1}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 1/day}
  count: {write: Total.update, adds: [jobs], rate: 1/day}
  add_and_count: {transaction: [add, count], rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
};

constinit const Rule kItemSize{
    .id = "WR15",
    .title = "an item over 400 KB, or one that grows without a bound",
    .severity = Severity::kError,
    .check = CheckItemSize,
    .lesson =
        "An item takes 400 KB, names included. A set or list that every event adds to reaches that "
        "some day, and then the writes fail; long before, each of them costs a unit for every KB "
        "of the whole item, however small the change. Say how large collections get, or give each "
        "member an item of its own.",
    .bad = R"(model: 1
tables:
  batches: {key: id str}
entities:
  Batch:
    table: batches
    attrs: {id: str 20, report: str 1000/500000}
    volume: {total: 1000}
patterns:
  add: {write: Batch.create, guard: not_exists, rate: 1/day}
  read: {get: Batch, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  batches: {key: id str}
entities:
  Batch:
    table: batches
    attrs: {id: str 20, report: str 1000/50000}
    volume: {total: 1000}
patterns:
  add: {write: Batch.create, guard: not_exists, rate: 1/day}
  read: {get: Batch, rate: 10/day}
)",
};

}  // namespace stator::model
