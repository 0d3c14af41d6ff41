// A call, and the payload that asks somebody to reconcile it.
#ifndef STATOR_SYSTEMS_RECONCILER_CALL_H_
#define STATOR_SYSTEMS_RECONCILER_CALL_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"

namespace stator::systems::reconciler {

inline constexpr std::string_view kStatuses[] = {"PENDING", "PROCESSING", "FAILED", "SUCCESS"};

// Of an attribute that may be missing or of another type: empty, 0.
std::string TextOf(ItemView item, std::string_view name);
std::int64_t NumberOf(ItemView item, std::string_view name);

// {TenantId, CallId}.
Item KeyOf(ItemView call);
// The change with everything that the keys of the index are made of, as `call` has it: a write under
// the condition of its version then need not read the call again.
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

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_CALL_H_
