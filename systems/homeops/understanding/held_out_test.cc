// How well the vocabulary understands messages that it was not made from (held_out/messages.tsv).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "systems/homeops/understanding/classifier.h"

namespace stator::systems::homeops {
namespace held_out_test {

struct Example {
  std::string half;             // a or b
  std::set<std::string> deeds;  // "jag:diskning", "anna:tvätt"
  std::string text;
};

std::vector<Example> Examples() {
  std::ifstream in(STATOR_SOURCE_DIR "/systems/homeops/understanding/held_out/messages.tsv");
  std::vector<Example> examples;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream columns(line);
    Example example;
    std::string deeds;
    std::getline(columns, example.half, '\t');
    std::getline(columns, deeds, '\t');
    std::getline(columns, example.text);
    std::istringstream parts(deeds == "-" ? "" : deeds);
    for (std::string deed; std::getline(parts, deed, ',');) {
      const std::size_t colon = deed.find(':');
      example.deeds.insert(Normalised(deed.substr(0, colon)) + deed.substr(colon));
    }
    examples.push_back(std::move(example));
  }
  return examples;
}

// A chat as it starts: the built-in activities, the first aliases, and its members.
Vocabulary Household() {
  Vocabulary vocabulary;
  for (const SeedAlias& seed : SeedAliases()) {
    vocabulary.aliases.push_back({.alias = std::string(seed.alias),
                                  .activity = std::string(seed.activity),
                                  .confirmations = 0,
                                  .source = "seed"});
  }
  vocabulary.people = {"martin", "anna", "elsa", "hugo", "mamma", "pappa"};
  return vocabulary;
}

struct Score {
  int right = 0;
  int found = 0;
  int expected = 0;

  double precision() const { return found == 0 ? 0 : double(right) / found; }
  double recall() const { return expected == 0 ? 0 : double(right) / expected; }
};

std::map<std::string, Score> Measure(const Classifier& classifier) {
  const Vocabulary household = Household();
  std::map<std::string, Score> scores;
  for (const Example& example : Examples()) {
    std::set<std::string> found;
    for (const Deed& deed : classifier.Classify(example.text, household).deeds) {
      found.insert(fmt::format("{}:{}", deed.who.empty() ? "jag" : deed.who, deed.activity));
    }
    for (const std::string& half : {example.half, std::string("all")}) {
      Score& score = scores[half];
      for (const std::string& deed : found) score.right += example.deeds.contains(deed) ? 1 : 0;
      score.found += static_cast<int>(found.size());
      score.expected += static_cast<int>(example.deeds.size());
    }
  }
  return scores;
}

TEST(HeldOut, IsThreeHundredMessagesInTwoHalves) {
  std::map<std::string, int> halves;
  std::set<std::string> texts;
  for (const Example& example : Examples()) {
    ++halves[example.half];
    EXPECT_TRUE(texts.insert(example.text).second) << example.text;
    for (const std::string& deed : example.deeds) {
      EXPECT_NE(Vocabulary().Find(deed.substr(deed.find(':') + 1)), nullptr) << deed;
    }
  }
  EXPECT_EQ(halves, (std::map<std::string, int>{{"a", 150}, {"b", 150}}));
}

TEST(HeldOut, TheVocabularyIsRightAndFindsMost) {
  for (const auto& [half, score] : Measure(VocabularyClassifier())) {
    fmt::print("half {}: precision {:.3f}, recall {:.3f} ({} found, {} right, {} expected)\n", half,
               score.precision(), score.recall(), score.found, score.right, score.expected);
    EXPECT_GE(score.precision(), 0.95) << half;
    EXPECT_GE(score.recall(), 0.80) << half;
  }
}

}  // namespace held_out_test
}  // namespace stator::systems::homeops
