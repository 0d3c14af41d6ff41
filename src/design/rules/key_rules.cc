// KY: do keys order, separate and isolate as their readers think?
#include <array>

#include "rules/checks.h"
#include "rules/families.h"

namespace stator::model {
namespace {

constexpr std::array kRules = {
    Rule{
        .id = "KY01",
        .title = "a number in a text key without fixed width, or too narrow",
        .severity = Severity::kError,
        .check = CheckNumberWidth,
        .lesson =
            "Text is ordered byte by byte: 10 comes before 9. A number in a key of text is in "
            "order only if all values are padded to one width, wide enough for the greatest value "
            "that will ever come. Milliseconds since 1970 need 13 digits until 2286, seconds need "
            "10; a negative number has no place in such a key.",
        .bad = R"(model: 1
tables:
  t: {key: "owner str, sk str"}
entities:
  Thing:
    table: t
    keys: {sk: "{at}#{id}"}
    attrs: {owner: str 12 no=#, at: num epoch_ms, id: str uuid}
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
    keys: {sk: "{at:013d}#{id}"}
    attrs: {owner: str 12 no=#, at: num epoch_ms, id: str uuid}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Thing.create, rate: 10/day}
  list: {query: t, where: owner = $o, page: 25, rate: 10/day}
)",
    },
    Rule{
        .id = "KY02",
        .title = "a number declared as a text sort key",
        .severity = Severity::kError,
        .check = CheckNumberAsText,
        .lesson =
            "A sort key of type S orders \"999\" after \"1000\". DynamoDB orders numbers by value "
            "if "
            "the key is declared N; and a key declared S refuses an item that carries a number "
            "there.",
        .bad = R"(model: 1
tables:
  t: {key: "owner str, at str"}
entities:
  Thing: {table: t, attrs: {owner: str 12, at: num epoch_ms}, volume: {total: 1000, per: {owner: 20/50}}}
patterns:
  add: {write: Thing.create, rate: 10/day}
)",
        .good = R"(model: 1
tables:
  t: {key: "owner str, at num"}
entities:
  Thing: {table: t, attrs: {owner: str 12, at: num epoch_ms}, volume: {total: 1000, per: {owner: 20/50}}}
patterns:
  add: {write: Thing.create, rate: 10/day}
)",
    },
    Rule{
        .id = "KY03",
        .title = "mixed time formats or units in one key position",
        .severity = Severity::kWarning,
        .check = CheckTimeFormats,
        .lesson =
            "Text order is time order only if every value has the same width, the same zone and "
            "the same precision: 08:00:00.500Z sorts before 08:00:00Z. Seconds and milliseconds "
            "in one position are off by a factor of a thousand. Choose one format for a position, "
            "and let the type say it.",
        .bad = R"(model: 1
tables:
  t: {key: "owner str, sk str"}
entities:
  Thing:
    table: t
    keys: {sk: "{at}#{id}"}
    attrs: {owner: str 12 no=#, at: str iso, id: str uuid}
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
    keys: {sk: "{at}#{id}"}
    attrs: {owner: str 12 no=#, at: str iso_s, id: str uuid}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Thing.create, rate: 10/day}
  list: {query: t, where: owner = $o, page: 25, rate: 10/day}
)",
    },
    Rule{
        .id = "KY04",
        .title = "adjacent placeholders, or values that may contain the separator",
        .severity = Severity::kWarning,
        .check = CheckSeparators,
        .lesson =
            "A key made from several values can be taken apart, and a prefix of it means one "
            "value only, if no value contains the separator. A user called a#b with status OPEN "
            "and a user a with status b#OPEN would share one key; begins_with a# would find both.",
        .bad = R"(model: 1
tables:
  t: {key: "owner str, sk str"}
entities:
  Thing:
    table: t
    keys: {sk: "{folder}#{id}"}
    attrs: {owner: str 12 no=#, folder: str 20, id: str uuid}
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
    keys: {sk: "{folder}#{id}"}
    attrs: {owner: str 12 no=#, folder: str 20 no=#, id: str uuid}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Thing.create, rate: 10/day}
  list: {query: t, where: owner = $o, page: 25, rate: 10/day}
)",
    },
    Rule{
        .id = "KY05",
        .title = "two entities' keys can collide",
        .severity = Severity::kError,
        .check = CheckCollisions,
        .lesson =
            "Entities that share a table or an index are kept apart only by the texts of their "
            "keys. ORDER#{orderId} and ORDER#{status} are one partition for an order called OPEN: "
            "a read of one returns the other. In the table itself, equal keys overwrite each "
            "other.",
        .bad = R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all, overloaded: true}
entities:
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}", GSI1PK: "ORDER#{orderId}", GSI1SK: "{at}"}
    attrs: {username: str 20 no=#, orderId: str 12, at: str iso_s}
  Shipment:
    table: app
    keys: {PK: "SHIPMENT#{id}", SK: "SHIPMENT#{id}", GSI1PK: "ORDER#{status}", GSI1SK: "{at}"}
    attrs: {id: str uuid, status: str enum=DONE|OPEN, at: str iso_s}
patterns:
  place: {write: Order.create, rate: 10/day}
)",
        .good = R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all, overloaded: true}
entities:
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}", GSI1PK: "ORDER#{orderId}", GSI1SK: "{at}"}
    attrs: {username: str 20 no=#, orderId: str 12, at: str iso_s}
  Shipment:
    table: app
    keys: {PK: "SHIPMENT#{id}", SK: "SHIPMENT#{id}", GSI1PK: "STATUS#{status}", GSI1SK: "{at}"}
    attrs: {id: str uuid, status: str enum=DONE|OPEN, at: str iso_s}
patterns:
  place: {write: Order.create, rate: 10/day}
)",
    },
    Rule{
        .id = "KY06",
        .title = "a begins_with prefix that stops inside a value",
        .severity = Severity::kWarning,
        .check = CheckPrefixes,
        .lesson =
            "begins_with compares bytes: OPEN#HIGH also finds OPEN#HIGHEST. A prefix should end "
            "where a value ends, with the separator. Binding the attributes instead of spelling "
            "the key does that.",
        .bad = R"(model: 1
tables:
  app:
    key: id str
    indexes:
      GSI1: {pk: team str, sk: GSI1SK str, project: all}
entities:
  Ticket:
    table: app
    keys: {GSI1SK: "{status}#{priority}#{id}"}
    attrs: {id: str uuid, team: str 12 card=50, status: str enum=CLOSED|OPEN, priority: str enum=HIGH|HIGHEST|LOW}
    volume: {total: 5000, per: {team: 100/400}}
patterns:
  open: {write: Ticket.create, rate: 10/day}
  urgent: {query: app.GSI1, of: Ticket, where: "team = $t, GSI1SK begins_with 'OPEN#HIGH'", order: asc, page: 25, rate: 10/day}
)",
        .good = R"(model: 1
