// KY09 and on: are keys written and asked for with values they can have?
#include <array>

#include "rules/checks.h"
#include "rules/families.h"

namespace stator::model {
namespace {

constexpr std::array kRules = {
    Rule{
        .id = "KY09",
        .title = "an attribute of the base key changes without rekey",
        .severity = Severity::kError,
        .check = CheckMutableKeys,
        .lesson =
            "UpdateItem cannot change the key of an item; another key is another item. It takes a "
            "transaction that puts the new item (if it does not exist) and deletes the old (if it "
            "still is what was read), all or nothing.",
        .bad = R"(model: 1
tables:
  calls: {key: "userId str, sk str"}
entities:
  Call:
    table: calls
    keys: {sk: "{at:013d}#{callId}"}
    attrs: {userId: str 12, at: num epoch_ms, callId: str uuid}
    volume: {total: 1000, per: {userId: 20/50}}
patterns:
  add: {write: Call.create, rate: 10/day}
  move_call: {write: Call.update, sets: at, guard: exists, rate: 1/day}
)",
        .good = R"(model: 1
tables:
  calls: {key: "userId str, sk str"}
entities:
  Call:
    table: calls
    keys: {sk: "{at:013d}#{callId}"}
    attrs: {userId: str 12, at: num epoch_ms, callId: str uuid}
    volume: {total: 1000, per: {userId: 20/50}}
    rekey: [reschedule]
patterns:
  add: {write: Call.create, rate: 10/day}
  reschedule: {write: Call.rekey, sets: at, rate: 1/day}
)",
    },
    Rule{
        .id = "KY10",
        .title = "the tenant is not in the partition key",
        .severity = Severity::kWarning,
        .check = CheckTenants,
        .lesson =
            "What separates tenants should be the first thing that a read must know. If the "
            "partition key does not hold the tenant, a forgotten filter shows one tenant the data "
            "of another, equal ids of two tenants meet, and no policy on leading keys can help.",
        .bad = R"(model: 1
tables:
  app: {key: "PK str, SK str"}
entities:
  Order:
    table: app
    keys: {PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}"}
    attrs: {tenantId: str 8 no=# tenant, customerId: str 12 no=#, orderId: str uuid}
    volume: {total: 1000, per: {customerId: 20/50}}
patterns:
  add: {write: Order.create, rate: 10/day}
)",
        .good = R"(model: 1
tables:
  app: {key: "PK str, SK str"}
entities:
  Order:
    table: app
    keys: {PK: "TENANT#{tenantId}#CUSTOMER#{customerId}", SK: "ORDER#{orderId}"}
    attrs: {tenantId: str 8 no=# tenant, customerId: str 12 no=#, orderId: str uuid}
    volume: {total: 1000, per: {customerId: 20/50}}
patterns:
  add: {write: Order.create, rate: 10/day}
)",
    },
    Rule{
        .id = "KY11",
        .title = "a key attribute may be NULL or empty",
        .severity = Severity::kError,
        .check = CheckAbsentKeys,
        .lesson =
            "DynamoDB refuses NULL and \"\" in a key, of the table and of every index, with a "
            "ValidationException for the whole write. An item that is not to be in an index must "
            "lack the attribute: leave it out, or REMOVE it.",
        .bad = R"(model: 1
tables:
  calls:
    key: CallId str
    indexes:
      Recon: {pk: ReconPK str, sk: At str, project: keys, sparse: {share: 1%}}
entities:
  Call:
    table: calls
    attrs: {CallId: str uuid, At: str iso_s, ReconPK: str 16 nullable}
    volume: {total: 1000}
patterns:
  add: {write: Call.create, rate: 10/day}
)",
        .good = R"(model: 1
tables:
  calls:
    key: CallId str
    indexes:
      Recon: {pk: ReconPK str, sk: At str, project: keys, sparse: {share: 1%}}
entities:
  Call:
    table: calls
    attrs: {CallId: str uuid, At: str iso_s, ReconPK: str 16 opt}
    volume: {total: 1000}
patterns:
  add: {write: Call.create, rate: 10/day}
)",
    },
    Rule{
        .id = "KY12",
        .title = "a key over 2048 or 1024 bytes",
        .severity = Severity::kError,
        .check = CheckKeySize,
        .lesson =
            "A partition key has at most 2048 bytes and a sort key 1024, as UTF-8. A longer one "
            "is refused when it is written, so the greatest value counts, not the usual one.",
        .bad = R"(model: 1
tables:
  t: {key: "owner str, sk str"}
entities:
  Thing:
    table: t
    keys: {sk: "{path}"}
    attrs: {owner: str 12 no=#, path: str 200/4000}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Thing.create, rate: 10/day}
  list: {query: t, where: owner = $o, page: 25, rate: 10/day}
)",
        .good = R"(model: 1
tables:
  t: {key: "owner str, sk str"}
entities:
  Thing:
    table: t
    keys: {sk: "{path}"}
    attrs: {owner: str 12 no=#, path: str 200/900}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Thing.create, rate: 10/day}
  list: {query: t, where: owner = $o, page: 25, rate: 10/day}
)",
    },
    Rule{
        .id = "KY13",
        .title = "a bound value's type is not the key's",
        .severity = Severity::kError,
        .check = CheckBoundTypes,
        .lesson =
            "A key condition compares values of one type: a number bound to a key of text is a "
            "ValidationException, not an empty result. Now as a number has to become the padded "
            "text that the key holds.",
        .bad = R"(model: 1
tables:
  t: {key: "owner str, sk str"}
entities:
  Thing:
    table: t
    keys: {sk: "{at:013d}#{id}"}
    attrs: {owner: str 12 no=#, at: num epoch_ms, id: str uuid}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Thing.create, rate: 10/day}
  list: {query: t, where: "owner = $o, sk >= $now:num", page: 25, rate: 10/day}
)",
        .good = R"(model: 1
tables:
  t: {key: "owner str, sk str"}
entities:
  Thing:
    table: t
    keys: {sk: "{at:013d}#{id}"}
    attrs: {owner: str 12 no=#, at: num epoch_ms, id: str uuid}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Thing.create, rate: 10/day}
  list: {query: t, where: "owner = $o, at >= $now:num", page: 25, rate: 10/day}
)",
    },
    Rule{
        .id = "KY14",
        .title = "unnormalised free text in a key",
        .severity = Severity::kWarning,
        .check = CheckFreeText,
        .lesson =
            "People write one thing in many ways: capitals, spaces, accents in two encodings. In "
            "a key each is another item. Normalise what is written and what is asked by the same "
            "function.",
        .bad = R"(model: 1
tables:
  t: {key: "owner str, sk str"}
entities:
  Thing:
    table: t
    keys: {sk: "{activity}"}
    attrs: {owner: str 12 no=#, activity: str 20 no=# text}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Thing.create, rate: 10/day}
  list: {query: t, where: owner = $o, page: 25, rate: 10/day}
)",
        .good = R"(model: 1
tables:
  t: {key: "owner str, sk str"}
entities:
  Thing:
    table: t
    keys: {sk: "{activity}"}
    attrs: {owner: str 12 no=#, activity: str 20 no=# text norm=nfc|lower|trim}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Thing.create, rate: 10/day}
  list: {query: t, where: owner = $o, page: 25, rate: 10/day}
)",
    },
    Rule{
        .id = "KY15",
        .title = "a query may see less than its partition holds",
        .severity = Severity::kError,
        .check = CheckScopes,
        .lesson =
            "If the caller may see one chat only, and the partition is that of a user over all "
            "chats, the answer shows what it must not. The scope belongs into the partition key, "
            "or at least into the filter.",
        .bad = R"(model: 1
tables:
  activities:
    key: chatId str, id str
    indexes:
      byUser: {pk: userId num, sk: at num, project: all}
entities:
  Activity:
    table: activities
    attrs: {chatId: str 12 card=10, id: str ulid = new, userId: num 8 card=20, at: num epoch_s, activity: str 20 card=30}
    volume: {total: 20000, per: {userId: 1000}}
patterns:
  add: {write: Activity.create, rate: 60/day}
  user_last: {query: activities.byUser, where: userId = $u, scope: chatId, order: desc, page: 25, rate: 9/day}
)",
        .good = R"(model: 1
tables:
  activities:
    key: chatId str, id str
    indexes:
      byUser: {pk: userId num, sk: at num, project: all}
entities:
  Activity:
    table: activities
    attrs: {chatId: str 12 card=10, id: str ulid = new, userId: num 8 card=20, at: num epoch_s, activity: str 20 card=30}
    volume: {total: 20000, per: {userId: 1000}}
patterns:
  add: {write: Activity.create, rate: 60/day}
  user_last: {query: activities.byUser, where: userId = $u, filter: chatId = $c, scope: chatId, order: desc, page: 25, rate: 9/day}
)",
    },
};

}  // namespace

std::span<const Rule> KeyUseRules() { return kRules; }

}  // namespace stator::model
