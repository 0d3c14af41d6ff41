#include "model/keys/key_template.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

namespace stator::model {
namespace key_template_test {

KeyTemplate Parsed(std::string_view text) {
  const auto key = ReadKeyTemplate(text);
  EXPECT_TRUE(key) << text << ": " << (key ? "" : key.error());
  return key.value_or(KeyTemplate{});
}

TEST(KeyTemplate, AlternatesTextAndPlaceholders) {
  const KeyTemplate key = Parsed("ALIAS#{chatId}#{at:013d}");
  ASSERT_EQ(key.parts.size(), 4U);
  EXPECT_EQ(key.Prefix(), "ALIAS#");
  EXPECT_FALSE(key.IsPlain());
  EXPECT_TRUE(key.Uses("at"));
  EXPECT_FALSE(key.Uses("ALIAS#"));
  EXPECT_EQ(key.parts[3].padded_digits, 13);
  EXPECT_EQ(key.Sources(), (std::vector<std::string>{"chatId", "at"}));
}

TEST(KeyTemplate, TheShardIsNoSource) {
  EXPECT_EQ(Parsed("S#{status}#{shard}#{status}").Sources(), std::vector<std::string>{"status"});
}

TEST(KeyTemplate, OnePlaceholderAloneIsPlain) {
  EXPECT_TRUE(Parsed("{alias}").IsPlain());
  EXPECT_FALSE(Parsed("{id:ulid}").IsPlain());
  EXPECT_FALSE(Parsed("{shard}").IsPlain());
  EXPECT_TRUE(Parsed("{alias}").Prefix().empty());
}

TEST(KeyTemplate, DoubledBracesAreBraces) {
  const KeyTemplate key = Parsed("{{x}}{a}");
  EXPECT_EQ(key.Prefix(), "{x}");
  EXPECT_EQ(key.parts.size(), 2U);
}

TEST(KeyTemplate, RefusesWhatIsMalformed) {
  for (const std::string_view text : {"", "{", "}", "{a", "a}", "{}", "{a b}", "{a:}", "{a:0d}",
                                      "{a:099d}", "{a:13d}", "{a:ulidd}", "{a:01x}"}) {
    EXPECT_FALSE(ReadKeyTemplate(text)) << text;
  }
}

RC_GTEST_PROP(KeyTemplate, PartsRebuildTheText, (const std::string& text)) {
  const auto key = ReadKeyTemplate(text);
  if (!key) return;
  std::string rebuilt;
  for (const TemplatePart& part : key->parts) {
    if (!part.is_placeholder) {
      for (const char c : part.text)
        rebuilt += (c == '{' || c == '}') ? std::string(2, c) : std::string(1, c);
    } else {
      rebuilt += "{" + part.text + (part.format.empty() ? "" : ":" + part.format) + "}";
    }
  }
  std::string compact = text;
  if (compact.find(' ') == std::string::npos && compact.find('\t') == std::string::npos) {
    RC_ASSERT(rebuilt == compact);
  }
}

}  // namespace key_template_test
}  // namespace stator::model
