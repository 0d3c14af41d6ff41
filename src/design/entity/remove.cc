#include "entity/remove.h"

#include <fmt/format.h>

#include "base/try.h"
#include "entity/attribute_values.h"
#include "entity/changes.h"
#include "entity/create.h"
#include "entity/item_key.h"
#include "entity/sentinels.h"
#include "entity/update.h"

namespace stator::entity {
namespace {

// Nobody has changed the item since it was read: by its version, or else by all of it.
void AddUnchanged(const Home& home, const Item& item, ItemWrite& write) {
  if (!home.entity.version.empty()) {
    AndAlso(write.condition,
            write.expression.StillIs(home.entity.version, item.Find(home.entity.version)));
    return;
  }
  for (const auto& [name, value] : item) {
    AndAlso(write.condition, write.expression.StillIs(name, value));
  }
}

EntityResult<Item> KeyOf(const Home& home, const Item& key) {
  ASSIGN_OR_RETURN(const Item known, GivenSources(home, key));
  return ItemKey(home, known);
}

// The item at its new place, and the old one deleted.
EntityResult<std::vector<ItemWrite>> RekeyWrites(Context& context, const Home& home,
                                                 const Item& before, const Change& change,
                                                 const WriteOptions& options) {
  Item after = Changed(before, change);
  if (!home.entity.version.empty()) {
    const auto version = before.Find(home.entity.version);
    after.Set(home.entity.version,
              AttributeValue(version ? version->AsInt64().value_or(0) + 1 : 1));
  }
  ASSIGN_OR_RETURN(after, WithDerivedKeys(context, home, std::move(after)));
  ItemWrite put{.kind = ItemWrite::Kind::kPut, .table_name = home.table_name, .item = after};
  put.condition =
      fmt::format("attribute_not_exists({})", put.expression.Name(home.table.partition->name));
  ItemWrite remove{.kind = ItemWrite::Kind::kDelete,
                   .table_name = home.table_name,
                   .key = StoredKey(home.table, before.view())};
  AddUnchanged(home, before, remove);
  RETURN_IF_ERROR(AddOptions(context, home, options, std::nullopt, remove));
  std::vector<ItemWrite> writes{std::move(put), std::move(remove)};
  ASSIGN_OR_RETURN(std::vector<ItemWrite> sentinels, SentinelWrites(home, &before, &after));
  for (ItemWrite& sentinel : sentinels) writes.push_back(std::move(sentinel));
  return writes;
}

}  // namespace

EntityResult<std::vector<ItemWrite>> DeleteWrites(const Context& context, const Home& home,
                                                  const Item& item_key, const Item* current,
                                                  const WriteOptions& options) {
  ItemWrite write{.kind = ItemWrite::Kind::kDelete, .table_name = home.table_name, .key = item_key};
  write.condition =
      fmt::format("attribute_exists({})", write.expression.Name(home.table.partition->name));
  ASSIGN_OR_RETURN(const auto only_if, ParsedCondition(options.only_if));
  RETURN_IF_ERROR(AddOptions(context, home, options, only_if, write));
  std::vector<ItemWrite> sentinels;
  if (current != nullptr) {
    for (const std::vector<std::string>& unique : home.entity.unique) {
      for (const std::string& name : unique) {
        AndAlso(write.condition, write.expression.StillIs(name, current->Find(name)));
      }
    }
    ASSIGN_OR_RETURN(sentinels, SentinelWrites(home, current, nullptr));
  }
  std::vector<ItemWrite> writes{std::move(write)};
  for (ItemWrite& sentinel : sentinels) writes.push_back(std::move(sentinel));
  return writes;
}

EntityResult<Item> Delete(Context& context, std::string_view entity, const Item& key,
                          const WriteOptions& options) {
  ASSIGN_OR_RETURN(const Home home, context.FindHome(entity));
  ASSIGN_OR_RETURN(const Item item_key, KeyOf(home, key));
  ASSIGN_OR_RETURN(const auto only_if, ParsedCondition(options.only_if));
  SendFailure last;
  for (int attempt = 0; attempt <= context.options().conflict_retries; ++attempt) {
    std::optional<Item> current;
    if (!home.entity.unique.empty()) {
      ASSIGN_OR_RETURN(current, ReadItem(context, home, item_key));
      if (!current) return std::unexpected(MissingError(home));
    }
    ASSIGN_OR_RETURN(const std::vector<ItemWrite> writes,
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
  ASSIGN_OR_RETURN(const Item item_key, KeyOf(home, key));
  ASSIGN_OR_RETURN(const Change checked, CheckedChange(home, change, true));
  ASSIGN_OR_RETURN(const auto only_if, ParsedCondition(options.only_if));
  SendFailure last;
  for (int attempt = 0; attempt <= context.options().conflict_retries; ++attempt) {
    ASSIGN_OR_RETURN(const std::optional<Item> before, ReadItem(context, home, item_key));
    if (!before) return std::unexpected(MissingError(home));
    if (auto error = JudgeOptions(context, home, options, only_if, *before)) {
      return std::unexpected(*std::move(error));
    }
    ASSIGN_OR_RETURN(const std::vector<ItemWrite> writes,
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
