#include "model/plan/plan.h"

#include <gtest/gtest.h>

#include <string>

#include "model/testing/model_fixture.h"

namespace stator::model {
namespace plan_test {

constexpr const char* kCalls = R"(model: 1
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
    attrs:
      userId: str 12 no=#
      callId: str uuid
      providerId: str 12
      status: str enum=COMPLETED|SCHEDULED
      scheduledFor: num epoch_ms
      note: str 20 opt
    version: version
patterns:
)";

constexpr const char* kSingleTable = R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: keys, shards: {n: 4, by: orderId}}
      ByRegion: {pk: [tenant str, region str], sk: [city str, street str], project: all}
entities:
  Customer:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "CUSTOMER#{username}"}
    attrs: {username: str 20 no=#}
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}", GSI1PK: "STATUS#{status}#{shard}", GSI1SK: "{day}#{at}#{orderId}"}
    attrs: {username: str 20 no=#, orderId: str uuid, status: str enum=OPEN|SHIPPED, day: str date, at: num epoch_s}
  Flag:
    table: app
    keys: {PK: "FLAG#{name}", SK: STATUS}
    attrs: {name: str 10}
  Shop:
    table: app
    keys: {PK: "SHOP#{shopId}", SK: "SHOP"}
    attrs: {shopId: str 9, tenant: str 9, region: str 9, city: str 9, street: str 9}
patterns:
)";

struct Case {
  std::string pattern;
  std::string text;
};

void ExpectPlans(const char* model_text, const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const Model model = ParsedModel(std::string(model_text) + "  p: " + one.pattern + "\n");
    if (model.patterns.empty()) continue;
    EXPECT_EQ(PlanText(ResolvePatterns(model).front()), one.text) << one.pattern;
  }
}

TEST(ResolveReads, BindKeysFromSourceAttributes) {
  ExpectPlans(
      kCalls,
      {{"{get: Call}", "GetItem calls: userId = $userId and sk = \"{scheduledFor:013d}#{callId}\""},
       {"{get: Call, batch: 10}",
        "BatchGetItem calls: userId = $userId and sk = \"{scheduledFor:013d}#{callId}\""},
       {"{get: Call, by: [userId, sk]}", "GetItem calls: userId = $userId and sk = $sk"},
       {"{get: Call, by: callId}", "Query calls.byCallId: callId = $callId"},
       {"{query: calls, where: userId = $u}", "Query calls: userId = $u"},
       {"{query: calls, where: \"userId = $u, scheduledFor >= now\"}",
        "Query calls: userId = $u and sk >= \"{now:013d}\""},
       {"{query: calls, where: \"userId = $u, scheduledFor > $t\"}",
        "Query calls: userId = $u and sk > \"{t:013d}{max}\""},
       {"{query: calls, where: \"userId = $u, scheduledFor <= $t\"}",
        "Query calls: userId = $u and sk <= \"{t:013d}{max}\""},
       {"{query: calls, where: \"userId = $u, scheduledFor < $t\"}",
        "Query calls: userId = $u and sk < \"{t:013d}\""},
       {"{query: calls, where: \"userId = $u, scheduledFor between $a and $b\"}",
        "Query calls: userId = $u and sk between \"{a:013d}\" and \"{b:013d}{max}\""},
       {"{query: calls, where: \"userId = $u, scheduledFor = 7\"}",
        "Query calls: userId = $u and begins_with(sk, 0000000000007#)"},
       {"{query: calls.byUserStatus, where: \"userId = $u, status = SCHEDULED, sk >= $now\"}",
        "Query calls.byUserStatus: userStatus = \"{u}#SCHEDULED\" and sk >= now"},
       {"{query: calls.byUserStatus, foreach: status, where: userId = $u}",
        "Query calls.byUserStatus: userStatus = \"{u}#{status}\"; 2 requests"},
       {"{query: calls.byProvider, where: \"providerId = $p, status = COMPLETED\"}",
        "Query calls.byProvider: providerId = $p; filter status = COMPLETED"},
       {"{scan: calls, filter: status = COMPLETED}", "Scan calls; filter status = COMPLETED"}});
}

TEST(ResolveReads, SayWhatIsMissingAndWhatWouldServe) {
  ExpectPlans(kCalls,
              {{"{query: calls, where: callId = $c}",
                "the partition key of calls (userId) needs userId; calls.byCallId would serve it"},
               {"{query: calls.byUserStatus, where: userId = $u}",
                "the partition key of calls.byUserStatus (userStatus = {userId}#{status}) needs "
                "status"},
               {"{query: calls, where: status = OPEN}",
                "the partition key of calls (userId) needs userId; calls.byUserStatus would with "
                "userId"},
               {"{get: Call, by: note}",
                "note does not give the key of calls: it needs userId, scheduledFor and callId; an "
                "index with the partition key note would serve it"}});
}

