#include "live/steps.h"

#include <gtest/gtest.h>

#include "live/apply.h"
#include "model/parse/parse.h"
#include "stator/database.h"

namespace stator::live {
namespace steps_test {

model::Model ParsedModel(const std::string& indexes, const std::string& settings = "") {
  auto parsed = model::ParseModel(R"(
model: 1
tables:
  orders:
    name: Orders
    key: pk str, sk str
)" + settings + "    indexes: {" + indexes +
                                      R"(}
entities:
  Order:
    table: orders
    keys: {pk: "CUSTOMER#{user}", sk: "ORDER#{id}", GSI1PK: "ORDER#{id}", GSI1SK: "ORDER#{id}"}
    attrs: {user: str 8, id: str 8, status: str enum=OPEN|SHIPPED, GSI2PK: str opt}
patterns: {}
)",
                                  "model.yaml");
  EXPECT_TRUE(parsed) << (parsed ? "" : model::ProblemText("", parsed.error().front()));
  return *std::move(parsed);
}

const std::string kGsi1 = "GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all}";
const std::string kGsi2 = "GSI2: {pk: GSI2PK str, project: keys}";

std::vector<StepKind> Kinds(const std::vector<Step>& steps) {
  std::vector<StepKind> kinds;
  for (const Step& step : steps) kinds.push_back(step.kind);
  return kinds;
}

class Steps : public ::testing::Test {
 protected:
  void SetUp() override { database_ = *Database::Open({}); }

  std::vector<Step> Plan(const model::Model& model, const StepOptions& options = {}) {
    auto state = ReadTableState(*database_, "Orders");
    EXPECT_TRUE(state);
    return PlanSteps(model, model.tables.front(), *state, options);
  }

  void Apply(const model::Model& model, const StepOptions& options = {}) {
    for (const Step& step : Plan(model, options)) {
      const auto outcome = CarryOutStep(*database_, model, step,
                                        {.steps = options,
                                         .checkpoint_directory = ::testing::TempDir() + "/steps",
                                         .now = TimeMs{}},
                                        {});
      ASSERT_TRUE(outcome) << step.text << ": " << outcome.error().message();
      EXPECT_FALSE(outcome->failed) << step.text << ": " << outcome->text;
    }
  }

  std::unique_ptr<Database> database_;
};

TEST_F(Steps, ATableThatIsThereAsTheModelSaysNeedsNone) {
  const model::Model model = ParsedModel(kGsi1, "    ttl: expires\n    pitr: 7d\n");
  EXPECT_EQ(Kinds(Plan(model)),
            (std::vector{StepKind::kCreateTable, StepKind::kSetTtl, StepKind::kSetRecovery}));
  Apply(model);
  EXPECT_TRUE(Plan(model).empty());
}

TEST_F(Steps, IndexesAreAddedOneAfterTheOtherEachWithItsBackfill) {
  Apply(ParsedModel(""));
  const model::Model model = ParsedModel(kGsi1 + ", " + kGsi2);
  EXPECT_EQ(Kinds(Plan(model)),
            (std::vector{StepKind::kCreateIndex, StepKind::kBackfill, StepKind::kVerify,
                         StepKind::kCreateIndex, StepKind::kVerify}));
  Apply(model);
  EXPECT_TRUE(Plan(model).empty());
}

TEST_F(Steps, IndexesThatTheModelLacksGoOnlyWhenAsked) {
  Apply(ParsedModel(kGsi1 + ", " + kGsi2));
  const model::Model model = ParsedModel(kGsi2);
  EXPECT_TRUE(Plan(model).empty());
  EXPECT_EQ(Kinds(Plan(model, {.prune = true})), (std::vector{StepKind::kDeleteIndex}));
  Apply(model, {.prune = true});
  EXPECT_TRUE(Plan(model, {.prune = true}).empty());
}

TEST_F(Steps, WhatCannotBeChangedInPlaceIsSaid) {
  Apply(ParsedModel(kGsi1));
  const std::vector<Step> steps =
      Plan(ParsedModel("GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: keys}"));
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps.front().kind, StepKind::kStuck);
  EXPECT_NE(steps.front().text.find("its projection differs"), std::string::npos);
}

TEST_F(Steps, AKeyOfAnotherTypeIsAnotherKey) {
  Apply(ParsedModel(kGsi1));
  model::Model number_key = ParsedModel(kGsi1);
  number_key.tables[0].sort->type = Type::kN;
  EXPECT_EQ(Kinds(Plan(number_key)), std::vector{StepKind::kStuck});
  model::Model number_index = ParsedModel(kGsi1);
  number_index.tables[0].indexes[0].sort[0].type = Type::kN;
  EXPECT_EQ(Kinds(Plan(number_index)), std::vector{StepKind::kStuck});
}

TEST_F(Steps, SettingsFollowTheModel) {
  Apply(ParsedModel(kGsi1));
  const model::Model model = ParsedModel(
      kGsi1,
      "    stream: new_image\n    protect: {prod: true}\n    billing: {read: 5, write: 5}\n");
  const StepOptions prod{.environment = "prod"};
  EXPECT_EQ(Kinds(Plan(model, prod)),
            (std::vector{StepKind::kSetBilling, StepKind::kSetStream, StepKind::kSetProtection}));
  Apply(model, prod);
  EXPECT_TRUE(Plan(model, prod).empty());
}

}  // namespace steps_test
}  // namespace stator::live
