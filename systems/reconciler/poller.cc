#include "systems/reconciler/poller.h"

#include <algorithm>
#include <map>

#include "systems/program/items.h"
#include "systems/program/process.h"
#include "systems/program/text.h"

namespace stator::systems::reconciler {
namespace {

enum class LeaseEnd : std::uint8_t {
  kEmitted,
  kResolved,
  kGivenUp,
  kReleased,   // for another try
  kOvertaken,  // the call or its lease changed meanwhile: nothing was recorded
};

LeaseEnd EndOf(const Delivery& delivery, ItemView call, const LeaseTerms& terms) {
  using enum Delivery::Result;
  switch (delivery.result) {
    case kDelivered:
    case kThereAlready:
      return LeaseEnd::kEmitted;
    case kResolved:
      return LeaseEnd::kResolved;
    case kRefused:
      return LeaseEnd::kGivenUp;
    case kNotSent:
      return LeaseEnd::kReleased;
    default:
      return NumberOf(call, "Attempts") >= terms.give_up_after ? LeaseEnd::kGivenUp
                                                               : LeaseEnd::kReleased;
  }
}

constexpr const char* kLeaseAttributes[] = {"LeaseOwner", "LeaseUntil", "LeaseSink"};
constexpr std::size_t kProblemMax = 500;

Change WithoutLease(Change change = {}) {
  change.remove.insert(change.remove.end(), std::begin(kLeaseAttributes),
                       std::end(kLeaseAttributes));
  return change;
}

Change ReleaseOf(Delivery::Result result, TimeMs now) {
  if (result == Delivery::Result::kUnknown) {
    // Expired but not gone: the next attempt goes to the same place, which may know the payload.
    return {.set = {{"LeaseUntil", MillisecondsOf(now)}}};
  }
  Change change = WithoutLease();
  // However long the receiver is away, no call is given up for it.
  if (result == Delivery::Result::kNotSent) change.add = {{"Attempts", -1}};
  return change;
}

EntityResult<Item> RecordEnd(Entities& entities, ItemView call, LeaseEnd end,
                             const Delivery& delivery) {
  const Item key = KeyOf(call);
  const WriteOptions unchanged{.expected_version = NumberOf(call, "Version")};
  switch (end) {
    case LeaseEnd::kEmitted: {
      const bool again = TextOf(call, "ReconStatus") == kEmitted;
      return entities.Move("Call", key, again ? "emit_again" : "emit",
                           WithoutLease({.add = {{"Emissions", 1}}}), {}, unchanged);
    }
    case LeaseEnd::kResolved:
      return entities.Move(
          "Call", key, "resolve",
          WithoutLease({.set = {{"AudioReceived", true}, {"ProcessingStatus", "SUCCESS"}}}), {},
          unchanged);
    case LeaseEnd::kGivenUp: {
      const std::string why = delivery.why.empty() ? "refused" : delivery.why;
      return entities.Move("Call", key, "give_up",
                           WithoutLease({.set = {{"Problem", why.substr(0, kProblemMax)}}}), {},
                           unchanged);
    }
    default:
      return entities.Update("Call", key, ReleaseOf(delivery.result, entities.Now()), unchanged);
  }
}

// Records what came of it, on condition that nobody changed the call since it was leased.
EntityResult<LeaseEnd> EndLease(CallTable& table, ItemView call, const Delivery& delivery,
                                const LeaseTerms& terms) {
  const LeaseEnd end = EndOf(delivery, call, terms);
  TRY(Entities * entities, table.entities());
  const auto ended = RecordEnd(*entities, call, end, delivery);
  if (ended) return end;
  if (IsOvertaken(ended.error())) return LeaseEnd::kOvertaken;
  return std::unexpected(ended.error());
}

// A call that needs nothing, but stands in the index because another program left it there.
EntityResult<void> TakeOut(CallTable& table, ItemView call) {
  TRY(Entities * entities, table.entities());
  const auto out = entities->Move("Call", KeyOf(call), "report",
                                  WithoutLease({.set = {{"ReconTime", TextOf(call, "ReconTime")}}}),
                                  kOk, {.expected_version = NumberOf(call, "Version")});
  if (out || IsOvertaken(out.error())) return {};
  return std::unexpected(out.error());
}

// An expired lease is taken over with the place that its poller wrote to.
EntityResult<Item> TryLease(Entities& entities, ItemView entry, const LeaseTerms& terms,
                            bool take_over) {
  const TimeMs now = entities.Now();
  Change change{
      .set = {{"LeaseOwner", terms.owner}, {"LeaseUntil", MillisecondsOf(now + terms.time)}}};
  WriteOptions options;
  // Where it was seen: nobody has emitted, moved or mended it since.
  options.only_if = "GSI_Recon_PK = $entry, GSI_Recon_SK = $place, ";
  options.parameters = {{"entry", TextOf(entry, "GSI_Recon_PK")},
                        {"place", TextOf(entry, "GSI_Recon_SK")}};
  if (take_over) {
    options.only_if += "LeaseUntil <= $now";
    options.parameters.emplace_back("now", MillisecondsOf(now));
  } else {
    options.only_if += "LeaseUntil missing";
    change.set.emplace_back("LeaseSink", terms.sink);
  }
  // Attempts are counted anew for each emission.
  if (PlaceOf(entry).status == kEmitted && !take_over) {
    change.set.emplace_back("Attempts", 1);
  } else {
    change.add = {{"Attempts", 1}};
  }
  return entities.Update("Call", KeyOf(entry), change, options);
}

}  // namespace

EntityResult<std::optional<Item>> TakeLease(CallTable& table, ItemView entry,
                                            const LeaseTerms& terms) {
  TRY(Entities * entities, table.entities());
  auto leased = TryLease(*entities, entry, terms, false);
  if (!leased && leased.error().item) {
    const auto until = leased.error().item->Find("LeaseUntil");
    const bool expired =
        until && NumberOf(*leased.error().item, "LeaseUntil") <= MillisecondsOf(entities->Now());
    if (expired) leased = TryLease(*entities, entry, terms, true);
  }
  if (leased && !leased->Find("ReconStatus")) leased = table.Adopt(leased->view());
  if (leased) return *std::move(leased);
  if (IsOvertaken(leased.error())) return std::nullopt;
  return std::unexpected(leased.error());
}

struct Poller::Question {
  const char* pattern;
  PatternParameters parameters;
  std::function<bool(ItemView entry)> is_due;
};

struct Poller::Work {
  Item call;
  Payload payload;
  Delivery delivery;
};

Poller::Poller(CallTable& table, std::unique_ptr<Sink> sink, PollOptions options)
    : table_(table), sinks_(std::move(sink)), options_(std::move(options)) {
  options_.lease.sink = sinks_.own().name();
}

std::vector<Poller::Question> Poller::Questions(TimeMs now) const {
  const auto text = [](TimeMs time) { return SortableTime(std::max(kClockMin, time)); };
  const std::string since = text(now - options_.lookback);
  const std::string stuck = text(now - options_.processing_older_than);
  std::vector<Question> questions;
  Question& pool = questions.emplace_back(
      Question{options_.newest_first ? "pool_newest" : "pool", {{"since", since}}, {}});
  if (!options_.tenant.empty()) {
    pool.pattern = "pool_tenant";
    pool.parameters.emplace_back("tenant", options_.tenant);
  }
  // Who is still being processed, and has its audio, gets its time. An index that does not project
  // AudioReceived cannot tell; the call then waits as if it had it.
  pool.is_due = [stuck](ItemView entry) {
    const EntryPlace place = PlaceOf(entry);
    const auto audio = entry.Find("AudioReceived");
    const bool no_audio = audio && audio->type() == Type::kBool && !audio->Bool();
    return place.status != "PROCESSING" || no_audio || place.time <= stuck;
  };
  if (!options_.again_after) return questions;
  Question& again = questions.emplace_back(
      Question{"emitted", {{"since", since}, {"until", text(now - *options_.again_after)}}, {}});
  // The key has the time of the emission, which is never before that of the call.
  again.is_due = [since, tenant = options_.tenant](ItemView entry) {
    const std::string time = TextOf(entry, "CallDateTime");
    return (time.empty() || time >= since) &&
           (tenant.empty() || tenant == TextOf(entry, "TenantId"));
  };
  return questions;
}

// False if `take` did not want any more.
EntityResult<bool> Poller::Ask(Entities& entities, const Question& question, const Take& take,
                               PollSummary& summary) {
  std::string cursor;
  do {
    auto page = entities.Query(
        question.pattern, question.parameters,
        {.limit = options_.page, .cursor = cursor, .descending = options_.newest_first});
    if (!page) return std::unexpected(page.error());
    std::erase_if(page->items, [&](const Item& entry) { return !question.is_due(entry.view()); });
    summary.found += std::ssize(page->items);
    summary.read_units += page->read_units;
    TRY(const bool go_on, take(page->items));
    if (!go_on) return false;
    cursor = std::move(page->cursor);
  } while (!cursor.empty());
  return true;
}

EntityResult<PollSummary> Poller::Look(const Take& take) {
  PollSummary summary;
  TRY(const std::vector<Entities*> readers, table_.readers());
  for (const Question& question : Questions(table_.Now())) {
    for (Entities* entities : readers) {
      TRY(const bool go_on, Ask(*entities, question, take, summary));
      if (!go_on) return summary;
    }
  }
  return summary;
}

EntityResult<PollSummary> Poller::Drain() {
  PollSummary done;
  const auto looked = Look([&](const std::vector<Item>& entries) -> EntityResult<bool> {
    const std::size_t step = sinks_.own().batch();
    for (std::size_t from = 0; from < entries.size(); from += step) {
      const auto first = entries.begin() + static_cast<std::ptrdiff_t>(from);
      const std::size_t count = std::min(step, entries.size() - from);
      if (!Asked(options_.go_on)) return false;
      TRY(const bool go_on,
          EmitBatch(std::vector<Item>(first, first + static_cast<std::ptrdiff_t>(count)), done));
      if (!go_on) return false;
    }
    return true;
  });
  if (!looked) return std::unexpected(looked.error());
  done.found = looked->found;
  done.read_units = looked->read_units;
  return done;
}

EntityResult<bool> Poller::EmitBatch(const std::vector<Item>& entries, PollSummary& summary) {
  // From before the leases are taken, and with time to spare for marking.
  const auto deadline = std::chrono::steady_clock::now() + options_.lease.time * 4 / 5;
  auto work = Lease(entries, summary);
  if (!work) return std::unexpected(work.error());
  if (!Asked(options_.after_leases)) return false;
  Deliver(*work, deadline);
  if (!Asked(options_.after_delivery)) return false;
  if (const auto marked = Mark(*work, summary); !marked) return std::unexpected(marked.error());
  // Without its own sink a poller can do nothing more; that of another may come back later.
  return std::ranges::none_of(*work, [&](const Work& done) {
    return done.delivery.is_worth_another_try() &&
           TextOf(done.call.view(), "LeaseSink") == options_.lease.sink;
  });
}

EntityResult<std::vector<Poller::Work>> Poller::Lease(const std::vector<Item>& entries,
                                                      PollSummary& summary) {
  std::vector<EntityResult<std::optional<Item>>> leased(entries.size());
  ForEach(entries.size(), options_.threads, [&](std::size_t i) {
    leased[i] = TakeLease(table_, entries[i].view(), options_.lease);
    if (!leased[i] || !*leased[i] || !ReasonsOf((*leased[i])->view()).empty()) return;
    if (const auto out = TakeOut(table_, (*leased[i])->view()); !out) {
      leased[i] = std::unexpected(out.error());
    } else {
      leased[i] = std::nullopt;
    }
  });
  std::vector<Work> work;  // in the order of the entries, which is that of time
  for (const auto& call : leased) {
    if (!call) return std::unexpected(call.error());
    if (*call) {
      work.push_back({**call, PayloadOf((*call)->view()), {}});
    } else {
      ++summary.busy;
    }
  }
  return work;
}

void Poller::Deliver(std::vector<Work>& work, std::chrono::steady_clock::time_point deadline) {
  std::map<std::string, std::vector<std::size_t>> by_sink;
  for (std::size_t i = 0; i < work.size(); ++i) {
    by_sink[TextOf(work[i].call.view(), "LeaseSink")].push_back(i);
  }
  for (const auto& [name, indexes] : by_sink) {
    const auto sink = sinks_.Find(name);
    if (!sink) {
      // Another poller may have delivered there; only there can it be seen.
      for (const std::size_t i : indexes) {
        work[i].delivery = {Delivery::Result::kUnknown, sink.error()};
      }
      continue;
    }
    std::vector<Payload> payloads;
    for (const std::size_t i : indexes) payloads.push_back(work[i].payload);
    const std::vector<Delivery> deliveries = (*sink)->Deliver(payloads, deadline);
    for (std::size_t i = 0; i < indexes.size(); ++i) work[indexes[i]].delivery = deliveries[i];
  }
}

EntityResult<void> Poller::Mark(const std::vector<Work>& work, PollSummary& summary) {
  std::vector<EntityResult<LeaseEnd>> ends(work.size());
  ForEach(work.size(), options_.threads, [&](std::size_t i) {
    ends[i] = EndLease(table_, work[i].call.view(), work[i].delivery, options_.lease);
  });
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!ends[i]) return std::unexpected(ends[i].error());
    using enum Delivery::Result;
    const Delivery& delivery = work[i].delivery;
    if (delivery.result == kDelivered || delivery.result == kResolved) ++summary.emitted;
    if (delivery.result == kThereAlready) ++summary.there_already;
    // The first one is the cause; those behind it were not tried.
    if (delivery.is_worth_another_try() && summary.problem.empty()) summary.problem = delivery.why;
    if (*ends[i] == LeaseEnd::kResolved) ++summary.resolved;
    if (*ends[i] == LeaseEnd::kGivenUp) ++summary.given_up;
    if (*ends[i] == LeaseEnd::kReleased) ++summary.released;
    if (*ends[i] == LeaseEnd::kOvertaken) ++summary.overtaken;
  }
  return {};
}

}  // namespace stator::systems::reconciler
