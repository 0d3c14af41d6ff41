#include "model/parse/yaml.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

namespace stator::model {
namespace yaml_test {

std::string ProblemOf(std::string_view text) {
  const auto document = ReadYaml(text);
  return document ? "" : document.error().message;
}

TEST(YamlDocument, WordsStayText) {
  const auto document = ReadYaml("{a: N, b: on, c: no, d: 1e3, e: 0x10, f: yes, g: true}");
  ASSERT_TRUE(document);
  const std::string_view words[] = {"N", "on", "no", "1e3", "0x10", "yes", "true"};
  for (std::size_t i = 0; i < document->items.size(); ++i) {
    EXPECT_TRUE(document->items[i].IsText());
    EXPECT_EQ(document->items[i].text, words[i]);
  }
}

TEST(YamlDocument, NodesKnowTheirPlace) {
  const auto document = ReadYaml("a: 1\nb:\n  - x\n  - {c: y}\n");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->keys[1].place, (Place{2, 1}));
  const Node& map = document->items[1].items[1];
  EXPECT_EQ(map.place, (Place{4, 5}));
  EXPECT_EQ(map.keys[0].place, (Place{4, 6}));
  EXPECT_EQ(map.items[0].place, (Place{4, 9}));
}

TEST(YamlDocument, RefusesWhatHidesSize) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"a: &x 1", "anchors"},
      {"a: &x 1\nb: *x", "anchors"},
      {"a: !!binary x", "tags"},
      {"a: {<<: {b: 1}}", "merge keys"},
      {"a: 1\na: 2", "`a` appears twice"},
      {"{[a]: 1}", "a key must be text"},
      {"a: 1\n---\nb: 2", "more than one document"},
      {"a: [1, 2", "not YAML"},
      {"{~: 1}", "a key must be text"},
      {"\tb: 1\n a", "not YAML"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_NE(ProblemOf(text).find(message), std::string::npos) << text << ": " << ProblemOf(text);
  }
}

TEST(YamlDocument, LimitsAreRefusedQuickly) {
  std::string many = "[";
  for (std::size_t i = 0; i <= kMaxYamlNodes; ++i) many += "a,";
  const std::pair<std::string, std::string_view> cases[] = {
      {std::string(10'000, '[') + std::string(10'000, ']'), "deeper"},
      {std::string(100'000, '{'), "a key must be text"},
      {many + "]", "more than 200000 values"},
      {std::string(10'000'000, 'a'), "more than 4194304"},
  };
  for (const auto& [text, message] : cases) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_NE(ProblemOf(text).find(message), std::string::npos)
        << text.substr(0, 9) << ": " << ProblemOf(text);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  }
}

TEST(YamlDocument, DepthUpToTheLimitIsRead) {
  const std::string open(kMaxYamlDepth, '[');
  const std::string close(kMaxYamlDepth, ']');
  EXPECT_TRUE(ReadYaml(open + close));
  EXPECT_FALSE(ReadYaml("[" + open + close + "]"));
}

TEST(YamlDocument, AnEmptyFileIsNothing) {
  const auto document = ReadYaml("");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->kind, Node::Kind::kNothing);
}

RC_GTEST_PROP(YamlDocument, AnyBytesAreReadOrRefused, (const std::string& text)) {
  const auto document = ReadYaml(text);
  RC_ASSERT(document || !document.error().message.empty());
}

}  // namespace yaml_test
}  // namespace stator::model
