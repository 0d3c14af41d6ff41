// HP: can one partition carry what is asked of it?
#include <array>

#include "rules/checks.h"
#include "rules/families.h"

namespace stator::model {
namespace {

constexpr std::array kRules = {
    Rule{
        .id = "HP01",
        .title = "a partition over half of its limits at peak",
        .severity = Severity::kError,
        .check = CheckPartitionLoad,
        .lesson =
            "One value of a partition key takes at most 1,000 write and 3,000 read units a "
            "second, whatever the table has. An index has limits of its own, and when its "
            "partition is full, writes of the table are throttled. Half of it should be the plan, "
            "for peaks have peaks.",
        .bad = R"(model: 1
assume: {peak: 3x}
tables:
  events:
    key: id str
    indexes:
      byKind: {pk: kindKey str, sk: at str, project: keys}
entities:
  Event:
    table: events
    keys: {kindKey: "KIND#{kind}"}
    attrs: {id: str uuid = new, at: str iso_ms, kind: str enum=click|view, body: str 300}
    volume: {total: 1000000}
patterns:
  log: {write: Event.create, rate: 400/s}
  recent: {query: events.byKind, where: kind = $k, order: desc, page: 25, rate: 1/day}
)",
        .good = R"(model: 1
assume: {peak: 3x}
tables:
  events:
    key: id str
    indexes:
      byKind: {pk: kindKey str, sk: at str, project: keys, shards: {n: 4}}
entities:
  Event:
    table: events
    keys: {kindKey: "KIND#{kind}#{shard}"}
    attrs: {id: str uuid = new, at: str iso_ms, kind: str enum=click|view, body: str 300}
    volume: {total: 1000000}
patterns:
  log: {write: Event.create, rate: 400/s}
  recent: {query: events.byKind, where: kind = $k, order: desc, page: 25, rate: 1/day}
)",
    },
    Rule{
        .id = "HP02",
        .title = "a constant or low-cardinality partition key",
        .severity = Severity::kWarning,
        .check = CheckCardinality,
        .lesson = "A partition key with few values puts all traffic on few partitions. With little "
                  "traffic that does no harm and is convenient; it does not grow.",
        .bad = R"(model: 1
assume: {peak: 3x}
tables:
  events:
    key: id str
    indexes:
      byKind: {pk: kindKey str, sk: at str, project: keys}
entities:
  Event:
    table: events
    keys: {kindKey: "EVENT"}
    attrs: {id: str uuid = new, at: str iso_ms, kind: str enum=click|view, body: str 300}
    volume: {total: 1000000}
patterns:
  log: {write: Event.create, rate: 200/s}
  recent: {query: events.byKind, where: kindKey = EVENT, order: desc, page: 25, rate: 1/day}
)",
        .good = R"(model: 1
assume: {peak: 3x}
tables:
  events:
    key: id str
    indexes:
      byKind: {pk: kindKey str, sk: at str, project: keys, shards: {n: 2}}
entities:
  Event:
    table: events
    keys: {kindKey: "EVENT#{shard}"}
    attrs: {id: str uuid = new, at: str iso_ms, kind: str enum=click|view, body: str 300}
    volume: {total: 1000000}
patterns:
  log: {write: Event.create, rate: 200/s}
  recent: {query: events.byKind,  order: desc, page: 25, rate: 1/day}
)",
    },
    Rule{
        .id = "HP03",
        .title = "a sort key that only grows, in a busy partition",
        .severity = Severity::kWarning,
        .check = CheckMonotonicSort,
        .lesson =
            "DynamoDB splits a busy partition between sort keys. If every new key is greater than "
            "all others, every write goes to the last part, and splitting does not help.",
        .bad = R"(model: 1
assume: {peak: 3x}
tables:
  events:
    key: id str
    indexes:
      byKind: {pk: kindKey str, sk: at str, project: keys}
entities:
  Event:
    table: events
    keys: {kindKey: "EVENT"}
    attrs: {id: str uuid = new, at: str iso_ms, kind: str enum=click|view, body: str 300}
    volume: {total: 1000000}
patterns:
  log: {write: Event.create, rate: 100/s}
  recent: {query: events.byKind, where: kindKey = EVENT, order: desc, page: 25, rate: 1/day}
)",
        .good = R"(model: 1
