#include "diff/diff.h"

#include <gtest/gtest.h>

#include "model/parse/parse.h"

namespace stator::model {
namespace diff_test {

std::vector<std::string> Differences(const std::string& old_table, const std::string& new_table) {
  const auto model = [](const std::string& table) {
    auto parsed = ParseModel("model: 1\ntables: {notes: {" + table + "}}\n", "model.yaml");
    EXPECT_TRUE(parsed) << (parsed ? "" : ProblemText("", parsed.error().front()));
    return *std::move(parsed);
  };
  std::vector<std::string> texts;
  for (const auto& one : CompareModels(model(old_table), model(new_table)).differences) {
    texts.push_back(one.text);
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(ModelDiff, AKeyOfAnotherTypeIsAnotherKey) {
  EXPECT_EQ(Differences("key: id str", "key: id num"),
            Texts{"primary key was (id S), is (id N): a table's key cannot change"});
  EXPECT_EQ(Differences("key: id str", "key: id str"), Texts{});
}

TEST(ModelDiff, NamesAndBillingAreCompared) {
  EXPECT_EQ(Differences("key: id str, name: A", "key: id str, name: B"),
            Texts{"name was A, is B: a table cannot be renamed"});
  EXPECT_EQ(Differences("key: id str", "key: id str, billing: {read: 5, write: 2}"),
            Texts{"billing was on demand, is 5 RCU and 2 WCU"});
}

}  // namespace diff_test
}  // namespace stator::model
