// Which items are part of a transaction that has not been answered yet, for a database that refuses
// to touch them meanwhile, as DynamoDB does.
#ifndef STATOR_ENGINE_WRITE_ITEM_CLAIMS_H_
#define STATOR_ENGINE_WRITE_ITEM_CLAIMS_H_

#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator {

// Thread-safe.
class ItemClaims {
 public:
  // Holds row keys until it is released or goes away. The ItemClaims must outlive it.
  class Claim {
   public:
    Claim() = default;
    Claim(ItemClaims& owner, std::vector<std::string> keys)
        : owner_(&owner), keys_(std::move(keys)) {}
    Claim(Claim&& other) noexcept
        : owner_(std::exchange(other.owner_, nullptr)), keys_(std::move(other.keys_)) {}
    Claim& operator=(Claim&& other) noexcept {
      std::swap(owner_, other.owner_);
      keys_.swap(other.keys_);
      return *this;
    }
    ~Claim() { Release(); }
    void Release();

   private:
    ItemClaims* owner_ = nullptr;
    std::vector<std::string> keys_;
  };

  // All of the keys, or none: then `taken` says by position which of them others hold.
  std::optional<Claim> TryClaim(std::vector<std::string> keys, std::vector<bool>& taken);

  bool IsClaimed(std::string_view key) const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string, std::less<>> claimed_;  // guarded by mutex_
};

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_ITEM_CLAIMS_H_
