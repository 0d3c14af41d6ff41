#include "systems/reconciler/lease.h"

#include "systems/reconciler/call.h"
#include "systems/reconciler/call_time.h"

namespace stator::systems::reconciler {
namespace {

std::int64_t Milliseconds(TimeMs time) { return time.time_since_epoch().count(); }

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
    return {.set = {{"LeaseUntil", Milliseconds(now)}}};
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
  change.set = {{"Outcome", outcome}, {"OutcomeAt", TimeText(now)}};
  if (end == LeaseEnd::kResolved) {
    change.set.emplace_back("AudioReceived", true);
    change.set.emplace_back("ProcessingStatus", "SUCCESS");
  }
  return change;
}

}  // namespace

bool IsLeased(ItemView entry, TimeMs now) {
  return NumberOf(entry, "LeaseUntil") > Milliseconds(now);
}

EntityResult<std::optional<Item>> TakeLease(Entities& entities, ItemView entry,
                                            const LeaseTerms& terms) {
  const TimeMs now = entities.Now();
  Change change{
      .set = {{"LeaseOwner", terms.owner}, {"LeaseUntil", Milliseconds(now + terms.time)}},
      .add = {{"Attempts", 1}}};
  WriteOptions options;
  if (entry.Find("LeaseUntil")) {
    options.only_if = "GSI_Recon_PK exists, LeaseUntil <= $now";
    options.parameters = {{"now", Milliseconds(now)}};
  } else {
    options.only_if = "GSI_Recon_PK exists, LeaseUntil missing";
    change.set.emplace_back("LeaseSink", terms.sink);
  }
  auto leased = entities.Update("Call", KeyOf(entry), change, options);
  if (leased) return *std::move(leased);
  const EntityErrorKind kind = leased.error().kind;
  if (kind == EntityErrorKind::kConflict || kind == EntityErrorKind::kMissing) return std::nullopt;
  return std::unexpected(leased.error());
}

EntityResult<LeaseEnd> EndLease(Entities& entities, ItemView call, const Delivery& delivery,
                                const LeaseTerms& terms) {
  const LeaseEnd end = EndOf(delivery, call, terms);
  const auto ended = entities.Update(
      "Call", KeyOf(call), WithSources(ChangeOf(end, delivery.result, entities.Now()), call),
      {.expected_version = NumberOf(call, "Version")});
  if (ended) return end;
  const EntityErrorKind kind = ended.error().kind;
  if (kind == EntityErrorKind::kConflict || kind == EntityErrorKind::kMissing) {
    return LeaseEnd::kOvertaken;
  }
  return std::unexpected(ended.error());
}

}  // namespace stator::systems::reconciler
