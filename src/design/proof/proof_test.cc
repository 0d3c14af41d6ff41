#include "proof/proof.h"

#include <gtest/gtest.h>

#include <string>

#include "model/testing/model_fixture.h"
#include "rules/rules.h"

namespace stator::proof {
namespace proof_test {

struct Outcome {
  bool all_ok = true;
  int ran = 0;
  std::string text;
};

Outcome ProveText(std::string_view yaml) {
  Outcome outcome;
  const model::Model model = model::ParsedModel(yaml);
  for (const Proof& proof : ProvePatterns(model)) {
    outcome.all_ok = outcome.all_ok && proof.ok();
    outcome.ran += proof.ran ? 1 : 0;
    outcome.text += proof.pattern->name + " " + proof.operation + ": " + proof.difference + " | " +
                    proof.note + "\n";
  }
  return outcome;
}

TEST(Proofs, CallsWithThreeIndexes) {
  const Outcome outcome = ProveText(R"(
model: 1
tables:
  calls:
    key: userId str, sk str
    indexes:
      byCallId: {pk: callId str, project: all}
      byProvider: {pk: providerId str, sk: sk str, project: keys}
      byUserStatus: {pk: userStatus str, sk: sk str, project: [callId]}
entities:
  Call:
    table: calls
    keys: {sk: "{scheduledFor:013d}#{callId}", userStatus: "{userId}#{status}"}
    volume: {total: 100000, per: {userId: 5000, "userId+status": 50, providerId: 200, callId: 1}}
    rekey: [reschedule]
    unique: [callId]
    attrs:
      userId: str 20 no=#
      callId: str uuid
      providerId: str 20
      status: str enum=SCHEDULED|COMPLETED
      scheduledFor: num epoch_ms
      notes: str 900
      finished: str iso_ms opt
      version: num int
    version: version
patterns:
  create: {write: Call.create, guard: not_exists, rate: 10/day}
  complete: {write: Call.update, sets: [status, finished], guard: exists, rate: 10/day}
  note: {write: Call.update, sets: [notes], guard: exists, rate: 10/day}
  reschedule: {write: Call.rekey, sets: [scheduledFor], rate: 1/day}
  drop: {write: Call.delete, rate: 1/day}
  timeline: {query: calls, where: userId = $u, all: true, rate: 10/day}
  recent: {query: calls, where: "userId = $u, scheduledFor >= $from", order: desc, limit: 10, rate: 10/day}
  next: {query: calls.byUserStatus, where: "userId = $u, status = SCHEDULED", limit: 1, rate: 10/day}
  by_id: {query: calls.byCallId, where: callId = $id, rate: 10/day}
  by_provider: {query: calls.byProvider, where: providerId = $p, then_get: Call, all: true, rate: 1/day}
  count: {query: calls, where: userId = $u, select: count, all: true, rate: 1/day}
  finished: {query: calls, where: userId = $u, filter: status = COMPLETED, all: true, rate: 1/day}
  first_done: {query: calls, where: userId = $u, filter: status = COMPLETED, limit: 3, want: 5, rate: 1/day}
  one: {get: Call, fresh: strong, rate: 1/day}
  many: {get: Call, batch: 120, rate: 1/day}
  swap: {transaction: [complete, create], rate: 1/day}
)");
  EXPECT_TRUE(outcome.all_ok) << outcome.text;
  EXPECT_EQ(outcome.ran, 16) << outcome.text;
}

TEST(Proofs, ShardsTypesAndScans) {
  const Outcome outcome = ProveText(R"(
model: 1
tables:
  calls:
    key: id str
    indexes:
      Recon:
        pk: rpk str
        sk: at str
        project: all
        sparse: {when: status <> SUCCESS, share: 10%}
        shards: {n: 10, by: random}
  events:
    key: device num, at num
    indexes:
      ByKind: {pk: device num, sk: kind str, local: true, project: keys}
entities:
  Call:
    table: calls
    keys: {rpk: "STATUS#{status}#{shard}"}
    volume: {total: 10000}
    attrs:
      id: str uuid
      status: str enum=PENDING|FAILED|SUCCESS
      at: str iso_s
      tags: strset 30
      counts: counters mon..sun
      doc: map 60
      parts: list 40
      raw: bin 12
      flag: bool
  Event:
    table: events
    volume: {total: 30000, per: {device: 3000}}
    attrs: {device: num 6, at: num epoch_s, kind: str 8 card=10, body: str 600}
patterns:
  pending: {query: calls.Recon, where: status = PENDING, all: true, rate: 1/day}
  bad: {query: calls.Recon, foreach: {status: [PENDING, FAILED]}, all: true, rate: 1/day}
  all_calls: {scan: calls, all: true, rate: 1/day, class: admin}
  device: {query: events, where: device = $d, fresh: strong, all: true, rate: 1/day}
  kinds: {query: events.ByKind, where: device = $d, all: true, rate: 1/day}
  page: {query: events, where: device = $d, page: 25, rate: 1/day}
  window: {query: events, where: "device = $d, at between $a and $b", all: true, rate: 1/day}
  add: {write: Event.put, rate: 1/day}
)");
  EXPECT_TRUE(outcome.all_ok) << outcome.text;
  EXPECT_EQ(outcome.ran, 8) << outcome.text;
}

TEST(Proofs, AlternativesFailedConditionsAndSparseIndexes) {
  const Outcome outcome = ProveText(R"yaml(
model: 1
tables:
  lib:
    key: pk str, sk str
    indexes:
      byMember: {pk: memberId str, sk: dueAt num, project: [title], sparse: {when: state = lent, share: 10%}}
      open: {pk: openPk str, project: all, sparse: {when: state <> lost, share: 90%}}
entities:
  Copy:
    table: lib
    keys: {pk: "BOOK#{isbn}", sk: "COPY#{copyId}", openPk: "{state}"}
    volume: {total: 5000, per: {isbn: 30/200, memberId: 2/10}}
    attrs:
      isbn: str 13 no=#
      copyId: str 10 no=#
      title: str 1400/2000
      memberId: str 12 opt
      kind: str enum=paper|audio|film
      dueAt: num epoch_s
    machine:
      attr: state
      initial: shelf
      states: {shelf: dwell 30d, lent: dwell 14d, lost: end}
      moves:
        lend: shelf -> lent +memberId
        back: lent -> shelf
        lose: lent -> lost
patterns:
  add: {write: Copy.create, rate: 20/day, dup: 10%}
  title: {write: Copy.update, sets: [title], guard: exists, rate: 20/day, dup: 20%}
  drop: {write: Copy.delete, guard: exists, rate: 20/day, dup: 50%}
  lend: {write: Copy.lend, rate: 10/day}
  back: {write: Copy.back, rate: 10/day, removes: memberId}
  lose: {write: Copy.lose, rate: 1/day, removes: memberId}
  either: {query: lib, where: Copy.isbn = $i, filter: "kind = paper or kind = film", all: true, rate: 5/day}
  one_of: {query: lib, where: Copy.isbn = $i, filter: "kind = paper or state = lost", all: true, rate: 5/day}
  some: {scan: lib, filter: "title begins_with $t and kind = film or state in (lent, lost)", all: true, rate: 1/day}
)yaml");
  EXPECT_TRUE(outcome.all_ok) << outcome.text;
  EXPECT_EQ(outcome.ran, 9) << outcome.text;
}

TEST(Proofs, AScanOfATableWithoutAKeyIsNotRun) {
  const Outcome outcome = ProveText(R"yaml(
model: 1
tables: {notes: {name: notes}}
entities: {Note: {table: notes, volume: {total: 10}, attrs: {text: str 20}}}
patterns: {all_notes: {scan: notes, all: true, rate: 1/day}}
)yaml");
  EXPECT_EQ(outcome.ran, 0) << outcome.text;
  EXPECT_NE(outcome.text.find("has no key"), std::string::npos) << outcome.text;
}

// 10 % of the copies are lent: an entry comes, goes, changes or moves in a share of the writes only.
TEST(Proofs, AnIndexThatChangesInAShareOfTheRuns) {
  const Outcome outcome = ProveText(R"yaml(
model: 1
tables:
  lib:
    key: pk str, sk str
    indexes:
      byMember: {pk: memberId str, sk: dueAt num, project: [title], sparse: {when: state = lent, share: 10%}}
      open: {pk: openPk str, sk: title str, project: all, sparse: {when: state <> lost, share: 90%}}
entities:
  Copy:
    table: lib
    keys: {pk: "BOOK#{isbn}", sk: "COPY#{copyId}", openPk: "{state}"}
    rekey: [renumber]
    volume: {total: 5000, per: {isbn: 30/200, memberId: 2/10}}
    attrs:
      isbn: str 13 no=#
      copyId: str 10 no=#
      title: str 800/900
      memberId: str 12
      dueAt: num epoch_s
    machine:
      attr: state
      initial: shelf
      states: {shelf: dwell 30d, lent: dwell 14d, lost: end}
      moves:
        lend: shelf -> lent
        mark: lent | shelf -> lost | shelf
patterns:
  title: {write: Copy.update, sets: [title], guard: exists, rate: 20/day, dup: 20%}
  due: {write: Copy.update, sets: [dueAt], rate: 20/day}
  drop: {write: Copy.delete, guard: exists, rate: 20/day}
  mark: {write: Copy.mark, rate: 1/day}
  renumber: {write: Copy.rekey, sets: [copyId], rate: 1/day}
  both: {transaction: [title, drop], rate: 1/day}
)yaml");
  EXPECT_TRUE(outcome.all_ok) << outcome.text;
  EXPECT_EQ(outcome.ran, 6) << outcome.text;
  EXPECT_EQ(outcome.text.find("not compared"), std::string::npos) << outcome.text;
}

// The examples of `stator explain` are designs of all kinds.
TEST(Proofs, HoldForTheGoodExampleOfEveryRule) {
  int ran = 0;
  for (const model::Rule& rule : model::AllRules()) {
    const Outcome outcome = ProveText(rule.good);
    EXPECT_TRUE(outcome.all_ok) << rule.code << "\n" << outcome.text;
    ran += outcome.ran;
  }
  EXPECT_GT(ran, 100);
}

TEST(Proofs, AFilterOnAPartOfTheTablesKey) {
  const Outcome outcome = ProveText(R"(
model: 1
tables:
  calls:
    key: tenant str, id str
    indexes: {ByStatus: {pk: status str, sk: at str, project: all}}
entities:
  Call:
    table: calls
    attrs: {tenant: str 8 card=10, id: str 20, at: str iso_s, status: str 8 card=2}
    volume: {total: 1000, per: {status: 500}}
patterns:
  of_tenant: {query: calls.ByStatus, of: Call, where: status = $s, filter: tenant = $t, all: true, rate: 1/day}
)");
  EXPECT_TRUE(outcome.all_ok) << outcome.text;
  EXPECT_EQ(outcome.ran, 1);
}

}  // namespace proof_test
}  // namespace stator::proof
