#include "engine/write/item_claims.h"

#include <algorithm>

namespace stator {

void ItemClaims::Claim::Release() {
  ItemClaims* owner = std::exchange(owner_, nullptr);
  if (owner == nullptr) return;
  const std::scoped_lock lock(owner->mutex_);
  for (const std::string& key : keys_) owner->claimed_.erase(key);
}

std::optional<ItemClaims::Claim> ItemClaims::TryClaim(std::vector<std::string> keys,
                                                      std::vector<bool>& taken) {
  const std::scoped_lock lock(mutex_);
  taken.clear();
  for (const std::string& key : keys) taken.push_back(claimed_.contains(key));
  if (std::ranges::find(taken, true) != taken.end()) return std::nullopt;
  claimed_.insert(keys.begin(), keys.end());
  return std::optional<Claim>(std::in_place, *this, std::move(keys));
}

bool ItemClaims::IsClaimed(std::string_view key) const {
  const std::scoped_lock lock(mutex_);
  return claimed_.contains(key);
}

}  // namespace stator
