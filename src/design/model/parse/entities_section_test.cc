#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/parse/sections.h"

namespace stator::model {
namespace entities_section_test {

using Names = std::vector<std::string>;

TEST(MachineText, AMoveHasSourcesEndsAndSets) {
  const auto move = ReadMove("downloading|failed -> failed | error +ErrorMessage +At", "Stamp");
  ASSERT_TRUE(move) << move.error();
  EXPECT_EQ(move->from, (Names{"downloading", "failed"}));
  EXPECT_EQ(move->to, (Names{"failed", "error"}));
  EXPECT_EQ(move->sets, (Names{"ErrorMessage", "At"}));
  EXPECT_TRUE(move->stamps);
}

TEST(MachineText, AStarLooksAtNoState) {
  const auto move = ReadMove("* -> failed", "");
  ASSERT_TRUE(move);
  EXPECT_TRUE(move->from.empty());
}

TEST(MachineText, OnlyTheStampCanBeLeftOut) {
  EXPECT_FALSE(ReadMove("a -> a -Stamp", "Stamp")->stamps);
  EXPECT_FALSE(ReadMove("a -> a -Other", "Stamp"));
}

TEST(MachineText, AStateMayHoldAHyphen) {
  EXPECT_EQ(ReadMove("in-progress -> on-hold", "")->to, Names{"on-hold"});
}

TEST(MachineText, RefusesWhatIsNoMove) {
  for (const std::string_view text : {"", "a", "a ->", "-> b", "a -> b|", "a -> b +", "a -> -x"}) {
    EXPECT_FALSE(ReadMove(text, "")) << text;
  }
}

TEST(MachineText, AStateEndsOrDwells) {
  EXPECT_TRUE(ReadState("end")->end);
  EXPECT_EQ(ReadState("dwell 30m")->dwell->count(), 1800);
  EXPECT_TRUE(ReadState("dwell 1d, end")->end);
  EXPECT_FALSE(ReadState("")->end);
  EXPECT_FALSE(ReadState("final"));
  EXPECT_FALSE(ReadState("dwell long"));
}

}  // namespace entities_section_test
}  // namespace stator::model
