// What the checker, the estimates and the generators say of the design, as written and corrected.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "generate/generate.h"
#include "model/claims/claims.h"
#include "model/parse/parse.h"
#include "rules/rules.h"
#include "tests/systems/calls_fixture.h"

namespace stator::systems::calls {
namespace design_test {

using testing::At;
using testing::CallsWorld;
using testing::kNow;
using testing::SystemWorld;

std::string AsWritten() {
  return testing::FileText(STATOR_SOURCE_DIR "/systems/calls/as-written.yaml");
}

std::string With(std::string text, const std::string& old_part, const std::string& new_part) {
  const std::size_t at = text.find(old_part);
  EXPECT_NE(at, std::string::npos) << old_part;
  return at == std::string::npos ? text : text.replace(at, old_part.size(), new_part);
}

class Checked {
 public:
  explicit Checked(std::string_view yaml)
      : model_(*model::ParseModel(yaml, "model.yaml")), result_(model::Check(model_)) {}

  // "IX11@by_call", for each finding that is no note.
  std::vector<std::string> Problems() const {
    std::vector<std::string> problems;
    for (const model::Finding& finding : result_.findings) {
      if (finding.severity != model::Severity::kNote) {
        problems.push_back(std::string(finding.rule) + "@" + finding.target);
      }
    }
    return problems;
  }
  bool Finds(std::string_view rule, std::string_view part) const {
    return std::ranges::any_of(result_.findings, [&](const model::Finding& finding) {
      return finding.rule == rule && (finding.target.find(part) != std::string::npos ||
                                      finding.message.find(part) != std::string::npos);
    });
  }
  const model::Finding* Find(std::string_view rule) const {
    for (const model::Finding& finding : result_.findings) {
      if (finding.rule == rule) return &finding;
    }
    return nullptr;
  }
  const model::Model& model() const { return model_; }
  const model::CheckResult& result() const { return result_; }

