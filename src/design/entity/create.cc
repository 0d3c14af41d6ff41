#include "entity/create.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"
#include "entity/attribute_values.h"
#include "entity/item_key.h"
#include "entity/sentinels.h"
#include "entity/update.h"
#include "model/keys/derive.h"

namespace stator::entity {
namespace {

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

EntityResult<std::vector<ItemWrite>> CreateWrites(Context& context, const Home& home,
                                                  const Item& attributes) {
  ASSIGN_OR_RETURN(Item item, CheckedItem(home.entity, attributes));
  RETURN_IF_ERROR(StartMachine(context, home, item));
  RETURN_IF_ERROR(AddDefaults(context, home, item));
  RETURN_IF_ERROR(ItemKey(home, item));
  ItemWrite write{.kind = ItemWrite::Kind::kPut, .table_name = home.table_name};
  ASSIGN_OR_RETURN(write.item, WithDerivedKeys(context, home, std::move(item)));
  write.condition =
      fmt::format("attribute_not_exists({})", write.expression.Name(home.table.partition->name));
  ASSIGN_OR_RETURN(std::vector<ItemWrite> sentinels, SentinelWrites(home, nullptr, &write.item));
  std::vector<ItemWrite> writes{std::move(write)};
  for (ItemWrite& sentinel : sentinels) writes.push_back(std::move(sentinel));
  return writes;
}

EntityError CreateError(const Home& home, const std::vector<ItemWrite>& writes,
                        const SendFailure& failure) {
  if (!failure.condition) return ErrorOf(failure);
  const ItemWrite& failed = writes[failure.condition->index];
  if (!failed.guards.empty()) {
    return {.kind = EntityErrorKind::kNotUnique,
            .message = failed.guards,
            .item = std::nullopt,
            .cause = std::nullopt};
  }
  return {.kind = EntityErrorKind::kExists,
          .message = fmt::format("this {} exists already", home.entity.name),
          .item = failure.condition->item,
          .cause = std::nullopt};
}

EntityResult<Item> Create(Context& context, std::string_view entity, const Item& attributes) {
  ASSIGN_OR_RETURN(const Home home, context.FindHome(entity));
  ASSIGN_OR_RETURN(const std::vector<ItemWrite> writes, CreateWrites(context, home, attributes));
  for (int attempt = 0;; ++attempt) {
    const auto sent = Send(context, writes);
    if (sent) return writes.front().item;
    if (!sent.error().contended || attempt == context.options().conflict_retries) {
      return std::unexpected(CreateError(home, writes, sent.error()));
    }
    WaitForOthers(context, attempt);
  }
}

}  // namespace stator::entity
