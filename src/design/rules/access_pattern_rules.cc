// AP: does every access pattern resolve, and read no more than it needs?
#include <array>

#include "rules/checks.h"
#include "rules/families.h"

namespace stator::model {
namespace {

constexpr std::array kRules = {
    Rule{
        .id = "AP01",
        .title = "a pattern resolves to no Get or Query",
        .severity = Severity::kError,
        .check = CheckResolved,
        .lesson =
            "DynamoDB finds items by the whole partition key and a start of the sort key, of the "
            "table or of one index. A question that gives less cannot be asked at all except by "
            "reading everything. Write down each question first, then give it a key.",
        .bad = R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all}
entities:
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}", GSI1PK: "ORDER#{orderId}", GSI1SK: "ORDER#{orderId}"}
    attrs: {username: str 20 no=#, orderId: str uuid, status: str enum=CLOSED|OPEN, amount: num 6}
    volume: {total: 10000, per: {username: 12/200}}
    unique: [orderId]
patterns:
  place: {write: Order.create, rate: 100/day}
  orders_by_status: {query: app, where: status = $s, rate: 50/day}
)",
        .good = R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all}
entities:
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}", GSI1PK: "ORDER#{orderId}", GSI1SK: "ORDER#{orderId}"}
    attrs: {username: str 20 no=#, orderId: str uuid, status: str enum=CLOSED|OPEN, amount: num 6}
    volume: {total: 10000, per: {username: 12/200}}
    unique: [orderId]
patterns:
  place: {write: Order.create, rate: 100/day}
  orders_of: {query: app, where: username = $u, page: 25, rate: 50/day}
)",
    },
    Rule{
        .id = "AP02",
        .title = "a Scan without class and reason",
        .severity = Severity::kError,
        .check = CheckScans,
        .lesson =
            "A Scan reads and bills every item of the table, however few its filter lets pass, "
            "and it grows with the table. It has its place in rare work of operators, if somebody "
            "says so and why.",
        .bad = R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all}
entities:
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}", GSI1PK: "ORDER#{orderId}", GSI1SK: "ORDER#{orderId}"}
    attrs: {username: str 20 no=#, orderId: str uuid, status: str enum=CLOSED|OPEN, amount: num 6}
    volume: {total: 10000, per: {username: 12/200}}
    unique: [orderId]
patterns:
  place: {write: Order.create, rate: 100/day}
  open_orders: {scan: app, filter: status = OPEN, rate: 50/day}
)",
        .good = R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all}
entities:
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}", GSI1PK: "ORDER#{orderId}", GSI1SK: "ORDER#{orderId}"}
    attrs: {username: str 20 no=#, orderId: str uuid, status: str enum=CLOSED|OPEN, amount: num 6}
    volume: {total: 10000, per: {username: 12/200}}
    unique: [orderId]
patterns:
  place: {write: Order.create, rate: 100/day}
  export: {scan: app, all: true, class: admin, reason: yearly export, rate: 1/year}
)",
    },
    Rule{
        .id = "AP03",
        .title = "a value that the caller gives is in no key: it only filters",
        .severity = Severity::kWarning,
        .check = CheckServedTerms,
        .lesson =
            "A condition that no key serves is applied after the items are read and billed. It "
            "must be in the partition key, or in the sort key before the part that ranges; after "
            "a range nothing can be bound.",
        .bad = R"(model: 1
tables:
  calls:
    key: CallId str
    indexes:
      Recon: {pk: ReconPK str, sk: ReconSK str, project: all}
entities:
  Call:
    table: calls
    keys: {ReconPK: "STATUS#{Status}", ReconSK: "{At}#{TenantId}"}
    attrs: {CallId: str uuid = new, TenantId: str 12 no=# card=40, At: str iso_s, Status: str enum=FAILED|PENDING}
    volume: {total: 10000}
patterns:
  save: {write: Call.create, rate: 100/day}
  of_tenant: {query: calls.Recon, foreach: Status, where: "At > now-7d, TenantId = $t", all: true, rate: 10/day}
)",
        .good = R"(model: 1
tables:
  calls:
    key: CallId str
    indexes:
      Recon: {pk: ReconPK str, sk: ReconSK str, project: all}
entities:
  Call:
    table: calls
    keys: {ReconPK: "{TenantId}#{Status}", ReconSK: "{At}"}
    attrs: {CallId: str uuid = new, TenantId: str 12 no=# card=40, At: str iso_s, Status: str enum=FAILED|PENDING}
    volume: {total: 10000}
patterns:
  save: {write: Call.create, rate: 100/day}
  of_tenant: {query: calls.Recon, foreach: Status, where: "At > now-7d, TenantId = $t", all: true, rate: 10/day}
)",
    },
    Rule{
        .id = "AP04",
        .title = "a write may produce a partition key value that no read asks for",
        .severity = Severity::kWarning,
        .check = CheckAskedValues,
        .lesson =
            "A status in a partition key makes one partition a status, and a reader finds only "
            "those it asks for. Items under a status that nobody queries, or that the index marks "
            "by another predicate than the reader has in mind, are lost to it without any error.",
        .bad = R"(model: 1
tables:
  calls:
    key: CallId str
    indexes:
      Recon:
        pk: ReconPK str
        sk: ReconSK str
        project: [CallId]
        sparse: {when: "AudioReceived = false or Status <> SUCCESS", share: 1%}
entities:
  Call:
    table: calls
    keys: {ReconPK: "STATUS#{Status}", ReconSK: "{At}#{CallId}"}
    attrs:
      CallId: str uuid = new
      At: str iso_s
      AudioReceived: bool
      Status: str enum=PENDING|PROCESSING|FAILED|SUCCESS
    volume: {total: 10000}
patterns:
  save: {write: Call.create, rate: 100/day}
  pool: {query: calls.Recon, where: "Status = PENDING, At > now-7d", finds: "AudioReceived = false or Status = FAILED or Status = PENDING", all: true, rate: 10/day}
)",
        .good = R"(model: 1
