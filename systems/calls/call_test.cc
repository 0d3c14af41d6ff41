#include "systems/calls/call.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "model/keys/derive.h"
#include "model/model.h"
#include "stator/model.h"
#include "systems/program/model_text.h"

namespace stator::systems::calls {
namespace call_test {

TimeMs At(std::int64_t milliseconds) { return TimeMs{std::chrono::milliseconds(milliseconds)}; }

// What String.format("%013d#%s", ms, id) gives, and userId + "#" + status.
TEST(CallKeys, S1_17_AreByteForByteThoseOfTheJavaBuilders) {
  EXPECT_EQ(SortKey(At(1'772'438'400'000), "call-1"), "1772438400000#call-1");
  EXPECT_EQ(SortKey(At(999'999'999'999), "c"), "0999999999999#c");
  EXPECT_EQ(SortKey(At(1), "7f3e9d52-0c1b-4f7e-9a57-5d8a3b6a9c11"),
            "0000000000001#7f3e9d52-0c1b-4f7e-9a57-5d8a3b6a9c11");
  EXPECT_EQ(SortKey(At(0), ""), "0000000000000#");
  EXPECT_EQ(SortKey(At(9'999'999'999'999), "sista-åäö"), "9999999999999#sista-åäö");
  EXPECT_EQ(UserStatus("ann", "SCHEDULED"), "ann#SCHEDULED");
  EXPECT_EQ(UserStatus("9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", "COMPLETED"),
            "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d#COMPLETED");
}

TEST(CallKeys, S1_17_AreWhatTheModelMakesOfEveryCall) {
  const auto model = *Model::Parse(ModelText());
  const model::Entity& call = *model.values().FindEntity("Call");
  const auto made = [&](std::string_view key, const Item& item) {
    return model::RenderTemplate(call, *call.FindKey(key), item.view(), 0).value().value();
  };
  EXPECT_TRUE(rc::check([&] {
    const auto at = *rc::gen::inRange<std::int64_t>(0, 10'000'000'000'000);
    const auto id = *rc::gen::container<std::string>(rc::gen::inRange('a', 'z'));
    const Item item{
        {"userId", "u" + id}, {"callId", "c" + id}, {"scheduledFor", at}, {"status", "SCHEDULED"}};
    RC_ASSERT(made("sk", item) == *SortKey(At(at), "c" + id));
    RC_ASSERT(made("userStatus", item) == UserStatus("u" + id, "SCHEDULED"));
  }));
}

TEST(CallKeys, S1_17_SortAsTheTimesDo) {
  EXPECT_TRUE(rc::check([] {
    const auto first = *rc::gen::inRange<std::int64_t>(0, 9'999'999'999'999);
    const auto later = *rc::gen::inRange<std::int64_t>(first + 1, 10'000'000'000'000);
    RC_ASSERT(*SortKey(At(first), "zzz") < *SortKey(At(later), "aaa"));
  }));
}

TEST(CallKeys, S1_13_ThirteenDigitsEndIn2286) {
  using std::chrono::November;
  EXPECT_EQ(std::chrono::floor<std::chrono::days>(kLatestTime),
            std::chrono::sys_days(std::chrono::year(2286) / November / 20));
  EXPECT_TRUE(SortKey(kLatestTime, "c"));
  EXPECT_FALSE(SortKey(kLatestTime + std::chrono::milliseconds(1), "c"));
  EXPECT_FALSE(SortKey(At(-1), "c"));
}

}  // namespace call_test
}  // namespace stator::systems::calls
