#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/try.h"
#include "entity/context.h"
#include "entity/cursor.h"
#include "entity/item_values.h"
#include "entity/lifecycle.h"
#include "entity/read.h"
#include "entity/tables.h"
#include "entity/update.h"
#include "entity/write_attempt.h"
#include "stator/entity.h"

namespace stator {

using entity::ConditionalWrite;

struct EntityTransaction::Impl {
  // One call. `build` makes its writes, anew for each attempt, reading what it must; `judge` says
  // what the failure of the item's own write means, nullopt: it is worth another try.
  struct Action {
    std::function<EntityResult<std::vector<entity::ConditionalWrite>>()> build;
    std::function<std::optional<EntityError>(const std::optional<Item>& item)> judge;
  };

  explicit Impl(entity::Context& owner) : context(owner) {}

  void AddUpdate(EntityResult<entity::PendingUpdate> made);
  // A delete, or a check that writes nothing.
  void AddExisting(std::string_view entity, const Item& key, const WriteOptions& options,
                   bool only_check);

  entity::Context& context;
  std::vector<Action> actions;
  std::optional<EntityError> mistake;  // the first one
};

namespace {

// True if there is a value; otherwise the first mistake is kept.
template <class T>
bool IsRight(std::optional<EntityError>& mistake, const EntityResult<T>& result) {
  if (result) return true;
  if (!mistake) mistake = result.error();
  return false;
}

// The writes of all actions, and to which action each belongs.
struct Prepared {
  std::vector<ConditionalWrite> writes;
  std::vector<std::size_t> owners;
};

EntityResult<Prepared> Prepare(const std::vector<EntityTransaction::Impl::Action>& actions) {
  Prepared prepared;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    ASSIGN_OR_RETURN(std::vector<ConditionalWrite> writes, actions[i].build());
    for (ConditionalWrite& write : writes) {
      prepared.writes.push_back(std::move(write));
      prepared.owners.push_back(i);
    }
  }
  return prepared;
}

}  // namespace

struct Entities::Impl {
  Impl(Endpoint& endpoint, Model model, EntityOptions options)
      : context(endpoint, std::move(model), std::move(options)) {}
  entity::Context context;
  entity::PatternCache cache;
};

Entities::Entities(Endpoint& endpoint, Model model, EntityOptions options)
    : impl_(std::make_unique<Impl>(endpoint, std::move(model), std::move(options))) {}
Entities::~Entities() = default;
Entities::Entities(Entities&&) noexcept = default;

EntityResult<void> Entities::CreateTables() { return entity::CreateTables(impl_->context); }

EntityResult<Item> Entities::Create(std::string_view entity, const Item& attributes) {
  return entity::Create(impl_->context, entity, attributes);
}

EntityResult<std::optional<Item>> Entities::Get(std::string_view entity, const Item& key,
                                                const ReadOptions& options) {
  entity::Context& context = impl_->context;
  ASSIGN_OR_RETURN(const entity::Home home, context.FindHome(entity));
  ASSIGN_OR_RETURN(const Item item_key, entity::KeyFrom(home, key));
  ASSIGN_OR_RETURN(std::optional<Item> item,
                   entity::ReadItem(context, home, item_key, options.strong));
  if (item && options.hide_expired.value_or(true) &&
      entity::HasExpired(context, home.entity, item->view())) {
    return std::nullopt;
  }
  return item;
}

EntityResult<std::vector<Item>> Entities::GetMany(std::string_view entity,
                                                  const std::vector<Item>& keys,
                                                  const ReadOptions& options) {
  entity::Context& context = impl_->context;
  ASSIGN_OR_RETURN(const entity::Home home, context.FindHome(entity));
  std::vector<Item> item_keys;
  for (const Item& key : keys) {
    ASSIGN_OR_RETURN(Item item_key, entity::KeyFrom(home, key));
    if (std::ranges::find(item_keys, item_key) == item_keys.end()) {
      item_keys.push_back(std::move(item_key));
    }
  }
  ASSIGN_OR_RETURN(std::vector<Item> items,
                   entity::GetItems(context, home, item_keys, options.strong));
  if (options.hide_expired.value_or(true)) {
    std::erase_if(items, [&](const Item& item) {
      return entity::HasExpired(context, home.entity, item.view());
    });
  }
  return items;
}

