#include "entity/update.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/try.h"
#include "entity/attribute_values.h"
#include "entity/changes.h"
#include "entity/create.h"
#include "entity/item_key.h"
#include "entity/sentinels.h"
#include "model/keys/derive.h"

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

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool AnyOf(const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
  return std::ranges::any_of(names,
                             [&](const std::string& name) { return Contains(wanted, name); });
}

// The attributes that decide what a derived key is, and whether it is there.
std::vector<std::string> DependenciesOf(const model::Table& table, const model::KeyTemplate& key) {
  std::vector<std::string> names = key.Sources();
  const model::Index* index = model::IndexOfKey(table, key);
  if (index == nullptr) return names;
  if (index->sparse && index->sparse->when) {
    for (std::string& name : model::AttributesOf(*index->sparse->when)) {
      names.push_back(std::move(name));
    }
  }
  if (index->shards && !index->shards->by.empty()) names.push_back(index->shards->by);
  return names;
}

bool IsBaseKey(const model::Table& table, std::string_view attribute) {
  return table.partition->name == attribute || (table.sort && table.sort->name == attribute);
}

}  // namespace

EntityResult<UpdateWish> UpdateWish::Make(Context& context, std::string_view entity,
                                          const Item& key, const Change& change,
                                          const WriteOptions& options) {
  ASSIGN_OR_RETURN(Home home, context.FindHome(entity));
  ASSIGN_OR_RETURN(Item known, GivenSources(home, key));
  ASSIGN_OR_RETURN(Item item_key, ItemKey(home, known));
  ASSIGN_OR_RETURN(Change checked, CheckedChange(home, change, false));
  UpdateWish wish(std::move(home), std::move(known), std::move(item_key), std::move(checked));
  ASSIGN_OR_RETURN(wish.only_if_, ParsedCondition(options.only_if));
  wish.options_ = options;
  return wish;
}

EntityResult<UpdateWish> UpdateWish::Update(Context& context, std::string_view entity,
                                            const Item& key, const Change& change,
                                            const WriteOptions& options) {
  return Make(context, entity, key, change, options);
}

EntityResult<UpdateWish> UpdateWish::Upsert(Context& context, std::string_view entity,
                                            const Item& key, const Change& change,
                                            const WriteOptions& options) {
  ASSIGN_OR_RETURN(UpdateWish wish, Make(context, entity, key, change, options));
  if (!wish.home_.entity.unique.empty() || wish.home_.entity.machine) {
    return Invalid(fmt::format(
        "{} has unique attributes or a state machine: create it, then update it", entity));
  }
  wish.upsert_ = true;
  return wish;
}

EntityResult<UpdateWish> UpdateWish::Move(Context& context, std::string_view entity,
                                          const Item& key, std::string_view move,
                                          const Change& change, std::string_view to,
                                          const WriteOptions& options) {
  ASSIGN_OR_RETURN(UpdateWish wish, Make(context, entity, key, change, options));
  const auto& machine = wish.home_.entity.machine;
  const model::Move* found = machine ? machine->FindMove(move) : nullptr;
  if (found == nullptr) return Invalid(fmt::format("{} has no move `{}`", entity, move));
  RETURN_IF_ERROR(wish.ChooseState(context, *found, to));
  return wish;
}

