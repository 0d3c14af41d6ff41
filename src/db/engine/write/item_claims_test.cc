#include "engine/write/item_claims.h"

#include <gtest/gtest.h>

namespace stator {
namespace item_claims_test {

TEST(ItemClaims, AClaimedKeyIsRefusedUntilItIsReleased) {
  ItemClaims claims;
  std::vector<bool> taken;
  std::optional<ItemClaims::Claim> first = claims.TryClaim({"a", "b"}, taken);
  ASSERT_TRUE(first);
  EXPECT_TRUE(claims.IsClaimed("a"));
  EXPECT_FALSE(claims.TryClaim({"c", "b"}, taken));
  EXPECT_EQ(taken, (std::vector<bool>{false, true}));
  // Of the refused claim nothing stays.
  EXPECT_FALSE(claims.IsClaimed("c"));
  first->Release();
  EXPECT_FALSE(claims.IsClaimed("a"));
  EXPECT_TRUE(claims.TryClaim({"c", "b"}, taken));
}

TEST(ItemClaims, AClaimThatMovesIsReleasedOnce) {
  ItemClaims claims;
  std::vector<bool> taken;
  {
    ItemClaims::Claim kept;
    {
      ItemClaims::Claim claim = *claims.TryClaim({"a"}, taken);
      kept = std::move(claim);
    }
    EXPECT_TRUE(claims.IsClaimed("a"));
  }
  EXPECT_FALSE(claims.IsClaimed("a"));
}

}  // namespace item_claims_test
}  // namespace stator
