#include "entity/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "base/try.h"
#include "entity/cursor.h"
#include "entity/item_values.h"
#include "entity/write_attempt.h"

namespace stator::entity {
namespace {

constexpr std::size_t kMaxAnswers = 10'000;

constexpr std::int64_t kPageDefault = 1000;
// More queries than this are asked in turns, not all at once.
constexpr std::size_t kMaxParallel = 16;
constexpr std::int64_t kMergedStepMin = 10;

// The values that `foreach` runs through; one nullopt when there is none.
std::vector<std::optional<std::pair<std::string, AttributeValue>>> ForeachValues(
    const ReadPlace& place) {
  const model::ReadDetail& read = place.pattern.read;
  if (read.foreach_attribute.empty()) return {std::nullopt};
  std::vector<std::string> texts = read.foreach_values;
  const model::Attribute* attribute = place.entity.FindAttribute(read.foreach_attribute);
  if (texts.empty() && attribute != nullptr) texts = attribute->values;
  const bool is_number = attribute != nullptr && attribute->type == Type::kN;
  std::vector<std::optional<std::pair<std::string, AttributeValue>>> values;
  for (const std::string& text : texts) {
    values.emplace_back(std::pair(read.foreach_attribute,
                                  is_number ? AttributeValue::Number(text) : AttributeValue(text)));
  }
  return values;
}

PatternReadOptions OptionsOf(const ReadPlace& place, const PatternParameters& parameters,
                             const PageOptions& options) {
  const model::ReadDetail& read = place.pattern.read;
  return {.strong = read.strong,
          .descending = options.descending.value_or(read.descending),
          .hide_expired = read.expired != model::ReadDetail::Expired::kSee,
          .parameters = &parameters};
}

EntityResult<std::vector<PartialQuery>> MakeQueries(const Context& context, const ReadPlace& place,
                                                    const PatternReadOptions& options) {
  std::vector<PartialQuery> queries;
  if (place.pattern.kind == model::PatternKind::kScan) {
    queries.emplace_back(place, std::vector<KeyCondition>{}, options);
    return queries;
  }
  const bool sharded = place.index != nullptr && place.index->shards;
  for (const auto& value : ForeachValues(place)) {
    Bindings bindings{.now = context.Now(),
                      .parameters = ParametersOf(*options.parameters),
                      .foreach_value = value,
                      .shard = 0};
    std::int64_t end = sharded ? place.index->shards->count : 1;
    if (sharded) {
      ASSIGN_OR_RETURN(const auto only, BoundShard(place, bindings));
      if (only) bindings.shard = *only;
      if (only) end = *only + 1;
    }
    for (; bindings.shard < end; ++bindings.shard) {
      ASSIGN_OR_RETURN(std::vector<KeyCondition> key, BindKey(place, bindings));
      queries.emplace_back(place, std::move(key), options);
    }
  }
  return queries;
}

// How many items to read of each query: one and a half times its share of the page, which is enough
// in most cases; a query that runs out is asked again.
std::int64_t StepOf(const std::vector<PartialQuery>& queries, std::int64_t wanted) {
  const std::int64_t active =
      std::ranges::count_if(queries, [](const PartialQuery& query) { return !query.done(); });
  return std::min(wanted,
                  std::max(kMergedStepMin, wanted * 3 / (2 * std::max<std::int64_t>(active, 1))));
}

// Fetches until every query holds an item or is done.
EntityResult<void> FillAll(Context& context, std::vector<PartialQuery>& queries,
                           std::int64_t page_rest) {
  const std::int64_t wanted = StepOf(queries, page_rest);
  std::vector<PartialQuery*> empty;
  for (PartialQuery& query : queries) {
    if (!query.has_item() && !query.done()) empty.push_back(&query);
  }
  if (empty.size() == 1) return empty.front()->Fetch(context, wanted);
  for (std::size_t from = 0; from < empty.size(); from += kMaxParallel) {
    const std::size_t count = std::min(kMaxParallel, empty.size() - from);
    std::vector<EntityResult<void>> results(count);
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < count; ++i) {
        threads.emplace_back([&, i] { results[i] = empty[from + i]->Fetch(context, wanted); });
      }
    }
    for (const EntityResult<void>& result : results) RETURN_IF_ERROR(result);
  }
  return {};
}

