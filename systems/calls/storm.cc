#include "systems/calls/storm.h"

#include <fmt/format.h>

#include <atomic>
#include <random>

#include "systems/program/process.h"

namespace stator::systems::calls {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::string IdOf(int call) { return fmt::format("storm-{}", call + 1); }

// Counts the changes of each call that were acknowledged.
struct Ledger {
  explicit Ledger(int calls) : changes(static_cast<std::size_t>(calls)) {}
  std::vector<std::atomic<std::int64_t>> changes;
};

class Writer {
 public:
  Writer(CallBook& book, TimeMs now, const StormOptions& options, Ledger& ledger, int number)
      : book_(book),
        now_(now),
        options_(options),
        ledger_(ledger),
        random_(options.seed * 1000 + static_cast<std::uint64_t>(number)) {}

  void RunUntil(SteadyClock::time_point end) {
    while (SteadyClock::now() < end) ChangeOne();
  }
  const StormReport& report() const { return report_; }

 private:
  int Below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
  TimeMs AnyTime() { return now_ + std::chrono::minutes(1 + Below(100'000)); }
  std::string AnyUser() { return fmt::format("user-{}", 1 + Below(options_.users)); }

  void ChangeOne() {
    const int number = Below(options_.calls);
    const auto found = book_.Find(IdOf(number));
    if (!found) return Problem(found.error());
    if (!*found) {
      ++report_.not_found;
      return;
    }
    const Call& call = **found;
    const int what = Below(16);
    if (what == 0) return TryDuplicate(call);
    if (what <= 3) {
      return Count(number, book_.Reassign(call.call_id, AnyUser(), call.version),
                   report_.reassignments);
    }
    if (what <= 5) {
      const std::string provider = fmt::format("provider-{}", 1 + Below(3));
      return Count(number, book_.ChangeProvider(call.call_id, provider, call.version),
                   report_.provider_changes);
    }
    Count(number, book_.Reschedule(call.call_id, AnyTime(), call.version), report_.reschedules);
  }

  void Count(int number, const EntityResult<Call>& done, std::int64_t& counter) {
    if (done) {
      ++counter;
      ++ledger_.changes[static_cast<std::size_t>(number)];
    } else if (done.error().kind == EntityErrorKind::kConflict) {
      ++report_.conflicts;
    } else if (done.error().kind == EntityErrorKind::kMissing) {
      ++report_.not_found;
    } else {
      Problem(done.error());
    }
  }

  void TryDuplicate(const Call& call) {
    const auto again = book_.Schedule({.call_id = call.call_id,
                                       .user_id = AnyUser(),
                                       .provider_id = call.provider_id,
                                       .scheduled_for = AnyTime()});
    if (again) {
      report_.problems.push_back(fmt::format("the id {} was given twice", call.call_id));
    } else if (again.error().kind == EntityErrorKind::kNotUnique ||
               again.error().kind == EntityErrorKind::kExists) {
      ++report_.duplicates;
    } else {
      Problem(again.error());
    }
  }

  void Problem(const EntityError& error) { report_.problems.push_back(error.message); }

  CallBook& book_;
  TimeMs now_;
  const StormOptions& options_;
  Ledger& ledger_;
  std::mt19937_64 random_;
  StormReport report_;
};

// The versions before the storm; schedules the calls that do not exist.
EntityResult<std::vector<std::int64_t>> Prepare(CallBook& book, TimeMs now,
                                                const StormOptions& options) {
  std::vector<std::int64_t> versions;
  for (int i = 0; i < options.calls; ++i) {
    const auto found = book.Find(IdOf(i));
    if (!found) return std::unexpected(found.error());
    if (*found) {
      versions.push_back((*found)->version);
      continue;
    }
    const auto scheduled = book.Schedule({.call_id = IdOf(i),
                                          .user_id = fmt::format("user-{}", 1 + i % options.users),
                                          .provider_id = "provider-1",
                                          .scheduled_for = now + std::chrono::hours(1 + i)});
    if (!scheduled) return std::unexpected(scheduled.error());
    versions.push_back(scheduled->version);
  }
  return versions;
}

void Add(const StormReport& part, StormReport& sum) {
  sum.reschedules += part.reschedules;
  sum.reassignments += part.reassignments;
  sum.provider_changes += part.provider_changes;
  sum.conflicts += part.conflicts;
  sum.duplicates += part.duplicates;
  sum.not_found += part.not_found;
  sum.problems.insert(sum.problems.end(), part.problems.begin(), part.problems.end());
}

// Every acknowledged change is in the version, and nothing else is.
EntityResult<void> CompareVersions(CallBook& book, const std::vector<std::int64_t>& before,
                                   const Ledger& ledger, StormReport& report) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto found = book.Find(IdOf(static_cast<int>(i)));
    if (!found) return std::unexpected(found.error());
    const std::int64_t wanted = before[i] + ledger.changes[i];
    const std::int64_t version = *found ? (*found)->version : 0;
    if (version == wanted) continue;
    report.problems.push_back(fmt::format("{} has version {}, but {} changes were acknowledged",
                                          IdOf(static_cast<int>(i)), version, wanted - before[i]));
  }
  return {};
}

}  // namespace

EntityResult<StormReport> RunStorm(CallBook& book, TimeMs now, const StormOptions& options) {
  const auto before = Prepare(book, now, options);
  if (!before) return std::unexpected(before.error());
  Ledger ledger(options.calls);
  std::vector<Writer> writers;
  for (int i = 0; i < options.threads; ++i) writers.emplace_back(book, now, options, ledger, i);
  const auto end = SteadyClock::now() + options.duration;
  ForEach(writers.size(), options.threads, [&](std::size_t i) { writers[i].RunUntil(end); });
  StormReport report;
  for (const Writer& writer : writers) Add(writer.report(), report);
  if (const auto compared = CompareVersions(book, *before, ledger, report); !compared) {
    return std::unexpected(compared.error());
  }
  return report;
}

}  // namespace stator::systems::calls
