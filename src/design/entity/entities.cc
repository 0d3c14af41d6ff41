// The public face of the entity layer.
#include <algorithm>

#include "base/try.h"
#include "entity/attribute_values.h"
#include "entity/context.h"
#include "entity/create.h"
#include "entity/cursor.h"
#include "entity/item_key.h"
#include "entity/pattern_cache.h"
#include "entity/read.h"
#include "entity/remove.h"
#include "entity/tables.h"
#include "entity/transaction.h"
#include "entity/update.h"
#include "stator/entity.h"

namespace stator {

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
  ASSIGN_OR_RETURN(const Item known, entity::GivenSources(home, key));
  ASSIGN_OR_RETURN(const Item item_key, entity::ItemKey(home, known));
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
    ASSIGN_OR_RETURN(const Item known, entity::GivenSources(home, key));
    ASSIGN_OR_RETURN(Item item_key, entity::ItemKey(home, known));
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
  ASSIGN_OR_RETURN(const entity::UpdateWish wish,
                   entity::UpdateWish::Update(impl_->context, entity, key, change, options));
  return entity::CarryOut(impl_->context, wish);
}

EntityResult<Item> Entities::Upsert(std::string_view entity, const Item& key, const Change& change,
                                    const WriteOptions& options) {
  ASSIGN_OR_RETURN(const entity::UpdateWish wish,
                   entity::UpdateWish::Upsert(impl_->context, entity, key, change, options));
  return entity::CarryOut(impl_->context, wish);
}

EntityResult<Item> Entities::Move(std::string_view entity, const Item& key, std::string_view move,
                                  const Change& change, std::string_view to,
                                  const WriteOptions& options) {
  ASSIGN_OR_RETURN(
      const entity::UpdateWish wish,
      entity::UpdateWish::Move(impl_->context, entity, key, move, change, to, options));
  return entity::CarryOut(impl_->context, wish);
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
  // A time from before the answer: it is never older than the model allows.
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

}  // namespace stator
