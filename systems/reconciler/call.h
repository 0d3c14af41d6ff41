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

inline constexpr std::string_view kStatuses[] = {"PENDING", "PROCESSING", "FAILED", "SUCCESS"};

// {TenantId, CallId}.
Item KeyOf(ItemView call);
// The change, completed with what the keys of the index are made of as `call` has it. A write on
// condition of the call's version then need not read the call again.
Change WithSources(Change change, ItemView call);

struct Payload {
  // TENANT#CALL#REVISION: the same for every attempt to emit the same state of a call.
  std::string id;
  // One line of JSON that begins with the id. The same bytes for the same id.
  std::string json;
};

Payload PayloadOf(ItemView call);

// Why a call needs reconciliation: AUDIO_MISSING, FAILED, PENDING. Empty: it does not.
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
    kChange,     // its state is different: `change`, which also opens it again for pollers
    kConfirm,    // the same state, reported later: `change` notes the time
    kUnchanged,  // nothing to write
    kStale,      // a newer report came first
    kRefuse,     // `problem`
  };
  Kind kind = Kind::kUnchanged;
  Item item = {};
  Change change = {};
  std::string problem = {};
};
ReportDecision DecideReport(const std::optional<Item>& stored, const CallReport& report);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_CALL_H_
