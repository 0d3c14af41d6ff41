#include "model/keys/key_shape.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace stator::model {
namespace key_shape_test {

TemplatePart Placeholder(int digits = 0) {
  return {.is_placeholder = true, .text = "x", .padded_digits = digits};
}

KeyShape TextThen(std::string_view text, const Attribute* attribute, int digits = 0) {
  KeyShape shape;
  shape.AppendText(text);
  shape.AppendValue(attribute, Placeholder(digits));
  return shape;
}

TEST(KeyShape, AnIdCanBeAStatus) {
  Attribute id;
  Attribute status;
  status.values = {"OPEN", "SHIPPED"};
  EXPECT_EQ(CommonText(TextThen("ORDER#", &id), TextThen("ORDER#", &status)), "ORDER#OPEN");
}

TEST(KeyShape, DifferentStartsNeverMeet) {
  EXPECT_EQ(CommonText(TextThen("ALIAS#", nullptr), TextThen("PREF#", nullptr)), std::nullopt);
  EXPECT_EQ(CommonText(TextThen("#ORDER#", nullptr), TextThen("ORDER#", nullptr)), std::nullopt);
}

TEST(KeyShape, FormatsKeepApartWhatFreeTextDoesNot) {
  Attribute uuid;
  uuid.unit = Unit::kUuid;
  Attribute status;
  status.values = {"OPEN"};
  EXPECT_EQ(CommonText(TextThen("", &uuid), TextThen("", &status)), std::nullopt);
  Attribute clean;
  clean.forbidden = "#";
  KeyShape two = TextThen("", &clean);
  two.AppendText("#1");
  EXPECT_EQ(CommonText(TextThen("", &clean), two), std::nullopt);
  EXPECT_NE(CommonText(TextThen("", nullptr), two), std::nullopt);
}

TEST(KeyShape, PaddedNumbersMayGrowWider) {
  KeyShape wide;
  wide.AppendText("12345");
  EXPECT_EQ(CommonText(TextThen("", nullptr, 3), wide), "12345");
  KeyShape narrow;
  narrow.AppendText("12");
  EXPECT_EQ(CommonText(TextThen("", nullptr, 3), narrow), std::nullopt);
}

TEST(KeyShape, AnythingMeetsTheEmptyText) {
  KeyShape anything;
  anything.AppendAnything();
  EXPECT_EQ(CommonText(anything, KeyShape()), "");
  EXPECT_EQ(CommonText(TextThen("", nullptr), KeyShape()), std::nullopt);
}

RC_GTEST_PROP(KeyShape, TextsMeetExactlyWhenTheyAreEqual, (const std::string& a)) {
  KeyShape left;
  left.AppendText(a);
  const auto b = *rc::gen::element(a, a + "x", std::string("y"));
  KeyShape right;
  right.AppendText(b);
  RC_ASSERT(CommonText(left, right).has_value() == (a == b));
}

}  // namespace key_shape_test
}  // namespace stator::model
