// Reports of calls, line by line, into the table.
#ifndef STATOR_SYSTEMS_RECONCILER_INGEST_H_
#define STATOR_SYSTEMS_RECONCILER_INGEST_H_

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "stator/entity.h"
#include "systems/reconciler/call.h"
#include "systems/reconciler/call_table.h"

namespace stator::systems::reconciler {

struct IngestSummary {
  std::int64_t lines = 0;
  std::int64_t created = 0;
  std::int64_t changed = 0;
  std::int64_t unchanged = 0;
  std::int64_t stale = 0;
  std::int64_t refused = 0;
};

struct IngestOptions {
  int threads = 8;  // reports of one call stay in order
  // Called with a line that cannot be used; the others go on.
  std::function<void(std::int64_t line, const std::string& problem)> refused;
  // Now and then, and at the end.
  std::function<void(const IngestSummary& summary)> progress;
};

// Takes one report: reads the call, decides what the report changes, and writes it unless somebody
// changed the call meanwhile; then it starts over. A call that another program wrote is adopted.
EntityResult<ReportDecision::Kind> IngestReport(CallTable& table, const CallReport& report);

// Takes all lines of a stream. May be repeated, also after it was killed: reports with UpdatedAt
// have no second effect. Fails only when the endpoint does.
EntityResult<IngestSummary> IngestLines(CallTable& table, std::istream& in,
                                        const IngestOptions& options = {});

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_INGEST_H_