tables:
  app:
    key: id str
    indexes:
      GSI1: {pk: team str, sk: GSI1SK str, project: all}
entities:
  Ticket:
    table: app
    keys: {GSI1SK: "{status}#{priority}#{id}"}
    attrs: {id: str uuid, team: str 12 card=50, status: str enum=CLOSED|OPEN, priority: str enum=HIGH|HIGHEST|LOW}
    volume: {total: 5000, per: {team: 100/400}}
patterns:
  open: {write: Ticket.create, rate: 10/day}
  urgent: {query: app.GSI1, of: Ticket, where: "team = $t, status = OPEN, priority = HIGH", order: asc, page: 25, rate: 10/day}
)",
    },
    Rule{
        .id = "KY07",
        .title = "an enum in a sort key whose text order is not its rank",
        .severity = Severity::kWarning,
        .check = CheckEnumOrder,
        .lesson =
            "HIGH, LOW, MEDIUM is the order of the alphabet, not of urgency. A sort key that is "
            "to order by rank needs the rank in it: 1, 2, 3, or letters that sort so.",
        .bad = R"(model: 1
tables:
  app:
    key: id str
    indexes:
      GSI1: {pk: team str, sk: GSI1SK str, project: all}
entities:
  Ticket:
    table: app
    keys: {GSI1SK: "{status}#{priority}#{id}"}
    attrs: {id: str uuid, team: str 12 card=50, status: str enum=CLOSED|OPEN, priority: str enum=LOW|MEDIUM|HIGH}
    volume: {total: 5000, per: {team: 100/400}}
patterns:
  open: {write: Ticket.create, rate: 10/day}
  urgent: {query: app.GSI1, of: Ticket, where: "team = $t, status = OPEN", order: asc, page: 25, rate: 10/day}
)",
        .good = R"(model: 1
tables:
  app:
    key: id str
    indexes:
      GSI1: {pk: team str, sk: GSI1SK str, project: all}
entities:
  Ticket:
    table: app
    keys: {GSI1SK: "{status}#{priority}#{id}"}
    attrs: {id: str uuid, team: str 12 card=50, status: str enum=CLOSED|OPEN, priority: str enum=1-HIGH|2-MEDIUM|3-LOW}
    volume: {total: 5000, per: {team: 100/400}}
patterns:
  open: {write: Ticket.create, rate: 10/day}
  urgent: {query: app.GSI1, of: Ticket, where: "team = $t, status = OPEN", order: asc, page: 25, rate: 10/day}
)",
    },
    Rule{
        .id = "KY08",
        .title = "a date as the upper bound of times",
        .severity = Severity::kError,
        .check = CheckDateBounds,
        .lesson = "\"2024-01-31\" sorts before \"2024-01-31T00:00:00Z\": BETWEEN 2024-01-01 AND "
                  "2024-01-31 "
                  "returns nothing of the last day. An upper bound is the start of the next day, "
                  "exclusive, or the last instant of the day.",
        .bad = R"(model: 1
tables:
  t: {key: "owner str, sk str"}
entities:
  Thing:
    table: t
    keys: {sk: "{at}#{id}"}
    attrs: {owner: str 12 no=#, at: str iso_s, id: str uuid}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Thing.create, rate: 10/day}
  list: {query: t, where: "owner = $o, at between '2024-01-01' and '2024-01-31'", page: 25, rate: 10/day}
)",
        .good = R"(model: 1
tables:
  t: {key: "owner str, sk str"}
entities:
  Thing:
    table: t
    keys: {sk: "{at}#{id}"}
    attrs: {owner: str 12 no=#, at: str iso_s, id: str uuid}
    volume: {total: 1000, per: {owner: 20/50}}
patterns:
  add: {write: Thing.create, rate: 10/day}
  list: {query: t, where: "owner = $o, at >= '2024-01-01', at < '2024-02-01'", page: 25, rate: 10/day}
)",
    },
};

}  // namespace

std::span<const Rule> KeyRules() { return kRules; }

}  // namespace stator::model
