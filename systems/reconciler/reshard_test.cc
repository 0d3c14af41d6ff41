#include "systems/reconciler/reshard.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <set>
#include <thread>

#include "tests/systems/reconciler_fixture.h"

namespace stator::systems::reconciler {
namespace reshard_test {

using std::chrono::milliseconds;
using testing::Text;

// Settings are read again each time: programs that know at once.
const CallTableOptions kAttentive{.settings_age_max = milliseconds(0)};

class Resharding : public Reconciler {
 protected:
  Resharding() { table_ = OpenTable(kAttentive); }

  ReshardSummary Spread(std::int64_t shards, std::function<void(milliseconds)> wait = nullptr) {
    if (!wait) wait = [](milliseconds) {};
    const auto summary = Reshard(table(), {.shards = shards, .wait = std::move(wait)});
    EXPECT_TRUE(summary) << (summary ? "" : summary.error().message);
    return summary.value_or(ReshardSummary());
  }
  std::set<std::string> Partitions() {
    std::set<std::string> keys;
    for (const Item& row : Rows("ReconciliationIndex")) keys.insert(Text(row, "GSI_Recon_PK"));
    return keys;
  }
  std::string SettingsText() {
    const auto item =
        world_.endpoint().GetItem({.table_name = "calls",
                                   .key = Item{{"TenantId", "#settings"}, {"CallId", "#settings"}},
                                   .consistent_read = true});
    if (!item || !item->item) return "none";
    return Text(*item->item, "Shards") + (item->item->Find("Former") ? " and former" : "");
  }
};

TEST_F(Resharding, ATableHasOneShardAndSaysSoInItsSettings) {
  EXPECT_EQ(SettingsText(), "1");
  ReportMany(20);
  EXPECT_EQ(Partitions(), std::set<std::string>{"STATUS#FAILED"});
}

TEST_F(Resharding, AnotherNumberThanTheTablesIsRefused) {
  const auto other = CallTable::Open(world_.endpoint(), {.shards = 4});
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().find("this table has 1 shard, not 4"), std::string::npos)
      << other.error();
  EXPECT_TRUE(CallTable::Open(world_.endpoint(), {.shards = 1}));
}

TEST_F(Resharding, TheModelWithShardsIsSound) {
  for (const std::int64_t shards : {2, 10, 1000}) {
    const auto model = Model::Parse(ModelTextOf(shards));
    ASSERT_TRUE(model) << model.error();
    std::ofstream(Path("model.yaml")) << ModelTextOf(shards);
    const auto check = testing::RunProgram(STATOR_PROGRAM " check " + Path("model.yaml"));
    EXPECT_EQ(check.status, 0) << check.text;
  }
}

TEST_F(Resharding, EntriesMoveAndAreWhereTheEntityLayerPutsNewOnes) {
  ReportMany(100);
  EXPECT_EQ(Spread(4).moved, 100);
  EXPECT_EQ(SettingsText(), "4");
  EXPECT_EQ(Partitions(), (std::set<std::string>{"STATUS#FAILED#0", "STATUS#FAILED#1",
                                                 "STATUS#FAILED#2", "STATUS#FAILED#3"}));
  for (const Item& row : Rows("ReconciliationIndex")) {
    EXPECT_EQ(Text(row, "GSI_Recon_PK"), IndexKey("FAILED", Text(row, "CallId"), 4));
  }
  // Written by the entity layer, to which the same calls belong in the same shards.
  ReportMany(100, "PENDING");
  for (const Item& row : Rows("ReconciliationIndex")) {
    EXPECT_EQ(Text(row, "GSI_Recon_PK"), IndexKey("PENDING", Text(row, "CallId"), 4));
  }
  EXPECT_EQ(Poll().emitted, 100);
  EXPECT_EQ(Spread(1).moved, 100);
  EXPECT_EQ(Partitions(), std::set<std::string>{"STATUS#EMITTED"});
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(Resharding, WhileItIsUnderWayOldAndNewPlacesAreRead) {
  ReportMany(40);
  std::size_t found = 0;
  Spread(8, [&](milliseconds) {
    EXPECT_EQ(SettingsText(), "8 and former");
    // Somebody who had not heard yet: by the entities of one shard.
    const CallReport late{.tenant = "acme",
                          .call = "late",
                          .call_time = SortableTime(Ago(std::chrono::hours(2))),
                          .updated_at = std::nullopt,
                          .audio_received = true,
                          .status = "FAILED"};
    const ReportDecision decision = DecideReport(std::nullopt, late);
    EXPECT_TRUE(table().plain().Create("Call", decision.item));
    EXPECT_TRUE(Partitions().contains("STATUS#FAILED"));
    found = static_cast<std::size_t>(Poll({.lease = {.owner = "me"}}).emitted);
  });
  EXPECT_EQ(found, 41U);
  EXPECT_EQ(Ids().size(), 41U);
}

TEST_F(Resharding, WhatLateWritersLeftIsMovedBeforeItEnds) {
  ReportMany(5);
  Spread(8, [&](milliseconds) {
    const Item stored = Stored("acme", "c3");
    const auto late =
        table().plain().Move("Call", KeyOf(stored.view()), "report",
                             {.set = {{"ReconTime", Text(stored, "CallDateTime")}}}, "PENDING");
    EXPECT_TRUE(late) << late.error().message;
    EXPECT_TRUE(Partitions().contains("STATUS#PENDING"));
  });
  EXPECT_FALSE(Partitions().contains("STATUS#PENDING"));
  EXPECT_EQ(Poll().emitted, 5);
}

TEST_F(Resharding, APollerThatHoldsALeaseIsNotDisturbed) {
  ReportMany(5);
  const PollSummary summary = Poll({.after_leases = [&] {
    Spread(4);
    return true;
  }});
  EXPECT_EQ(summary.emitted, 5);
  EXPECT_EQ(summary.overtaken, 0);
  EXPECT_EQ(Waiting(), 0U);
  EXPECT_EQ(Poll().found, 0);
}

TEST_F(Resharding, KilledInTheMiddleItLeavesAllToBeFoundAndTheNextRunEndsIt) {
  ReportMany(30);
  const auto settings = table().ReadSettings();
  ASSERT_TRUE(settings);
  // As the first step leaves it, with some entries moved.
  ASSERT_TRUE(table().WriteSettings({.shards = 4, .former = {1}, .version = settings->version}));
  for (const char* call : {"c1", "c2"}) Report("acme", call, "PENDING", true);
  EXPECT_EQ(Partitions().size(), 3U);
  EXPECT_EQ(Poll().emitted, 30);
  ReportMany(30, "PENDING");
  Spread(4);
  EXPECT_EQ(SettingsText(), "4");
  EXPECT_EQ(Poll().emitted, 30);
}

// Stopped for longer than the grace between reading the settings and writing by them.
TEST_F(Resharding, WhatASleeperLeftBehindIsFoundByTheNextRun) {
  ReportMany(20);
  Spread(8);
  Spread(4);
  const auto put = world_.endpoint().UpdateItem(
      {.table_name = "calls",
       .key = Item{{"TenantId", "acme"}, {"CallId", "c3"}},
       .update_expression = "SET GSI_Recon_PK = :p",
       .expression_attribute_values = ValueMap{{":p", "STATUS#FAILED#7"}}});
  ASSERT_TRUE(put) << put.error().message();
  EXPECT_EQ(Poll().emitted, 19);
  EXPECT_EQ(Spread(4).moved, 1);
  EXPECT_EQ(Poll().emitted, 1);
}

// Tables had ten shards before they had settings.
TEST_F(Reconciler, ATableOfTenShardsWithoutSettingsIsReadAndBroughtToOne) {
  for (int i = 0; i < 20; ++i) {
    const std::string call = "c" + std::to_string(i);
    ASSERT_TRUE(world_.endpoint().PutItem(
        {.table_name = "calls",
         .item = Item{{"TenantId", "acme"},
                      {"CallId", call},
                      {"CallDateTime", "2026-02-28T07:00:00.000Z"},
                      {"AudioReceived", AttributeValue::Bool(true)},
                      {"ProcessingStatus", "FAILED"},
                      {"Revision", 1},
                      {"Version", 1},
                      {"GSI_Recon_PK", IndexKey("FAILED", call, 10)},
                      {"GSI_Recon_SK", "2026-02-28T07:00:00.000Z#acme"}}}));
  }
  EXPECT_EQ(
      Poll({.page = 5, .go_on = [done = false]() mutable { return !std::exchange(done, true); }})
          .emitted,
      5);
  const auto moved = Reshard(table(), {.shards = 1, .grace = {}});
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(moved->moved, 15);
  EXPECT_EQ(Poll().emitted, 15);
  EXPECT_EQ(Poll().read_units, 2);
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(Resharding, TwoAtOnceDoNotBothEndTheirWork) {
  ReportMany(10);
  const auto first = Reshard(table(), {.shards = 4, .wait = [&](milliseconds) { Spread(2); }});
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().kind, EntityErrorKind::kConflict);
  EXPECT_EQ(Poll().emitted, 10);
  Spread(2);
  EXPECT_EQ(SettingsText(), "2");
}

// Pollers and reporters go on while the number of shards changes again and again.
TEST_F(Resharding, S0_13_UnderPollersAndReportersNothingIsLostAndNothingTwice) {
  constexpr int kCalls = 40;
  const auto end = std::chrono::steady_clock::now() + testing::StressTime() / 2;
  const auto goes_on = [end] { return std::chrono::steady_clock::now() < end; };
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      threads.emplace_back([&] {
        const auto own = OpenTable(kAttentive);
        while (goes_on()) {
          const auto summary = Poller(*own, *OpenSink(Path()), {.threads = 2}).Drain();
          ASSERT_TRUE(summary) << summary.error().message;
        }
      });
    }
    threads.emplace_back([&] {
      const auto own = OpenTable(kAttentive);
      std::mt19937_64 random(7);
      while (goes_on()) {
        const CallReport report{.tenant = "acme",
                                .call = "c" + std::to_string(random() % kCalls),
                                .call_time = SortableTime(Ago(std::chrono::hours(2))),
                                .updated_at = std::nullopt,
                                .audio_received = random() % 2 == 0,
                                .status = std::string(kStatuses[random() % 4])};
        const auto kind = IngestReport(*own, report);
        ASSERT_TRUE(kind || kind.error().kind == EntityErrorKind::kConflict)
            << kind.error().message;
      }
    });
    std::mt19937_64 random(8);
    while (goes_on()) {
      Spread(1 + static_cast<std::int64_t>(random() % 6),
             [](milliseconds) { std::this_thread::sleep_for(milliseconds(50)); });
    }
  }
  Spread(3, [](milliseconds) {});
  world_.clock().Advance(std::chrono::minutes(5));
  Poll();
  EXPECT_EQ(Waiting(), 0U);
  const std::vector<std::string> ids = Ids();
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size()) << "twice";
  const std::set<std::string> emitted(ids.begin(), ids.end());
  for (Item& call : Rows()) {
    if (ReasonsOf(call.view()).empty()) continue;
    EXPECT_EQ(Text(call, "GSI_Recon_PK"), IndexKey("EMITTED", Text(call, "CallId"), 3));
    call.Set("Emissions", AttributeValue(0));
    EXPECT_TRUE(emitted.contains(PayloadOf(call.view()).id)) << PayloadOf(call.view()).id;
  }
}

}  // namespace reshard_test
}  // namespace stator::systems::reconciler