tables:
  calls:
    key: CallId str
    indexes:
      Recon:
        pk: ReconPK str
        sk: ReconSK str
        project: [CallId]
        sparse: {when: "AudioReceived = false or Status <> SUCCESS", share: 1%}
entities:
  Call:
    table: calls
    keys: {ReconPK: "STATUS#{Status}", ReconSK: "{At}#{CallId}"}
    attrs:
      CallId: str uuid = new
      At: str iso_s
      AudioReceived: bool
      Status: str enum=PENDING|PROCESSING|FAILED|SUCCESS
    volume: {total: 10000}
patterns:
  save: {write: Call.create, rate: 100/day}
  pool: {query: calls.Recon, foreach: Status, where: "At > now-7d", finds: "AudioReceived = false or Status <> SUCCESS", all: true, rate: 10/day}
)",
    },
    Rule{
        .id = "AP05",
        .title = "no rate, size or number of items",
        .severity = Severity::kNote,
        .check = CheckFigures,
        .lesson =
            "Without how often, how many and how large, nobody can say what a pattern costs or "
            "whether a partition carries it. A rough figure is enough; it shows which patterns "
            "matter.",
        .bad = R"(model: 1
tables: {notes: {key: "owner str, id str"}}
entities:
  Note: {table: notes, attrs: {owner: str 20, id: str ulid, body: str 200}}
patterns:
  add: {write: Note.create}
  mine: {query: notes, where: owner = $o, page: 25}
)",
        .good = R"(model: 1
tables: {notes: {key: "owner str, id str"}}
entities:
  Note: {table: notes, attrs: {owner: str 20, id: str ulid, body: str 200}, volume: {per: {owner: 20/50}, total: 900}}
patterns:
  add: {write: Note.create, rate: 10/day}
  mine: {query: notes, where: owner = $o, page: 25, rate: 50/day}
)",
    },
    Rule{
        .id = "AP06",
        .title = "a read that no write feeds, or a write that nothing reads",
        .severity = Severity::kWarning,
        .check = CheckFed,
        .lesson =
            "Reads and writes come in pairs: whoever reads an index relies on every writer to "
            "fill its keys. A model that lists only one side cannot be checked for that, and an "
            "entity that nobody reads need not be stored.",
        .bad = R"(model: 1
tables: {notes: {key: "owner str, id str"}}
entities:
  Note: {table: notes, attrs: {owner: str 20, id: str ulid}, volume: {per: {owner: 20/50}, total: 900}}
patterns:
  mine: {query: notes, where: owner = $o, page: 25, rate: 50/day}
)",
        .good = R"(model: 1
tables: {notes: {key: "owner str, id str"}}
entities:
  Note: {table: notes, attrs: {owner: str 20, id: str ulid}, volume: {per: {owner: 20/50}, total: 900}}
patterns:
  add: {write: Note.create, rate: 10/day}
  mine: {query: notes, where: owner = $o, page: 25, rate: 50/day}
)",
    },
    Rule{
        .id = "AP07",
        .title = "a strongly consistent read of a global index",
        .severity = Severity::kError,
        .check = CheckStrongReads,
        .lesson =
            "A global index is filled after the write is acknowledged, so every read of it is "
            "eventually consistent, and DynamoDB refuses ConsistentRead on it. What must be read "
            "fresh must be found by the key of the table or by a local index.",
        .bad = R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all}
entities:
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}", GSI1PK: "ORDER#{orderId}", GSI1SK: "ORDER#{orderId}"}
    attrs: {username: str 20 no=#, orderId: str uuid, status: str enum=CLOSED|OPEN, amount: num 6}
    volume: {total: 10000, per: {username: 12/200}}
    unique: [orderId]
patterns:
  place: {write: Order.create, rate: 100/day}
  by_id: {get: Order, by: orderId, fresh: strong, rate: 50/day}
)",
        .good = R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all}
entities:
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}", GSI1PK: "ORDER#{orderId}", GSI1SK: "ORDER#{orderId}"}
    attrs: {username: str 20 no=#, orderId: str uuid, status: str enum=CLOSED|OPEN, amount: num 6}
    volume: {total: 10000, per: {username: 12/200}}
    unique: [orderId]
patterns:
  place: {write: Order.create, rate: 100/day}
  by_id: {get: Order, by: orderId, rate: 50/day}
  fresh: {get: Order, fresh: strong, rate: 50/day}
)",
    },
};

}  // namespace

std::span<const Rule> AccessPatternRules() { return kRules; }

}  // namespace stator::model
