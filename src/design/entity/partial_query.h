// One of the queries that together answer a pattern: for one shard and one value of `foreach`.
#ifndef STATOR_ENTITY_PARTIAL_QUERY_H_
#define STATOR_ENTITY_PARTIAL_QUERY_H_

#include <deque>
#include <optional>
#include <vector>

#include "entity/context.h"
#include "entity/key_range.h"

namespace stator::entity {

// How a pattern is read; the same for all of its queries.
struct PatternReadOptions {
  bool strong = false;
  bool descending = false;
  bool hide_expired = true;
  const std::vector<std::pair<std::string, AttributeValue>>* parameters = nullptr;
};

class PartialQuery {
 public:
  PartialQuery(const ReadPlace& place, std::vector<KeyCondition> key,
               const PatternReadOptions& options)
      : place_(place), key_(std::move(key)), options_(options) {}

  // The items fetched and not yet taken. A query that is done has none and gets no more.
  bool done() const { return done_ && items_.empty(); }
  bool has_item() const { return !items_.empty(); }
  const Item& front() const { return items_.front(); }
  Item Take();

  // Reads pages until there is an item or no more pages. `wanted`: how many items the caller can
  // use.
  EntityResult<void> Fetch(Context& context, std::int64_t wanted);
  // The number of matches in the rest of the query, without reading their attributes.
  EntityResult<std::int64_t> CountRest(Context& context);
  double read_units() const { return read_units_; }

  // Behind the last item taken; nullopt: at the start.
  const std::optional<Item>& position() const { return position_; }
  void Resume(std::optional<Item> position, bool is_done) {
    position_ = position;
    next_ = std::move(position);
    done_ = is_done;
  }

  // True if what DynamoDB counts is what the pattern asks for.
  bool CanCount(const Context& context) const;

 private:
  EntityResult<PageResponse> ReadPage(Context& context, std::optional<std::int64_t> limit,
                                      bool count);
  EntityResult<std::string> Filter(const Context& context, ExpressionText& text) const;
  std::string HidingExpired(const Context& context, ExpressionText& text) const;
  bool Matches(const Context& context, ItemView item) const;
  Item PositionOf(ItemView item) const;

  const ReadPlace& place_;
  std::vector<KeyCondition> key_;
  PatternReadOptions options_;
  std::deque<Item> items_;
  std::optional<Item> position_;
  std::optional<Item> next_;  // where the next page starts
  bool done_ = false;
  double read_units_ = 0;
};

// Less, equal or greater by the sort key, then by the primary key.
int CompareItems(const ReadPlace& place, ItemView a, ItemView b);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_PARTIAL_QUERY_H_
