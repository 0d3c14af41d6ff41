// The invariants of the book, checked on every stored item.
#ifndef STATOR_SYSTEMS_CALLS_AUDIT_H_
#define STATOR_SYSTEMS_CALLS_AUDIT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "stator/clock.h"
#include "stator/endpoint.h"
#include "stator/model.h"
#include "stator/result.h"
#include "systems/program/tables.h"

namespace stator::systems::calls {

struct CallAudit {
  std::int64_t calls = 0;
  std::int64_t sentinels = 0;
  std::int64_t mended = 0;         // with `fix`: keys and versions repaired, sentinels added
  std::vector<std::string> flaws;  // one line each
  bool clean() const { return flaws.empty(); }
};

struct CallAuditOptions {
  std::string table_prefix;
  const Clock* clock = nullptr;  // default: the system's time
  bool fix = false;              // first mends what AuditModel can mend
};

// What must hold while nobody writes:
//   1. `sk` and `userStatus` of every call are what call.h makes of their sources;
//   2. no two calls have the same id, every id has its sentinel, and every sentinel its call;
//   3. types, units, values and index entries are what the model says (AuditModel).
Result<CallAudit> AuditCalls(Endpoint& endpoint, const Model& model,
                             const CallAuditOptions& options = {});
// The same for the tables of a program.
Result<CallAudit> AuditCalls(Tables& tables, bool fix = false);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_AUDIT_H_
