#include "entity/update.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/try.h"
#include "entity/changes.h"
#include "entity/conditional_write.h"
#include "entity/item_values.h"
#include "entity/lifecycle.h"
#include "entity/write_attempt.h"
#include "model/keys/derive.h"
#include "model/keys/key_access.h"
#include "model/names.h"

namespace stator::entity {

// The clauses of an update expression.
struct Clauses {
  std::vector<std::string> set;
  std::vector<std::string> remove;
  std::vector<std::string> add;
  std::vector<std::string> take;

  std::string Text() const {
    std::string text;
    const auto clause = [&](std::string_view keyword, const std::vector<std::string>& actions) {
      if (actions.empty()) return;
      if (!text.empty()) text += ' ';
      text += fmt::format("{} {}", keyword, fmt::join(actions, ", "));
    };
    clause("SET", set);
    clause("REMOVE", remove);
    clause("ADD", add);
    clause("DELETE", take);
    return text;
  }
};

namespace {

using model::Contains;

bool AnyOf(const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
  return std::ranges::any_of(names,
                             [&](const std::string& name) { return Contains(wanted, name); });
}

}  // namespace

EntityResult<PendingUpdate> PendingUpdate::Make(Context& context, std::string_view entity,
                                                const Item& key, const Change& change,
                                                const WriteOptions& options) {
  ASSIGN_OR_RETURN(Home home, context.FindHome(entity));
  ASSIGN_OR_RETURN(Item known, GivenSources(home, key));
  ASSIGN_OR_RETURN(Item item_key, ItemKey(home, known));
  ASSIGN_OR_RETURN(Change checked, CheckedChange(home, change, false));
  PendingUpdate update(std::move(home), std::move(known), std::move(item_key), std::move(checked));
  ASSIGN_OR_RETURN(update.only_if_, ParsedCondition(options.only_if));
  update.options_ = options;
  return update;
}

EntityResult<PendingUpdate> PendingUpdate::Update(Context& context, std::string_view entity,
                                                  const Item& key, const Change& change,
                                                  const WriteOptions& options) {
  return Make(context, entity, key, change, options);
}

EntityResult<PendingUpdate> PendingUpdate::Upsert(Context& context, std::string_view entity,
                                                  const Item& key, const Change& change,
                                                  const WriteOptions& options) {
  ASSIGN_OR_RETURN(PendingUpdate update, Make(context, entity, key, change, options));
  if (!update.home_.entity.unique.empty() || update.home_.entity.machine) {
    return Invalid(fmt::format(
        "{} has unique attributes or a state machine: create it, then update it", entity));
  }
  update.upsert_ = true;
  return update;
}

EntityResult<PendingUpdate> PendingUpdate::Move(Context& context, std::string_view entity,
                                                const Item& key, std::string_view move,
                                                const Change& change, std::string_view to,
                                                const WriteOptions& options) {
  ASSIGN_OR_RETURN(PendingUpdate update, Make(context, entity, key, change, options));
  const auto& machine = update.home_.entity.machine;
  const model::Move* found = machine ? machine->FindMove(move) : nullptr;
  if (found == nullptr) return Invalid(fmt::format("{} has no move `{}`", entity, move));
  RETURN_IF_ERROR(update.ChooseState(context, *found, to));
  return update;
}

EntityResult<void> PendingUpdate::ChooseState(Context& context, const model::Move& move,
                                              std::string_view to) {
  const model::Entity& entity = home_.entity;
  if (to.empty() && move.to.size() == 1) to = move.to.front();
  if (!Contains(move.to, to)) {
    return Invalid(fmt::format("{}.{} ends in {}: say which", entity.name, move.name,
                               fmt::join(move.to, " or ")));
  }
  move_ = &move;
  change_.set.emplace_back(entity.machine->attribute, AttributeValue(to));
  const auto stamp = [&](const std::string& name) -> EntityResult<void> {
    const model::Attribute* attribute = entity.FindAttribute(name);
    if (attribute == nullptr || Contains(TouchedAttributes(change_), name)) return {};
    const bool is_time =
        attribute->unit != model::Unit::kNone && attribute->unit != model::Unit::kInteger &&
        attribute->unit != model::Unit::kUlid && attribute->unit != model::Unit::kUuid;
    if (!is_time) {
      return Invalid(fmt::format("{}.{} sets {}: give its value", entity.name, move.name, name));
    }
    change_.set.emplace_back(name, model::TimeValue(*attribute, context.Now()));
    return {};
  };
  if (move.stamps && !entity.machine->stamp.empty()) RETURN_IF_ERROR(stamp(entity.machine->stamp));
  for (const std::string& name : move.sets) RETURN_IF_ERROR(stamp(name));
  return {};
}

std::vector<const model::KeyTemplate*> PendingUpdate::AffectedKeys() const {
  const std::vector<std::string> touched = TouchedAttributes(change_);
  std::vector<const model::KeyTemplate*> affected;
  for (const model::KeyTemplate& key : home_.entity.keys) {
    if (!key.IsDerived() || model::IsKeyOf(home_.table, key.attribute)) continue;
    if (upsert_ || AnyOf(model::DependenciesOf(home_.table, key), touched)) {
      affected.push_back(&key);
    }
  }
  return affected;
}

std::vector<std::string> PendingUpdate::Needed() const {
  std::set<std::string> needed;
  for (const model::KeyTemplate* key : AffectedKeys()) {
    for (std::string& name : model::DependenciesOf(home_.table, *key))
      needed.insert(std::move(name));
  }
  return {needed.begin(), needed.end()};
}

bool PendingUpdate::IsGiven(std::string_view attribute) const {
  if (known_.Find(attribute)) return true;
  if (Contains(change_.remove, attribute)) return true;
  return std::ranges::any_of(change_.set, [&](const auto& set) { return set.first == attribute; });
}

bool PendingUpdate::NeedsRead() const {
  if (TouchesUnique(home_.entity, TouchedAttributes(change_))) return true;
  return !std::ranges::all_of(Needed(), [&](const std::string& name) { return IsGiven(name); });
}

Item PendingUpdate::After(const Item& before) const {
  Item base = before;
  for (const auto& [name, value] : known_) base.Set(name, AttributeValue::FromView(value));
  return Changed(base, change_);
}

EntityResult<Item> PendingUpdate::Stored(Context& context, const Item& before) const {
  Item after = After(before);
  RaiseVersion(home_.entity, before, after);
  return WithDerivedKeys(context, home_, std::move(after));
}

EntityResult<void> PendingUpdate::WriteDerived(Context& context, const Current& current,
                                               ConditionalWrite& write, Clauses& clauses) const {
  const std::vector<const model::KeyTemplate*> affected = AffectedKeys();
  const Item after = After(current.item.value_or(Item()));
  auto derived = model::DeriveKeys(context.model(), home_.entity, after.view(), context.Now(),
                                   [&](std::int64_t count) { return context.RandomBelow(count); });
  if (!derived) return Invalid(fmt::format("{}: {}", home_.entity.name, derived.error()));
  for (const model::DerivedKey& key : *derived) {
    if (std::ranges::find(affected, key.key) == affected.end()) continue;
    const std::string name = write.expression.Name(key.key->attribute);
    if (key.value) {
      clauses.set.push_back(name + " = " + write.expression.Value(*key.value));
    } else {
      clauses.remove.push_back(name);
    }
  }
  return {};
}

void PendingUpdate::WriteCounters(ConditionalWrite& write, const Current& current,
                                  Clauses& clauses) const {
  ExpressionText& text = write.expression;
  std::set<std::string, std::less<>> started;  // maps that are written whole
  for (const auto& [path, more] : change_.add) {
    const auto [name, member] = SplitPath(path);
    if (member.empty()) {
      clauses.add.push_back(text.Name(name) + " " + text.Value(AttributeValue(more)));
      continue;
    }
    const bool is_there = !current.known || (current.item && current.item->Find(name));
    if (is_there) {
      // Without its map the path would be invalid; the condition says so first.
      if (started.emplace(name).second) {
        AndAlso(write.condition, fmt::format("attribute_exists({})", text.Name(name)));
      }
      const std::string counter = text.Name(path);
      clauses.set.push_back(fmt::format("{} = if_not_exists({}, {}) + {}", counter, counter,
                                        text.Value(AttributeValue(0)),
                                        text.Value(AttributeValue(more))));
      continue;
    }
    if (!started.emplace(name).second) continue;
    const Item after = After(Item());
    clauses.set.push_back(text.Equals(name, AttributeValue::FromView(*after.Find(name))));
    AndAlso(write.condition, fmt::format("attribute_not_exists({})", text.Name(name)));
  }
}

void PendingUpdate::WriteChange(ConditionalWrite& write, const Current& current,
                                Clauses& clauses) const {
  ExpressionText& text = write.expression;
  for (const auto& [name, value] : change_.set) clauses.set.push_back(text.Equals(name, value));
  for (const std::string& name : change_.remove) clauses.remove.push_back(text.Name(name));
  WriteCounters(write, current, clauses);
  for (const auto& [name, members] : change_.add_to_set) {
    clauses.add.push_back(text.Name(name) + " " + text.Value(members));
  }
  for (const auto& [name, members] : change_.remove_from_set) {
    clauses.take.push_back(text.Name(name) + " " + text.Value(members));
  }
  if (!home_.entity.version.empty()) {
    const std::string version = text.Name(home_.entity.version);
    clauses.set.push_back(fmt::format("{} = if_not_exists({}, {}) + {}", version, version,
                                      text.Value(AttributeValue(0)),
                                      text.Value(AttributeValue(1))));
  }
}

// What an item gets when an upsert makes it: the sources of its key, and defaults.
void PendingUpdate::WriteNewItem(Context& context, ConditionalWrite& write,
                                 Clauses& clauses) const {
  const std::vector<std::string> touched = TouchedAttributes(change_);
  for (const auto& [name, value] : known_) {
    if (key_.Find(name)) continue;
    clauses.set.push_back(write.expression.Equals(name, AttributeValue::FromView(value)));
  }
  for (const model::Attribute& attribute : home_.entity.attributes) {
    if (Contains(touched, attribute.name) || known_.Find(attribute.name)) continue;
    const auto value = DefaultOf(context, attribute);
    if (!value || IsManaged(home_.entity, attribute.name)) continue;
    const std::string name = write.expression.Name(attribute.name);
    clauses.set.push_back(
        fmt::format("{} = if_not_exists({}, {})", name, name, write.expression.Value(*value)));
  }
}

EntityResult<void> PendingUpdate::WriteCondition(const Context& context, const Current& current,
                                                 ConditionalWrite& write) const {
  ExpressionText& text = write.expression;
  if (!upsert_ || current.known) {
    const bool is_there = !upsert_ || current.item;
    AndAlso(write.condition, fmt::format("attribute_{}exists({})", is_there ? "" : "not_",
                                         text.Name(home_.table.partition->name)));
  }
  if (move_ != nullptr && !move_->from.empty()) {
    std::vector<std::string> states;
    for (const std::string& state : move_->from)
      states.push_back(text.Value(AttributeValue(state)));
    AndAlso(write.condition, fmt::format("{} IN ({})", text.Name(home_.entity.machine->attribute),
                                         fmt::join(states, ", ")));
  }
  if (current.known && current.item && NeedsRead()) {
    std::vector<std::string> guarded = Needed();
    for (const std::vector<std::string>& unique : home_.entity.unique) {
      if (AnyOf(unique, TouchedAttributes(change_))) {
        guarded.insert(guarded.end(), unique.begin(), unique.end());
      }
    }
    std::ranges::sort(guarded);
    guarded.erase(std::unique(guarded.begin(), guarded.end()), guarded.end());
    for (const std::string& name : guarded) {
      if (known_.Find(name)) continue;
      AndAlso(write.condition, text.StillIs(name, current.item->Find(name)));
    }
  }
  return AddOptions(context, home_, options_, only_if_, write);
}

EntityResult<std::vector<ConditionalWrite>> PendingUpdate::Writes(Context& context,
                                                                  const Current& current) const {
  ConditionalWrite write{
      .kind = ConditionalWrite::Kind::kUpdate, .table_name = home_.table_name, .key = key_};
  Clauses clauses;
  RETURN_IF_ERROR(WriteCondition(context, current, write));
  WriteChange(write, current, clauses);
  RETURN_IF_ERROR(WriteDerived(context, current, write, clauses));
  if (upsert_) WriteNewItem(context, write, clauses);
  write.update = clauses.Text();
  std::vector<ConditionalWrite> writes{std::move(write)};
  if (current.item && TouchesUnique(home_.entity, TouchedAttributes(change_))) {
    const Item after = After(*current.item);
    RETURN_IF_ERROR(AddSentinels(home_, &*current.item, &after, writes));
  }
  return writes;
}

std::optional<EntityError> PendingUpdate::Judge(const Context& context,
                                                const std::optional<Item>& item) const {
  if (!item) return upsert_ ? std::nullopt : std::optional(MissingError(home_));
  if (move_ != nullptr && !move_->from.empty()) {
    const auto state = item->Find(home_.entity.machine->attribute);
    const std::string_view now =
        state && state->type() == Type::kS ? state->S() : std::string_view("without a state");
    if (!Contains(move_->from, now)) {
      return MakeError(EntityErrorKind::kConflict,
                       fmt::format("{} is {}; {} starts from {}", home_.entity.name, now,
                                   move_->name, fmt::join(move_->from, " or ")),
                       item);
    }
  }
  return JudgeOptions(context, home_, options_, only_if_, *item);
}

EntityResult<Item> Perform(Context& context, const PendingUpdate& update) {
  Current current;
  if (update.NeedsRead()) {
    ASSIGN_OR_RETURN(current.item, ReadItem(context, update.home(), update.key()));
    current.known = true;
    if (std::optional<EntityError> error = update.Judge(context, current.item)) {
      return std::unexpected(*std::move(error));
    }
  }
  SendFailure last;
  for (int attempt = 0; attempt <= context.options().conflict_retries; ++attempt) {
    ASSIGN_OR_RETURN(const std::vector<ConditionalWrite> writes, update.Writes(context, current));
    auto sent = Send(context, writes);
    if (sent && *sent) return **std::move(sent);
    if (sent) return update.Stored(context, current.item.value_or(Item()));
    last = std::move(sent).error();
    if (last.contended) {
      WaitForOthers(context, attempt);
      continue;
    }
    if (!last.condition) return std::unexpected(ErrorOf(last));
    const std::size_t index = last.condition->index;
    if (!writes[index].not_unique.empty()) {
      return std::unexpected(MakeError(EntityErrorKind::kNotUnique, writes[index].not_unique));
    }
    if (std::optional<EntityError> error = update.Judge(context, last.condition->item)) {
      return std::unexpected(*std::move(error));
    }
    current = {.known = true, .item = last.condition->item};
  }
  return std::unexpected(ErrorOf(last));
}

}  // namespace stator::entity
