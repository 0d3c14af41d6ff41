// AP08 and on: what a read really returns, and what it reads for it.
#include <array>

#include "rules/checks.h"
#include "rules/families.h"

namespace stator::model {
namespace {

constexpr std::array kRules = {
    Rule{
        .id = "AP08",
        .title = "filter and limit used as \"first match\"",
        .severity = Severity::kError,
        .check = CheckFirstMatch,
        .lesson =
            "Limit counts the items that are read, before the filter. Ten items that do not match "
            "give an empty page and a LastEvaluatedKey, although the eleventh would match. Either "
            "page until enough is found, or make what is filtered part of the key.",
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
  user_last: {query: activities.byUser, where: userId = $u, filter: activity = $a, order: desc, limit: 10, first_match: true, rate: 9/day}
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
  user_last: {query: activities.byUser, where: userId = $u, filter: activity = $a, order: desc, want: 1, rate: 9/day}
)",
    },
    Rule{
        .id = "AP09",
        .title = "a filter reads more than ten times what it returns",
        .severity = Severity::kWarning,
        .check = CheckAmplification,
        .lesson =
            "What a filter drops is read and billed all the same. A factor of two is a bargain "
            "against an index; a factor of hundreds is a missing key, and it grows with the data.",
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
  how_often: {query: activities.byUser, where: userId = $u, filter: activity = $a, select: count, all: true, rate: 9/day}
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
  all_of: {query: activities.byUser, where: userId = $u, page: 100, rate: 9/day}
)",
    },
    Rule{
        .id = "AP10",
        .title = "a filter names a key of what is queried",
        .severity = Severity::kError,
        .check = CheckKeyFilters,
        .lesson =
            "A FilterExpression of a Query may not name the partition or sort key of the table or "
            "index it reads; DynamoDB answers with a ValidationException. Keys belong into the "
            "key condition. A filter can name the attribute from which the key was made.",
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
  recent: {query: activities.byUser, where: userId = $u, filter: at > now-7d, page: 25, rate: 9/day}
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
  recent: {query: activities.byUser, where: "userId = $u, at > now-7d", page: 25, rate: 9/day}
)",
    },
    Rule{
        .id = "AP11",
        .title = "an unbounded result without page or limit",
        .severity = Severity::kWarning,
        .check = CheckBounded,
        .lesson =
            "A Query returns at most 1 MB and a LastEvaluatedKey. Code that takes the first "
            "answer for the whole loses the rest as soon as a partition grows; code that loops "
            "over all of it takes as long as the partition is large. Say which of them is meant.",
        .bad = R"(model: 1
tables: {log: {key: "host str, at num"}}
entities:
  Line: {table: log, attrs: {host: str 20 card=10, at: num epoch_ms, text: str 300}, volume: {total: 1000000, per: {host: 100000}}}
patterns:
  add: {write: Line.create, rate: 1/s}
  of_host: {query: log, where: host = $h, rate: 50/day}
)",
        .good = R"(model: 1
tables: {log: {key: "host str, at num"}}
entities:
  Line: {table: log, attrs: {host: str 20 card=10, at: num epoch_ms, text: str 300}, volume: {total: 1000000, per: {host: 100000}}}
patterns:
  add: {write: Line.create, rate: 1/s}
  of_host: {query: log, where: host = $h, order: desc, page: 100, rate: 50/day}
)",
    },
    Rule{
        .id = "AP12",
        .title = "many GetItems where one BatchGetItem fits",
        .severity = Severity::kWarning,
        .check = CheckBatches,
        .lesson =
            "BatchGetItem reads up to 100 keys of several tables in one request, strongly "
            "consistent too, at the same price. Ten requests one after the other take ten round "
            "trips.",
        .bad = R"(model: 1
tables: {jobs: {key: FileID str}}
entities:
  Job: {table: jobs, attrs: {FileID: str 20, state: str 10}, volume: {total: 300}}
patterns:
  add: {write: Job.create, rate: 10/day}
  is_done: {get: Job, batch: 10, batched: false, fresh: strong, rate: 60/day}
)",
        .good = R"(model: 1
tables: {jobs: {key: FileID str}}
entities:
  Job: {table: jobs, attrs: {FileID: str 20, state: str 10}, volume: {total: 300}}
patterns:
  add: {write: Job.create, rate: 10/day}
  is_done: {get: Job, batch: 10, fresh: strong, rate: 60/day}
)",
    },
    Rule{
        .id = "AP13",
        .title = "a count of one page",
        .severity = Severity::kError,
        .check = CheckCounts,
        .lesson =
            "The length of Items is the number of items on one page, and a page ends at 1 MB or "
            "at Limit. Select COUNT bills the same and sends only the number, but it pages too: "
            "the counts of all pages must be added.",
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
  week_count: {query: activities.byUser, where: "userId = $u, at > now-7d", select: count_by_length, rate: 9/day}
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
  week_count: {query: activities.byUser, where: "userId = $u, at > now-7d", select: count, all: true, rate: 9/day}
)",
    },
    Rule{
        .id = "AP14",
        .title = "a partition of several entities queried without a sort key prefix",
        .severity = Severity::kWarning,
        .check = CheckPartitionMix,
        .lesson =
            "Entities that share a partition come together when the partition is read: the orders "
            "of a customer come with the customer. A begins_with on the text that opens the sort "
            "keys keeps them apart, and bills only what is wanted.",
        .bad = R"(model: 1
tables: {app: {key: "PK str, SK str"}}
entities:
  Customer:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "CUSTOMER#{username}"}
    attrs: {username: str 20 no=#}
    volume: {total: 500}
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}"}
    attrs: {username: str 20 no=#, orderId: str uuid}
    volume: {total: 5000, per: {username: 10/40}}
patterns:
  join: {write: Customer.create, rate: 1/day}
  who: {get: Customer, rate: 10/day}
  place: {write: Order.create, rate: 10/day}
  orders: {query: app, of: Order, where: PK = $customer, page: 25, rate: 10/day}
)",
        .good = R"(model: 1
tables: {app: {key: "PK str, SK str"}}
entities:
  Customer:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "CUSTOMER#{username}"}
    attrs: {username: str 20 no=#}
    volume: {total: 500}
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}"}
    attrs: {username: str 20 no=#, orderId: str uuid}
    volume: {total: 5000, per: {username: 10/40}}
patterns:
  join: {write: Customer.create, rate: 1/day}
  who: {get: Customer, rate: 10/day}
  place: {write: Order.create, rate: 10/day}
  orders: {query: app, of: Order, where: username = $u, page: 25, rate: 10/day}
)",
    },
};

}  // namespace

std::span<const Rule> ReadRules() { return kRules; }

}  // namespace stator::model