PartialQuery* Foremost(const ReadPlace& place, std::vector<PartialQuery>& queries,
                       bool descending) {
  PartialQuery* best = nullptr;
  for (PartialQuery& query : queries) {
    if (!query.has_item()) continue;
    if (best == nullptr) {
      best = &query;
      continue;
    }
    const int order = CompareItems(place, query.front().view(), best->front().view());
    if (descending ? order > 0 : order < 0) best = &query;
  }
  return best;
}

std::int64_t PageSize(const model::ReadDetail& read, const PageOptions& options) {
  if (options.limit) return *options.limit;
  if (read.page) return *read.page;
  if (read.want) return *read.want;
  if (read.limit) return *read.limit;
  return kPageDefault;
}

std::string CursorOf(std::uint64_t question, const std::vector<PartialQuery>& queries) {
  std::vector<QueryPosition> positions;
  bool all_done = true;
  for (const PartialQuery& query : queries) {
    all_done &= query.done();
    positions.push_back({.at_end = query.done(), .behind = query.position()});
  }
  return all_done ? std::string() : CursorText(question, positions);
}

// An index may hold keys only, and the items behind them may be gone.
EntityResult<void> ReplaceByItems(Context& context, const ReadPlace& place, Page& page) {
  const std::optional<std::string>& then_get = place.pattern.read.then_get;
  if (!then_get) return {};
  ASSIGN_OR_RETURN(const Home home, context.FindHome(*then_get));
  std::vector<Item> keys;
  for (const Item& item : page.items) keys.push_back(StoredKey(home.table, item.view()));
  const double before = context.used().read;
  ASSIGN_OR_RETURN(page.items, GetItems(context, home, keys, place.pattern.read.strong));
  page.read_units += context.used().read - before;
  return {};
}

// A pattern that gets one item by its key: its parameters are the attributes of `by`.
EntityResult<Page> GetOne(Context& context, const ReadPlace& place,
                          const PatternParameters& parameters) {
  Home home{place.entity, place.table, context.TableName(place.table)};
  Item known;
  for (const auto& [name, value] : parameters) {
    const model::Attribute* attribute = place.entity.FindAttribute(name);
    known.Set(name, attribute == nullptr ? value : NormalizedValue(*attribute, value));
  }
  Item key = StoredKey(place.table, known.view());
  if (key.size() != (place.table.sort ? 2U : 1U)) {
    ASSIGN_OR_RETURN(key, ItemKey(home, known));
  }
  const double before = context.used().read;
  ASSIGN_OR_RETURN(const std::optional<Item> item,
                   ReadItem(context, home, key, place.pattern.read.strong));
  Page page;
  page.read_units = context.used().read - before;
  const bool hide = place.pattern.read.expired != model::ReadDetail::Expired::kSee;
  if (item && !(hide && HasExpired(context, place.entity, item->view()))) {
    page.items.push_back(*item);
  }
  return page;
}

}  // namespace

std::optional<std::vector<Item>> PatternCache::Find(const Key& key, TimeMs now) const {
  const std::lock_guard lock(mutex_);
  const auto it = answers_.find(key);
  if (it == answers_.end() || it->second.good_until <= now) return std::nullopt;
  return it->second.items;
}

void PatternCache::Store(const Key& key, std::vector<Item> items, TimeMs good_until) {
  const std::lock_guard lock(mutex_);
  if (answers_.size() >= kMaxAnswers) answers_.clear();
  answers_[key] = {.items = std::move(items), .good_until = good_until};
}

void PatternCache::Forget(std::string_view pattern) {
  const std::lock_guard lock(mutex_);
  std::erase_if(answers_, [&](const auto& answer) { return answer.first.first == pattern; });
}

bool HasExpired(const Context& context, const model::Entity& entity, ItemView item) {
  if (entity.ttl.empty()) return false;
  const auto value = item.Find(entity.ttl);
  if (!value || value->type() != Type::kN) return false;
  const auto at = value->AsInt64();
  const auto now = std::chrono::floor<std::chrono::seconds>(context.Now()).time_since_epoch();
  return at && *at <= now.count();
}

