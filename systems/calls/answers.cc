#include "systems/calls/answers.h"

#include <fmt/format.h>

#include <cstdio>

#include "systems/calls/commands.h"
#include "systems/calls/time_text.h"

namespace stator::systems::calls {
namespace {

std::string_view KindText(EntityErrorKind kind) {
  switch (kind) {
    case EntityErrorKind::kInvalid:
      return "refused";
    case EntityErrorKind::kExists:
    case EntityErrorKind::kNotUnique:
      return "taken";
    case EntityErrorKind::kMissing:
      return "not found";
    case EntityErrorKind::kConflict:
      return "conflict";
    case EntityErrorKind::kStore:
      return "failed";
  }
  return "failed";
}

}  // namespace

int Refuse(std::string_view message) {
  fmt::print(stderr, "calls: {}\n", message);
  return kRefused;
}

int Misuse(std::string_view message) {
  Refuse(message);
  return kUsage;
}

int Refuse(const EntityError& error) {
  return Refuse(fmt::format("{}: {}", KindText(error.kind), error.message));
}

int ShowChange(std::string_view done, const EntityResult<Call>& call) {
  if (!call) return Refuse(call.error());
  fmt::print("{} {}: user {}, provider {}, {}, {}, version {}\n", done, call->call_id,
             call->user_id, call->provider_id, TimeText(call->scheduled_for), call->status,
             call->version);
  return kDone;
}

int ShowCall(const EntityResult<std::optional<Call>>& call, std::string_view none, bool json) {
  if (!call) return Refuse(call.error());
  if (!*call) return Refuse(none);
  fmt::print("{}", json ? CallJson(**call) + "\n" : CallTable({**call}));
  return kDone;
}

int ShowPage(const EntityResult<CallPage>& page, bool json) {
  if (!page) return Refuse(page.error());
  if (json) {
    for (const Call& call : page->calls) fmt::print("{}\n", CallJson(call));
  } else {
    fmt::print("{}", CallTable(page->calls));
  }
  if (page->cursor.empty()) return kDone;
  // Behind the calls, but not among them, so that those can be piped on.
  std::fflush(stdout);
  fmt::print(stderr, "more: --cursor {}\n", page->cursor);
  return kDone;
}

}  // namespace stator::systems::calls
