#include "model/keys/truth.h"

#include <gtest/gtest.h>

#include <string>

#include "model/testing/model_fixture.h"

namespace stator::model {
namespace truth_test {

// The sparse predicate and the reader's, of a model with an enum and a bool.
Model ModelOf(const std::string& when, const std::string& finds) {
  return ParsedModel(R"(model: 1
tables:
  calls: {key: id str, indexes: {Recon: {pk: status str, sparse: {when: ")" +
                     when + R"(", share: 1%}}}}
entities:
  Call: {table: calls, attrs: {id: str uuid, status: str enum=PENDING|PROCESSING|FAILED|SUCCESS, audio: bool, at: str iso_s}}
patterns:
  pool: {query: calls.Recon, foreach: status, finds: ")" +
                     finds + R"("}
)");
}

std::optional<Difference> Differ(const std::string& when, const std::string& finds) {
  const Model model = ModelOf(when, finds);
  return FindDifference(model.entities[0], *model.patterns[0].read.finds,
                        *model.tables[0].indexes[0].sparse->when);
}

TEST(FindDifference, GivesValuesThatTellThePredicatesApart) {
  const auto found =
      Differ("audio = false or status <> SUCCESS", "audio = false or status in (FAILED, PENDING)");
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->first_holds);
  EXPECT_EQ(found->values.at("status").value, "PROCESSING");
  EXPECT_EQ(found->values.at("audio").value, "true");
}

TEST(FindDifference, SeesThatTwoWordingsAreOnePredicate) {
  EXPECT_FALSE(Differ("status <> SUCCESS", "status in (PENDING, PROCESSING, FAILED)"));
  EXPECT_FALSE(Differ("status <> SUCCESS", "status <> SUCCESS, at > now-7d"));
}

TEST(Evaluate, LeavesOpenWhatIsNotKnown) {
  const Model model = ModelOf("audio = false or status <> SUCCESS", "audio = true");
  const Predicate& when = *model.tables[0].indexes[0].sparse->when;
  EXPECT_EQ(Evaluate(when, {}), Truth::kUnknown);
  EXPECT_EQ(Evaluate(when, {{"status", KnownAttribute::Value("FAILED")}}), Truth::kTrue);
  EXPECT_EQ(Evaluate(when, {{"status", KnownAttribute::Value("SUCCESS")}}), Truth::kUnknown);
  EXPECT_EQ(Evaluate(when, {{"status", KnownAttribute::Value("SUCCESS")},
                            {"audio", KnownAttribute::Value("true")}}),
            Truth::kFalse);
}

TEST(Evaluate, KnowsWhatIsThereWithoutItsValue) {
  const Model model =
      ModelOf("at missing, audio = false or at missing, status = FAILED", "at exists");
  const Predicate& when = *model.tables[0].indexes[0].sparse->when;
  EXPECT_EQ(Evaluate(when, {{"at", KnownAttribute::Present()}}), Truth::kFalse);
  EXPECT_EQ(Evaluate(when, {{"at", KnownAttribute::Missing()}}), Truth::kUnknown);
  EXPECT_EQ(Evaluate(when, {{"at", KnownAttribute::Missing()},
                            {"status", KnownAttribute::Value("FAILED")}}),
            Truth::kTrue);
  EXPECT_EQ(Evaluate(*model.patterns[0].read.finds, {{"at", KnownAttribute::Present()}}),
            Truth::kTrue);
}

TEST(Evaluate, WhatIsMissingEqualsNothing) {
  const Model model = ModelOf("status <> SUCCESS", "status = SUCCESS");
  const Known known = {{"status", KnownAttribute::Missing()}};
  EXPECT_EQ(Evaluate(*model.tables[0].indexes[0].sparse->when, known), Truth::kTrue);
  EXPECT_EQ(Evaluate(*model.patterns[0].read.finds, known), Truth::kFalse);
}

TEST(DurationText, UsesTheLargestUnitThatFits) {
  EXPECT_EQ(DurationText(std::chrono::seconds(1800)), "30m");
  EXPECT_EQ(DurationText(std::chrono::seconds(604800)), "7d");
  EXPECT_EQ(DurationText(std::chrono::seconds(90)), "90s");
}

}  // namespace truth_test
}  // namespace stator::model
