#include "systems/calls/call_book.h"

#include <fmt/format.h>

#include "systems/program/items.h"

namespace stator::systems::calls {
namespace {

constexpr std::string_view kCall = "Call";
// For a change without an expected version, while others change the same call.
constexpr int kAttempts = 16;

EntityError Missing(std::string_view call_id) {
  return {.kind = EntityErrorKind::kMissing,
          .message = fmt::format("there is no call {}", call_id),
          .item = std::nullopt,
          .cause = std::nullopt};
}

// True if the write failed because the call is no longer what `found` says.
bool HasMoved(const EntityError& error, const Call& found) {
  if (error.kind == EntityErrorKind::kMissing) return true;
  if (error.kind != EntityErrorKind::kConflict) return false;
  return !error.item || CallOf(*error.item).version != found.version;
}

}  // namespace

EntityResult<Call> CallBook::Schedule(const NewCall& call) {
  Item attributes{{"callId", call.call_id},
                  {"userId", call.user_id},
                  {"providerId", call.provider_id},
                  {"scheduledFor", MillisecondsOf(call.scheduled_for)}};
  if (!call.notes.empty()) attributes.Set("notes", AttributeValue(call.notes));
  auto created = entities_.Create(kCall, attributes);
  if (!created) return std::unexpected(std::move(created).error());
  return CallOf(*created);
}

EntityResult<Call> CallBook::ChangeFound(std::string_view call_id, ExpectedVersion expected,
                                         const Write& write) {
  EntityError last = Missing(call_id);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    auto found = Find(call_id);
    if (!found) return std::unexpected(std::move(found).error());
    if (!*found) return std::unexpected(Missing(call_id));
    const Call& call = **found;
    auto written = write(call, {.expected_version = expected.value_or(call.version)});
    if (written) return CallOf(*written);
    last = std::move(written).error();
    // An item that is gone has another key by now, where the expected version is compared again.
    const bool again = expected ? last.kind == EntityErrorKind::kMissing : HasMoved(last, call);
    if (!again) break;
  }
  return std::unexpected(std::move(last));
}

EntityResult<Call> CallBook::Complete(std::string_view call_id, ExpectedVersion expected) {
  return ChangeFound(call_id, expected, [this](const Call& call, const WriteOptions& options) {
    return entities_.Move(kCall, KeyOf(call), "complete", {}, {}, options);
  });
}

EntityResult<Call> CallBook::Reschedule(std::string_view call_id, TimeMs to,
                                        ExpectedVersion expected) {
  return ChangeFound(call_id, expected, [this, to](const Call& call, WriteOptions options) {
    options.only_if = "status = SCHEDULED";
    if (call.scheduled_for == to) return entities_.Update(kCall, KeyOf(call), {}, options);
    return entities_.Rekey(kCall, KeyOf(call), {.set = {{"scheduledFor", MillisecondsOf(to)}}},
                           options);
  });
}

EntityResult<Call> CallBook::Reassign(std::string_view call_id, std::string_view user_id,
                                      ExpectedVersion expected) {
  return ChangeFound(call_id, expected, [&](const Call& call, const WriteOptions& options) {
    if (call.user_id == user_id) return entities_.Update(kCall, KeyOf(call), {}, options);
    return entities_.Rekey(kCall, KeyOf(call), {.set = {{"userId", user_id}}}, options);
  });
}

EntityResult<Call> CallBook::ChangeProvider(std::string_view call_id, std::string_view provider_id,
                                            ExpectedVersion expected) {
  return ChangeFound(call_id, expected, [&](const Call& call, const WriteOptions& options) {
    return entities_.Update(kCall, KeyOf(call), {.set = {{"providerId", provider_id}}}, options);
  });
}

EntityResult<Call> CallBook::Cancel(std::string_view call_id, ExpectedVersion expected) {
  return ChangeFound(call_id, expected, [this](const Call& call, const WriteOptions& options) {
    return entities_.Delete(kCall, KeyOf(call), options);
  });
}

EntityResult<std::optional<Call>> CallBook::First(std::string_view pattern,
                                                  const PatternParameters& parameters) {
  auto item = entities_.First(pattern, parameters);
  if (!item) return std::unexpected(std::move(item).error());
  return item->transform(CallOf);
}

EntityResult<std::optional<Call>> CallBook::Find(std::string_view call_id) {
  return First("by_call", {{"call", call_id}});
}

EntityResult<std::optional<Call>> CallBook::Next(std::string_view user_id, TimeMs from) {
  return First("next_scheduled", {{"user", user_id}, {"now", MillisecondsOf(from)}});
}

EntityResult<std::optional<Call>> CallBook::Last(std::string_view user_id) {
  return First("last_completed", {{"user", user_id}});
}

EntityResult<CallPage> CallBook::ReadPage(std::string_view pattern,
                                          const PatternParameters& parameters,
                                          const PageOptions& options) {
  auto page = entities_.Query(pattern, parameters, options);
  if (!page) return std::unexpected(std::move(page).error());
  CallPage calls{.calls = {}, .cursor = page->cursor, .read_units = page->read_units};
  for (const Item& item : page->items) calls.calls.push_back(CallOf(item));
  return calls;
}

EntityResult<CallPage> CallBook::ReadTimeline(std::string_view user_id, Timeline which,
                                              const PageOptions& options) {
  const std::string_view pattern = which == Timeline::kAll        ? "timeline"
                                   : which == Timeline::kUpcoming ? "upcoming"
                                                                  : "completed";
  return ReadPage(pattern, {{"user", user_id}}, options);
}

EntityResult<CallPage> CallBook::OfProvider(std::string_view provider_id,
                                            const PageOptions& options) {
  return ReadPage("of_provider", {{"provider", provider_id}}, options);
}

}  // namespace stator::systems::calls
