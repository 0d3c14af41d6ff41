// A call: what is reported about it, what a report changes, and the payload that asks for its
// reconciliation.
#ifndef STATOR_SYSTEMS_RECONCILER_CALL_H_
#define STATOR_SYSTEMS_RECONCILER_CALL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/program/fallible.h"

namespace stator::systems::reconciler {

// Of a call, as it is reported.
inline constexpr std::string_view kStatuses[] = {"PENDING", "PROCESSING", "FAILED", "SUCCESS"};

// Where a call can stand in the index: under its status until something came of it.
inline constexpr std::string_view kEmitted = "EMITTED";
inline constexpr std::string_view kGivenUp = "GIVEN_UP";
inline constexpr std::string_view kIndexStatuses[] = {"PENDING", "PROCESSING", "FAILED",
                                                      "SUCCESS", kEmitted,     kGivenUp};
// Where it stands when it is not in the index.
inline constexpr std::string_view kOk = "OK";

// {TenantId, CallId}.
Item KeyOf(ItemView call);

// Where a call stands by what is reported about it alone: kOk if its audio came and its processing
// succeeded, else its status.
std::string ReportedStatus(ItemView call);
// The call with ReconStatus and ReconTime as its report has them.
Item Placed(Item call);

// An entry of the index, read by its keys alone, which every index has whatever it projects.
struct EntryPlace {
  std::string status;  // PENDING
  std::string time;    // as it stands there
};
EntryPlace PlaceOf(ItemView entry);

struct Payload {
  // TENANT#CALL#REVISION, and #ATTEMPT from the second attempt on: the same for every try to emit
  // the same attempt.
  std::string id;
  // One line of JSON that begins with the id. The same bytes for the same id.
  std::string json;
};

// Of the next attempt. Attempts of a revision are counted by Emissions.
Payload PayloadOf(ItemView call);

// Why a call needs reconciliation: AUDIO_MISSING, FAILED, PENDING, PROCESSING. Empty: it does not.
std::vector<std::string> ReasonsOf(ItemView call);

// One line of what is reported about calls: {"TenantId": …, "CallId": …, "ProcessingStatus": …}.
// The first report of a call also needs CallDateTime; later ones hold what has changed. UpdatedAt,
// if given, is the time of the report itself: one that is older than what is known changes nothing.
struct CallReport {
  std::string tenant;
  std::string call;
  std::optional<std::string> call_time;  // both as SortableTime writes them
  std::optional<std::string> updated_at;
  std::optional<bool> audio_received;
  std::optional<std::string> status;
};

// The error says what is wrong with the line.
Fallible<CallReport> ParseReport(std::string_view line);

// What a report means for the stored call.
struct ReportDecision {
  enum class Kind : std::uint8_t {
    kCreate,     // it is new: `item`
    kChange,     // its state is different: `change`, which also opens it again for pollers and
                 // puts it under `status`
    kConfirm,    // the same state, reported later: `change` notes the time
    kUnchanged,  // nothing to write
    kStale,      // a newer report came first
    kRefuse,     // `problem`
  };
  Kind kind = Kind::kUnchanged;
  Item item = {};
  Change change = {};
  std::string status = {};
  std::string problem = {};
};
ReportDecision DecideReport(const std::optional<Item>& stored, const CallReport& report);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_CALL_H_
