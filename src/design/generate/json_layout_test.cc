#include "generate/json_layout.h"

#include <gtest/gtest.h>

namespace stator::model {
namespace json_layout_test {

TEST(JsonLayout, ShortValuesStayOnTheirLine) {
  EXPECT_EQ(LayOutJson(R"([{"a":1,"b":[]},{"c":"x, y: {z}"}])"),
            "[\n  {\"a\": 1, \"b\": []},\n  {\"c\": \"x, y: {z}\"}\n]");
}

TEST(JsonLayout, LongValuesAreBrokenAtEveryLevelThatIsTooLong) {
  EXPECT_EQ(LayOutJson(R"({"a":{"b":["123456","123456"]}})", {.columns = 25}),
            "{\n  \"a\": {\n    \"b\": [\"123456\", \"123456\"]\n  }\n}");
}

TEST(JsonLayout, EmptyAndEscaped) {
  EXPECT_EQ(LayOutJson("{}"), "{}");
  EXPECT_EQ(LayOutJson(R"("a\"]")"), R"("a\"]")");
}

}  // namespace json_layout_test
}  // namespace stator::model
