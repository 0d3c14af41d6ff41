// The write side: which calls are in the index, and under which keys.
#include <gtest/gtest.h>

#include <sstream>

#include "systems/reconciler/load.h"
#include "tests/systems/reconciler_fixture.h"

namespace stator::systems::reconciler {
namespace index_test {

using testing::Text;

TEST_F(Reconciler, S0_1_ACallHasItsFiveAttributesUnderAKeyOfItsOwn) {
  Report("acme", "c1", "FAILED", true);
  const auto table = world_.endpoint().DescribeTable({.table_name = "calls"});
  ASSERT_TRUE(table);
  ASSERT_EQ(table->table.key_schema.size(), 2U);
  EXPECT_EQ(table->table.key_schema[0].first, "TenantId");
  EXPECT_EQ(table->table.key_schema[1].first, "CallId");
  const Item call = Stored("acme", "c1");
  EXPECT_EQ(Text(call, "CallDateTime"), "2026-02-28T07:00:00.000Z");
  EXPECT_EQ(Text(call, "ProcessingStatus"), "FAILED");
  EXPECT_TRUE(call.Find("AudioReceived")->Bool());
}

TEST_F(Reconciler, S0_2_EverythingThatIsNotSuccessWithAudioIsInTheIndex) {
  Report("acme", "c1", "PROCESSING", true);
  EXPECT_EQ(IndexSize(), 1U);
  Report("acme", "c1", "PROCESSING", false);
  EXPECT_EQ(IndexSize(), 1U);
  Report("acme", "c2", "SUCCESS", false);
  EXPECT_EQ(IndexSize(), 2U);
  Report("acme", "c3", "SUCCESS", true);
  EXPECT_EQ(IndexSize(), 2U);
}

TEST_F(Reconciler, S0_3_TheKeysAreStatusThenTimeAndTenant) {
  Report("acme", "c1", "FAILED", true);
  const std::vector<Item> rows = Rows("ReconciliationIndex");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(Text(rows[0], "GSI_Recon_PK"), "STATUS#FAILED");
  EXPECT_EQ(Text(rows[0], "GSI_Recon_SK"), "2026-02-28T07:00:00.000Z#acme");
}

TEST_F(Reconciler, S0_8_TheSeedsOwnQueryFindsTheCall) {
  Report("acme", "c1", "PENDING", false);
  const auto page = world_.endpoint().Query(
      {.table_name = "calls",
       .index_name = "ReconciliationIndex",
       .key_condition_expression = "GSI_Recon_PK = :status AND GSI_Recon_SK > :lookbackDate",
       .expression_attribute_values =
           ValueMap{{":status", "STATUS#PENDING"}, {":lookbackDate", "2026-02-21T00:00:00Z"}}});
  ASSERT_TRUE(page) << page.error().message();
  EXPECT_EQ(page->count, 1);
}

TEST_F(Reconciler, S0_4_SuccessTakesTheCallOutOfTheIndexAndLeavesTheCall) {
  Report("acme", "c1", "FAILED", true);
  ASSERT_EQ(IndexSize(), 1U);
  Report("acme", "c1", "SUCCESS", true);
  EXPECT_EQ(IndexSize(), 0U);
  const Item call = Stored("acme", "c1");
  EXPECT_EQ(Text(call, "ProcessingStatus"), "SUCCESS");
  EXPECT_FALSE(call.Find("GSI_Recon_PK"));
  EXPECT_FALSE(call.Find("GSI_Recon_SK"));
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(Reconciler, S0_4_AChangeOfStatusMovesTheEntry) {
  Report("acme", "c1", "PENDING", false);
  Report("acme", "c1", "FAILED", false);
  const std::vector<Item> rows = Rows("ReconciliationIndex");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(Text(rows[0], "GSI_Recon_PK"), "STATUS#FAILED");
}

TEST_F(Reconciler, S0_5_NullOrEmptyKeysAreRefusedByTheDatabase) {
  for (const AttributeValue& nothing : {AttributeValue::Null(), AttributeValue("")}) {
    const auto put = world_.endpoint().PutItem(
        {.table_name = "calls",
         .item = Item{{"TenantId", "acme"}, {"CallId", "c1"}, {"GSI_Recon_PK", nothing}}});
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().name(), "ValidationException");
    EXPECT_NE(put.error().message().find("GSI_Recon_PK"), std::string::npos);
  }
}

TEST_F(Reconciler, S0_5_AReportOfNullIsRefusedAndSaysWhatToDo) {
  const auto report = ParseReport(R"({"TenantId":"acme","CallId":"c1","ProcessingStatus":null})");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error(), "ProcessingStatus is null: leave it out instead");
}

TEST_F(Reconciler, S0_6_OneOfTheTwoKeysAloneIndexesNothing) {
  for (const char* key : {"GSI_Recon_PK", "GSI_Recon_SK"}) {
    ASSERT_TRUE(world_.endpoint().PutItem(
        {.table_name = "calls",
         .item = Item{{"TenantId", "acme"}, {"CallId", key}, {key, "STATUS#FAILED#0"}}}));
  }
  EXPECT_EQ(Rows().size(), 2U);
  EXPECT_EQ(IndexSize(), 0U);
}

TEST_F(Reconciler, S0_7_OfTenThousandCallsAHundredAreInTheIndex) {
  const UsedUnits before = table().used();
  const auto loaded = LoadCalls(table(), {.calls = 10'000, .bad_per_million = 10'000});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->created, 10'000);
  EXPECT_EQ(loaded->bad, 100);
  EXPECT_EQ(IndexSize(), 100U);
  EXPECT_EQ(table().used().write - before.write,
            10'100);  // 1 % more, because no good call touches the index
}

TEST_F(Reconciler, S0_7_CallsThatBeginAsPendingAllPayForTheIndex) {
  const UsedUnits before = table().used();
  const auto loaded =
      LoadCalls(table(), {.calls = 1000, .bad_per_million = 0, .start_pending = true});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(IndexSize(), 0U);
  // Put and update of the call, put and delete of its entry.
  EXPECT_EQ(table().used().write - before.write, 4000);
}

TEST_F(Reconciler, ALoadThatWasKilledIsMadeGoodByTheNext) {
  const LoadOptions options{.calls = 100, .bad_per_million = 100'000, .start_pending = true};
  ASSERT_TRUE(LoadCalls(table(), options));
  // As if it had been killed between the two writes of a good call.
  const Item call = Stored(Text(Rows().front(), "TenantId"), Text(Rows().front(), "CallId"));
  Item first = call;
  first.Set("Revision", AttributeValue(1));
  first.Set("ProcessingStatus", AttributeValue("PENDING"));
  first.Set("ReconStatus", AttributeValue("PENDING"));
  ASSERT_TRUE(world_.endpoint().PutItem({.table_name = "calls", .item = first}));
  const auto again = LoadCalls(table(), options);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->there_already, 100);
  EXPECT_EQ(Text(Stored(Text(call, "TenantId"), Text(call, "CallId")), "ProcessingStatus"),
            Text(call, "ProcessingStatus"));
  EXPECT_EQ(IndexSize(), 10U);
}

TEST_F(Reconciler, S0_11_TimesOfEveryFormAreStoredInOneForm) {
  std::istringstream lines(
      R"({"TenantId":"acme","CallId":"c1","CallDateTime":"2026-02-28T07:00:00Z"}
{"TenantId":"acme","CallId":"c2","CallDateTime":"2026-02-28T07:00:00.500Z"}
{"TenantId":"acme","CallId":"c3","CallDateTime":"2026-02-28T08:00:00.25+01:00"})");
  const auto summary = IngestLines(table(), lines);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->created, 3);
  EXPECT_EQ(Text(Stored("acme", "c1"), "CallDateTime"), "2026-02-28T07:00:00.000Z");
  EXPECT_EQ(Text(Stored("acme", "c2"), "CallDateTime"), "2026-02-28T07:00:00.500Z");
  EXPECT_EQ(Text(Stored("acme", "c3"), "CallDateTime"), "2026-02-28T07:00:00.250Z");
  Poll();
  EXPECT_EQ(Ids(), (std::vector<std::string>{"acme#c1#1", "acme#c3#1", "acme#c2#1"}));
}

}  // namespace index_test
}  // namespace stator::systems::reconciler