TEST(ResolveReads, KeepEntitiesOfOnePartitionApart) {
  ExpectPlans(kSingleTable,
              {{"{query: app, of: Order, where: username = $u}",
                "Query app: PK = \"CUSTOMER#{u}\" and begins_with(SK, ORDER#)"},
               {"{query: app, where: Order.username = $u}",
                "Query app: PK = \"CUSTOMER#{u}\" and begins_with(SK, ORDER#)"},
               {"{query: app, of: Order, where: PK = $pk}", "Query app: PK = $pk"},
               {"{query: app, where: name = $n}", "Query app: PK = \"FLAG#{n}\" and SK = STATUS"},
               {"{get: Flag}", "GetItem app: PK = \"FLAG#{name}\" and SK = STATUS"}});
  const Model model = ParsedModel(std::string(kSingleTable) + R"(
  all: {query: app, where: username = $u}
  spelled: {query: app, of: Order, where: PK = $pk}
  narrow: {query: app, of: Order, where: username = $u}
  prefix: {query: app, of: Order, where: "PK = $pk, SK begins_with 'ORDER#'"}
)");
  const std::vector<Plan> plans = ResolvePatterns(model);
  EXPECT_EQ(plans[0].present.size(), 2U);
  EXPECT_EQ(plans[1].present.size(), 2U);
  EXPECT_EQ(plans[1].entity->name, "Order");
  EXPECT_EQ(plans[2].present.size(), 1U);
  EXPECT_EQ(plans[3].present.size(), 1U);
}

TEST(ResolveReads, FanOutOverShardsUnlessTheShardIsKnown) {
  ExpectPlans(
      kSingleTable,
      {{"{query: app.GSI1, where: \"status = OPEN, day = $d, at between $a and $b\"}",
        "Query app.GSI1: GSI1PK = \"STATUS#OPEN#{shard}\" and GSI1SK between \"{d}#{a}\" and "
        "\"{d}#{b}{max}\"; 4 requests"},
       {"{query: app.GSI1, where: \"status in (OPEN, SHIPPED), day = $d, at >= $a\"}",
        "Query app.GSI1: GSI1PK = \"STATUS#{status}#{shard}\" and GSI1SK between \"{d}#{a}\" and "
        "\"{d}#{max}\"; 8 requests"},
       {"{query: app.GSI1, where: \"status = OPEN, orderId = $o\"}",
        "Query app.GSI1: GSI1PK = \"STATUS#OPEN#{shard}\"; filter orderId = $o"},
       {"{query: app.GSI1, shards: one, where: \"status = OPEN\"}",
        "Query app.GSI1: GSI1PK = \"STATUS#OPEN#{shard}\""}});
}

TEST(ResolveReads, BindKeysOfSeveralAttributesFromLeftToRight) {
  ExpectPlans(
      kSingleTable,
      {{"{query: app.ByRegion, where: \"tenant = $t, region = $r, city = $c, street begins_with "
        "A\"}",
        "Query app.ByRegion: tenant = $t and region = $r and city = $c and begins_with(street, A)"},
       {"{query: app.ByRegion, where: \"tenant = $t, region = $r, street = $s\"}",
        "Query app.ByRegion: tenant = $t and region = $r; filter street = $s"},
       {"{query: app.ByRegion, where: \"tenant = $t\"}",
        "the partition key of app.ByRegion (tenant and region) needs region"}});
}

TEST(ResolveWrites, NameConditionDerivedKeysAndIndexes) {
  ExpectPlans(
      kCalls,
      {{"{write: Call.create}",
        "PutItem Call if attribute_not_exists(userId); derives sk, userStatus; enters byCallId, "
        "enters byProvider, enters byUserStatus"},
       {"{write: Call.update, sets: status, guard: exists}",
        "UpdateItem Call if attribute_exists(userId); derives userStatus; updates byCallId, "
        "updates "
        "byProvider, moves in byUserStatus"},
       {"{write: Call.update, sets: providerId, guard: version}",
        "UpdateItem Call if version = $version; updates byCallId, moves in byProvider, updates "
        "byUserStatus"},
       {"{write: Call.update, by: userId, sets: note}",
        "a write needs the whole key of calls, and userId does not give scheduledFor and callId"},
       {"{write: Call.delete, guard: exists}",
        "DeleteItem Call if attribute_exists(userId); leaves byCallId, leaves byProvider, leaves "
        "byUserStatus"},
       {"{write: Call.rekey, sets: scheduledFor}",
        "TransactWriteItems [PutItem Call if attribute_not_exists(userId); derives sk, userStatus; "
        "enters byCallId, enters byProvider, enters byUserStatus | DeleteItem Call if version = "
        "$version; leaves byCallId, leaves byProvider, leaves byUserStatus]"}});
}