EntityResult<Page> ReadPage(Context& context, std::string_view pattern,
                            const PatternParameters& parameters, const PageOptions& options) {
  ASSIGN_OR_RETURN(const ReadPlace place, FindReadPlace(context, pattern));
  if (place.pattern.kind == model::PatternKind::kGet) return GetOne(context, place, parameters);
  const PatternReadOptions read_options = OptionsOf(place, parameters, options);
  ASSIGN_OR_RETURN(std::vector<PartialQuery> queries, MakeQueries(context, place, read_options));
  const std::uint64_t question = QuestionOf(pattern, parameters, read_options.descending);
  if (!options.cursor.empty()) {
    ASSIGN_OR_RETURN(std::vector<QueryPosition> positions,
                     ReadCursor(options.cursor, question, queries.size()));
    for (std::size_t i = 0; i < queries.size(); ++i) {
      queries[i].Resume(std::move(positions[i].behind), positions[i].at_end);
    }
  }
  const std::int64_t size = PageSize(place.pattern.read, options);
  Page page;
  while (std::cmp_less(page.items.size(), size)) {
    RETURN_IF_ERROR(FillAll(context, queries, size - std::ssize(page.items)));
    PartialQuery* next = Foremost(place, queries, read_options.descending);
    if (next == nullptr) break;
    page.items.push_back(next->Take());
  }
  page.cursor = CursorOf(question, queries);
  for (const PartialQuery& query : queries) page.read_units += query.read_units();
  RETURN_IF_ERROR(ReplaceByItems(context, place, page));
  return page;
}

EntityResult<std::int64_t> Count(Context& context, std::string_view pattern,
                                 const PatternParameters& parameters) {
  ASSIGN_OR_RETURN(const ReadPlace place, FindReadPlace(context, pattern));
  if (place.pattern.kind == model::PatternKind::kGet) {
    ASSIGN_OR_RETURN(const Page page, GetOne(context, place, parameters));
    return std::ssize(page.items);
  }
  ASSIGN_OR_RETURN(std::vector<PartialQuery> queries,
                   MakeQueries(context, place, OptionsOf(place, parameters, {})));
  std::int64_t total = 0;
  for (PartialQuery& query : queries) {
    ASSIGN_OR_RETURN(const std::int64_t count, query.CountRest(context));
    total += count;
  }
  return total;
}

EntityResult<std::vector<Item>> GetItems(Context& context, const Home& home,
                                         const std::vector<Item>& item_keys, bool strong) {
  constexpr std::size_t kBatch = 100;
  std::vector<Item> found;
  for (std::size_t from = 0; from < item_keys.size(); from += kBatch) {
    const std::size_t to = std::min(item_keys.size(), from + kBatch);
    KeysAndAttributes wanted;
    wanted.keys.emplace(item_keys.begin() + static_cast<std::ptrdiff_t>(from),
                        item_keys.begin() + static_cast<std::ptrdiff_t>(to));
    wanted.consistent_read = strong;
    for (int attempt = 0; !wanted.keys->empty(); ++attempt) {
      if (attempt > 0) WaitForOthers(context, attempt);
      auto answer = context.endpoint().BatchGetItem(
          {.request_items = BatchGetMap{{home.table_name, wanted}},
           .return_consumed_capacity = ReturnConsumedCapacity::kTotal});
      if (!answer) return std::unexpected(StoreError(answer.error()));
      if (answer->consumed_capacity) {
        for (const ConsumedCapacity& consumed : *answer->consumed_capacity) {
          context.CountRead(consumed);
        }
      }
      for (const auto& [table, items] : answer->responses) {
        for (std::size_t i = 0; i < items.size(); ++i) found.push_back(Item::FromView(items[i]));
      }
      wanted.keys = answer->unprocessed_keys.empty() ? std::vector<Item>{}
                                                     : answer->unprocessed_keys.front().second.keys;
    }
  }
  std::vector<Item> ordered;
  for (const Item& key : item_keys) {
    const auto it = std::ranges::find_if(
        found, [&](const Item& item) { return StoredKey(home.table, item.view()) == key; });
    if (it != found.end()) ordered.push_back(*it);
  }
  return ordered;
}

}  // namespace stator::entity