EntityResult<Item> Entities::Update(std::string_view entity, const Item& key, const Change& change,
                                    const WriteOptions& options) {
  ASSIGN_OR_RETURN(const entity::PendingUpdate update,
                   entity::PendingUpdate::Update(impl_->context, entity, key, change, options));
  return entity::Perform(impl_->context, update);
}

EntityResult<Item> Entities::Upsert(std::string_view entity, const Item& key, const Change& change,
                                    const WriteOptions& options) {
  ASSIGN_OR_RETURN(const entity::PendingUpdate update,
                   entity::PendingUpdate::Upsert(impl_->context, entity, key, change, options));
  return entity::Perform(impl_->context, update);
}

EntityResult<Item> Entities::Move(std::string_view entity, const Item& key, std::string_view move,
                                  const Change& change, std::string_view to,
                                  const WriteOptions& options) {
  ASSIGN_OR_RETURN(
      const entity::PendingUpdate update,
      entity::PendingUpdate::Move(impl_->context, entity, key, move, change, to, options));
  return entity::Perform(impl_->context, update);
}

EntityResult<Item> Entities::Rekey(std::string_view entity, const Item& key, const Change& change,
                                   const WriteOptions& options) {
  return entity::Rekey(impl_->context, entity, key, change, options);
}

EntityResult<Item> Entities::Delete(std::string_view entity, const Item& key,
                                    const WriteOptions& options) {
  return entity::Delete(impl_->context, entity, key, options);
}

EntityResult<Page> Entities::Query(std::string_view pattern, const PatternParameters& parameters,
                                   const PageOptions& options) {
  return entity::ReadPage(impl_->context, pattern, parameters, options);
}

EntityResult<std::vector<Item>> Entities::All(std::string_view pattern,
                                              const PatternParameters& parameters) {
  entity::Context& context = impl_->context;
  const model::Pattern* found = context.model().FindPattern(pattern);
  const bool cached = found != nullptr && found->read.cache.has_value();
  const entity::PatternCache::Key key(pattern, entity::QuestionOf(pattern, parameters, false));
  if (cached) {
    if (auto items = impl_->cache.Find(key, context.Now())) return *std::move(items);
  }
  // The time before the request: the answer is never older than the model allows.
  const TimeMs asked = context.Now();
  std::vector<Item> items;
  PageOptions options;
  do {
    ASSIGN_OR_RETURN(Page page, entity::ReadPage(context, pattern, parameters, options));
    std::ranges::move(page.items, std::back_inserter(items));
    options.cursor = std::move(page.cursor);
  } while (!options.cursor.empty());
  if (cached) impl_->cache.Store(key, items, asked + *found->read.cache);
  return items;
}

EntityResult<std::optional<Item>> Entities::First(std::string_view pattern,
                                                  const PatternParameters& parameters) {
  ASSIGN_OR_RETURN(Page page, entity::ReadPage(impl_->context, pattern, parameters, {.limit = 1}));
  if (page.items.empty()) return std::nullopt;
  return std::move(page.items.front());
}

EntityResult<std::int64_t> Entities::Count(std::string_view pattern,
                                           const PatternParameters& parameters) {
  return entity::Count(impl_->context, pattern, parameters);
}

void Entities::ForgetCached(std::string_view pattern) { impl_->cache.Forget(pattern); }

EntityTransaction Entities::Begin() {
  return EntityTransaction(std::make_unique<EntityTransaction::Impl>(impl_->context));
}

UsedUnits Entities::used() const { return impl_->context.used(); }
TimeMs Entities::Now() const { return impl_->context.Now(); }

