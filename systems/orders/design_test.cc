// What the model says: decisions, tables, rules, charts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "generate/generate.h"
#include "model/model.h"
#include "rules/rules.h"
#include "systems/orders/design.h"
#include "systems/program/process.h"
#include "tests/systems/orders_fixture.h"

namespace stator::systems::orders {
namespace design_test {

using testing::AsWritten;
using testing::Findings;
using testing::LoadOrdersModel;

const Design& Ours() {
  static const Design kDesign = CheckDesign(*Model::Parse(ModelText()));
  return kDesign;
}

const PatternProof& Proof(const Design& design, std::string_view pattern) {
  const auto it = std::ranges::find(design.patterns, pattern, &PatternProof::pattern);
  EXPECT_NE(it, design.patterns.end()) << pattern;
  return *it;
}

// Every text must be there.
std::string Replaced(std::string text,
                     const std::vector<std::pair<std::string, std::string>>& replacements) {
  for (const auto& [from, to] : replacements) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) text.replace(at, from.size(), to);
  }
  return text;
}

// A shop with one index, and one more line of patterns.
Design Shop(const std::string& pattern) {
  const auto model = Model::Parse(R"(
model: 1
tables:
  app:
    key: PK str, SK str
    indexes: {GSI1: {pk: GSI1PK str, project: keys}}
entities:
  Order:
    table: app
    keys: {PK: "CUSTOMER#{user}", SK: "ORDER#{id}", GSI1PK: "ORDER#{id}"}
    attrs: {user: str 8 no=#, id: str 8 no=#}
    volume: {total: 1e6, per: {user: 10, id: 1}}
patterns:
  place: {write: Order.create, guard: not_exists, rate: 1/s}
  by_user: {query: app, of: Order, where: user = $u, page: 25, rate: 1/s}
  by_id: {query: app.GSI1, of: Order, where: id = $i, needs: [PK], limit: 1, rate: 1/s}
)" + pattern);
  EXPECT_TRUE(model) << (model ? "" : model.error());
  return CheckDesign(*model);
}

TEST(Decisions, TheModelIsClean) {
  EXPECT_TRUE(Ours().clean);
  for (const char* stage : {"1-before", "2-writers", "3-readers", "4-after"}) {
    EXPECT_TRUE(CheckDesign(LoadOrdersModel(std::string("migration/") + stage + ".yaml")).clean)
        << stage;
  }
}

TEST(Decisions, S2_1_WhatThePrimaryKeyServesNeedsNoIndex) {
  EXPECT_EQ(Decide(Proof(Ours(), "customer_orders")), Decision::kPrimaryKey);
  EXPECT_EQ(Decide(Proof(Ours(), "customer")), Decision::kPrimaryKey);
  EXPECT_EQ(Decide(Proof(Ours(), "order_by_id")), Decision::kIndex);
}

TEST(Decisions, S2_1_ARareReadMayScanOnlyWithItsClassAndReason) {
  EXPECT_EQ(Decide(Proof(Ours(), "customers_without_orders")), Decision::kScan);
  EXPECT_TRUE(Findings(Shop("  all: {scan: app, of: Order, all: true, rate: 1/year}\n"))
                  .contains("AP02 all"));
  EXPECT_FALSE(Findings(Shop("  all: {scan: app, of: Order, all: true, rate: 1/year, class: admin, "
                             "reason: the yearly letter}\n"))
                   .contains("AP02 all"));
}

TEST(Decisions, S2_1_AStrongReadNeedsAnotherPrimaryKey) {
  const Design design = Shop(
      "  now: {query: app.GSI1, of: Order, where: id = $i, needs: [PK], fresh: strong, limit: 1, "
      "rate: 1/s}\n");
  EXPECT_EQ(Decide(Proof(design, "now")), Decision::kRedesign);
  EXPECT_TRUE(Findings(design).contains("AP07 now"));
}

TEST(Decisions, S2_1_TheTreeAsksInOrderAndStopsAtTheFirstAnswer) {
  const std::string tree = DecisionTree(Ours());
  EXPECT_LT(tree.find("primary key satisfy"), tree.find("Is it rare?"));
  EXPECT_LT(tree.find("Is it rare?"), tree.find("eventual consistency acceptable"));
  EXPECT_NE(tree.find("no index: Scan, once a year"), std::string::npos) << tree;
}

TEST(Decisions, S2_3_CapacityOfAnIndexOfAnOnDemandTableIsRefused) {
  EXPECT_TRUE(AsWritten().contains("IA01 app.GSI1"));
  EXPECT_FALSE(Findings(Ours()).contains("IA01 app.GSI1"));
}

TEST(Decisions, S2_4_TheTableSaysWhichPatternsThePrimaryKeySatisfies) {
  std::istringstream table(SatisfiedTable(Ours()));
  std::map<std::string, std::string> rows;
  for (std::string line; std::getline(table, line);) {
    std::istringstream words(line);
    std::string entity;
    std::string pattern;
    words >> entity >> pattern;
    rows[pattern] = line;
  }
  EXPECT_NE(rows["customer_orders"].find("✅ Yes"), std::string::npos);
  EXPECT_NE(rows["customer_orders"].find("CUSTOMER#"), std::string::npos);
  EXPECT_NE(rows["order_by_id"].find("❌ No"), std::string::npos);
  EXPECT_NE(rows["orders_by_status"].find("❌ No"), std::string::npos);
}

TEST(Decisions, S2_12_KeysOfIndexesAreNamedAfterThem) {
  const std::string misnamed =
      Replaced(testing::FileText(testing::OrdersFile("model.yaml")),
               {{"GSI6: {pk: GSI6PK", "GSI6: {pk: GSI7PK"}, {"      GSI6PK: ", "      GSI7PK: "}});
  EXPECT_EQ(Findings(CheckDesign(*Model::Parse(misnamed))).count("IX12 app.GSI6"), 1U);
  for (const std::string& finding : Findings(Ours())) EXPECT_FALSE(finding.starts_with("IX12"));
}

TEST(Decisions, S2_13_TheCdkNamesEveryProjection) {
  const Model model = LoadOrdersModel("model.yaml");
  const auto cdk = model::Generate("cdk", model.values(), {});
  ASSERT_TRUE(cdk) << cdk.error();
  std::size_t indexes = 0;
  std::size_t projections = 0;
  for (std::size_t at = 0; (at = cdk->find("projectionType", at)) != std::string::npos; ++at) {
    ++projections;
  }
  for (int i = 1; i <= 6; ++i) {
    if (cdk->find(fmt::format("'GSI{}'", i)) != std::string::npos ||
        cdk->find(fmt::format("\"GSI{}\"", i)) != std::string::npos) {
      ++indexes;
    }
  }
  EXPECT_EQ(indexes, 6U) << *cdk;
  EXPECT_GE(projections, 6U) << *cdk;
}

TEST(Decisions, S2_13_AnIndexWithoutAProjectionCopiesAllAndThatIsFound) {
  EXPECT_TRUE(AsWritten().contains("IX04 app.GSI1"));
  EXPECT_TRUE(AsWritten().contains("IX04 app.GSI2"));
}

TEST(Decisions, S2_15_TheProjectionFollowsFromWhatThePatternsNeed) {
  std::map<std::string, IndexProjectionProof> proofs;
  for (const IndexProjectionProof& proof : Ours().projections) proofs[proof.index] = proof;
  EXPECT_EQ(proofs["GSI3"].asked, "KEYS_ONLY");
  for (const char* needed : {"status", "createdAt", "amount"}) {
    EXPECT_NE(proofs["GSI1"].asked.find(needed), std::string::npos) << proofs["GSI1"].asked;
    EXPECT_NE(proofs["GSI1"].projection.find(needed), std::string::npos);
  }
  EXPECT_TRUE(proofs["GSI1"].asked.starts_with("INCLUDE"));
  EXPECT_NE(ProjectionTree(Ours()).find("Most or all → ALL"), std::string::npos);
}

TEST(Decisions, S2_22_EveryItemOfTheChecklistIsChecked) {
  // 1 every pattern assigned, 2 names, 4 projections, 5 writers, 6 queries, 7 eventual reads; 3 and
  // 8, the charts, are made from the model (S2_14).
  for (const char* rule : {"AP01", "IX12", "IX02", "IX04", "WR01", "AP10", "AP07"}) {
    const model::Rule* found = model::FindRule(rule);
    ASSERT_NE(found, nullptr) << rule;
    const auto bad = Model::Parse(found->bad);
    ASSERT_TRUE(bad) << rule;
    EXPECT_TRUE(std::ranges::any_of(CheckDesign(*bad).findings, [&](const DesignFinding& finding) {
      return finding.rule == rule;
    })) << rule;
    for (const std::string& finding : Findings(Ours())) EXPECT_FALSE(finding.starts_with(rule));
  }
  for (const PatternProof& proof : Ours().patterns) EXPECT_FALSE(proof.operation.empty());
}

using Cure = std::vector<std::pair<std::string, std::string>>;

// The checker rejects the model for its own reason alone: it finds this and nothing else, and once
// that is mended, nothing at all.
void ExpectRejected(const std::string& file, const std::set<std::string>& findings,
                    const Cure& cure) {
  const std::string text =
      testing::FileText(testing::OrdersFile("anti-patterns/" + file + ".yaml"));
  const auto model = Model::Parse(text);
  ASSERT_TRUE(model) << file << ": " << model.error();
  const Design design = CheckDesign(*model);
  EXPECT_FALSE(design.clean) << file;
  EXPECT_EQ(Findings(design), findings) << file;
  const auto cured = Model::Parse(Replaced(text, cure));
  ASSERT_TRUE(cured) << file << ": " << cured.error();
  EXPECT_TRUE(CheckDesign(*cured).clean) << file;
  EXPECT_EQ(Findings(CheckDesign(*cured)), std::set<std::string>{}) << file;
}

TEST(AntiPatterns, S2_23_AnIndexForEveryPatternIsRejected) {
  ExpectRejected(
      "gsi-per-pattern", {"IX07 app"},
      {{"      ByF20: {pk: f20 str, project: keys}\n", ""},
       {", f20: 10}}", "}}"},
       {"  by_f20: {query: app.ByF20, of: Order, where: f20 = $v, needs: [PK], page: 25, "
        "rate: 100/day}\n",
        ""}});
}

// … and long before a table is full: what could share an index is told to.
TEST(AntiPatterns, S2_23_IndexesOfOnePatternEachAreAdvisedToShareOne) {
  const auto model = [](const std::string& indexes, const std::string& user,
                        const std::string& team, const std::string& by_email,
                        const std::string& by_org) {
    auto parsed = Model::Parse(fmt::format(R"(
model: 1
tables:
  app:
    key: PK str, SK str
    indexes: {}
entities:
  User: {{table: app, keys: {{PK: "USER#{{userId}}", SK: USER{}}}, attrs: {{userId: str 20 no=#, email: str 30 no=#}}, volume: {{total: 1000, per: {{userId: 1, email: 1}}}}}}
  Team: {{table: app, keys: {{PK: "TEAM#{{teamId}}", SK: TEAM{}}}, attrs: {{teamId: str 20 no=#, org: str 20 no=#}}, volume: {{total: 100, per: {{teamId: 1, org: 5}}}}}}
patterns:
  add_user: {{write: User.create, guard: not_exists, rate: 10/day}}
  add_team: {{write: Team.create, guard: not_exists, rate: 1/day}}
  by_email: {{query: app.{}, of: User, where: email = $e, needs: [PK], all: true, rate: 10/day}}
  by_org: {{query: app.{}, of: Team, where: org = $o, needs: [PK], all: true, rate: 10/day}}
)",
                                           indexes, user, team, by_email, by_org));
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error());
    return Findings(CheckDesign(*parsed));
  };
  EXPECT_EQ(model("{ByEmail: {pk: email str, project: keys}, ByOrg: {pk: org str, project: keys}}",
                  "", "", "ByEmail", "ByOrg"),
            std::set<std::string>{"IX07 app"});
  EXPECT_EQ(model("{GSI1: {pk: GSI1PK str, project: keys, overloaded: true}}",
                  ", GSI1PK: \"EMAIL#{email}\"", ", GSI1PK: \"ORG#{org}\"", "GSI1", "GSI1"),
            std::set<std::string>{});
}

TEST(AntiPatterns, S2_24_AnIndexForRareUseIsRejected) {
  ExpectRejected("gsi-for-rare-use", {"IX01 app.GSI1"},
                 {{"class: admin, rate: 1/year", "rate: 10/s"}});
}
TEST(AntiPatterns, S2_25_AssumedStrongReadsAreRejected) {
  ExpectRejected("assumed-strong-reads", {"AP07 is_open"}, {{"fresh: strong, ", ""}});
}
TEST(AntiPatterns, S2_26_ForgottenIndexAttributesAreRejected) {
  ExpectRejected("forgotten-attributes", {"WR01 ship"}, {{"derives: [], ", ""}});
}
TEST(AntiPatterns, S2_27_OverProjectionIsRejected) {
  ExpectRejected("over-projection", {"IX04 app.GSI1"}, {{"project: all", "project: [status]"}});
}
// The attribute, and the pattern that nothing serves because of it.
TEST(AntiPatterns, S2_28_ReusedAttributesAreRejected) {
  ExpectRejected("reused-attributes", {"IX08 app.lookup", "AP01 by_seller"},
                 {{"BySeller: {pk: lookup str", "BySeller: {pk: seller str"}});
}
TEST(AntiPatterns, S2_29_AnUnshardedHotKeyIsRejected) {
  ExpectRejected("unsharded-hot-key", {"HP01 app.GSI1"},
                 {{"project: keys}", "project: keys, shards: {n: 4, by: orderId}}"},
                  {"WAREHOUSE#{warehouse}", "WAREHOUSE#{warehouse}#{shard}"}});
}

TEST(Costs, S2_31_StorageOfAnIndexCountsAHundredBytesMoreForEachEntry) {
  // A billion items of 200 bytes; entries of the keys alone: PK, SK and GSI1PK with their values,
  // 10 + 10 + 14 bytes. `index` is left out of the second model.
  const auto wrong = [](const std::string& index, const std::string& key, const std::string& gb) {
    const auto model = Model::Parse(fmt::format(R"(
model: 1
tables:
  app:
    key: PK str, SK str
{}entities:
  Order:
    table: app
    keys: {{PK: "{{user}}", SK: "{{id}}"{}}}
    size: 200
    attrs: {{user: str 8, id: str 8}}
    volume: {{total: 1e9, per: {{user: 10, id: 1}}}}
patterns:
  place: {{write: Order.create, guard: not_exists, rate: 1/s}}
  by_user: {{query: app, of: Order, where: user = $u, page: 25, rate: 1/s}}
claims:
  - {{says: storage, check: storage.gb == {}}}
)",
                                                index, key, gb));
    EXPECT_TRUE(model) << (model ? "" : model.error());
    std::vector<std::string> found;
    for (const DesignFinding& finding : CheckDesign(*model).findings) {
      if (finding.rule == "CO07") found.push_back(finding.message);
    }
    return found;
  };
  const std::string index = "    indexes: {GSI1: {pk: GSI1PK str, project: keys}}\n";
  const std::string key = ", GSI1PK: \"{id}\"";
  EXPECT_TRUE(wrong(index, key, "300 + 134").empty());
  EXPECT_TRUE(wrong("", "", "300").empty());
  // Without the hundred bytes of the entry, of the item, or of both, the claim is found to be false.
  for (const char* gb : {"300 + 34", "200 + 134", "200 + 34"}) {
    const auto found = wrong(index, key, gb);
    ASSERT_EQ(found.size(), 1U) << gb;
    EXPECT_NE(found.front().find("434"), std::string::npos) << found.front();
  }
}

TEST(Decisions, S2_40_TheThreePatternsAreServedByTheTableGsi1AndGsi2) {
  EXPECT_EQ(Proof(Ours(), "customer_orders").index, "");
  EXPECT_EQ(Proof(Ours(), "order_by_id").index, "GSI1");
  EXPECT_EQ(Proof(Ours(), "orders_by_status").index, "GSI2");
  for (const char* pattern : {"customer_orders", "order_by_id", "orders_by_status"}) {
    EXPECT_EQ(Proof(Ours(), pattern).operation, "Query");
  }
}

class Charts : public ::testing::Test {
 protected:
  std::string Chart(const std::string& name) const {
    return testing::FileText(folder_ / "docs/specs/jobs/shop" / name);
  }

  TemporaryFolder temporary_{"orders"};
  const std::filesystem::path folder_ = temporary_.path();
};

TEST_F(Charts, S2_14_EveryIndexHasItsChartInTheFolderOfTheJob) {
  const auto written = WriteCharts(*Model::Parse(ModelText()), folder_, "shop");
  ASSERT_TRUE(written) << written.error();
  EXPECT_EQ(written->size(), 7U);
  for (int i = 1; i <= 6; ++i) {
    EXPECT_NE(Chart("entity-chart-gsi" + std::to_string(i) + ".md"), "") << i;
  }
}

TEST_F(Charts, S2_14_TheMainChartHasTheKeysOfAllIndexesAndThoseOfAnIndexItsPatterns) {
  ASSERT_TRUE(WriteCharts(*Model::Parse(ModelText()), folder_, "shop"));
  const std::string main = Chart("entity-chart.md");
  for (const char* text : {"GSI1PK", "GSI2SK", "CUSTOMER#<username>", "EMAIL#<email>",
                           "ORDER#<orderId>", "Satisfied by PK?"}) {
    EXPECT_NE(main.find(text), std::string::npos) << text;
  }
  const std::string first = Chart("entity-chart-gsi1.md");
  for (const char* text : {"Access Pattern", "EMAIL#<email>", "order_by_id"}) {
    EXPECT_NE(first.find(text), std::string::npos) << text << "\n" << first;
  }
  EXPECT_EQ(first.find("GSI2PK"), std::string::npos);
}

TEST_F(Charts, AJobCannotLeaveItsFolder) {
  for (const char* job : {"", "..", ".hidden", "a/b", "../up", "a\nb"}) {
    EXPECT_FALSE(WriteCharts(*Model::Parse(ModelText()), folder_, job)) << job;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace design_test
}  // namespace stator::systems::orders
