#include "systems/reconciler/listing.h"

#include <fmt/format.h>

#include "systems/program/items.h"
#include "systems/program/text.h"
#include "systems/reconciler/call.h"

namespace stator::systems::reconciler {
namespace {

// False if somebody else has changed the call since it was listed.
EntityResult<bool> Retry(CallTable& table, const Item& entry) {
  TRY(Entities * entities, table.entities());
  TRY(const std::optional<Item> call, entities->Get("Call", KeyOf(entry.view()), {.strong = true}));
  if (!call || TextOf(*call, "ReconStatus") != kGivenUp) return false;
  const Change change{.set = {{"Attempts", 0}, {"ReconTime", TextOf(*call, "CallDateTime")}},
                      .remove = {"Problem", "LeaseOwner", "LeaseUntil", "LeaseSink"}};
  const auto moved =
      entities->Move("Call", KeyOf(call->view()), "retry", change, ReportedStatus(call->view()),
                     {.expected_version = NumberOf(*call, "Version")});
  if (moved) return true;
  if (IsOvertaken(moved.error())) return false;
  return std::unexpected(moved.error());
}

}  // namespace

bool CallFilter::Takes(ItemView entry) const {
  return (tenant.empty() || tenant == TextOf(entry, "TenantId")) &&
         (call.empty() || call == TextOf(entry, "CallId"));
}

EntityResult<void> ForEachListed(CallTable& table, std::string_view status,
                                 const CallFilter& filter,
                                 const std::function<EntityResult<void>(const Item& entry)>& take) {
  TRY(const std::vector<Entities*> readers, table.readers());
  for (Entities* entities : readers) {
    std::string cursor;
    do {
      TRY(const Page page,
          entities->Query("listed", {{"status", status}, {"since", SortableTime(kClockMin)}},
                          {.cursor = cursor}));
      for (const Item& entry : page.items) {
        if (filter.Takes(entry.view())) TRY_VOID(take(entry));
      }
      cursor = page.cursor;
    } while (!cursor.empty());
  }
  return {};
}

std::string ListingLine(ItemView entry) {
  const EntryPlace place = PlaceOf(entry);
  std::string line = fmt::format("{} since {}: {} {}", place.status, place.time,
                                 TextOf(entry, "TenantId"), TextOf(entry, "CallId"));
  const bool has_state = entry.Find("ProcessingStatus") && entry.Find("CallDateTime");
  if (has_state && (place.status == kEmitted || place.status == kGivenUp)) {
    line += fmt::format(", {} call of {}", TextOf(entry, "ProcessingStatus"),
                        TextOf(entry, "CallDateTime"));
  }
  const std::int64_t emissions = NumberOf(entry, "Emissions");
  if (emissions == 1) line += ", emitted once";
  if (emissions > 1) line += fmt::format(", emitted {} times", emissions);
  if (const std::string problem = TextOf(entry, "Problem"); !problem.empty()) {
    line += ": " + problem;
  }
  return line;
}

EntityResult<std::int64_t> RetryGivenUp(CallTable& table, const CallFilter& filter) {
  std::int64_t count = 0;
  TRY_VOID(ForEachListed(table, kGivenUp, filter, [&](const Item& entry) -> EntityResult<void> {
    TRY(const bool moved, Retry(table, entry));
    if (moved) ++count;
    return {};
  }));
  return count;
}

}  // namespace stator::systems::reconciler
