#include "entity/pattern_cache.h"

namespace stator::entity {
namespace {

constexpr std::size_t kMaxAnswers = 10'000;

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

}  // namespace stator::entity