 private:
  model::Model model_;
  model::CheckResult result_;
};

TEST(CallsDesign, S1_2_ThreeIndexesProjectEverything) {
  SystemWorld world(ModelText());
  const auto described = world.endpoint().DescribeTable({.table_name = "Calls"});
  ASSERT_TRUE(described);
  std::set<std::string> indexes;
  for (const auto& index : described->table.global_secondary_indexes) {
    std::string keys;
    for (const auto& [name, type] : index.key_schema) keys += (keys.empty() ? "" : ", ") + name;
    indexes.insert(index.index_name + "(" + keys + ")");
    EXPECT_EQ(index.projection_type, ProjectionType::kAll) << index.index_name;
  }
  EXPECT_EQ(indexes, (std::set<std::string>{"byCallId(callId)", "byProvider(providerId, sk)",
                                            "byUserStatus(userStatus, sk)"}));
}

TEST(CallsDesign, S1_3_EveryPatternIsOneQueryAndTheModelIsClean) {
  const Checked checked(ModelText());
  EXPECT_TRUE(checked.result().clean());
  EXPECT_EQ(checked.Problems(), std::vector<std::string>{});
}

TEST(CallsDesign, S1_4_TheCheckerFindsTheNumberComparedWithText) {
  EXPECT_TRUE(Checked(AsWritten()).Finds("KY13", "$now"));
}

TEST(CallsDesign, S1_6_TheCheckerFindsThatNothingMakesTheIdUnique) {
  EXPECT_TRUE(Checked(AsWritten()).Finds("IX11", "callId"));
}

TEST(CallsDesign, S1_7_TheCheckerFindsTheReservedWord) {
  EXPECT_TRUE(Checked(AsWritten()).Finds("WR10", "status"));
}

TEST(CallsDesign, S1_8_TheCheckerAsksForATransactionWhereASourceOfTheKeyChanges) {
  const std::string updated = With(AsWritten(), "reschedule:      {write: Call.rekey",
                                   "reschedule:      {write: Call.update");
  EXPECT_TRUE(Checked(updated).Finds("KY09", "scheduledFor"));
  EXPECT_FALSE(Checked(ModelText()).Finds("KY09", "scheduledFor"));
}

TEST(CallsDesign, S1_13_TheCheckerFindsTheSeparatorInAUserId) {
  EXPECT_TRUE(Checked(AsWritten()).Finds("KY04", "userId"));
  const std::string narrow = With(AsWritten(), "{scheduledFor:013d}", "{scheduledFor:012d}");
  EXPECT_TRUE(Checked(narrow).Finds("KY01", "scheduledFor"));
}

TEST(CallsDesign, S1_14_TheEstimatesAreFourFiveAndTen) {
  const Checked checked(AsWritten());
  const auto claims = model::EvaluateClaims(checked.model(), checked.result().estimates);
  ASSERT_EQ(claims.size(), 3U);
  for (const model::ClaimResult& claim : claims) EXPECT_TRUE(claim.holds) << claim.why;
}

// On the tables of the design as it is written, where nothing keeps ids unique.
TEST(CallsDesign, S1_14_MeasuredAsWrittenTheyAreFourFiveAndTen) {
  SystemWorld world(AsWritten());
  Entities& calls = world.entities();
  double before = 0;
  const auto units = [&](const EntityResult<Item>& done) {
    EXPECT_TRUE(done) << (done ? "" : done.error().message);
    const double now = calls.used().write;
    const double used = now - before;
    before = now;
    return used;
  };
  const Item call{{"userId", "ann"},
                  {"callId", "c1"},
                  {"providerId", "p1"},
                  {"status", "SCHEDULED"},
                  {"scheduledFor", kNow}};
  EXPECT_EQ(units(calls.Create("Call", call)), 4);
  EXPECT_EQ(units(calls.Update("Call", call, {.set = {{"status", "COMPLETED"}}})), 5);
  EXPECT_EQ(units(calls.Rekey("Call", call, {.set = {{"scheduledFor", kNow + 1}}})), 10);
}

using CallUnits = CallsWorld;

// The sentinel makes a create a transaction of two puts, 2 × 2 instead of 1; nothing else costs
// more.
TEST_F(CallUnits, S1_14_TheUniqueIdAddsThreeUnitsToACreateAndNothingElse) {
  EXPECT_EQ(Written([&] {
              return book_.Schedule({.call_id = "c1",
                                     .user_id = "ann",
                                     .provider_id = "p1",
                                     .scheduled_for = At(kNow),
                                     .notes = std::string(400, 'n')});
            }),
            4 + 3);
  EXPECT_EQ(Written([&] { return book_.Reschedule("c1", At(kNow + 1)); }), 10);
  EXPECT_EQ(Written([&] { return book_.Reassign("c1", "ben"); }), 10);
  EXPECT_EQ(Written([&] { return book_.ChangeProvider("c1", "p2"); }), 5);
  EXPECT_EQ(Written([&] { return book_.Complete("c1"); }), 5);
  EXPECT_EQ(Written([&] { return book_.Cancel("c1"); }), 4 + 3);
}

// Section 6 of the design, as it stands there.
constexpr const char* kCreateTable = R"(aws dynamodb create-table \
  --table-name Calls \
  --attribute-definitions \
      AttributeName=userId,AttributeType=S \
      AttributeName=sk,AttributeType=S \
      AttributeName=callId,AttributeType=S \
      AttributeName=providerId,AttributeType=S \
      AttributeName=userStatus,AttributeType=S \
  --key-schema \
      AttributeName=userId,KeyType=HASH \
      AttributeName=sk,KeyType=RANGE \
  --billing-mode PAY_PER_REQUEST \
  --global-secondary-indexes '[
    {
      "IndexName": "byCallId",
      "KeySchema": [{"AttributeName": "callId", "KeyType": "HASH"}],
      "Projection": {"ProjectionType": "ALL"}
    },
    {
      "IndexName": "byProvider",
      "KeySchema": [
        {"AttributeName": "providerId", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"}
      ],
      "Projection": {"ProjectionType": "ALL"}
    },
    {
      "IndexName": "byUserStatus",
      "KeySchema": [
        {"AttributeName": "userStatus", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"}
      ],
      "Projection": {"ProjectionType": "ALL"}
    }
  ]'
)";

TEST(CallsDesign, S1_15_TheGeneratedCommandIsThatOfTheDesign) {
  for (const std::string& yaml : {AsWritten(), std::string(ModelText())}) {
    const Checked checked(yaml);
    const std::string script = model::GenerateAwsCli(checked.model(), {});
    EXPECT_NE(script.find(kCreateTable), std::string::npos) << script;
  }
}

TEST(CallsDesign, S1_15_AttributeDefinitionsAreTheKeyAttributesOnly) {
  SystemWorld world(ModelText());
  const auto described = world.endpoint().DescribeTable({.table_name = "Calls"});
  ASSERT_TRUE(described);
  std::set<std::string> defined;
  for (const auto& [name, type] : described->table.attribute_definitions) defined.insert(name);
  EXPECT_EQ(defined, (std::set<std::string>{"userId", "sk", "callId", "providerId", "userStatus"}));
  const std::string listed = With(AsWritten(), "userStatus str]", "userStatus str, status str]");
  EXPECT_TRUE(Checked(listed).Finds("IA02", "status"));
}

TEST(CallsDesign, S1_16_WithoutDeclaredUniquenessAProviderHasManyCalls) {
  EXPECT_TRUE(Checked(AsWritten()).Finds("IX11", "providerId"));
  const std::string declared =
      With(AsWritten(), "    attrs:", "    unique: [callId, providerId]\n    attrs:");
  EXPECT_FALSE(Checked(declared).Finds("IX11", "providerId"));
}

TEST(CallsDesign, S1_18_SharingSkIsANoteAndNoMore) {
  for (const std::string& yaml : {AsWritten(), std::string(ModelText())}) {
    const Checked checked(yaml);
    const model::Finding* finding = checked.Find("IX08");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->severity, model::Severity::kNote);
    EXPECT_NE(finding->message.find("share the computed key attribute sk"), std::string::npos);
  }
}

TEST(CallsDesign, S1_19_TheCheckerFindsAStrongReadOfAnIndex) {
  const std::string strong = With(std::string(ModelText()), "unique: true, rate: 5_000/day",
                                  "unique: true, fresh: strong, rate: 5_000/day");
  EXPECT_TRUE(Checked(strong).Finds("AP07", "by_call"));
}

}  // namespace design_test
}  // namespace stator::systems::calls