assume: {peak: 3x}
tables:
  events:
    key: id str
    indexes:
      byKind: {pk: kindKey str, sk: at str, project: keys, shards: {n: 4}}
entities:
  Event:
    table: events
    keys: {kindKey: "EVENT#{shard}"}
    attrs: {id: str uuid = new, at: str iso_ms, kind: str enum=click|view, body: str 300}
    volume: {total: 1000000}
patterns:
  log: {write: Event.create, rate: 100/s}
  recent: {query: events.byKind,  order: desc, page: 25, rate: 1/day}
)",
    },
    Rule{
        .id = "HP04",
        .title = "too few or too many shards, or a reader that misses some",
        .severity = Severity::kWarning,
        .check = CheckShards,
        .lesson =
            "Shards multiply what a partition key can take, and every read has to ask each of "
            "them. 1,000 write units a second are 86.4 million writes of 1 KB a day: many designs "
            "that fear a hot partition need no shard at all. A reader that asks one shard sees a "
            "fraction.",
        .bad = R"(model: 1
assume: {peak: 3x}
tables:
  events:
    key: id str
    indexes:
      byKind: {pk: kindKey str, sk: at str, project: keys, shards: {n: 10}}
entities:
  Event:
    table: events
    keys: {kindKey: "EVENT#{shard}"}
    attrs: {id: str uuid = new, at: str iso_ms, kind: str enum=click|view, body: str 300}
    volume: {total: 1000000}
patterns:
  log: {write: Event.create, rate: 10/s}
  recent: {query: events.byKind,  order: desc, page: 25, rate: 1/day}
)",
        .good = R"(model: 1
assume: {peak: 3x}
tables:
  events:
    key: id str
    indexes:
      byKind: {pk: kindKey str, sk: at str, project: keys, shards: {n: 2}}
entities:
  Event:
    table: events
    keys: {kindKey: "EVENT#{shard}"}
    attrs: {id: str uuid = new, at: str iso_ms, kind: str enum=click|view, body: str 300}
    volume: {total: 1000000}
patterns:
  log: {write: Event.create, rate: 300/s}
  recent: {query: events.byKind,  order: desc, page: 25, rate: 1/day}
)",
    },
    Rule{
        .id = "HP05",
        .title = "an index with less write capacity than its writes need",
        .severity = Severity::kError,
        .check = CheckIndexCapacity,
        .lesson = "In provisioned mode an index has write capacity of its own. When it is used up, "
                  "writes of the table are throttled, even those that the table could take.",
        .bad = R"(model: 1
tables:
  t:
    key: id str
    billing: {read: 20, write: 20}
    indexes:
      byOwner: {pk: owner str, project: all, capacity: {read: 5, write: 5}}
entities:
  Thing: {table: t, attrs: {id: str uuid = new, owner: str 12}, volume: {total: 1000, per: {owner: 5}}}
patterns:
  add: {write: Thing.create, rate: 10/s}
  mine: {query: t.byOwner, where: owner = $o, all: true, rate: 1/day}
)",
        .good = R"(model: 1
tables:
  t:
    key: id str
    billing: {read: 20, write: 20}
    indexes:
      byOwner: {pk: owner str, project: all, capacity: {read: 5, write: 20}}
entities:
  Thing: {table: t, attrs: {id: str uuid = new, owner: str 12}, volume: {total: 1000, per: {owner: 5}}}
patterns:
  add: {write: Thing.create, rate: 10/s}
  mine: {query: t.byOwner, where: owner = $o, all: true, rate: 1/day}
)",
    },
};

}  // namespace

std::span<const Rule> HotPartitionRules() { return kRules; }

}  // namespace stator::model
