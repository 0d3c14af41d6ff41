#include "expansion.h"

#include <gtest/gtest.h>

namespace stator::cases {
namespace expansion_test {

TEST(Expansion, RepeatsATextWithASeparatorAndACount) {
  EXPECT_EQ(Expand("[{{repeat 3 `{\"N\": \"$i\"}` `, `}}]", {}),
            R"([{"N": "1"}, {"N": "2"}, {"N": "3"}])");
  EXPECT_EQ(Expand("{{repeat 4 `ab`}}!", {}), "abababab!");
  EXPECT_EQ(Expand("{{repeat 0 `ab` `,`}}", {}), "");
}

TEST(Expansion, ClosingBracesBetweenBackquotesBelongToTheText) {
  EXPECT_EQ(Expand("{{repeat 2 `}}`}}", {}), "}}}}");
}

TEST(Expansion, InsertsSavedValues) {
  EXPECT_EQ(Expand(R"({"Key": {{key}}})", {{"key", R"({"S": "a"})"}}), R"({"Key": {"S": "a"}})");
}

TEST(Expansion, InsertsASavedTextWithoutItsQuotes) {
  EXPECT_EQ(Expand(R"("a/{{text label}}")", {{"label", R"("b")"}}), R"("a/b")");
  EXPECT_FALSE(Expand("{{text number}}", {{"number", "5"}}));
}

TEST(Expansion, LeavesOtherBracesAlone) { EXPECT_EQ(Expand(R"({"a": {}})", {}), R"({"a": {}})"); }

TEST(Expansion, SaysWhatIsWrong) {
  EXPECT_FALSE(Expand("{{unknown}}", {}));
  EXPECT_FALSE(Expand("{{repeat 3 `a`", {}));
  EXPECT_FALSE(Expand("{{repeat many `a`}}", {}));
  EXPECT_FALSE(Expand("{{repeat 3 a}}", {}));
}

}  // namespace expansion_test
}  // namespace stator::cases