EntityResult<void> UpdateWish::ChooseState(Context& context, const model::Move& move,
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

std::vector<const model::KeyTemplate*> UpdateWish::AffectedKeys() const {
  const std::vector<std::string> touched = TouchedAttributes(change_);
  std::vector<const model::KeyTemplate*> affected;
  for (const model::KeyTemplate& key : home_.entity.keys) {
    if (!key.IsDerived() || IsBaseKey(home_.table, key.attribute)) continue;
    if (upsert_ || AnyOf(DependenciesOf(home_.table, key), touched)) {
      affected.push_back(&key);
    }
  }
  return affected;
}

std::vector<std::string> UpdateWish::Needed() const {
  std::set<std::string> needed;
  for (const model::KeyTemplate* key : AffectedKeys()) {
    for (std::string& name : DependenciesOf(home_.table, *key)) needed.insert(std::move(name));
  }
  return {needed.begin(), needed.end()};
}

bool UpdateWish::IsGiven(std::string_view attribute) const {
  if (known_.Find(attribute)) return true;
  if (Contains(change_.remove, attribute)) return true;
  return std::ranges::any_of(change_.set, [&](const auto& set) { return set.first == attribute; });
}

bool UpdateWish::NeedsRead() const {
  if (TouchesUnique(home_.entity, TouchedAttributes(change_))) return true;
  return !std::ranges::all_of(Needed(), [&](const std::string& name) { return IsGiven(name); });
}

Item UpdateWish::After(const Item& before) const {
  Item base = before;
  for (const auto& [name, value] : known_) base.Set(name, AttributeValue::FromView(value));
  return Changed(base, change_);
}

EntityResult<Item> UpdateWish::Stored(Context& context, const Item& before) const {
  Item after = After(before);
  if (const std::string& version = home_.entity.version; !version.empty()) {
    const auto stored = before.Find(version);
    after.Set(version, AttributeValue(stored ? stored->AsInt64().value_or(0) + 1 : 1));
  }
  return WithDerivedKeys(context, home_, std::move(after));
}

EntityResult<void> UpdateWish::WriteDerived(Context& context, const Current& current,
                                            ItemWrite& write, Clauses& clauses) const {
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

void UpdateWish::WriteCounters(ItemWrite& write, const Current& current, Clauses& clauses) const {
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

void UpdateWish::WriteChange(ItemWrite& write, const Current& current, Clauses& clauses) const {
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
void UpdateWish::WriteNewItem(Context& context, ItemWrite& write, Clauses& clauses) const {
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

EntityResult<void> UpdateWish::WriteCondition(const Context& context, const Current& current,
                                              ItemWrite& write) const {
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

EntityResult<std::vector<ItemWrite>> UpdateWish::Writes(Context& context,
                                                        const Current& current) const {
  ItemWrite write{.kind = ItemWrite::Kind::kUpdate, .table_name = home_.table_name, .key = key_};
  Clauses clauses;
  RETURN_IF_ERROR(WriteCondition(context, current, write));
  WriteChange(write, current, clauses);
  RETURN_IF_ERROR(WriteDerived(context, current, write, clauses));
  if (upsert_) WriteNewItem(context, write, clauses);
  write.update = clauses.Text();
  std::vector<ItemWrite> writes{std::move(write)};
  if (current.item && TouchesUnique(home_.entity, TouchedAttributes(change_))) {
    const Item after = After(*current.item);
    ASSIGN_OR_RETURN(std::vector<ItemWrite> sentinels,
                     SentinelWrites(home_, &*current.item, &after));
    for (ItemWrite& sentinel : sentinels) writes.push_back(std::move(sentinel));
  }
  return writes;
}

std::optional<EntityError> UpdateWish::Judge(const Context& context,
                                             const std::optional<Item>& item) const {
  if (!item) return upsert_ ? std::nullopt : std::optional(MissingError(home_));
  if (move_ != nullptr && !move_->from.empty()) {
    const auto state = item->Find(home_.entity.machine->attribute);
    const std::string_view now =
        state && state->type() == Type::kS ? state->S() : std::string_view("without a state");
    if (!Contains(move_->from, now)) {
      return EntityError{.kind = EntityErrorKind::kConflict,
                         .message = fmt::format("{} is {}; {} starts from {}", home_.entity.name,
                                                now, move_->name, fmt::join(move_->from, " or ")),
                         .item = item,
                         .cause = std::nullopt};
    }
  }
  return JudgeOptions(context, home_, options_, only_if_, *item);
}

}  // namespace stator::entity
