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

Change ChangeOf(LeaseEnd end, Delivery::Result result, TimeMs now) {
  if (end == LeaseEnd::kReleased && result == Delivery::Result::kUnknown) {
    // Expired but not gone: the next attempt goes to the same place, which may know the payload.
    return {.set = {{"LeaseUntil", MillisecondsOf(now)}}};
  }
  Change change{.remove = {"LeaseOwner", "LeaseUntil", "LeaseSink"}};
  if (end == LeaseEnd::kReleased) {
    // However long the receiver is away, no call is given up for it.
    if (result == Delivery::Result::kNotSent) change.add = {{"Attempts", -1}};
    return change;
  }
  const char* outcome = end == LeaseEnd::kEmitted    ? "EMITTED"
                        : end == LeaseEnd::kResolved ? "RESOLVED"
                                                     : "GIVEN_UP";
  change.set = {{"Outcome", outcome}, {"OutcomeAt", SortableTime(now)}};
  if (end == LeaseEnd::kResolved) {
    change.set.emplace_back("AudioReceived", true);
    change.set.emplace_back("ProcessingStatus", "SUCCESS");
  }
  return change;
}

// True if another poller works on the call of an entry of the index.
bool IsLeased(ItemView entry, TimeMs now) {
  return NumberOf(entry, "LeaseUntil") > MillisecondsOf(now);
}

// Records what came of it, on condition that nobody changed the call since it was leased.
EntityResult<LeaseEnd> EndLease(Entities& entities, ItemView call, const Delivery& delivery,
                                const LeaseTerms& terms) {
  const LeaseEnd end = EndOf(delivery, call, terms);
  const auto ended = entities.Update(
      "Call", KeyOf(call), WithSources(ChangeOf(end, delivery.result, entities.Now()), call),
      {.expected_version = NumberOf(call, "Version")});
  if (ended) return end;
  if (IsOvertaken(ended.error())) return LeaseEnd::kOvertaken;
  return std::unexpected(ended.error());
}

}  // namespace

EntityResult<std::optional<Item>> TakeLease(Entities& entities, ItemView entry,
                                            const LeaseTerms& terms) {
  const TimeMs now = entities.Now();
  Change change{
      .set = {{"LeaseOwner", terms.owner}, {"LeaseUntil", MillisecondsOf(now + terms.time)}},
      .add = {{"Attempts", 1}}};
  WriteOptions options;
  if (entry.Find("LeaseUntil")) {
    options.only_if = "GSI_Recon_PK exists, LeaseUntil <= $now";
    options.parameters = {{"now", MillisecondsOf(now)}};
  } else {
    options.only_if = "GSI_Recon_PK exists, LeaseUntil missing";
    change.set.emplace_back("LeaseSink", terms.sink);
  }
  auto leased = entities.Update("Call", KeyOf(entry), change, options);
  if (leased) return *std::move(leased);
  if (IsOvertaken(leased.error())) return std::nullopt;
  return std::unexpected(leased.error());
}

struct Poller::Work {
  Item call;
  Payload payload;
  Delivery delivery;
};

Poller::Poller(Entities& entities, std::unique_ptr<Sink> sink, PollOptions options)
    : entities_(entities), sinks_(std::move(sink)), options_(std::move(options)) {
  options_.lease.sink = sinks_.own().name();
}

EntityResult<Page> Poller::Peek(const std::string& cursor) {
  if (cursor.empty()) {
    since_ = SortableTime(std::max(kClockMin, entities_.Now() - options_.lookback));
  }
  PageOptions page{.limit = options_.page, .cursor = cursor, .descending = options_.newest_first};
  if (!options_.tenant.empty()) {
    return entities_.Query("pool_tenant", {{"since", since_}, {"tenant", options_.tenant}}, page);
  }
  return entities_.Query(options_.newest_first ? "pool_newest" : "pool", {{"since", since_}}, page);
}

EntityResult<PollSummary> Poller::Drain() {
  PollSummary summary;
  std::string cursor;
  do {
    auto page = Peek(cursor);
    if (!page) return std::unexpected(page.error());
    summary.found += std::ssize(page->items);
    summary.read_units += page->read_units;
    const std::size_t step = sinks_.own().batch();
    for (std::size_t from = 0; from < page->items.size(); from += step) {
      const auto first = page->items.begin() + static_cast<std::ptrdiff_t>(from);
      const std::size_t count = std::min(step, page->items.size() - from);
      if (!Asked(options_.go_on)) return summary;
      const auto go_on =
          EmitBatch(std::vector<Item>(first, first + static_cast<std::ptrdiff_t>(count)), summary);
      if (!go_on) return std::unexpected(go_on.error());
      if (!*go_on) return summary;
    }
    cursor = std::move(page->cursor);
  } while (!cursor.empty());
  return summary;
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
    if (IsLeased(entries[i].view(), entities_.Now())) return;
    leased[i] = TakeLease(entities_, entries[i].view(), options_.lease);
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
    ends[i] = EndLease(entities_, work[i].call.view(), work[i].delivery, options_.lease);
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
