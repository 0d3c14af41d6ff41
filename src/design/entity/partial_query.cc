#include "entity/partial_query.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"
#include "entity/item_values.h"
#include "entity/write_attempt.h"
#include "value/item_codec.h"

namespace stator::entity {
namespace {

// With a filter, steps are larger: otherwise a rare match would take one request per item.
constexpr std::int64_t kFilteredStep = 100;
constexpr std::int64_t kMaxStep = 1000;

int CompareValues(std::optional<ValueView> a, std::optional<ValueView> b) {
  if (!a || !b) return static_cast<int>(a.has_value()) - static_cast<int>(b.has_value());
  if (a->type() != b->type()) return a->type() < b->type() ? -1 : 1;
  if (a->type() != Type::kS && a->type() != Type::kN && a->type() != Type::kB) return 0;
  return CompareScalars(*a, *b);
}

bool IsOneOf(const std::vector<const model::Entity*>& entities, const model::Entity* entity) {
  return std::ranges::find(entities, entity) != entities.end();
}

}  // namespace

int CompareItems(const ReadPlace& place, ItemView a, ItemView b) {
  for (const model::KeyAttribute* key : place.Sort()) {
    if (const int order = CompareValues(a.Find(key->name), b.Find(key->name))) return order;
  }
  if (const int order =
          CompareValues(a.Find(place.table.partition->name), b.Find(place.table.partition->name))) {
    return order;
  }
  if (!place.table.sort) return 0;
  return CompareValues(a.Find(place.table.sort->name), b.Find(place.table.sort->name));
}

Item PartialQuery::PositionOf(ItemView item) const {
  Item position = StoredKey(place_.table, item);
  const auto copy = [&](const model::KeyAttribute* key) {
    if (const auto value = item.Find(key->name)) {
      position.Set(key->name, AttributeValue::FromView(*value));
    }
  };
  for (const model::KeyAttribute* key : place_.Partition()) copy(key);
  for (const model::KeyAttribute* key : place_.Sort()) copy(key);
  return position;
}

Item PartialQuery::Take() {
  Item item = std::move(items_.front());
  items_.pop_front();
  position_ = items_.empty() && next_ ? next_ : PositionOf(item.view());
  return item;
}

EntityResult<std::string> PartialQuery::Filter(const Context& context, ExpressionText& text) const {
  std::string filter;
  std::string problem;
  const model::Parameters parameters = ParametersOf(*options_.parameters);
  if (place_.pattern.read.filter) {
    AndAlso(filter, text.Condition(*place_.pattern.read.filter, place_.entity, context.Now(),
                                   parameters, problem));
  }
  for (const model::Term& term : place_.pattern.read.where) {
    // DynamoDB refuses filters on keys; those are in the key condition or checked here.
    if (place_.IsKey(term.attribute)) continue;
    const auto makes_key = [&](const model::Entity& entity) {
      return std::ranges::any_of(entity.keys, [&](const model::KeyTemplate& key) {
        return place_.IsKey(key.attribute) && key.Uses(term.attribute);
      });
    };
    const bool in_key = makes_key(place_.entity) ||
                        std::ranges::any_of(place_.others, [&](const model::Entity* other) {
                          return term.entity == other->name && makes_key(*other);
                        });
    if (in_key && place_.pattern.kind != model::PatternKind::kScan) continue;
    AndAlso(filter, text.Condition(term, place_.entity, context.Now(), parameters, problem));
  }
  if (!problem.empty()) return Invalid(fmt::format("{}: {}", place_.pattern.name, problem));
  return filter;
}

std::string PartialQuery::HidingExpired(const Context& context, ExpressionText& text) const {
  const std::string& ttl = place_.entity.ttl;
  if (!options_.hide_expired || ttl.empty() || place_.IsKey(ttl)) return {};
  const auto now = std::chrono::floor<std::chrono::seconds>(context.Now()).time_since_epoch();
  const std::string name = text.Name(ttl);
  return fmt::format("(attribute_not_exists({}) OR {} > {})", name, name,
                     text.Value(AttributeValue(now.count())));
}

EntityResult<PageResponse> PartialQuery::ReadPage(Context& context,
                                                  std::optional<std::int64_t> limit, bool count) {
  ExpressionText text;
  ASSIGN_OR_RETURN(std::string filter, Filter(context, text));
  if (!filter.empty() && limit) limit = std::max(*limit, kFilteredStep);
  // Expired items are few as a rule, so that hiding them needs no larger steps.
  AndAlso(filter, HidingExpired(context, text));
  const auto fill = [&](auto& request) {
    request.table_name = context.TableName(place_.table);
    if (place_.index != nullptr) request.index_name = place_.index->name;
    if (count) request.select = Select::kCount;
    request.limit = limit;
    if (place_.index == nullptr || place_.index->local) request.consistent_read = options_.strong;
    request.exclusive_start_key = next_;
    request.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
    if (!filter.empty()) request.filter_expression = filter;
    request.expression_attribute_names = text.names();
    request.expression_attribute_values = text.values();
  };
  Result<PageResponse> page;
  if (place_.pattern.kind == model::PatternKind::kScan) {
    ScanRequest request;
    fill(request);
    page = context.endpoint().Scan(request);
  } else {
    const std::string key = KeyConditionText(key_, text);
    QueryRequest request;
    fill(request);
    request.key_condition_expression = key;
    request.scan_index_forward = !options_.descending;
    page = context.endpoint().Query(request);
  }
  if (!page) return std::unexpected(StoreError(page.error()));
  context.CountRead(page->consumed_capacity);
  if (page->consumed_capacity) read_units_ += page->consumed_capacity->capacity_units;
  next_ = page->last_evaluated_key;
  done_ = !next_.has_value();
  return *std::move(page);
}

bool PartialQuery::Matches(const Context& context, ItemView item) const {
  const model::Entity* entity = model::EntityOf(context.model(), place_.table, item);
  if (entity == nullptr) return false;
  if (entity != &place_.entity && !IsOneOf(place_.others, entity)) return false;
  model::Predicate bounds;
  std::vector<model::Term>& terms = bounds.any_of.emplace_back();
  for (const model::Term& term : place_.pattern.read.where) {
    if (term.comparison != model::Comparison::kEqual && item.Find(term.attribute)) {
      terms.push_back(term);
    }
  }
  return model::Holds(bounds, *entity, item, context.Now(), ParametersOf(*options_.parameters));
}

EntityResult<void> PartialQuery::Fetch(Context& context, std::int64_t wanted) {
  while (items_.empty() && !done_) {
    ASSIGN_OR_RETURN(const PageResponse page, ReadPage(context, std::min(wanted, kMaxStep), false));
    for (std::size_t i = 0; page.items && i < page.items->size(); ++i) {
      const ItemView item = (*page.items)[i];
      if (Matches(context, item)) items_.push_back(Item::FromView(item));
    }
    if (items_.empty() && next_) position_ = next_;
  }
  return {};
}

bool PartialQuery::CanCount(const Context& context) const {
  const model::Pattern& pattern = place_.pattern;
  // A range on a part of a key may read a little too far.
  for (const model::Term& term : pattern.read.where) {
    if (term.comparison == model::Comparison::kEqual) continue;
    const auto own = [&](const KeyCondition& condition) {
      return condition.attribute == term.attribute && condition.comparison == term.comparison;
    };
    if (!std::ranges::any_of(key_, own)) return false;
  }
  return std::ranges::none_of(
      context.model().EntitiesOf(place_.table), [&](const model::Entity* other) {
        if (other == &place_.entity || IsOneOf(place_.others, other)) return false;
        return std::ranges::all_of(place_.Partition(), [&](const model::KeyAttribute* key) {
          return other->FindKey(key->name) != nullptr || other->FindAttribute(key->name) != nullptr;
        });
      });
}

EntityResult<std::int64_t> PartialQuery::CountRest(Context& context) {
  std::int64_t count = 0;
  if (CanCount(context)) {
    while (!done_) {
      ASSIGN_OR_RETURN(const PageResponse page, ReadPage(context, std::nullopt, true));
      count += page.count;
    }
    return count;
  }
  for (;;) {
    RETURN_IF_ERROR(Fetch(context, kMaxStep));
    if (items_.empty()) return count;
    count += static_cast<std::int64_t>(items_.size());
    items_.clear();
  }
}

}  // namespace stator::entity
