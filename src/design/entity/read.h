// Read patterns: several queries at once, merged into one order, and the cache of their answers.
#ifndef STATOR_ENTITY_READ_H_
#define STATOR_ENTITY_READ_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "entity/partial_query.h"
#include "stator/clock.h"
#include "stator/item.h"

namespace stator::entity {

// Answers of patterns that may be a little old, as the model's `cache` says.
//
// Thread-safe. Holds a bounded number of answers; when it is full, it starts anew.
class PatternCache {
 public:
  using Key = std::pair<std::string, std::uint64_t>;  // the pattern, a hash of its parameters

  std::optional<std::vector<Item>> Find(const Key& key, TimeMs now) const;
  void Store(const Key& key, std::vector<Item> items, TimeMs good_until);
  void Forget(std::string_view pattern);

 private:
  struct Answer {
    std::vector<Item> items;
    TimeMs good_until;
  };
  mutable std::mutex mutex_;
  std::map<Key, Answer> answers_;
};

EntityResult<Page> ReadPage(Context& context, std::string_view pattern,
                            const PatternParameters& parameters, const PageOptions& options);
EntityResult<std::int64_t> Count(Context& context, std::string_view pattern,
                                 const PatternParameters& parameters);

// The stored items that exist, in the order of the keys.
EntityResult<std::vector<Item>> GetItems(Context& context, const Home& home,
                                         const std::vector<Item>& item_keys, bool strong);

// True if the item's time to live is over.
bool HasExpired(const Context& context, const model::Entity& entity, ItemView item);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_READ_H_
