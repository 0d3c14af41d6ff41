#include "model/cost/cost.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "model/testing/model_fixture.h"

namespace stator::model {
namespace cost_test {

constexpr double kExact = 1e-9;

struct Priced {
  Model model;
  std::vector<Plan> plans;
  std::vector<Estimate> estimates;
  Cost cost;

  const PatternCost& Of(std::string_view name) const {
    for (const PatternCost& pattern : cost.patterns) {
      if (pattern.counted.pattern->name == name) return pattern;
    }
    ADD_FAILURE() << name;
    return cost.patterns.front();
  }
  double WritesPerDay() const { return cost.writes_per_month / 30; }
};

std::unique_ptr<Priced> Price(const std::string& yaml) {
  auto priced = std::make_unique<Priced>();
  priced->model = ParsedModel("model: 1\n" + yaml);
  priced->plans = ResolvePatterns(priced->model);
  priced->estimates = EstimatePlans(priced->model, priced->plans);
  const PriceList& list = *FindPriceList("");
  priced->cost = ComputeCost(priced->model, priced->estimates, list, *list.Find("us-east-1"));
  return priced;
}

// Two tables, and a transaction that writes to both. Every item has less than 1 KB.
std::string Orders(const std::string& patterns) {
  return R"(tables:
  orders: {key: id str}
  stock: {key: id str}
entities:
  Order: {table: orders, attrs: {id: str 20, total: num 8}, volume: {total: 1000}}
  Stock: {table: stock, attrs: {id: str 20, count: counter}, volume: {total: 100}}
patterns:
)" + patterns;
}

TEST(Cost, MembersOfATransactionAreCountedWithItsRate) {
  const auto priced = Price(Orders(R"(
  order: {write: Order.create, rate: 10/day}
  take: {write: Stock.update, adds: [count], guard: exists, rate: 10/day}
  place: {transaction: [order, take], rate: 10/day}
)"));
  EXPECT_NEAR(priced->Of("place").writes_per_day, 10 * 4, kExact);
  EXPECT_NEAR(priced->Of("order").writes_per_day, 0, kExact);
  EXPECT_NEAR(priced->Of("take").writes_per_day, 0, kExact);
  EXPECT_NEAR(priced->WritesPerDay(), 40, kExact);
}

TEST(Cost, MembersOfATransactionWithoutARateAreCountedWithTheirOwn) {
  const auto priced = Price(Orders(R"(
  order: {write: Order.create, rate: 10/day}
  take: {write: Stock.update, adds: [count], guard: exists, rate: 30/day}
  place: {transaction: [order, take]}
)"));
  EXPECT_NEAR(priced->Of("order").writes_per_day, 10 * 2, kExact);
  EXPECT_NEAR(priced->Of("take").writes_per_day, 30 * 2, kExact);
  EXPECT_NEAR(priced->Of("place").writes_per_day, 0, kExact);
  EXPECT_NEAR(priced->WritesPerDay(), 80, kExact);
}

TEST(Cost, AMemberOfTwoTransactionsIsCountedInBoth) {
  const auto priced = Price(Orders(R"(
  order: {write: Order.create}
  take: {write: Stock.update, adds: [count], guard: exists}
  give: {write: Stock.update, adds: [count], guard: exists}
  place: {transaction: [order, take], rate: 10/day}
  move: {transaction: [take, give], rate: 5/day}
)"));
  EXPECT_NEAR(priced->WritesPerDay(), (10 + 5) * 4, kExact);
}

TEST(Cost, ATransactionIsBilledToEachOfItsTables) {
  const auto priced = Price(Orders(R"(
  order: {write: Order.create}
  take: {write: Stock.update, adds: [count], guard: exists}
  place: {transaction: [order, take], rate: 10/day}
)"));
  ASSERT_EQ(priced->cost.tables.size(), 2U);
  for (const TableCost& table : priced->cost.tables) {
    EXPECT_NEAR(table.base.writes_per_month, 30 * 10 * 2, kExact) << table.table->id;
  }
}

// The sum of the patterns is the sum of the tables and indexes: nothing is lost on the way.
TEST(Cost, PatternsAndPlacesAddUpToTheSame) {
  const auto priced = Price(R"(tables:
  calls: {key: id str, indexes: {byUser: {pk: user str, project: keys}}}
  stats: {key: id str, class: infrequent}
entities:
  Call: {table: calls, attrs: {id: str 20, user: str 9, body: str 3000}, volume: {total: 1000, per: {user: 10}}}
  Stat: {table: stats, attrs: {id: str 20, count: counter}, volume: {total: 10}}
patterns:
  add: {write: Call.create, rate: 7/day}
  count: {write: Stat.update, adds: [count], guard: none}
  drop: {write: Call.delete, guard: exists}
  end: {transaction: [drop, count], rate: 3/day}
  mine: {query: calls.byUser, where: user = $u, then_get: Call, all: true, rate: 11/day}
)");
  double reads = 0;
  double writes = 0;
  double usd = 0;
  for (const TableCost& table : priced->cost.tables) {
    reads += table.base.reads_per_month;
    writes += table.base.writes_per_month;
    usd += table.OnDemandUsd();
    for (const PartCost& index : table.indexes) {
      reads += index.reads_per_month;
      writes += index.writes_per_month;
    }
  }
  EXPECT_NEAR(reads, priced->cost.reads_per_month, 1e-6);
  EXPECT_NEAR(writes, priced->cost.writes_per_month, 1e-6);
  EXPECT_NEAR(usd, priced->cost.requests_usd, 1e-9);
  // An entry for each hit, and behind it an item.
  EXPECT_GT(priced->cost.tables[0].base.reads_per_month, 0);
}

// ---- Caches

std::string Settings(const std::string& volume, const std::string& read) {
  return "tables: {settings: {key: \"team str, name str\"}}\nentities:\n  Setting: {table: "
         "settings, "
         "attrs: {team: str 9, name: str 9, value: str 50}, volume: {" +
         volume + "}}\npatterns:\n  settings: {query: settings, where: team = $t, all: true, " +
         read + "}\n";
}

// One load is followed by rate × time reads that find it.
TEST(Caches, TheShareOfHitsFollowsFromTheRateAndTheTime) {
  EXPECT_DOUBLE_EQ(CacheHitShare(0.01, 1, seconds(300)), 3.0 / 4);
  EXPECT_DOUBLE_EQ(CacheHitShare(0.01, 3, seconds(300)), 1.0 / 2);
  EXPECT_DOUBLE_EQ(CacheHitShare(0, 1, seconds(300)), 0);
  EXPECT_DOUBLE_EQ(CacheHitShare(1, 1, seconds(0)), 0);
}

TEST(Caches, ReduceWhatIsBilled) {
  const auto plain = Price(Settings("total: 40, per: {team: 40}", "rate: 288/day"));
  const auto cached = Price(Settings("total: 40, per: {team: 40}", "rate: 288/day, cache: 15m"));
  EXPECT_NEAR(plain->Of("settings").runs_per_second * kSecondsPerDay, 288, kExact);
  EXPECT_NEAR(cached->Of("settings").runs_per_second * kSecondsPerDay, 288.0 / 4, kExact);
  EXPECT_NEAR(cached->cost.reads_per_month, plain->cost.reads_per_month / 4, 1e-6);
  EXPECT_NEAR(cached->cost.requests_usd, plain->cost.requests_usd / 4, 1e-12);
  EXPECT_DOUBLE_EQ(*cached->Of("settings").counted.cache_hits, 0.75);
}

TEST(Caches, HoldEachThingByItself) {
  const auto one = Price(Settings("total: 40, per: {team: 40}", "rate: 288/day, cache: 15m"));
  const auto many = Price(Settings("total: 120, per: {team: 40}", "rate: 288/day, cache: 15m"));
  EXPECT_NEAR(many->cost.reads_per_month, 2 * one->cost.reads_per_month, 1e-6);
}

TEST(Caches, HoldOneThingIfItIsNotSaidHowManyThereAre) {
  const auto priced = Price(Settings("per: {team: 40}", "rate: 288/day, cache: 15m"));
  EXPECT_NEAR(priced->Of("settings").runs_per_second * kSecondsPerDay, 288.0 / 4, kExact);
}

TEST(Caches, AnswerMoreAtPeak) {
  const auto priced = Price("assume: {peak: 5x}\n" +
                            Settings("total: 40, per: {team: 40}", "rate: 288/day, cache: 15m"));
  const Charge& charge = priced->Of("settings").counted.charges.front();
  EXPECT_NEAR(charge.runs_per_second * kSecondsPerDay, 288.0 / 4, kExact);
  EXPECT_NEAR(charge.peak_runs_per_second * kSecondsPerDay, 288.0 * 5 / 16, kExact);
}

// ---- Provisioned capacity

TEST(Provisioned, FollowsTheRatesAndTheirPeak) {
  const auto priced = Price(R"(assume: {peak: 3x}
tables: {notes: {key: id str}}
entities:
  Note: {table: notes, attrs: {id: str 20, body: str 900/390000}, volume: {total: 1000}}
patterns:
  add: {write: Note.put, rate: 10/s}
  read: {get: Note, fresh: strong, rate: 20/s}
)");
  const PartCost& notes = priced->cost.tables.front().base;
  EXPECT_DOUBLE_EQ(notes.provisioned_wcu, 30);
  EXPECT_DOUBLE_EQ(notes.provisioned_rcu, 60);
  // What a run can take at most is still told.
  EXPECT_GT(priced->Of("add").month_usd_max, 300 * priced->Of("add").month_usd);
}

}  // namespace cost_test
}  // namespace stator::model
