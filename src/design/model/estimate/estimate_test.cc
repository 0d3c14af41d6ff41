#include "model/estimate/estimate.h"

#include <gtest/gtest.h>

#include <string>

#include "model/estimate/item_size.h"
#include "model/testing/model_fixture.h"

namespace stator::model {
namespace estimate_test {

struct Estimated {
  Model model;
  std::vector<Plan> plans;
  std::vector<Estimate> estimates;

  const Estimate& Of(std::string_view name) const {
    for (const Estimate& estimate : estimates) {
      if (estimate.plan->pattern->name == name) return estimate;
    }
    ADD_FAILURE() << name;
    return estimates.front();
  }
};

std::unique_ptr<Estimated> EstimateText(std::string_view yaml) {
  auto result = std::make_unique<Estimated>();
  result->model = ParsedModel(yaml);
  result->plans = ResolvePatterns(result->model);
  result->estimates = EstimatePlans(result->model, result->plans);
  return result;
}

double IndexUnits(const Estimate& estimate) {
  return estimate.TotalWriteUnits() - estimate.write_units.typical;
}

constexpr const char* kCalls = R"(
model: 1
tables:
  calls:
    key: userId str, sk str
    indexes:
      byCallId: {pk: callId str, project: all}
      byProvider: {pk: providerId str, sk: sk str, project: all}
      byUserStatus: {pk: userStatus str, sk: sk str, project: all}
entities:
  Call:
    table: calls
    keys: {sk: "{scheduledFor:013d}#{callId}", userStatus: "{userId}#{status}"}
    volume: {total: 10000, per: {userId: 100, "userId+status": 50, providerId: 200}}
    rekey: [reschedule]
    attrs:
      userId: str 20 no=#
      callId: str uuid
      providerId: str 20
      status: str enum=SCHEDULED|COMPLETED
      scheduledFor: num epoch_ms
      version: num int
    version: version
patterns:
  create: {write: Call.create, guard: not_exists, rate: 10/day}
  complete: {write: Call.update, sets: [status], guard: exists, rate: 10/day}
  reschedule: {write: Call.rekey, sets: [scheduledFor], rate: 1/day}
  timeline: {query: calls, where: userId = $u, all: true, rate: 10/day}
  next: {query: calls.byUserStatus, where: "userId = $u, status = SCHEDULED", limit: 1, rate: 10/day}
)";

TEST(EstimateReads, AQueryThatSaysWhatTheShardIsMadeFromAsksOne) {
  const auto parcels = EstimateText(R"(
model: 1
tables:
  app:
    key: PK str
    indexes: {GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: keys, shards: {n: 4, by: number}}}
entities:
  Parcel:
    table: app
    keys: {PK: "{id}", GSI1PK: "TRACKING#{shard}", GSI1SK: "{number}"}
    volume: {total: 1000, per: {number: 1}}
    attrs: {id: str 8, number: str 18 no=#}
patterns:
  one: {query: app.GSI1, of: Parcel, where: number = $n, limit: 2, rate: 1/s}
  all: {query: app.GSI1, of: Parcel, limit: 2, rate: 1/s}
)");
  ASSERT_NE(parcels, nullptr);
  EXPECT_EQ(parcels->Of("one").read_units.typical, 0.5);
  EXPECT_EQ(parcels->Of("one").items_read.typical, 1);
  EXPECT_EQ(parcels->Of("all").read_units.typical, 4 * 0.5);
}

TEST(EstimateWrites, CostsOfCallsWithThreeWholeIndexes) {
  const auto calls = EstimateText(kCalls);
  ASSERT_NE(calls, nullptr);
  EXPECT_EQ(calls->Of("create").TotalWriteUnits(), 4);
  EXPECT_EQ(calls->Of("complete").TotalWriteUnits(), 5);
  EXPECT_EQ(calls->Of("reschedule").write_units.typical, 4);
  EXPECT_EQ(IndexUnits(calls->Of("reschedule")), 6);
}

TEST(EstimateReads, APageRoundsItsBytesOnce) {
  const auto calls = EstimateText(kCalls);
  ASSERT_NE(calls, nullptr);
  const Estimate& timeline = calls->Of("timeline");
  ASSERT_TRUE(timeline.known) << timeline.missing;
  EXPECT_EQ(timeline.items_read.typical, 100);
  EXPECT_EQ(timeline.pages.typical, 1);
  EXPECT_EQ(timeline.read_units.typical, ItemReadUnits(timeline.bytes_read.typical, false));
  EXPECT_LT(timeline.read_units.typical, 100 * 0.5);
  EXPECT_EQ(calls->Of("next").read_units.typical, 0.5);
}

TEST(EstimateReads, ManyPagesRoundEachByItself) {
  const PageTotals totals = ReadPages({.available = 21900, .entry_bytes = 500});
  EXPECT_EQ(totals.items, 21900);
  EXPECT_EQ(totals.pages, 11);
  EXPECT_NEAR(totals.units, 1337, 10);
}

TEST(EstimateReads, AFullPageIsFollowedByAnother) {
  EXPECT_EQ(ReadPages({.available = 50, .entry_bytes = 100, .limit = 25}).pages, 3);
  EXPECT_EQ(
      ReadPages({.available = 50, .entry_bytes = 100, .limit = 25, .one_request = true}).pages, 1);
  EXPECT_EQ(ReadPages({.available = 50, .entry_bytes = 100, .wanted = 25, .limit = 25}).pages, 1);
  EXPECT_EQ(ReadPages({.available = 0, .entry_bytes = 0}).units, 0.5);
}

TEST(EstimateWrites, AFailedConditionBillsTheTableOnly) {
  const auto jobs = EstimateText(R"(
model: 1
tables:
  jobs: {key: id str, indexes: {ByOwner: {pk: owner str, project: all}}}
entities:
  Job: {table: jobs, volume: {total: 10}, attrs: {id: str 10, owner: str 10, body: str 1500}}
patterns:
  add: {write: Job.create, guard: not_exists, dup: 50%, rate: 1/day}
)");
  ASSERT_NE(jobs, nullptr);
  EXPECT_EQ(jobs->Of("add").write_units.typical, 2);
  EXPECT_EQ(IndexUnits(jobs->Of("add")), 1);
}

TEST(EstimateWrites, AUniqueValueIsAnotherItemInATransaction) {
  const auto users = EstimateText(R"(
model: 1
tables: {users: {key: id str}}
entities:
  User: {table: users, unique: [email], volume: {total: 10}, attrs: {id: str uuid, email: str 30}}
patterns:
  add: {write: User.create, guard: not_exists, rate: 1/day}
)");
  ASSERT_NE(users, nullptr);
  EXPECT_EQ(users->Of("add").TotalWriteUnits(), 4);
}

TEST(EstimateReads, BatchesRoundEveryItem) {
  const auto docs = EstimateText(R"(
model: 1
tables: {docs: {key: id str}}
entities:
  Doc: {table: docs, size: 5 KB, volume: {total: 10}, attrs: {id: str 10, body: str 100}}
patterns:
  some: {get: Doc, batch: 10, rate: 1/day}
  fresh: {get: Doc, fresh: strong, rate: 1/day}
)");
  ASSERT_NE(docs, nullptr);
  EXPECT_EQ(docs->Of("some").read_units.typical, 10);
  EXPECT_EQ(docs->Of("some").pages.typical, 1);
  EXPECT_EQ(docs->Of("fresh").read_units.typical, 2);
}

TEST(EstimateReads, PagingUntilFoundReadsToTheMatch) {
  const auto acts = EstimateText(R"(
model: 1
tables: {acts: {key: "user str, at num"}}
entities:
  Act:
    table: acts
    volume: {per: {user: 999}, total: 99900}
    attrs: {user: str 10, at: num epoch_s, kind: str 10 card=10}
patterns:
  last: {query: acts, where: user = $u, filter: kind = $k, order: desc, limit: 5, want: 1, rate: 1/day}
  whole: {query: acts, where: user = $u, filter: kind = $k, want: 1, rate: 1/day}
)");
  ASSERT_NE(acts, nullptr);
  const Estimate& last = acts->Of("last");
  EXPECT_EQ(last.items_read.typical, 10);
  EXPECT_EQ(last.pages.typical, 2);
  EXPECT_EQ(last.items_read.max, 999);
  EXPECT_EQ(last.items_returned.typical, 1);
  EXPECT_EQ(acts->Of("whole").items_read.typical, 999);  // one page of 1 MB holds them all
}

TEST(EstimateReads, WhatAPatternReturnsTellsHowWideItsRangeIs) {
  const auto result = EstimateText(R"(
model: 1
tables: {acts: {key: "user str, at num"}}
entities:
  Act:
    table: acts
    size: 1000
    attrs: {user: str 8, at: num epoch_s, what: str 8 card=10}
    volume: {total: 100000, per: {user: 5000}}
patterns:
  week: {query: acts, of: Act, where: "user = $u, at between $a and $b", all: true, items: 70, rate: 1/day}
  week_of_one: {query: acts, of: Act, where: "user = $u, at between $a and $b", filter: what = $w, all: true, items: 7, rate: 1/day}
  user: {query: acts, of: Act, where: user = $u, all: true, items: 70, rate: 1/day}
)");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->Of("week").items_read.typical, 70);
  EXPECT_DOUBLE_EQ(result->Of("week_of_one").items_read.typical, 70);
  EXPECT_DOUBLE_EQ(result->Of("week_of_one").items_returned.typical, 7);
  EXPECT_EQ(result->Of("user").items_read.typical, 5000);
}

TEST(EstimateWrites, WhatAWriteSetsDecidesWhetherASparseIndexHasTheItem) {
  const auto result = EstimateText(R"(
model: 1
tables:
  calls:
    key: id str
    indexes:
      Open: {pk: pk str, sk: at str, project: keys, sparse: {when: "outcome missing, status = FAILED", share: 1%}}
entities:
  Call:
    table: calls
    keys: {pk: "STATUS#{status}"}
    attrs: {id: str 20, at: str iso_s, status: str enum=FAILED|DONE = FAILED, outcome: str 8 opt}
    volume: {total: 1000}
patterns:
  record: {write: Call.create, guard: not_exists, rate: 1/day}
  settle: {write: Call.update, sets: [outcome], guard: "status = FAILED, outcome missing", rate: 1/day}
)");
  ASSERT_TRUE(result);
  EXPECT_EQ(IndexUnits(result->Of("record")), 1);
  EXPECT_EQ(IndexUnits(result->Of("settle")), 1);
}

// 1 % of the calls are in the index, but who leases one has found it there.
TEST(Writes, AGuardThatAsksForTheKeyOfASparseIndexFindsTheItemInIt) {
  const auto result = EstimateText(R"(model: 1
tables:
  calls: {key: id str, indexes: {bad: {pk: badPk str, project: [until], sparse: {when: state <> ok, share: 1%}}}}
entities:
  Call: {table: calls, keys: {badPk: "BAD#{state}"}, attrs: {id: str 20, state: str enum=new|ok, until: num int opt, n: counter}, volume: {total: 100}}
patterns:
  lease: {write: Call.update, sets: [until], guard: "badPk exists, until missing or badPk exists, until <= $now", rate: 1/day}
  touch: {write: Call.update, sets: [until], guard: exists, rate: 1/day}
  rest: {write: Call.update, sets: [until], guard: badPk missing, rate: 1/day}
)");
  EXPECT_DOUBLE_EQ(result->Of("lease").TotalWriteUnits(), 2);
  EXPECT_DOUBLE_EQ(result->Of("touch").TotalWriteUnits(), 1.01);
  EXPECT_DOUBLE_EQ(result->Of("rest").TotalWriteUnits(), 1);
}

// The hash of the number says which of the four shards to ask, and only what has one is there.
TEST(Reads, AskTheShardThatTheirValuesSay) {
  const auto result = EstimateText(R"(model: 1
tables:
  orders:
    key: id str
    indexes:
      byNumber: {pk: numberPk str, sk: number str, project: keys, sparse: {when: number exists, share: 60%}, shards: {n: 4, by: number}}
entities:
  Order: {table: orders, keys: {numberPk: "NUMBER#{shard}"}, unique: [number], attrs: {id: str 20, number: str 12 opt}, volume: {total: 1000}}
patterns:
  one: {query: orders.byNumber, where: number = $n, then_get: Order, unique: true, rate: 1/day}
  all: {query: orders.byNumber, all: true, rate: 1/day}
)");
  EXPECT_DOUBLE_EQ(result->Of("one").items_returned.typical, 1);
  EXPECT_DOUBLE_EQ(result->Of("one").read_units.typical, 0.5 + 0.5);
  EXPECT_DOUBLE_EQ(result->Of("all").items_returned.typical, 600);
}

// Of 3 KB each: half of the time one is read, and half of the time two, which take two blocks.
TEST(Reads, OneAndAHalfItemsAreSometimesOneAndSometimesTwo) {
  const PageTotals totals = ReadPages({.available = 1.5, .entry_bytes = 3000});
  EXPECT_DOUBLE_EQ(totals.items, 1.5);
  EXPECT_DOUBLE_EQ(totals.units, (0.5 + 1) / 2);
  EXPECT_DOUBLE_EQ(totals.pages, 1);
}

}  // namespace estimate_test
}  // namespace stator::model
