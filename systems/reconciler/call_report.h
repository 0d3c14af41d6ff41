// One line of what is reported about calls: {"TenantId": …, "CallId": …, "ProcessingStatus": …}.
//
// The first report of a call also needs CallDateTime; later ones hold what has changed. UpdatedAt, if
// given, is the time of the report itself: one that is older than what is known changes nothing.
#ifndef STATOR_SYSTEMS_RECONCILER_CALL_REPORT_H_
#define STATOR_SYSTEMS_RECONCILER_CALL_REPORT_H_

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "stator/entity.h"

namespace stator::systems::reconciler {

struct CallReport {
  std::string tenant;
  std::string call;
  std::optional<std::string> call_time;  // both in the form of TimeText
  std::optional<std::string> updated_at;
  std::optional<bool> audio_received;
  std::optional<std::string> status;
};

// The error says what is wrong with the line.
std::expected<CallReport, std::string> ParseReport(std::string_view line);

// What a report means for the call as it is stored.
struct ReportDecision {
  enum class Kind : std::uint8_t {
    kCreate,     // it is new: `item`
    kChange,     // its state is another one: `change`, which also opens it again for pollers
    kConfirm,    // the same state, reported later: `change` notes the time
    kUnchanged,  // nothing to write
    kStale,      // a newer report was here first
    kRefuse,     // `problem`
  };
  Kind kind = Kind::kUnchanged;
  Item item = {};
  Change change = {};
  std::string problem = {};
};
ReportDecision DecideReport(const std::optional<Item>& stored, const CallReport& report);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_CALL_REPORT_H_
