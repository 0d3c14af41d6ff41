// Answers of patterns that may be a little old, as the model's `cache` says.
#ifndef STATOR_ENTITY_PATTERN_CACHE_H_
#define STATOR_ENTITY_PATTERN_CACHE_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/clock.h"
#include "stator/item.h"

namespace stator::entity {

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

}  // namespace stator::entity

#endif  // STATOR_ENTITY_PATTERN_CACHE_H_