constexpr const char* kRecon = R"(model: 1
tables:
  calls:
    key: id str
    indexes:
      Recon: {pk: reconPk str, sk: at str, project: keys, sparse: {when: "audio = false or status <> SUCCESS", share: 2%}}
      Tracking: {pk: tracking str, project: keys, sparse: {share: 10%}}
entities:
  Call:
    table: calls
    keys: {reconPk: "STATUS#{status}"}
    attrs: {id: str uuid, at: str iso_s, audio: bool, tracking: str 9 opt}
    machine:
      attr: status
      initial: PENDING
      states: {PENDING: dwell 1h, FAILED: dwell 1h, SUCCESS: end}
      moves:
        fail: PENDING -> FAILED
        succeed: PENDING -> SUCCESS
        finish: PENDING -> FAILED|SUCCESS
patterns:
  ship: {write: Call.update, sets: tracking, guard: exists}
)";

TEST(ResolveWrites, FollowSparseIndexesThroughTheMachine) {
  const Model model = ParsedModel(std::string(kRecon) + R"(  create: {write: Call.create}
  fail: {write: Call.fail}
  succeed: {write: Call.succeed}
  finish: {write: Call.finish}
  remove: {write: Call.delete}
  clear: {write: Call.update, removes: [reconPk]}
)");
  std::vector<std::string> texts;
  for (const Plan& plan : ResolvePatterns(model)) texts.push_back(PlanText(plan));
  ASSERT_EQ(texts.size(), 7U);
  EXPECT_EQ(texts[0], "UpdateItem Call if attribute_exists(id); enters Tracking");
  EXPECT_EQ(texts[1], "PutItem Call if attribute_not_exists(id); derives reconPk; enters Recon");
  EXPECT_EQ(texts[2], "UpdateItem Call if status = PENDING; derives reconPk; moves in Recon");
  EXPECT_EQ(texts[3],
            "UpdateItem Call if status = PENDING; derives reconPk; leaves Recon (98%), moves in "
            "Recon (2%)");
  EXPECT_EQ(texts[4],
            "UpdateItem Call if status = PENDING; derives reconPk; moves in Recon (51%), leaves "
            "Recon (49%)");
  EXPECT_EQ(texts[5], "DeleteItem Call; leaves Recon (2%), leaves Tracking (10%)");
  EXPECT_EQ(texts[6], "UpdateItem Call; leaves Recon");
}

TEST(ResolveTransactions, HoldThePlansOfTheirParts) {
  const Model model = ParsedModel(std::string(kCalls) + R"(
  create: {write: Call.create}
  list: {query: calls, where: userId = $u}
  both: {transaction: [create, create]}
  wrong: {transaction: [create, list]}
  whole: {get: Call}
  reads: {transaction: [whole, whole]}
  mixed: {transaction: [create, whole]}
)");
  const std::vector<Plan> plans = ResolvePatterns(model);
  EXPECT_EQ(plans[2].operation, Operation::kTransactWriteItems);
  EXPECT_EQ(plans[2].parts.size(), 2U);
  EXPECT_EQ(plans[3].operation, Operation::kNone);
  EXPECT_EQ(plans[3].obstacle,
            "list is a Query, and a transaction holds reads and writes of whole keys only");
  EXPECT_EQ(plans[5].operation, Operation::kTransactGetItems);
  EXPECT_TRUE(PlanText(plans[5]).starts_with("TransactGetItems [GetItem calls: "))
      << PlanText(plans[5]);
  EXPECT_EQ(plans[6].obstacle,
            "create and whole do not go together: a transaction either reads or writes");
}

TEST(ResolveReads, TellWhetherThePrimaryKeyServes) {
  const Model model = ParsedModel(std::string(kCalls) + R"(
  timeline: {query: calls, where: userId = $u}
  by_id: {get: Call, by: callId}
  whole: {get: Call}
)");
  const std::vector<Plan> plans = ResolvePatterns(model);
  EXPECT_TRUE(plans[0].satisfied_by_primary_key);
  EXPECT_FALSE(plans[1].satisfied_by_primary_key);
  EXPECT_TRUE(plans[2].satisfied_by_primary_key);
}

}  // namespace plan_test
}  // namespace stator::model