EntityTransaction::EntityTransaction(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EntityTransaction::~EntityTransaction() = default;
EntityTransaction::EntityTransaction(EntityTransaction&&) noexcept = default;

void EntityTransaction::Impl::AddUpdate(EntityResult<entity::PendingUpdate> made) {
  if (!IsRight(mistake, made)) return;
  auto update = std::make_shared<const entity::PendingUpdate>(*std::move(made));
  // The item that an attempt found: the next one knows whether it exists, and its maps.
  auto met = std::make_shared<entity::Current>();
  actions.push_back({.build = [this, update, met]() -> EntityResult<std::vector<ConditionalWrite>> {
                       entity::Current current = *met;
                       if (update->NeedsRead()) {
                         ASSIGN_OR_RETURN(current.item,
                                          entity::ReadItem(context, update->home(), update->key()));
                         current.known = true;
                         if (auto error = update->Judge(context, current.item)) {
                           return std::unexpected(*std::move(error));
                         }
                       }
                       return update->Writes(context, current);
                     },
                     .judge =
                         [this, update, met](const std::optional<Item>& item) {
                           *met = {.known = true, .item = item};
                           return update->Judge(context, item);
                         }});
}

void EntityTransaction::Create(std::string_view entity, const Item& attributes) {
  const auto home = impl_->context.FindHome(entity);
  if (!IsRight(impl_->mistake, home)) return;
  auto writes = entity::CreateWrites(impl_->context, *home, attributes);
  if (!IsRight(impl_->mistake, writes)) return;
  impl_->actions.push_back(
      {.build = [made = *std::move(writes)]() -> EntityResult<std::vector<ConditionalWrite>> {
         return made;
       },
       .judge =
           [home = *home](const std::optional<Item>& item) {
             return std::optional(entity::ExistsError(home, item));
           }});
}

void EntityTransaction::Update(std::string_view entity, const Item& key, const Change& change,
                               const WriteOptions& options) {
  impl_->AddUpdate(entity::PendingUpdate::Update(impl_->context, entity, key, change, options));
}

void EntityTransaction::Upsert(std::string_view entity, const Item& key, const Change& change,
                               const WriteOptions& options) {
  impl_->AddUpdate(entity::PendingUpdate::Upsert(impl_->context, entity, key, change, options));
}

void EntityTransaction::Move(std::string_view entity, const Item& key, std::string_view move,
                             const Change& change, std::string_view to,
                             const WriteOptions& options) {
  impl_->AddUpdate(
      entity::PendingUpdate::Move(impl_->context, entity, key, move, change, to, options));
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
  auto item_key = entity::KeyFrom(*home, key);
  if (!IsRight(mistake, item_key)) return;
  auto only_if = entity::ParsedCondition(options.only_if);
  if (!IsRight(mistake, only_if)) return;
  auto build = [this, home, item_key = *std::move(item_key), options,
                only_check]() -> EntityResult<std::vector<ConditionalWrite>> {
    std::optional<Item> current;
    if (!only_check && !home->entity.unique.empty()) {
      ASSIGN_OR_RETURN(current, entity::ReadItem(context, *home, item_key));
      if (!current) return std::unexpected(entity::MissingError(*home));
    }
    ASSIGN_OR_RETURN(
        std::vector<ConditionalWrite> writes,
        entity::DeleteWrites(context, *home, item_key, current ? &*current : nullptr, options));
    if (only_check) writes.front().kind = ConditionalWrite::Kind::kCheck;
    return writes;
  };
  auto judge = [this, home, options, only_if = *std::move(only_if)](
                   const std::optional<Item>& item) -> std::optional<EntityError> {
    if (!item) return entity::MissingError(*home);
    return entity::JudgeOptions(context, *home, options, only_if, *item);
  };
  actions.push_back({.build = std::move(build), .judge = std::move(judge)});
}

EntityResult<void> EntityTransaction::Commit(std::string_view token) {
  if (impl_->mistake) return std::unexpected(*impl_->mistake);
  if (impl_->actions.empty()) return {};
  const std::string used_token =
      token.empty() ? impl_->context.NewId(model::Unit::kUuid) : std::string(token);
  entity::SendFailure last;
  for (int attempt = 0; attempt <= impl_->context.options().conflict_retries; ++attempt) {
    ASSIGN_OR_RETURN(const Prepared prepared, Prepare(impl_->actions));
    // Another attempt may hold other values, so it is another request.
    auto sent = entity::Send(impl_->context, prepared.writes,
                             attempt == 0 ? used_token : impl_->context.NewId(model::Unit::kUuid));
    if (sent) return {};
    last = std::move(sent).error();
    if (last.condition) {
      const std::size_t index = last.condition->index;
      if (!prepared.writes[index].not_unique.empty()) {
        return std::unexpected(
            entity::MakeError(EntityErrorKind::kNotUnique, prepared.writes[index].not_unique));
      }
      const auto& action = impl_->actions[prepared.owners[index]];
      if (auto error = action.judge(last.condition->item))
        return std::unexpected(*std::move(error));
    } else if (!last.contended) {
      break;
    }
    entity::WaitForOthers(impl_->context, attempt);
  }
  return std::unexpected(entity::ErrorOf(last));
}

}  // namespace stator
