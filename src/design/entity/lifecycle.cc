#include "entity/lifecycle.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"
#include "entity/changes.h"
#include "entity/conditional_write.h"
#include "entity/item_values.h"
#include "entity/write_attempt.h"
#include "model/keys/derive.h"

namespace stator::entity {
namespace {

// What it means that one of the writes of a new item failed.
EntityError CreateError(const Home& home, const std::vector<ConditionalWrite>& writes,
                        const SendFailure& failure) {
  if (!failure.condition) return ErrorOf(failure);
  const ConditionalWrite& failed = writes[failure.condition->index];
  if (!failed.not_unique.empty()) {
    return MakeError(EntityErrorKind::kNotUnique, failed.not_unique);
  }
  return ExistsError(home, failure.condition->item);
}

// The state an item starts in; the application may choose among several.
EntityResult<void> StartMachine(Context& context, const Home& home, Item& item) {
  const auto& machine = home.entity.machine;
  if (!machine) return {};
  const auto given = item.Find(machine->attribute);
  if (!given) {
    if (machine->initial.size() != 1) {
      return Invalid(fmt::format("{} starts as {}: say which", home.entity.name,
                                 fmt::join(machine->initial, " or ")));
    }
    item.Set(machine->attribute, AttributeValue(machine->initial.front()));
  } else if (std::ranges::find(machine->initial, given->S()) == machine->initial.end()) {
    return Invalid(fmt::format("{} cannot start as {}: it starts as {}", home.entity.name,
                               given->S(), fmt::join(machine->initial, " or ")));
  }
  const model::Attribute* stamp = home.entity.FindAttribute(machine->stamp);
  if (stamp != nullptr && !item.Find(machine->stamp)) {
    item.Set(machine->stamp, model::TimeValue(*stamp, context.Now()));
  }
  return {};
}

EntityResult<void> AddDefaults(Context& context, const Home& home, Item& item) {
  for (const model::Attribute& attribute : home.entity.attributes) {
    if (item.Find(attribute.name) || IsManaged(home.entity, attribute.name)) continue;
    if (const auto value = DefaultOf(context, attribute)) {
      item.Set(attribute.name, *value);
    } else if (attribute.counter) {
      item.Set(attribute.name, AttributeValue(0));
    } else if (!attribute.counters.empty()) {
      item.Set(attribute.name, AttributeValue::Map({}));
    } else if (!attribute.optional && !attribute.nullable && !attribute.implicit) {
      return Invalid(fmt::format("{} needs `{}`", home.entity.name, attribute.name));
    }
  }
  if (!home.entity.version.empty()) item.Set(home.entity.version, AttributeValue(1));
  return {};
}

// The item has not changed since it was read: compares its version, or all of it.
void AddUnchanged(const Home& home, const Item& item, ConditionalWrite& write) {
  if (!home.entity.version.empty()) {
    AndAlso(write.condition,
            write.expression.StillIs(home.entity.version, item.Find(home.entity.version)));
    return;
  }
  for (const auto& [name, value] : item) {
    AndAlso(write.condition, write.expression.StillIs(name, value));
  }
}

// The item at its new place, and the old one deleted.
EntityResult<std::vector<ConditionalWrite>> RekeyWrites(Context& context, const Home& home,
                                                        const Item& before, const Change& change,
                                                        const WriteOptions& options) {
  Item after = Changed(before, change);
  RaiseVersion(home.entity, before, after);
  ASSIGN_OR_RETURN(after, WithDerivedKeys(context, home, std::move(after)));
  ConditionalWrite put = PutNew(home, after);
  ConditionalWrite remove{.kind = ConditionalWrite::Kind::kDelete,
                          .table_name = home.table_name,
                          .key = StoredKey(home.table, before.view())};
  AddUnchanged(home, before, remove);
  RETURN_IF_ERROR(AddOptions(context, home, options, std::nullopt, remove));
  std::vector<ConditionalWrite> writes{std::move(put), std::move(remove)};
  RETURN_IF_ERROR(AddSentinels(home, &before, &after, writes));
  return writes;
}

}  // namespace

EntityResult<Item> WithDerivedKeys(Context& context, const Home& home, Item item) {
  auto derived = model::DeriveKeys(context.model(), home.entity, item.view(), context.Now(),
                                   [&](std::int64_t count) { return context.RandomBelow(count); });
  if (!derived) return Invalid(fmt::format("{}: {}", home.entity.name, derived.error()));
  for (const model::DerivedKey& key : *derived) {
    if (key.value) {
      item.Set(key.key->attribute, *key.value);
    } else {
      item.Remove(key.key->attribute);
    }
  }
  return item;
}

EntityResult<std::vector<ConditionalWrite>> CreateWrites(Context& context, const Home& home,
                                                         const Item& attributes) {
  ASSIGN_OR_RETURN(Item item, CheckedItem(home.entity, attributes));
  for (const auto& [name, value] : item) RETURN_IF_ERROR(CheckNotEmptyKey(home, name, value));
  RETURN_IF_ERROR(StartMachine(context, home, item));
  RETURN_IF_ERROR(AddDefaults(context, home, item));
  RETURN_IF_ERROR(ItemKey(home, item));
  ASSIGN_OR_RETURN(item, WithDerivedKeys(context, home, std::move(item)));
  std::vector<ConditionalWrite> writes{PutNew(home, item)};
  RETURN_IF_ERROR(AddSentinels(home, nullptr, &item, writes));
  return writes;
}

EntityResult<Item> Create(Context& context, std::string_view entity, const Item& attributes) {
  ASSIGN_OR_RETURN(const Home home, context.FindHome(entity));
  ASSIGN_OR_RETURN(const std::vector<ConditionalWrite> writes,
                   CreateWrites(context, home, attributes));
  for (int attempt = 0;; ++attempt) {
    const auto sent = Send(context, writes);
    if (sent) return writes.front().item;
    if (!sent.error().contended || attempt == context.options().conflict_retries) {
      return std::unexpected(CreateError(home, writes, sent.error()));
    }
    WaitForOthers(context, attempt);
  }
}

EntityResult<std::vector<ConditionalWrite>> DeleteWrites(const Context& context, const Home& home,
                                                         const Item& item_key, const Item* current,
                                                         const WriteOptions& options) {
  ConditionalWrite write{
      .kind = ConditionalWrite::Kind::kDelete, .table_name = home.table_name, .key = item_key};
  write.condition =
      fmt::format("attribute_exists({})", write.expression.Name(home.table.partition->name));
  ASSIGN_OR_RETURN(const auto only_if, ParsedCondition(options.only_if));
  RETURN_IF_ERROR(AddOptions(context, home, options, only_if, write));
  if (current != nullptr) {
    for (const std::vector<std::string>& unique : home.entity.unique) {
      for (const std::string& name : unique) {
        AndAlso(write.condition, write.expression.StillIs(name, current->Find(name)));
      }
    }
  }
  std::vector<ConditionalWrite> writes{std::move(write)};
  if (current != nullptr) RETURN_IF_ERROR(AddSentinels(home, current, nullptr, writes));
  return writes;
}

EntityResult<Item> Delete(Context& context, std::string_view entity, const Item& key,
                          const WriteOptions& options) {
  ASSIGN_OR_RETURN(const Home home, context.FindHome(entity));
  ASSIGN_OR_RETURN(const Item item_key, KeyFrom(home, key));
  ASSIGN_OR_RETURN(const auto only_if, ParsedCondition(options.only_if));
  SendFailure last;
  for (int attempt = 0; attempt <= context.options().conflict_retries; ++attempt) {
    std::optional<Item> current;
    if (!home.entity.unique.empty()) {
      ASSIGN_OR_RETURN(current, ReadItem(context, home, item_key));
      if (!current) return std::unexpected(MissingError(home));
    }
    ASSIGN_OR_RETURN(const std::vector<ConditionalWrite> writes,
                     DeleteWrites(context, home, item_key, current ? &*current : nullptr, options));
    auto sent = Send(context, writes);
    if (sent) return *sent ? **std::move(sent) : current.value_or(Item());
    last = std::move(sent).error();
    if (last.condition) {
      if (!last.condition->item) return std::unexpected(MissingError(home));
      if (auto error = JudgeOptions(context, home, options, only_if, *last.condition->item)) {
        return std::unexpected(*std::move(error));
      }
    } else if (!last.contended) {
      break;
    }
    WaitForOthers(context, attempt);
  }
  return std::unexpected(ErrorOf(last));
}

EntityResult<Item> Rekey(Context& context, std::string_view entity, const Item& key,
                         const Change& change, const WriteOptions& options) {
  ASSIGN_OR_RETURN(const Home home, context.FindHome(entity));
  ASSIGN_OR_RETURN(const Item item_key, KeyFrom(home, key));
  ASSIGN_OR_RETURN(const Change checked, CheckedChange(home, change, true));
  ASSIGN_OR_RETURN(const auto only_if, ParsedCondition(options.only_if));
  SendFailure last;
  for (int attempt = 0; attempt <= context.options().conflict_retries; ++attempt) {
    ASSIGN_OR_RETURN(const std::optional<Item> before, ReadItem(context, home, item_key));
    if (!before) return std::unexpected(MissingError(home));
    if (auto error = JudgeOptions(context, home, options, only_if, *before)) {
      return std::unexpected(*std::move(error));
    }
    ASSIGN_OR_RETURN(const std::vector<ConditionalWrite> writes,
                     RekeyWrites(context, home, *before, checked, options));
    if (StoredKey(home.table, writes.front().item.view()) == item_key) {
      return Invalid(fmt::format("the key of {} stays the same: use Update", home.entity.name));
    }
    auto sent = Send(context, writes);
    if (sent) return writes.front().item;
    last = std::move(sent).error();
    if (last.condition && last.condition->index != 1) {
      // What is in the way may be this very item, which another writer has moved there.
      ASSIGN_OR_RETURN(const std::optional<Item> now, ReadItem(context, home, item_key));
      if (now == before) return std::unexpected(CreateError(home, writes, last));
      continue;
    }
    if (!last.condition && !last.contended) break;
    WaitForOthers(context, attempt);
  }
  return std::unexpected(ErrorOf(last));
}

}  // namespace stator::entity
