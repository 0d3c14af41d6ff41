#include "live/mend.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/try.h"
#include "entity/expression.h"
#include "entity/item_key.h"

namespace stator::live {
namespace {

constexpr int kAttempts = 5;

bool IsKeyOf(const model::Index& index, std::string_view attribute) {
  const auto named = [&](const model::KeyAttribute& key) { return key.name == attribute; };
  return std::ranges::any_of(index.partition, named) || std::ranges::any_of(index.sort, named);
}

bool IsBaseKey(const model::Table& table, std::string_view attribute) {
  return table.partition->name == attribute || (table.sort && table.sort->name == attribute);
}

// The attributes that decide about the wrong keys, each once.
std::set<std::string> Dependencies(const model::Table& table, const std::vector<WrongKey>& wrong) {
  std::set<std::string> names;
  for (const WrongKey& key : wrong) {
    const model::KeyTemplate& made = *key.wanted.key;
    for (std::string& name : made.Sources()) names.insert(std::move(name));
    const model::Index* index = model::IndexOfKey(table, made);
    if (index == nullptr) continue;
    if (index->sparse && index->sparse->when) {
      for (std::string& name : model::AttributesOf(*index->sparse->when)) {
        names.insert(std::move(name));
      }
    }
    if (index->shards && !index->shards->by.empty()) names.insert(index->shards->by);
  }
  return names;
}

UpdateItemRequest UpdateFor(const MendRequest& request, const std::vector<WrongKey>& wrong,
                            ItemView item) {
  entity::ExpressionText text;
  std::vector<std::string> set;
  std::vector<std::string> remove;
  for (const WrongKey& key : wrong) {
    const std::string& name = key.wanted.key->attribute;
    if (key.wanted.value) {
      set.push_back(text.Equals(name, *key.wanted.value));
    } else {
      remove.push_back(text.Name(name));
    }
  }
  std::string update;
  if (!set.empty()) update = fmt::format("SET {}", fmt::join(set, ", "));
  if (!remove.empty()) {
    update += fmt::format("{}REMOVE {}", update.empty() ? "" : " ", fmt::join(remove, ", "));
  }
  std::string condition =
      fmt::format("attribute_exists({})", text.Name(request.table.partition->name));
  for (const std::string& name : Dependencies(request.table, wrong)) {
    if (IsBaseKey(request.table, name)) continue;
    entity::AndAlso(condition, text.StillIs(name, item.Find(name)));
  }
  UpdateItemRequest made;
  made.table_name = request.table_name;
  made.key = entity::StoredKey(request.table, item);
  made.update_expression = std::move(update);
  made.condition_expression = std::move(condition);
  made.expression_attribute_names = text.names();
  made.expression_attribute_values = text.values();
  made.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  return made;
}

}  // namespace

std::expected<std::vector<WrongKey>, std::string> FindWrongKeys(const model::Model& model,
                                                                const model::Table& table,
                                                                const model::Entity& entity,
                                                                const model::Index* index,
                                                                ItemView item, TimeMs now) {
  // A random shard is drawn from the item itself, so that who comes second draws the same.
  const auto shard = [&](std::int64_t count) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : entity::StoredKey(table, item).encoded()) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    return static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(count));
  };
  ASSIGN_OR_RETURN(const std::vector<model::DerivedKey> derived,
                   model::DeriveKeys(model, entity, item, now, shard));
  std::vector<WrongKey> wrong;
  for (const model::DerivedKey& key : derived) {
    const std::string& name = key.key->attribute;
    if (IsBaseKey(table, name) || (index != nullptr && !IsKeyOf(*index, name))) continue;
    const auto stored = item.Find(name);
    const bool right = key.value ? stored && *stored == key.value->view() : !stored;
    if (!right) wrong.push_back({.wanted = key, .is_there = stored.has_value()});
  }
  return wrong;
}

Result<Mended> MendItem(Endpoint& endpoint, const MendRequest& request, ItemView item) {
  Item current = Item::FromView(item);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const model::Entity* entity = model::EntityOf(request.model, request.table, current.view());
    if (entity == nullptr) return Mended::kAlreadyRight;
    const auto wrong = FindWrongKeys(request.model, request.table, *entity, request.index,
                                     current.view(), request.now);
    if (!wrong) return Mended::kNoKeys;
    if (wrong->empty()) return attempt == 0 ? Mended::kAlreadyRight : Mended::kChanged;
    const auto updated = endpoint.UpdateItem(UpdateFor(request, *wrong, current.view()));
    if (updated) return Mended::kChanged;
    if (updated.error().code() != ErrorCode::kConditionalCheckFailed) {
      return std::unexpected(updated.error());
    }
    if (updated.error().item().empty()) return Mended::kGone;
    current = Item::FromEncoded(updated.error().item());
  }
  return std::unexpected(Error::Throttling("an item is being changed too often to be mended"));
}

}  // namespace stator::live
