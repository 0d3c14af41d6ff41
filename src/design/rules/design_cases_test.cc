// Item collections, skewed keys, items over their state machine, and whose keys a read gives.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/testing/model_fixture.h"
#include "rules/rules.h"

namespace stator::model {
namespace design_cases_test {

// The findings of one rule; notes only if asked for.
std::vector<std::string> Messages(std::string_view rule, const std::string& yaml,
                                  bool notes = false) {
  std::vector<std::string> messages;
  const Model model = ParsedModel("model: 1\n" + yaml);
  for (const Finding& finding : Check(model).findings) {
    if (finding.rule != rule || (!notes && finding.severity == Severity::kNote)) continue;
    messages.push_back(finding.target + ": " + finding.message);
  }
  return messages;
}

bool Says(const std::vector<std::string>& messages, std::string_view text) {
  for (const std::string& message : messages) {
    if (message.find(text) != std::string::npos) return true;
  }
  return false;
}

// ---- KY05: item collections

std::string Accounts(const std::string& repository_partition, const std::string& sort) {
  return "tables:\n  app:\n    key: PK str, SK str\n    indexes: {GSI3: {pk: GSI3PK str, sk: "
         "GSI3SK "
         "str, project: all, overloaded: true}}\nentities:\n  Account:\n    table: app\n    keys: "
         "{PK: \"ACCOUNT#{name}\", SK: \"ACCOUNT#{name}\", GSI3PK: \"ACCOUNT#{name}\", GSI3SK: "
         "\"ACCOUNT#{name}\"}\n    attrs: {name: str 20 no=#}\n  Repository:\n    table: app\n    "
         "keys: {PK: \"REPO#{owner}#{repo}\", SK: \"REPO#{owner}#{repo}\", GSI3PK: \"" +
         repository_partition + "\", GSI3SK: \"" + sort +
         "\"}\n    attrs: {owner: str 20 no=#, repo: str 20 no=#, kind: str enum=open|closed, "
         "note: str 20, updatedAt: str iso_s}\n";
}

TEST(ItemCollections, AnAccountAndItsRepositoriesInOnePartitionAreADesign) {
  EXPECT_TRUE(Messages("KY05", Accounts("ACCOUNT#{owner}", "#{updatedAt}")).empty());
  EXPECT_TRUE(Messages("KY05", Accounts("ACCOUNT#{owner}", "REPO#{repo}")).empty());
}

TEST(ItemCollections, ItemsThatTheirSortKeysDoNotKeepApartMeet) {
  EXPECT_TRUE(Says(Messages("KY05", Accounts("ACCOUNT#{owner}", "{note}")), "can meet"));
}

TEST(ItemCollections, AWordOfAListIsNoAccount) {
  EXPECT_TRUE(Says(Messages("KY05", Accounts("ACCOUNT#{kind}", "REPO#{repo}")), "can meet"));
}

std::string SameKeys(const std::string& patterns) {
  return "tables: {app: {key: PK str}}\nentities:\n  User: {table: app, keys: {PK: \"U#{name}\"}, "
         "attrs: {name: str 20}}\n  Bot: {table: app, keys: {PK: \"U#{id}\"}, attrs: {id: str 9}}\n"
         "patterns:\n" +
         patterns;
}

TEST(ItemCollections, OnlyPutsOverwriteEachOther) {
  const std::string put_user = "  user: {write: User.put, rate: 1/day}\n";
  const std::string put_bot = "  bot: {write: Bot.put, rate: 1/day}\n";
  const std::string new_user = "  user: {write: User.create, rate: 1/day}\n";
  const std::string new_bot = "  bot: {write: Bot.create, guard: not_exists, rate: 1/day}\n";
  EXPECT_TRUE(Says(Messages("KY05", SameKeys(put_user + put_bot)), "overwrite each other"));
  EXPECT_TRUE(Says(Messages("KY05", SameKeys(new_user + put_bot)), "Bot overwrites the other"));
  EXPECT_TRUE(Says(Messages("KY05", SameKeys(new_user + new_bot)), "the other cannot be"));
  EXPECT_FALSE(Says(Messages("KY05", SameKeys(new_user + new_bot)), "overwrite"));
}

// ---- ST01, ST02

std::string Job(const std::string& machine, const std::string& patterns) {
  return "tables: {jobs: {key: id str}}\nentities:\n  Job:\n    table: jobs\n    attrs: {id: str "
         "20, "
         "at: num epoch_ms}\n    volume: {total: 9}\n    machine:\n      attr: state\n" +
         machine + "patterns:\n  add: {write: Job.create, rate: 1/day}\n" + patterns;
}

TEST(StateMachines, EveryStateThatIsNoEndNeedsAWayOutForOthers) {
  const auto stuck = [](const std::string& states, const std::string& initial,
                        const std::string& moves) {
    return Messages("ST02", Job("      initial: " + initial + "\n      stamp: at\n      states: {" +
                                    states + "}\n      moves: {" + moves + "}\n",
                                ""));
  };
  const std::string work = "finish: busy -> done, fail: busy -> failed";
  // In the middle, with and without a usual time, and at the start.
  EXPECT_TRUE(Says(stuck("open: dwell 1d, busy: dwell 1h, done: end, failed: end", "open",
                         "take: open -> busy, " + work),
                   "Job.busy"));
  EXPECT_TRUE(Says(stuck("open: dwell 1d, busy: , done: end, failed: end", "open",
                         "take: open -> busy, " + work),
                   "Job.busy"));
  EXPECT_TRUE(Says(stuck("busy: dwell 1h, done: end, failed: end", "busy", work), "Job.busy"));
  EXPECT_TRUE(
      stuck("busy: dwell 1h, done: end, failed: end", "busy", work + ", time_out: busy -> failed")
          .empty());
}

TEST(StateMachines, APutThatLooksAtNothingGoesAroundTheMachine) {
  const auto found = [](const std::string& put) {
    return Messages("ST01", Job("      initial: open\n      states: {open: dwell 1d, done: end}\n"
                                "      moves: {finish: open -> done}\n",
                                "  save: {write: Job.put, rate: 1/day" + put + "}\n"));
  };
  EXPECT_TRUE(Says(found(""), "over what is there"));
  EXPECT_TRUE(Says(found(", guard: none"), "over what is there"));
  EXPECT_TRUE(Says(found(", guard: exists"), "over what is there"));
  EXPECT_TRUE(found(", guard: not_exists").empty());
  EXPECT_TRUE(found(", guard: state = open").empty());
}

// ---- HP01, HP02: skew

std::string Events(const std::string& skew, const std::string& rate) {
  return "assume: {peak: 2x}\ntables: {events: {key: \"tenant str, id str\"}}\nentities:\n  Event: "
         "{table: events, attrs: {tenant: str 9 card=1000, id: str ulid = new, body: str 300}, "
         "volume: {total: 1e6, per: {tenant: 1000}" +
         skew + "}}\npatterns:\n  log: {write: Event.create, rate: " + rate +
         "}\n  mine: {query: events, where: tenant = $t, page: 25, rate: 1/day}\n";
}

TEST(Skew, OneLargeTenantHeatsItsPartition) {
  EXPECT_TRUE(Messages("HP01", Events("", "1000/s")).empty());
  EXPECT_TRUE(Messages("HP01", Events(", skew: {tenant: 10%}", "1000/s")).empty());
  const auto hot = Messages("HP01", Events(", skew: {tenant: 40%}", "1000/s"));
  EXPECT_TRUE(Says(hot, "gets 800 write")) << (hot.empty() ? "nothing" : hot.front());
}

TEST(Skew, AKeyWithOneLargeValueHasFewValues) {
  EXPECT_TRUE(Messages("HP02", Events("", "1000/s")).empty());
  EXPECT_TRUE(Says(Messages("HP02", Events(", skew: {tenant: 40%}", "1000/s")), "40 %"));
  // With little traffic it does no harm yet.
  EXPECT_TRUE(Messages("HP02", Events(", skew: {tenant: 40%}", "1/s")).empty());
  EXPECT_TRUE(Says(Messages("HP02", Events(", skew: {tenant: 40%}", "1/s"), /*notes=*/true),
                   "no harm yet"));
}

// ---- WR15

TEST(ItemSizes, AStatedSizeDoesNotHideAValueThatIsTooLarge) {
  const auto found = [](const std::string& report) {
    return Messages(
        "WR15",
        "tables: {t: {key: id str}}\nentities:\n  E: {table: t, size: 2 KB, attrs: {id: "
        "str 20, report: str " +
            report + "}, volume: {total: 9}}\n");
  };
  EXPECT_TRUE(Says(found("1000/500000"), "E.report"));
  EXPECT_TRUE(found("1000/50000").empty());
}

// ---- AP01: `where: PK = $o`; several entities of one partition

std::string Shop(const std::string& first, const std::string& read) {
  const std::string shipment =
      "  Shipment: {table: app, keys: {PK: \"SHIPMENT#{id}\", SK: \"SHIPMENT#{id}\"}, attrs: {id: "
      "str uuid}, volume: {total: 1000}}\n";
  const std::string orders =
      "  Customer: {table: app, keys: {PK: \"CUSTOMER#{user}\", SK: \"CUSTOMER#{user}\"}, attrs: "
      "{user: str 20 no=#}, volume: {total: 100}}\n  Order: {table: app, keys: {PK: "
      "\"CUSTOMER#{buyer}\", SK: \"ORDER#{orderId}\"}, attrs: {buyer: str 20 no=# ->Customer, "
      "orderId: str 12}, volume: {total: 10000, per: {buyer: 100}}}\n";
  return "tables: {app: {key: \"PK str, SK str\"}}\nentities:\n" +
         (first == "Shipment" ? shipment + orders : orders + shipment) +
         "patterns:\n  read: {query: app, " + read + ", all: true, rate: 1/day}\n";
}

struct Reading {
  bool resolved = false;
  double items = 0;
  std::string obstacle;
};

Reading ReadOf(const std::string& yaml) {
  const Model model = ParsedModel("model: 1\n" + yaml);
  const CheckResult result = Check(model);
  return {result.plans[0].resolved() && result.estimates[0].known,
          result.estimates[0].items_read.typical, result.plans[0].obstacle};
}

TEST(SpelledKeys, AKeyThatCouldBeOfDifferentPartitionsIsRefused) {
  for (const std::string first : {"Shipment", "Customer"}) {
    const Reading reading = ReadOf(Shop(first, "where: PK = $o"));
    EXPECT_FALSE(reading.resolved) << first;
    EXPECT_NE(reading.obstacle.find("SHIPMENT#{id}"), std::string::npos) << reading.obstacle;
    EXPECT_NE(reading.obstacle.find("CUSTOMER#{"), std::string::npos) << reading.obstacle;
  }
}

TEST(SpelledKeys, AreUnderstoodWhereTheyCanMeanOnePartition) {
  for (const std::string first : {"Shipment", "Customer"}) {
    EXPECT_EQ(ReadOf(Shop(first, "of: Order, where: PK = $o")).items, 101) << first;
    EXPECT_EQ(ReadOf(Shop(first, "of: Shipment, where: PK = $o")).items, 1) << first;
    EXPECT_EQ(ReadOf(Shop(first, "where: \"PK = $o, SK begins_with 'ORDER#'\"")).items, 100)
        << first;
    EXPECT_EQ(ReadOf(Shop(first, "where: PK = 'CUSTOMER#ann'")).items, 101) << first;
  }
}

TEST(SeveralEntities, AreAskedForTogether) {
  const std::string both = "of: [Customer, Order], where: \"Customer.user = $u, Order.buyer = $u\"";
  EXPECT_EQ(ReadOf(Shop("Customer", both)).items, 101);
  EXPECT_TRUE(Messages("AP14", Shop("Customer", both), /*notes=*/true).empty());
  EXPECT_TRUE(Messages("AP03", Shop("Customer", both)).empty());
  EXPECT_TRUE(Says(Messages("AP14", Shop("Customer", "where: PK = 'CUSTOMER#ann'"), true),
                   "several entities"));
}

TEST(SeveralEntities, MustBeInOnePartition) {
  const Reading reading = ReadOf(Shop(
      "Customer", "of: [Customer, Shipment], where: \"Customer.user = $u, Shipment.id = $u\""));
  EXPECT_FALSE(reading.resolved);
  EXPECT_NE(reading.obstacle.find("not in one partition"), std::string::npos) << reading.obstacle;
}

TEST(SeveralEntities, EachMustExistInTheTable) {
  const auto model = ParseModel(
      "model: 1\n" + Shop("Customer", "of: [Customer, Nobody], where: PK = $o"), "model.yaml");
  ASSERT_FALSE(model.has_value());
  EXPECT_NE(ProblemTexts("model.yaml", model.error()).find("Nobody"), std::string::npos);
}

// ---- AP05: rates of transactions

std::string Transaction(const std::string& member, const std::string& whole) {
  return "tables: {t: {key: id str}}\nentities:\n  E: {table: t, attrs: {id: str 20, n: counter}, "
         "volume: {total: 9}}\npatterns:\n  a: {write: E.create" +
         member + "}\n  b: {write: E.update, adds: [n], guard: exists" + member +
         "}\n  both: {transaction: [a, b]" + whole + "}\n";
}

TEST(RatesOfTransactions, AreSaidOnceForAll) {
  EXPECT_TRUE(Messages("AP05", Transaction("", ", rate: 9/day"), true).empty());
  EXPECT_TRUE(Messages("AP05", Transaction(", rate: 9/day", ""), true).empty());
  EXPECT_TRUE(Messages("AP05", Transaction(", rate: 9/day", ", rate: 9/day"), true).empty());
  EXPECT_EQ(Messages("AP05", Transaction("", ""), true).size(), 3U);
}

TEST(RatesOfTransactions, AMemberThatSaysAnotherRateIsToldWhichCounts) {
  const auto found = Messages("AP05", Transaction(", rate: 20/day", ", rate: 9/day"), true);
  EXPECT_EQ(found.size(), 2U);
  EXPECT_TRUE(Says(found, "only the latter is counted"));
}

}  // namespace design_cases_test
}  // namespace stator::model
