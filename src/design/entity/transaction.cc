#include "entity/transaction.h"

#include <fmt/format.h>

#include "base/try.h"
#include "entity/attribute_values.h"
#include "entity/create.h"
#include "entity/item_key.h"
#include "entity/remove.h"

namespace stator {

using entity::ItemWrite;

namespace {

// True if there is a value; otherwise the first mistake is remembered.
template <class T>
bool IsRight(std::optional<EntityError>& mistake, const EntityResult<T>& result) {
  if (result) return true;
  if (!mistake) mistake = result.error();
  return false;
}

EntityError Failed(EntityErrorKind kind, std::string message, std::optional<Item> item) {
  return {
      .kind = kind, .message = std::move(message), .item = std::move(item), .cause = std::nullopt};
}

// The writes of all wishes, and to which wish each belongs.
struct Prepared {
  std::vector<ItemWrite> writes;
  std::vector<std::size_t> owners;
};

EntityResult<Prepared> Prepare(const std::vector<EntityTransaction::Impl::Wish>& wishes) {
  Prepared prepared;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    ASSIGN_OR_RETURN(std::vector<ItemWrite> writes, wishes[i].build());
    for (ItemWrite& write : writes) {
      prepared.writes.push_back(std::move(write));
      prepared.owners.push_back(i);
    }
  }
  return prepared;
}

}  // namespace

EntityTransaction::EntityTransaction(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EntityTransaction::~EntityTransaction() = default;
EntityTransaction::EntityTransaction(EntityTransaction&&) noexcept = default;

void EntityTransaction::Impl::AddUpdate(EntityResult<entity::UpdateWish> made) {
  if (!IsRight(mistake, made)) return;
  auto wish = std::make_shared<const entity::UpdateWish>(*std::move(made));
  // The item that an attempt met: the next one knows whether it is there, and its maps.
  auto met = std::make_shared<entity::Current>();
  wishes.push_back({.build = [this, wish, met]() -> EntityResult<std::vector<ItemWrite>> {
                      entity::Current current = *met;
                      if (wish->NeedsRead()) {
                        ASSIGN_OR_RETURN(current.item,
                                         entity::ReadItem(context, wish->home(), wish->key()));
                        current.known = true;
                        if (auto error = wish->Judge(context, current.item)) {
                          return std::unexpected(*std::move(error));
                        }
                      }
                      return wish->Writes(context, current);
                    },
                    .judge =
                        [this, wish, met](const std::optional<Item>& item) {
                          *met = {.known = true, .item = item};
                          return wish->Judge(context, item);
                        }});
}

void EntityTransaction::Create(std::string_view entity, const Item& attributes) {
  const auto home = impl_->context.FindHome(entity);
  if (!IsRight(impl_->mistake, home)) return;
  auto writes = entity::CreateWrites(impl_->context, *home, attributes);
  if (!IsRight(impl_->mistake, writes)) return;
  impl_->wishes.push_back(
      {.build = [made = *std::move(writes)]() -> EntityResult<std::vector<ItemWrite>> {
         return made;
       },
       .judge =
           [name = std::string(entity)](const std::optional<Item>& item) {
             return std::optional(Failed(EntityErrorKind::kExists,
                                         fmt::format("this {} exists already", name), item));
           }});
}

void EntityTransaction::Update(std::string_view entity, const Item& key, const Change& change,
                               const WriteOptions& options) {
  impl_->AddUpdate(entity::UpdateWish::Update(impl_->context, entity, key, change, options));
}

void EntityTransaction::Upsert(std::string_view entity, const Item& key, const Change& change,
                               const WriteOptions& options) {
  impl_->AddUpdate(entity::UpdateWish::Upsert(impl_->context, entity, key, change, options));
}

void EntityTransaction::Move(std::string_view entity, const Item& key, std::string_view move,
                             const Change& change, std::string_view to,
                             const WriteOptions& options) {
  impl_->AddUpdate(
      entity::UpdateWish::Move(impl_->context, entity, key, move, change, to, options));
}

void EntityTransaction::Delete(std::string_view entity, const Item& key,
                               const WriteOptions& options) {
  impl_->AddExisting(entity, key, options, false);
}

void EntityTransaction::Check(std::string_view entity, const Item& key,
                              const WriteOptions& options) {
  impl_->AddExisting(entity, key, options, true);
}

void EntityTransaction::Impl::AddExisting(std::string_view entity, const Item& key,
                                          const WriteOptions& options, bool only_check) {
  const auto found = context.FindHome(entity);
  if (!IsRight(mistake, found)) return;
  auto home = std::make_shared<const entity::Home>(*found);
  const auto known = entity::GivenSources(*home, key);
  if (!IsRight(mistake, known)) return;
  auto item_key = entity::ItemKey(*home, *known);
  if (!IsRight(mistake, item_key)) return;
  auto only_if = entity::ParsedCondition(options.only_if);
  if (!IsRight(mistake, only_if)) return;
  auto build = [this, home, item_key = *std::move(item_key), options,
                only_check]() -> EntityResult<std::vector<ItemWrite>> {
    std::optional<Item> current;
    if (!only_check && !home->entity.unique.empty()) {
      ASSIGN_OR_RETURN(current, entity::ReadItem(context, *home, item_key));
      if (!current) return std::unexpected(entity::MissingError(*home));
    }
    ASSIGN_OR_RETURN(
        std::vector<ItemWrite> writes,
        entity::DeleteWrites(context, *home, item_key, current ? &*current : nullptr, options));
    if (only_check) writes.front().kind = ItemWrite::Kind::kCheck;
    return writes;
  };
  auto judge = [this, home, options, only_if = *std::move(only_if)](
                   const std::optional<Item>& item) -> std::optional<EntityError> {
    if (!item) return entity::MissingError(*home);
    return entity::JudgeOptions(context, *home, options, only_if, *item);
  };
  wishes.push_back({.build = std::move(build), .judge = std::move(judge)});
}

EntityResult<void> EntityTransaction::Commit(std::string_view token) {
  if (impl_->mistake) return std::unexpected(*impl_->mistake);
  if (impl_->wishes.empty()) return {};
  const std::string used_token =
      token.empty() ? impl_->context.NewId(model::Unit::kUuid) : std::string(token);
  entity::SendFailure last;
  for (int attempt = 0; attempt <= impl_->context.options().conflict_retries; ++attempt) {
    ASSIGN_OR_RETURN(const Prepared prepared, Prepare(impl_->wishes));
    // Another attempt may hold other values, so it is another request.
    auto sent = entity::Send(impl_->context, prepared.writes,
                             attempt == 0 ? used_token : impl_->context.NewId(model::Unit::kUuid));
    if (sent) return {};
    last = std::move(sent).error();
    if (last.condition) {
      const std::size_t index = last.condition->index;
      if (!prepared.writes[index].guards.empty()) {
        return std::unexpected(
            Failed(EntityErrorKind::kNotUnique, prepared.writes[index].guards, std::nullopt));
      }
      const auto& wish = impl_->wishes[prepared.owners[index]];
      if (auto error = wish.judge(last.condition->item)) return std::unexpected(*std::move(error));
    } else if (!last.contended) {
      break;
    }
    entity::WaitForOthers(impl_->context, attempt);
  }
  return std::unexpected(entity::ErrorOf(last));
}

}  // namespace stator
