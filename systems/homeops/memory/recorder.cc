#include "systems/homeops/memory/recorder.h"

#include <algorithm>

#include "systems/program/fallible.h"
#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

constexpr int kChangeAttempts = 20;

std::string_view TypeOf(const Deed& deed) { return deed.recovery ? "recovery" : "chore"; }

std::string DoerOf(const Message& message, const Deed& deed, const std::vector<Member>& people) {
  if (UserOf(message, deed) == message.user) return message.name;
  const auto person = std::ranges::find(people, deed.user, &Member::user);
  return person == people.end() ? deed.who : person->name;
}

}  // namespace

Item ActivityKey(const Message& message, std::size_t deed) {
  return Item{{"chatId", message.chat}, {"activityId", ActivityIdOf(message, deed)}};
}

Item ActivityOf(const Message& message, const Decision& decision, std::size_t deed,
                const std::vector<Member>& people) {
  const Deed& done = decision.deeds[deed];
  Item activity = ActivityKey(message, deed);
  activity.Set("messageId", AttributeValue(message.id));
  activity.Set("userId", AttributeValue(UserOf(message, done)));
  activity.Set("userName", AttributeValue(DoerOf(message, done, people)));
  activity.Set("timestamp", AttributeValue(message.at));
  activity.Set("activity", AttributeValue(done.activity));
  activity.Set("type", AttributeValue(TypeOf(done)));
  activity.Set("effort", AttributeValue(done.effort));
  activity.Set("confidence", AttributeValue(done.confidence));
  return activity;
}

std::vector<EntityError> Recorder::Save(const Message& message, const Decision& decision,
                                        const std::vector<Member>& people) {
  std::vector<EntityError> failures;
  for (std::size_t i = 0; i < decision.deeds.size(); ++i) {
    const auto saved = entities_.Create("Activity", ActivityOf(message, decision, i, people));
    if (saved || saved.error().kind == EntityErrorKind::kExists) continue;
    failures.push_back(saved.error());
  }
  return failures;
}

void Recorder::Complete(const Told& told, const std::vector<Member>& people) {
  (void)Save(told.message, told.decision, people);
  (void)Learn(told.message, told.decision, told.record);
}

EntityResult<bool> Recorder::IsStamped(const Message& because) {
  const auto record = entities_.Get("Message", KeyOf(because), {.strong = true});
  if (!record) return std::unexpected(record.error());
  return *record && (*record)->Find("actedAt").has_value();
}

void Recorder::Stamp(EntityTransaction& together, const Message& because, const Message* undone,
                     const std::string& moved_from) {
  Change acted{.set = {{"actedAt", because.at}}};
  if (!moved_from.empty()) acted.set.emplace_back("movedFrom", AttributeValue(moved_from));
  together.Update("Message", KeyOf(because), acted, {.only_if = "actedAt missing"});
  if (undone == nullptr) return;
  together.Update("Message", KeyOf(*undone), {.set = {{"undoneAt", because.at}}},
                  {.only_if = "undoneAt missing"});
}

EntityResult<void> Recorder::Redecide(Told& told, Decision decision, std::string_view from,
                                      const Message& because) {
  EntityTransaction together = entities_.Begin();
  Stamp(together, because, nullptr, {});
  together.Update("Message", KeyOf(told.message), {.set = AttributesOf(decision)},
                  {.only_if = "kind = $from", .parameters = {{"from", AttributeValue(from)}}});
  auto decided = together.Commit();
  if (!decided) {
    if (!IsRace(decided.error())) return decided;
    const auto stamped = IsStamped(because);
    if (!stamped) return std::unexpected(stamped.error());
    if (!*stamped) return decided;
  }
  told.decision = std::move(decision);
  return {};
}

EntityResult<void> Recorder::MarkUndone(const Message& because, const Message& undone) {
  EntityTransaction together = entities_.Begin();
  Stamp(together, because, &undone, {});
  auto marked = together.Commit();
  if (!marked && IsRace(marked.error())) return {};
  return marked;
}

EntityResult<void> Recorder::Move(const Told& told, std::size_t deed, const Deed& to,
                                  const Message& because, const Message* undone) {
  EntityResult<void> moved;
  for (int attempt = 0; attempt < kChangeAttempts; ++attempt) {
    moved = MoveOnce(told, deed, to, because, undone);
    if (moved || !IsRace(moved.error())) break;
    const auto stamped = IsStamped(because);
    if (!stamped) return std::unexpected(stamped.error());
    if (*stamped) return {};
  }
  return moved;
}

EntityResult<void> Recorder::MoveOnce(const Told& told, std::size_t deed, const Deed& to,
                                      const Message& because, const Message* undone) {
  const Message& message = told.message;
  const Deed& from = told.decision.deeds[deed];
  Decision changed = told.decision;
  changed.deeds[deed] = to;
  changed.kind = TypeOf(changed.deeds.front());
  const auto times = ReadHabitTimes(entities_, message, {to});
  if (!times) return std::unexpected(times.error());

  EntityTransaction together = entities_.Begin();
  Stamp(together, because, undone, from.activity);
  together.Update("Message", KeyOf(message), {.set = AttributesOf(changed)},
                  {.only_if = "undoneAt missing"});
  together.Update(
      "Activity", ActivityKey(message, deed),
      {.set = {{"activity", to.activity}, {"type", TypeOf(to)}, {"effort", to.effort}}},
      {.only_if = "activity = $before", .parameters = {{"before", AttributeValue(from.activity)}}});
  if (auto done = UncountEfforts(entities_, together, message, {from}); !done) return done;
  if (auto done = UncountHabits(entities_, together, message, {from}); !done) return done;
  if (auto done = CountEfforts(entities_, together, message, {to}); !done) return done;
  CountHabits(together, message, {to}, *times);
  CountPreferences(together, message, {to}, {from});
  return together.Commit();
}

EntityResult<void> Recorder::Remove(const Told& told, const Message& because,
                                    const Message* undone) {
  EntityResult<void> removed;
  for (int attempt = 0; attempt < kChangeAttempts; ++attempt) {
    removed = RemoveOnce(told, because, undone);
    if (removed || !IsRace(removed.error())) break;
    const auto stamped = IsStamped(because);
    if (!stamped) return std::unexpected(stamped.error());
    if (*stamped) return {};
  }
  return removed;
}

EntityResult<void> Recorder::RemoveOnce(const Told& told, const Message& because,
                                        const Message* undone) {
  const std::vector<Deed>& deeds = told.decision.deeds;
  EntityTransaction together = entities_.Begin();
  Stamp(together, because, undone, {});
  together.Update("Message", KeyOf(told.message), {.set = {{"undoneAt", because.at}}},
                  {.only_if = "undoneAt missing"});
  for (std::size_t i = 0; i < deeds.size(); ++i) {
    together.Delete("Activity", ActivityKey(told.message, i));
  }
  if (auto done = UncountEfforts(entities_, together, told.message, deeds); !done) return done;
  if (auto done = UncountHabits(entities_, together, told.message, deeds); !done) return done;
  CountPreferences(together, told.message, {}, deeds);
  return together.Commit();
}

}  // namespace stator::systems::homeops
